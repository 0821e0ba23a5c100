"""Who may do what in the database: four roles, and none but the owner changes its shape.

The owner migrates, restores and is who an administrator's commands are. The application reads and
writes rows, but logs and ledgers only grow for it: what forgetting, emptied bins and ended clubs
need is let through by triggers that it cannot drop. The reader makes backups; beat sees nothing.
Roles bind what comes through SQL, not a program that can reach the database's files.
"""

OWNER, APPLICATION, READER, BEAT = "tienlen", "tienlen_app", "tienlen_reader", "tienlen_beat"
WITH_PASSWORD = (APPLICATION, BEAT)
"""On an outside server; its owner makes the backups too."""
VARIABLE = "TIENLEN_ROLE"
GROW = ("accounts_securityevent", "league_audit", "league_posting", "league_transfer",
        "tables_action")  # fmt: skip
FORGET = {"league_audit": "data", "league_posting": "note"}
"""Words about people, which the triggers let be overwritten."""
PURGE = ("accounts_securityevent", "league_audit", "league_posting", "league_transfer")
"""What is old or of a club that is over, which the triggers let go."""
READ = ("django_migrations", "league_auditmark")
"""A trigger marks the log, with the owner's rights."""


def made(**passwords: str) -> str:
    """Return the statements that make the roles where they are missing, for a superuser."""
    make = [
        f"CREATE ROLE {APPLICATION} LOGIN",
        f"GRANT pg_read_all_stats TO {APPLICATION}",  # The page Server: who waits for whom.
        f"CREATE ROLE {READER} LOGIN REPLICATION",
        f"ALTER ROLE {READER} SET default_transaction_read_only = on",
        f"GRANT pg_read_all_data TO {READER}",
        f"CREATE ROLE {BEAT} LOGIN",
    ]
    known = f"IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{BEAT}') THEN RETURN; END IF"
    given = [
        f"ALTER ROLE {name} PASSWORD '{word.replace(chr(39), chr(39) * 2)}'"
        for name, word in passwords.items()
    ]
    return "; ".join([f"DO $$ BEGIN {known}", *make, "END $$", *given])


def grants() -> str:
    """Return the statements for the owner that let the application into all tables there are."""
    given = [
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public",
        "GRANT ALL ON ALL SEQUENCES IN SCHEMA public",
    ]
    taken = [
        f"REVOKE UPDATE, DELETE ON {', '.join(GROW)}",
        f"REVOKE INSERT, UPDATE, DELETE ON {', '.join(READ)}",
    ]
    back = [
        *(f"GRANT UPDATE ({word}) ON {table}" for table, word in FORGET.items()),
        f"GRANT DELETE ON {', '.join(PURGE)}",
    ]
    return "\n".join(
        [
            *(f"{each} TO {APPLICATION};" for each in given),
            *(f"{each} FROM {APPLICATION};" for each in taken),
            *(f"{each} TO {APPLICATION};" for each in back),
            "DO $$ BEGIN EXECUTE format("
            "'REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$;",
        ]
    )

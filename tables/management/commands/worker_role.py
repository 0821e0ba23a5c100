"""``manage.py worker_role``: the database role of machines that only play bot tournaments."""

import secrets
from typing import Any
from urllib.parse import quote

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError, connection, transaction
from psycopg import sql

RIGHTS = {
    "django_migrations": "SELECT",
    "tables_frozenruleset": "SELECT",
    "tables_run": "SELECT, UPDATE (turn, spent, counted, is_slow)",
    "tables_queueturn": "SELECT, INSERT, UPDATE (turn)",
    "tables_unit": "SELECT, UPDATE (state, attempts, failures, lease_until, done_at, replay,"
    " digest, conflict_digest, machine, conflict_machine, games, faults, tally, moments, trace,"
    " begun)",
    "tables_keptgames": "SELECT, INSERT",
    "tables_remotegame": "SELECT, INSERT, UPDATE, DELETE",
    "tables_upload": "SELECT, UPDATE (state, report, tries, checked, held_until)",
}
"""The rights that playing a batch needs, by table; none on people, clubs or accounts."""
SEQUENCE = "tables_remotegame_id_seq"


class Command(BaseCommand):
    help = "Create the database role of machines that only play bot games, or renew it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="tienlen_sim")

    def handle(self, *args: Any, **options: Any) -> None:
        name, password = options["name"], secrets.token_urlsafe(24)
        try:
            self._make(name, password)
        except ProgrammingError as error:
            raise CommandError(
                f"PostgreSQL refused: {str(error).splitlines()[0]} Use a DATABASE_URL whose"
                " role may create roles (CREATEROLE) and owns the tables."
            ) from error
        host = connection.settings_dict["HOST"]
        if not host or host.startswith("/"):  # Other machines cannot use a socket.
            host = "HOST"
        place = f"{host}:{connection.settings_dict['PORT'] or 5432}"
        address = f"postgres://{quote(name)}:{password}@{place}/{connection.settings_dict['NAME']}"
        self.stdout.write("Set this on each machine that plays; it is shown once:")
        self.stdout.write(f"DATABASE_URL={address}")
        self.stdout.write("TABLES_PLAYS_ONLY=1")

    @transaction.atomic
    def _make(self, name: str, password: str) -> None:
        role = sql.Identifier(name)
        with connection.cursor() as cursor:
            cursor.execute("SELECT rolname = current_user FROM pg_roles WHERE rolname = %s", [name])
            known = cursor.fetchone()
            if known and known[0]:
                raise CommandError("This is the role of the server itself. Choose another name.")
            verb = sql.SQL("ALTER" if known else "CREATE")
            statements = [
                sql.SQL(
                    "{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 200"
                    " PASSWORD {}"
                ).format(verb, role, sql.Literal(password)),
                sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(role),
                sql.SQL("REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}").format(role),
                sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role),
                sql.SQL("GRANT USAGE ON SEQUENCE {} TO {}").format(sql.Identifier(SEQUENCE), role),
            ]
            statements += [
                sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(rights), sql.Identifier(table), role)
                for table, rights in RIGHTS.items()
            ]
            for statement in statements:
                cursor.execute(statement)

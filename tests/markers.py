"""Where in the database a word stands, in whichever table."""

import io
import json
from collections.abc import Callable

from django.core.management import call_command
from django.db import connection, transaction

from launcher import erasures


def restored(act: Callable[[], object]) -> None:
    """Do this, bring back the database of before, and let it forget again as its next start does.

    Time goes on between the acts, though they are one transaction here.
    """
    before = transaction.savepoint()
    act()
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(listed)::text FROM league_erasure AS listed")
        lines = [json.loads(line) for (line,) in cursor]
    transaction.savepoint_rollback(before)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {erasures.WAITING} (line jsonb)")
        for number, line in enumerate(lines):
            line["at"] = line["at"][:20] + f"{number:06}+00:00"
            cursor.execute(f"INSERT INTO {erasures.WAITING} VALUES (%s)", [json.dumps(line)])
    call_command("forget_again", stdout=io.StringIO())


def everywhere(*words: str) -> list[tuple[str, str]]:
    """The tables and columns in which one of these words stands, in any case of letters."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN"
            " ('text', 'character varying', 'character', 'json', 'jsonb', 'ARRAY', 'bytea')"
        )
        columns = cursor.fetchall()
        assert len(columns) > 100
        found = []
        for table, column in columns:
            cursor.execute(f'SELECT "{column}"::text FROM "{table}"')
            texts = [text.casefold() for (text,) in cursor.fetchall() if text]
            if any(word.casefold() in text for word in words for text in texts):
                found.append((table, column))
    return found

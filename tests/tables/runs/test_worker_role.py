"""The database role of machines that only play: enough for batches, and for nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction

from engine.rules import ruleset
from tables.bots.acts import uploads
from tables.models import RemoteGame, Run, Unit
from tables.runs import queues, runs, tryouts
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NAME = "tienlen_sim_of_a_test"
CODE = "class Any:\n    def choose(self, observation, legal): return legal[0]\n"


@contextmanager
def as_worker() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {NAME}")
        yield
        cursor.execute("RESET ROLE")


def refused(statement: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except ProgrammingError as error:
        return "permission denied" in str(error)
    return False


def test_a_worker_with_least_rights_plays_and_stores_and_may_nothing_else(
    settings, django_capture_on_commit_callbacks
):
    told = StringIO()
    for _ in range(2):  # Renewing it changes the password alone.
        call_command("worker_role", NAME, stdout=told)
    assert f"DATABASE_URL=postgres://{NAME}:" in told.getvalue()
    bot = uploads.add_remote(pool="here", author=make_user(), base="far")
    far = runs.start_run(
        ruleset=ruleset.preset("tien-len"), bots=[bot.name, "lowest"], deals=2, design="single"
    )
    near = runs.start_run(
        ruleset=ruleset.preset("tien-len"), bots=["lowest", "random"], deals=4, design="versus",
        effect=0.1, deals_per_unit=2,
    )  # fmt: skip
    settings.TABLES_PLAYS_ONLY = settings.BOT_UPLOADS = True
    waiting = uploads.add_upload(
        pool="here", author=make_user(), base="new", body=tryouts.packed(CODE)
    )
    with as_worker(), django_capture_on_commit_callbacks(execute=True):
        for _ in range(10):
            queues.work_next()
        for statement in (
            "SELECT * FROM accounts_user",
            "SELECT * FROM league_player",
            "UPDATE tables_run SET seed = 'x'",
            "UPDATE tables_run SET status = 'done'",
            "DELETE FROM tables_unit",
            "UPDATE tables_unit SET deals = 1",
            "UPDATE tables_upload SET body = ''",
            "CREATE TABLE own (id int)",
        ):
            assert refused(statement), statement
    assert list(Unit.objects.filter(run=near).values_list("state", flat=True)) == ["done", "done"]
    assert Run.objects.filter(spent__gt=0, counted__gt=0, turn__gt=0).get() == near
    waiting.refresh_from_db()
    assert (waiting.state, waiting.tries) == ("waiting", 0), "its author could not be told"
    assert RemoteGame.objects.filter(unit__run=far, question__isnull=False).count() == 2
    assert Run.objects.filter(status="running").count() == 2
    settings.TABLES_PLAYS_ONLY = False
    runs.sweep()
    assert Run.objects.get(pk=near.pk).status == "done"


def test_the_role_of_the_server_stays_as_it_is():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        [own] = cursor.fetchone()
    with pytest.raises(CommandError, match="the server itself"):
        call_command("worker_role", own)

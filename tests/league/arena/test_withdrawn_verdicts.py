"""What the server's own clock did to bots in the past is undone by a command."""

from io import StringIO

import pytest
from django.core.management import call_command

from engine.rules import ruleset
from league.models import Audit, Event, Season
from tables.models import Ladder, Meeting, Run, Unit, Upload
from tables.runs import ladders, run_ratings, runs
from tests.factories import make_user
from tests.league.arena.test_run_pages import tournament, work

pytestmark = pytest.mark.django_db

TEXT = """Traceback (most recent call last):
  File "tables/programs/process.py", line 118, in _line
billiard.exceptions.SoftTimeLimitExceeded: SoftTimeLimitExceeded()"""


def command(*arguments: str) -> list[str]:
    said = StringIO()
    call_command("withdraw_verdicts", *arguments, stdout=said)
    return said.getvalue().splitlines()


def judged(event: Event) -> Event:
    """The event, played, with a verdict on its first bot as it was stored."""
    work(event)
    unit = event.run.units.first()
    unit.faults, unit.tally["notes"] = 1, [[0, "crashed", 0, 1, TEXT], [1, "slow", 0, 0, "Own."]]
    unit.moments["faults"] = [[0, "crashed", 1]]
    unit.save()
    event.run.redone += 1  # So that sums that are kept say nothing of it.
    event.run.ratings = run_ratings.rate_run(event.run)
    event.run.save()
    assert event.run.ratings[0] is None
    return event


def test_verdicts_of_our_clock_are_withdrawn_and_the_bots_rated_again():
    event = judged(tournament(4))
    digest = event.run.digest
    dry = command("--dry-run")
    assert len(dry) == 2
    assert "(Bots), batch 1: greedy was called crashed in deal 1, game 2, because" in dry[0]
    assert Unit.objects.filter(state="done", faults=1).count() == 1

    assert command() == [dry[0], f"Run {event.run_id} (Bots): Its games are played again."]
    event.refresh_from_db()
    assert (event.status, event.run.units.first().state) == ("open", "waiting")
    assert Audit.objects.filter(action="run.verdicts_withdrawn", event=event).exists()
    assert command() == ["There is no such verdict."]

    work(event)
    run = Run.objects.get(pk=event.run_id)
    assert (run.status, run.digest) == ("done", digest)
    assert all(run.ratings)
    assert Event.objects.get(pk=event.pk).status == "closed"


def test_batches_that_our_clock_ended_are_played_after_all():
    event = tournament(4)
    Unit.objects.update(state="dead", trace=TEXT)
    runs.finish_if_done(run_id=event.run_id)
    assert "it could not be played, because the time of the server's task was up" in command()[0]
    work(event)
    assert runs.progress(Run.objects.get()).games == 8


def test_games_that_cannot_be_played_again_count_no_more():
    judged(tournament(4))
    Run.objects.update(bots=[{"name": "greedy", "version": 0}, {"name": "random", "version": 1}])
    assert command()[-1].endswith("They cannot be played again.")
    runs.sweep()
    run = Run.objects.get()
    assert (run.status, list(run.units.values_list("state", flat=True))) == ("done", ["skipped"])
    assert command() == ["There is no such verdict."]


def test_a_closed_season_stays_as_it_is():
    judged(tournament(4))
    Season.objects.update(status="closed")
    assert command()[-1].endswith("Reopen it, then give this command again.")
    assert Unit.objects.get().faults == 1


def test_a_ladder_is_fitted_again_and_a_refused_bot_checked_again():
    ladder = ladders.set_ladder(pool="here", ruleset=ruleset.preset("thirteen"), is_on=True)
    run = runs.start_run(ruleset=ruleset.preset("thirteen"), bots=["greedy", "lowest"], deals=4)
    Meeting.objects.create(ladder=ladder, run=run)
    while runs.play_next(run.pk):
        pass
    Ladder.objects.update(rated_games=8)
    notes = [[1, "crashed", 2, 0, TEXT]]
    run.units.update(faults=1, tally={**run.units.get().tally, "notes": notes})
    about = {"pool": "here", "author": make_user(), "language": "python", "body": b""}
    for name, report in (("ours", TEXT), ("its-own", "ValueError: no idea")):
        Upload.objects.create(base=name, number=1, name=f"{name}-1", digest=name, state="refused",
                              report=report, **about)  # fmt: skip
    said = command()
    assert said[-1] == (
        "ours-1 was refused by a check that the server interrupted. It is checked again."
    )
    assert dict(Upload.objects.values_list("base", "state")) == {
        "ours": "waiting",
        "its-own": "refused",
    }
    assert Ladder.objects.get().rated_games == 0
    assert command() == ["There is no such verdict."]

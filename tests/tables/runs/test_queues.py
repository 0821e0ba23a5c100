"""Everyone gets a turn: shares by measured time, fair between authors, and slow bots alone."""

import os
import time

import pytest

from accounts.models import User
from engine import bots as engine_bots
from engine.rules import ruleset
from tables.bots.facts import member_bots
from tables.models import QueueTurn, Run, Unit, Upload
from tables.programs import config
from tables.runs import queues, runs
from tests.factories import make_user

pytestmark = pytest.mark.django_db

TEST, LADDER, TOURNAMENT = Run.Queue.TEST, Run.Queue.LADDER, Run.Queue.TOURNAMENT


def start(queue: str = TOURNAMENT, owner: User | None = None, deals: int = 40) -> Run:
    return runs.start_run(
        ruleset=ruleset.preset("thirteen"), bots=["lowest", "random"], deals=deals,
        deals_per_unit=1, queue=queue, owner=owner,
    )  # fmt: skip


@pytest.fixture
def seconds(monkeypatch):
    """Plays no game, but lets a go of a run take as long as is said here."""
    taken: dict[object, float] = {}
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def play(unit: Unit) -> bool:
        clock[0] += taken.get(unit.run_id, 1.0)
        unit.games = 2
        Unit.objects.filter(pk=unit.pk).update(state="waiting", lease_until=None)
        return True

    monkeypatch.setattr(runs, "_play_leased", play)
    return taken


def spent(*which: Run) -> list[int]:
    found = dict(Run.objects.values_list("pk", "spent"))
    return [found[run.pk] // 1000 for run in which]


def test_queues_share_the_measured_seconds(seconds):
    test, ladder, tournament = start(TEST), start(LADDER), start()
    seconds[ladder.pk] = 5.0
    for _ in range(60):
        assert queues.work_next()
    of_test, of_ladder, of_tournament = spent(test, ladder, tournament)
    assert abs(of_test - of_tournament) <= 2
    assert abs(of_test - 3 * of_ladder) <= 15, "within one go of the slow one"


def test_an_author_with_many_runs_gets_no_more_than_one_with_one(seconds):
    busy, modest = make_user(), make_user()
    many = [start(owner=busy) for _ in range(3)]
    one = start(owner=modest)
    for _ in range(40):
        queues.work_next()
    assert abs(sum(spent(*many)) - spent(one)[0]) <= 2
    late = start(owner=busy)
    assert late.turn >= Run.objects.get(pk=many[0].pk).turn - 1000


def test_nobody_waits_for_a_slow_bot(seconds):
    slow, fast = start(owner=make_user()), start(owner=make_user())
    seconds[slow.pk] = 30.0
    for _ in range(4):
        queues.work_next()
    slow.refresh_from_db()
    assert slow.is_slow
    held = runs.lease(slow.pk)
    assert held is not None, "one worker is in a long game of the slow bot"
    assert runs.lease(slow.pk) is None, "a second one does not begin another"
    for _ in range(20):
        assert queues.work_next()
    assert spent(slow)[0] <= 60
    assert spent(fast)[0] >= 20


def test_a_run_knows_its_place_and_its_wait(seconds):
    first, second = start(), start()
    assert [queues.place_of(run).place for run in (first, second)] == [1, 2]
    queues.work_next()
    first.refresh_from_db()
    place = queues.place_of(first)
    assert place.place == 2
    assert place.seconds == pytest.approx(1.0 / 2 * 80 * 2)
    runs.pause_run(run_id=first.pk)
    first.refresh_from_db()
    assert queues.place_of(first) is None


def test_an_idle_queue_saves_up_no_time(seconds):
    start()
    for _ in range(100):
        queues.work_next()
    turns = dict(QueueTurn.objects.values_list("queue", "turn"))
    assert turns[TOURNAMENT] - turns[TEST] <= queues.BEHIND + 400


def test_an_author_has_one_check_at_a_time(settings):
    from tables.bots.acts import checks

    settings.BOT_UPLOADS = True
    for number, author in enumerate([make_user(), make_user()]):
        for more in (1, 2):
            Upload.objects.create(
                pool="p", author=author, base=f"b{number}{more}", number=1, language="python",
                name=f"b{number}{more}-1", body=b"", digest="d",
            )  # fmt: skip
    held = [checks._hold_next() for _ in range(3)]
    assert [upload and upload.name for upload in held] == ["b01-1", "b11-1", None]
    assert queues.place_of_check(Upload.objects.get(name="b12-1")) == 4


def test_the_file_of_bots_is_read_again_when_it_changes(tmp_path):
    (tmp_path / "own.py").write_text("class Own:\n    version = 1\n")
    path = tmp_path / "bots.toml"
    path.write_text('[bots.one]\npython = "own:Own"\ntrusted = true\n')
    before = config._seen
    try:
        config.register_all(path, needed=True)
        assert engine_bots.is_known("one")
        path.write_text('[bots.two]\npython = "own:Own"\ntrusted = true\n')
        os.utime(path, ns=(1, 1))
        config.refresh()
        assert [engine_bots.is_known(name) for name in ("one", "two")] == [False, True]
    finally:
        engine_bots.BOTS.pop("two", None)
        config._seen = before


def test_two_bots_of_one_author_share_no_table_of_three():
    author, other = make_user(), make_user()
    for number, (base, owner) in enumerate([("king", author), ("aide", author), ("else", other)]):
        Upload.objects.create(
            pool="p", author=owner, base=base, number=1, name=f"{base}-1", language="remote",
            body=b"", digest=str(number), state="sound",
        )  # fmt: skip
    start = {"ruleset": ruleset.preset("tien-len"), "deals": 1, "design": "single"}
    with pytest.raises(ValueError, match="another bot at this table"):
        runs.start_run(bots=["king-1", "aide-1", "lowest"], **start)
    runs.start_run(bots=["king-1", "else-1", "lowest"], **start)
    Upload.objects.update(language="python")
    assert member_bots.meets_itself(["king-1", "aide-1"], 2) is None
    assert member_bots.meets_itself(["king-1", "aide-1", "lowest"], 3) == "aide-1"

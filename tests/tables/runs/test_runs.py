"""Runs of bots: every game exactly once, whatever happens to workers."""

import datetime
import re
import threading
from contextlib import AbstractContextManager

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from engine import records
from engine.rules import ruleset
from engine.statistics import Moments
from tables.models import Run, Unit
from tables.runs import run_ratings, run_records, runs, verdicts
from tests.races import race, wait_until_it_blocks

pytestmark = pytest.mark.django_db

BOTS = ["greedy", "random", "random", "greedy"]


def start(deals: int = 6, per_unit: int = 2, seed: str = "tết", **more) -> Run:
    return runs.start_run(
        **{"ruleset": ruleset.preset("mien-nam"), "bots": BOTS}
        | {"deals": deals, "seed": seed, "deals_per_unit": per_unit}
        | more
    )


def duel(bots: list[str], deals: int = 400, **more) -> Run:
    return start(
        ruleset=ruleset.preset("thirteen"), bots=bots, deals=deals, per_unit=50, design="versus",
        **{"effect": 0.05} | more,
    )  # fmt: skip


def play_all(run: Run) -> Run:
    while runs.play_next(run.pk):
        pass
    runs.finish_if_done(run_id=run.pk)
    run.refresh_from_db()
    return run


def play_unit(run: Run, index: int) -> None:
    unit = run.units.get(index=index)
    block = runs.play(unit)
    runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)


def expire_leases() -> None:
    Unit.objects.filter(state="leased").update(
        lease_until=timezone.now() - datetime.timedelta(seconds=1)
    )


def states(run: Run) -> list[str]:
    return list(run.units.order_by("index").values_list("state", flat=True))


def test_a_run_plays_each_deal_in_four_rotations():
    run = play_all(start(deals=5, per_unit=2))
    found = runs.progress(run)
    assert (run.status, found.games, found.games_asked) == ("done", 20, 20)
    assert [unit.deals for unit in run.units.order_by("index")] == [2, 2, 1]


@pytest.mark.parametrize(
    ("bots", "deals"), [(["greedy", "random"], 100), (["greedy", "planner"], 20)]
)
def test_units_are_shorter_where_a_bot_thinks(bots, deals):
    assert start(bots=bots, per_unit=None).deals_per_unit == deals


@pytest.mark.parametrize(
    ("bot", "deals", "per_unit"),
    [
        ("random", 2_500, 50), ("random", 12_500, 250), ("random", 1_000_000, 500),
        ("planner", 500, 10), ("planner", 1_000_000, 100), ("sage", 1_000_000, 10),
    ],
)  # fmt: skip
def test_long_runs_of_quick_bots_have_longer_units(bot, deals, per_unit):
    assert runs.deals_for_unit(["greedy", bot] * 2, "rotations", deals) == per_unit


def test_the_same_seed_gives_the_same_digest_and_another_seed_another():
    first, again, other = play_all(start()), play_all(start()), play_all(start(seed="trung thu"))
    assert first.digest == again.digest != other.digest


def test_the_digest_does_not_depend_on_the_order_of_the_units():
    run = start()
    for index in (2, 0, 1):
        play_unit(run, index)
    assert play_all(run).digest == play_all(start()).digest


def test_a_result_submitted_twice_counts_once():
    run = start(deals=2)
    for _ in range(2):
        play_unit(run, 0)
    assert runs.progress(run) == runs.RunProgress(games=8, games_asked=8, dead=0, conflicts=0)


def test_another_digest_for_a_finished_unit_is_a_conflict_that_changes_nothing():
    run = start(deals=2)
    play_unit(run, 0)
    runs.submit(unit_id=run.units.get().pk, tally={}, games=99, digest="f" * 64)
    assert runs.progress(run) == runs.RunProgress(games=8, games_asked=8, dead=0, conflicts=1)
    assert [unit.index for unit in runs.troubles(run)] == [0]


def test_a_killed_worker_loses_nothing():
    run = start()
    assert runs.lease(run.pk) is not None  # This worker dies before it submits.
    expire_leases()
    assert runs.sweep() is True
    assert states(run) == ["waiting"] * 3
    assert play_all(run).digest == play_all(start()).digest


def test_a_late_result_of_a_worker_that_was_given_up_is_welcome():
    run = start(deals=2)
    unit = runs.lease(run.pk)
    expire_leases()
    runs.sweep()
    block = runs.play(unit)
    runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)
    assert play_all(run).status == "done"


def test_a_lease_from_before_the_clock_went_back_does_not_hold_its_unit():
    run = start()
    assert runs.lease(run.pk) is not None  # This worker dies before it submits.
    Unit.objects.filter(state="leased").update(
        lease_until=timezone.now() + datetime.timedelta(hours=1)
    )
    assert runs.sweep()
    assert runs.lease(run.pk) is not None


def test_a_lease_lives_as_long_as_its_worker_gets_on(monkeypatch):
    run = start(deals=4, per_unit=4)
    unit = runs.lease(run.pk)
    expire_leases()
    monkeypatch.setattr(runs, "LEASE", datetime.timedelta(microseconds=4))
    runs.play(unit)
    assert run.units.get().lease_until > timezone.now() - datetime.timedelta(seconds=1)


def test_a_unit_in_many_goes_is_the_one_that_is_played_at_once(settings):
    """Game by game, also of a deal that has many; no go asks about what was decided before."""
    field = {"bots": ["planner", "greedy", "random", "random"], "deals": 2, "per_unit": 2}
    at_once = play_all(start(**field)).units.get()
    settings.TABLES_PLAY_SECONDS = 0
    run, goes, counts = start(**field), 0, []
    while run.units.exclude(state="done").exists():
        assert runs.play_next(run.pk)
        goes += 1
        unit = run.units.get()
        counts.append(len(unit.begun or ()))
        assert unit.attempts <= 1, "it gets on, and is never lost"
    assert (goes, counts) == (8, [1, 2, 3, 4, 5, 6, 7, 0])
    unit = run.units.get()
    assert (unit.digest, unit.tally) == (at_once.digest, at_once.tally)
    decisions = [[bot[0] for bot in one.moments["thinking"]] for one in (unit, at_once)]
    assert decisions[0] == decisions[1] != [0, 0, 0, 0]
    assert unit.replay == "wanted"
    for _ in range(8):
        assert runs.play_next(run.pk)
    unit.refresh_from_db()
    assert (unit.replay, unit.begun, unit.conflict_digest) == ("same", None, "")


def test_a_go_whose_lease_was_taken_over_takes_nothing_from_the_other(settings):
    settings.TABLES_PLAY_SECONDS = 0
    run = start(bots=["planner", "greedy"], deals=2, per_unit=2, design="versus")
    late = runs.lease(run.pk)
    assert late is not None
    games = runs.play_on(late)
    expire_leases()
    runs.sweep()
    other = runs.lease(run.pk)
    runs.store_begun(late, games)
    unit = run.units.get()
    assert (unit.state, unit.attempts, len(unit.begun)) == ("leased", 2, 1)
    runs.store_begun(other, runs.play_on(other)[:0])
    assert (run.units.get().state, len(run.units.get().begun)) == ("waiting", 1)


def test_a_bot_that_fails_three_times_leaves_a_dead_unit_with_its_trace():
    run = start()
    Run.objects.filter(pk=run.pk).update(bots=[*run.bots[:3], {"name": "greedy", "version": 99}])
    run = play_all(run)
    assert (run.status, states(run)) == ("done", ["dead"] * 3)
    assert set(run.units.values_list("attempts", "failures")) == {(3, 3)}
    assert "here and the run is of 99" in run.units.first().trace


def test_a_unit_survives_many_killed_workers_but_not_all_of_them():
    run = start()
    for _ in range(runs.MOST_ATTEMPTS):
        assert states(run)[0] == "waiting"
        assert runs.lease(run.pk).index == 0
        expire_leases()
        runs.sweep()
    run = play_all(run)
    assert (run.status, runs.progress(run).dead, runs.progress(run).games) == ("done", 1, 16)
    assert "lease ran out" in run.units.get(state="dead").trace


def test_dead_units_can_be_tried_again_and_the_run_is_whole():
    run = start()
    Unit.objects.filter(run=run, index=0).update(state="dead", attempts=10)
    run = play_all(run)
    assert (run.status, runs.progress(run).games) == ("done", 16)
    assert runs.retry_dead(run_id=run.pk) == 1
    run.refresh_from_db()
    assert run.status == "running"
    assert play_all(run).digest == play_all(start()).digest


def test_a_cancelled_run_plays_no_more_and_takes_no_late_result():
    run = start()
    runs.play_next(run.pk)
    unit = runs.lease(run.pk)
    runs.cancel_run(run_id=run.pk)
    block = runs.play(unit)
    runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)
    assert states(run) == ["done", "skipped", "skipped"]
    assert runs.lease(run.pk) is None
    assert runs.progress(run).games == 8


def test_a_paused_run_waits_and_goes_on_to_the_same_end():
    run = start()
    runs.play_next(run.pk)
    runs.pause_run(run_id=run.pk)
    assert runs.lease(run.pk) is None
    assert runs.resume_run(run_id=run.pk).status == "running"
    assert play_all(run).digest == play_all(start()).digest


def test_a_run_whose_last_unit_comes_in_while_it_is_paused_is_done():
    run = start(deals=2)
    unit = runs.lease(run.pk)
    runs.pause_run(run_id=run.pk)
    play_unit(run, unit.index)
    assert play_all(run).status == "done"


def test_a_paused_run_with_more_to_play_waits_until_it_is_resumed():
    run = runs.pause_run(run_id=start().pk)
    run.units.filter(index=0).update(state="dead")
    assert runs.extend_run(run_id=run.pk, deals=2).status == "paused"
    assert runs.retry_dead(run_id=run.pk) == 1
    assert (runs.play_next(run.pk), set(states(run))) == (False, {"waiting"})
    run = play_all(runs.resume_run(run_id=run.pk))
    assert (run.status, runs.progress(run).games) == ("done", run.deals * 4)


def test_an_extended_run_is_the_run_that_had_all_its_deals_from_the_start():
    run = play_all(start(deals=4))
    extended = play_all(runs.extend_run(run_id=run.pk, deals=4))
    whole = play_all(start(deals=8))
    assert (extended.digest, runs.progress(extended).games) == (whole.digest, 32)


def test_what_is_over_for_good_cannot_be_extended():
    run = runs.cancel_run(run_id=start().pk)
    with pytest.raises(ValueError, match="cannot be extended"):
        runs.extend_run(run_id=run.pk, deals=2)


def test_runs_take_turns_by_their_priority():
    small, big, urgent = (start(deals=100, per_unit=1, priority=p) for p in (0, 1, 2))
    for _ in range(63):
        runs.lease()
    leased = [run.units.filter(state="leased").count() for run in (small, big, urgent)]
    assert leased == [3, 12, 48]


def test_a_run_that_begins_later_neither_waits_for_the_others_nor_stops_them():
    first = start(deals=50, per_unit=1)
    for _ in range(20):
        runs.lease()
    second = start(deals=50, per_unit=1)
    for _ in range(20):
        runs.lease()
    assert first.units.filter(state="leased").count() == 30
    assert second.units.filter(state="leased").count() == 10


def test_one_unit_of_a_small_run_is_played_again_and_compared():
    run = play_all(start())
    assert runs.progress(run).replayed == 1
    assert sorted(run.units.values_list("replay", flat=True)) == ["no", "no", "same"]


def test_a_replay_that_differs_is_a_conflict():
    run = start()
    unit = run.units.get(replay="wanted")
    play_unit(run, unit.index)
    Unit.objects.filter(pk=unit.pk).update(digest="f" * 64)
    play_all(run)
    unit.refresh_from_db()
    assert (unit.replay, len(unit.conflict_digest)) == ("different", 64)
    assert list(runs.troubles(run)) == [unit]


def lie(run: Run, index: int) -> None:
    """Store another result than the games had."""
    unit = run.units.get(index=index)
    block = runs.play(unit)
    runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest="f" * 64)


def test_a_machine_that_stores_wrong_results_is_found_out_in_all_of_them(settings):
    honest = play_all(start(deals=12))
    run = start(deals=12)
    caught = run.units.get(replay="wanted").index
    lies = sorted({caught, (caught + 1) % 6, (caught + 2) % 6})
    settings.TABLES_MACHINE = "liar"
    for index in lies:
        lie(run, index)
    settings.TABLES_MACHINE = "sound"
    run = play_all(run)
    assert [unit.index for unit in runs.troubles(run)] == lies
    assert {(unit.machine, unit.conflict_machine) for unit in runs.troubles(run)} == {
        ("liar", "sound")
    }
    assert (run.status, runs.progress(run).games) == ("done", 48)
    verdicts.totals(run)
    assert runs.retry_dead(run_id=run.pk) == len(lies)
    run = play_all(Run.objects.get(pk=run.pk))
    assert (run.digest, runs.progress(run)) == (
        honest.digest, runs.RunProgress(48, 48, dead=0, conflicts=0, replayed=len(lies))
    )  # fmt: skip
    assert verdicts.totals(run) == verdicts.totals(honest)


def test_a_machine_leaves_its_own_units_to_others_for_a_while(settings):
    settings.TABLES_MACHINE = "one"
    run = start()
    for index in range(3):
        settings.TABLES_MACHINE = "two" if run.units.get(index=index).replay == "no" else "one"
        play_unit(run, index)
    settings.TABLES_MACHINE = "one"
    assert runs.play_next(run.pk) is False
    assert runs.sweep() is True
    run.units.update(done_at=timezone.now() - runs.PATIENCE)
    assert runs.play_next(run.pk) is True
    assert runs.progress(run).replayed == 1


def test_about_one_unit_in_a_hundred_is_replayed():
    assert start(deals=1000, per_unit=2).units.filter(replay="wanted").count() == 5


def test_the_test_ends_a_run_as_soon_as_it_is_clear():
    run = play_all(duel(["greedy", "random"]))
    assert (run.status, run.verdict["better"], run.verdict["deals"]) == ("done", True, 100)
    assert states(run) == ["done"] * 2 + ["skipped"] * 6
    assert runs.progress(run).games == 200


def test_equal_bots_are_not_better():
    assert play_all(duel(["random", "random"])).verdict["better"] is False


def test_the_order_in_which_workers_finish_cannot_change_the_verdict():
    run, expected = duel(["greedy", "random"]), play_all(duel(["greedy", "random"]))
    for index in (7, 5, 1, 3):  # The first is missing: nothing can be said.
        play_unit(run, index)
        runs.finish_if_done(run_id=run.pk)
    run.refresh_from_db()
    assert (run.status, run.verdict) == ("running", None)
    run = play_all(run)
    assert (run.verdict, run.digest) == (expected.verdict, expected.digest)
    assert states(run) == ["done"] * 2 + ["skipped"] * 6


def test_the_verdict_is_the_same_whether_its_sums_are_kept_or_added_anew():
    run, expected = duel(["greedy", "random"]), play_all(duel(["greedy", "random"]))
    play_unit(run, 0)
    assert runs.finish_if_done(run_id=run.pk) is False
    cache.clear()
    assert play_all(run).verdict == expected.verdict


def test_what_the_verdict_skips_does_not_count_though_it_was_looked_at_before():
    run = duel(["greedy", "random"])
    for index in range(4):
        play_unit(run, index)
    assert verdicts.totals(run).of("scores", 2).deals == 200
    assert runs.finish_if_done(run_id=run.pk) is True
    run.refresh_from_db()
    deals = verdicts.totals(run).of("scores", 2).deals
    assert (deals, run.verdict["deals"], runs.progress(run).games) == (100, 100, 200)


def test_a_finished_unit_locks_nothing_while_others_are_left(django_assert_num_queries):
    run = start()
    play_unit(run, 0)
    with django_assert_num_queries(1):
        assert runs.finish_if_done(run_id=run.pk) is False


def test_totals_are_those_of_all_deals_in_one_block():
    run = play_all(start())
    tallies = list(run.units.values_list("tally", flat=True))
    scores = [row for tally in tallies for row in tally["deal_scores"]]
    money = [row for tally in tallies for row in tally["deal_net"]]
    total = verdicts.totals(run)
    assert total.of("scores", 4) == Moments.of(scores, 4)
    assert total.of("money", 4) == Moments.of(money, 4)


def test_each_game_gives_half_of_the_opponents_on_average():
    run = play_all(start(ruleset=ruleset.preset("thirteen"), bots=["greedy"] * 3, deals=4))
    total = verdicts.totals(run).of("scores", 3)
    means = [total.mean(bot, verdicts.score_unit(run)).mean for bot in range(3)]
    assert sum(means) == pytest.approx(1.5)


def test_ratings_follow_from_the_games_and_the_seed():
    first = run_ratings.rate_run(play_all(duel(["greedy", "random"], deals=50, effect=None)))
    again = run_ratings.rate_run(play_all(duel(["greedy", "random"], deals=50, effect=None)))
    assert first == again
    assert first[0]["low"] > first[1]["high"]
    assert run_ratings.rate_run(start()) is None


def rated_pools(*started: Run) -> list[list[run_ratings.PoolBot]]:
    return run_ratings.rate_pools([play_all(run) for run in started])


def test_bots_of_several_runs_are_rated_by_all_games_at_once():
    one = duel(["planner", "greedy"], deals=40, effect=None)
    other = duel(["greedy", "random"], deals=40, effect=None)
    [pool] = rated_pools(one, other)
    assert [(bot.name, bot.games) for bot in pool] == [
        ("planner", 80), ("greedy", 160), ("random", 80),
    ]  # fmt: skip
    assert sum(bot.rating.rating for bot in pool) == pytest.approx(0)
    assert pool[1].rating.low > pool[2].rating.high
    assert [pool] == rated_pools(one, other)


def test_bots_that_never_met_are_rated_apart():
    apart = [duel(["greedy", "random"], deals=3), duel(["planner", "planner"], deals=3)]
    assert [{bot.name for bot in pool} for pool in rated_pools(*apart)] == [
        {"greedy", "random"}, {"planner"},
    ]  # fmt: skip
    assert len(rated_pools(*apart, duel(["planner", "random"], deals=3))) == 1


def test_one_run_alone_gives_a_bot_the_rating_of_its_entry():
    run = play_all(duel(["greedy", "random"], deals=50, effect=None))
    [pool] = run_ratings.rate_pools([run])
    assert [run_ratings.as_json(bot.rating) for bot in pool] == run_ratings.rate_run(run)


def test_a_bot_of_another_version_is_another_bot():
    played = [play_all(duel(["greedy", "random"], deals=3, effect=None)) for _ in range(2)]
    played[1].bots[0]["version"] = "of tomorrow"
    [pool] = run_ratings.rate_pools(played)
    assert sorted((bot.name, bot.games) for bot in pool) == [
        ("greedy", 6), ("greedy", 6), ("random", 12),
    ]  # fmt: skip


def test_any_game_replays_to_its_own_end():
    run = play_all(start())
    assert records.replay(runs.game(run, deal=5, rotation=3))["finished"] is True
    assert runs.game(run, deal=6, rotation=0) is None
    assert runs.game(run, deal=0, rotation=4) is None


def test_only_finished_deals_are_there_to_download():
    run = start(deals=6, per_unit=2)
    play_unit(run, 0)
    play_unit(run, 2)
    assert run_records.finished_deals(run, first_deal=1, deals=4) == [1, 4]


def test_records_of_a_deal_say_which_they_are_and_who_played():
    found = list(run_records.RunGames(play_all(start()), [1]).of_deal(1))
    assert [record["event"]["game"] for record in found] == [1, 2, 3, 4]
    assert {record["event"]["deal"] for record in found} == {2}
    assert sorted(found[0]["players"]) == ["greedy", "greedy 2", "random", "random 2"]


def test_a_number_of_bots_that_the_rules_do_not_seat_is_refused():
    with pytest.raises(ValueError, match="family is for 4 to 4"):
        start(ruleset=ruleset.preset("family"), bots=["greedy", "random"], deals=1)


@pytest.mark.parametrize(
    "changed",
    [{"effect": 0.1}, {"verdict": {"better": True}}, {"priority": 3}, {"status": "done"}],
)
def test_the_database_refuses_a_run_that_cannot_be(changed):
    run = start()
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(**changed)


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_take_different_units():
    run = start(deals=12, per_unit=1)

    def work() -> None:
        while runs.play_next(run.pk):
            pass

    race(*[work] * 3, refused=())
    assert set(run.units.values_list("state", "attempts")) == {("done", 1)}
    assert play_all(run).digest == play_all(start(deals=12, per_unit=1)).digest


def held_after(statement: str, held: threading.Event) -> AbstractContextManager[None]:
    """After its first statement like this one, this thread stands until another waits for it."""

    def hold(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if re.search(statement, sql) and not held.is_set():
            held.set()
            wait_until_it_blocks()
        return answer

    return connection.execute_wrapper(hold)


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_last_unit_comes_in_at_the_moment_of_its_pause_is_done():
    run = start(deals=2)
    unit = runs.lease(run.pk)
    block, ends = runs.play(unit), threading.Event()

    def work() -> None:
        with held_after(r'^UPDATE "tables_run"', ends):
            runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)

    def pause() -> None:
        assert ends.wait(60)
        runs.pause_run(run_id=run.pk)

    race(work, pause, refused=())
    run.refresh_from_db()
    assert run.status == "done"


@pytest.mark.django_db(transaction=True)
def test_a_run_is_cancelled_while_a_worker_takes_a_unit():
    """The one waits for the other: neither holds what the other needs."""
    run = start(deals=12, per_unit=1)
    took = threading.Event()

    def work() -> Unit | None:
        with held_after(r'"tables_unit".* FOR UPDATE', took):
            return runs.lease(run.pk)

    def cancel() -> None:
        assert took.wait(60)
        runs.cancel_run(run_id=run.pk)

    found, _none = race(work, cancel, refused=())
    assert found.index == 0
    assert set(states(run)) == {"skipped"}


def test_a_run_without_a_free_unit_keeps_its_turn():
    run = start(deals=2)
    assert runs.lease(run.pk) is not None
    turn = Run.objects.get(pk=run.pk).turn
    Unit.objects.filter(run=run).update(state="done", digest="f" * 64, tally={}, lease_until=None)
    assert runs.lease_of(run) is None
    assert Run.objects.get(pk=run.pk).turn == turn

"""The one way in for results: what it saves, what it refuses, what a correction leaves behind."""

import uuid
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rules import ruleset
from league.models import Placing, Result, Tally, Transfer
from league.nights.acts import closing, results, tallies
from league.nights.facts import sittings
from league.seasons.facts import standings
from tests.factories import correct, make_night, make_table, make_user, names_at, play
from tests.league.base.test_races import at_once
from tests.league.nights.played import check_tallies
from tests.plugins.chance import examples
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def points(event):
    return {s.player.name: float(s.row.points) for s in standings.event_standings(event)}


def test_a_game_gives_three_two_one_nothing(sitting):
    first, second, third, last = names_at(sitting)
    play(sitting, [first, second, third, last])
    assert points(sitting.round.event) == {first: 3, second: 2, third: 1, last: 0}


def test_a_key_saves_no_other_game_and_no_other_correction(sitting):
    order, form = names_at(sitting), uuid.uuid4()
    saved = play(sitting, order, game_no=1, client_id=form)
    for sent, number in ((order[::-1], 1), (order, 2)):
        with refuses("key_reused"):
            play(sitting, sent, game_no=number, client_id=form)
    with refuses("key_reused"):
        correct(saved, order, client_id=form)
    again = uuid.uuid4()
    right = correct(saved, order[::-1], client_id=again, reason="nhầm ")
    assert correct(saved, order[::-1], client_id=again, reason="nhầm") == right
    for other in ({"reason": ""}, {"void": True}, {"version": 2}, {"groups": [[1]]}):
        with refuses("key_reused"):
            correct(saved, order[::-1], client_id=again, **{"reason": "nhầm"} | other)
    assert play(sitting, order, game_no=1, client_id=form) == saved
    assert Result.objects.count() == 2


def test_a_game_that_somebody_else_saved_meanwhile_is_refused(sitting):
    order = names_at(sitting)
    play(sitting, order, game_no=1)
    with refuses("stale"):
        play(sitting, order[::-1], game_no=1)
    assert Result.objects.count() == 1


def test_two_phones_that_enter_one_game_alike_save_it_once(sitting):
    order = names_at(sitting)
    assert play(sitting, order, game_no=1) == play(sitting, order, game_no=1)
    assert Result.objects.count() == 1


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda keys: [*keys[:3], keys[0]], "twice"),
        (lambda keys: keys[:3], "players"),
        (lambda keys: [*keys[:3], keys[3] + 10_000], "players"),
    ],
)
def test_places_must_name_everybody_at_the_table_once(sitting, spoil, code):
    keys = [place.entrant_id for place in sittings.places_at(sitting, 1)]
    with refuses(code):
        play(sitting, [], game_no=1, groups=[[key] for key in spoil(keys)])
    assert (Result.objects.count(), Placing.objects.count()) == (0, 0)


def test_a_round_of_two_games_takes_no_third():
    sitting = make_table(make_night(games_per_round=2), games=2)
    with refuses("full"):
        play(sitting)


def test_a_closed_night_takes_no_result(sitting):
    closing.close_event(event=sitting.round.event, by=make_user(), despite_unfinished=True)
    with refuses("closed"):
        play(sitting)


def test_a_correction_changes_points_and_keeps_the_old_version_for_reading_alone(sitting):
    order = names_at(sitting)
    first = play(sitting, order)
    correct(first, order[::-1], reason="read the sheet upside down")
    assert points(sitting.round.event) == dict(zip(order, (0, 1, 2, 3), strict=True))
    versions = sittings.versions(sitting, 1)
    assert [(g.result.version, g.result.current, g.result.reason) for g in versions] == [
        (2, True, "read the sheet upside down"),
        (1, False, ""),
    ]
    with refuses("stale"):
        correct(first, order)


def test_a_game_entered_by_mistake_counts_no_more(sitting):
    correct(play(sitting), [], void=True)
    assert set(points(sitting.round.event).values()) == {0}
    assert Tally.objects.count() == 0


def test_counts_kept_are_the_counts_rebuilt():
    event = make_night(8, games_per_round=5)
    sitting = make_table(event)
    order = names_at(sitting)
    for shift in range(4):
        play(sitting, order[shift:] + order[:shift])
    correct(sitting.results.get(game_no=2), order)
    check_tallies(event)


TALLY = ("sitting", "entrant", "size", "rank", "tied", "games")
ACTS = st.tuples(
    st.sampled_from(["record", "correct", "void"]),
    st.permutations(range(4)),
    st.booleans(),
    st.integers(0, 7),
)


@made_once
def shared_places():
    rules = ruleset.with_options(ruleset.preset("penguin"), {"all_lose": True})
    return make_table(make_night(rules=rules, games_per_round=9, stake=5))


@settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(acts=st.lists(ACTS, max_size=8))
def test_any_mix_of_entries_and_corrections_counts_like_a_rebuild(shared_places, acts):
    """One rule counts for both; the last of all places may be shared."""
    with transaction.atomic():
        keys = [place.entrant_id for place in sittings.places_at(shared_places, 1)]
        versions: list[int] = []
        for act, places, shares, which in acts:
            first, *others = (keys[at] for at in places)
            sent = {
                "sitting_id": shared_places.pk,
                "groups": [[first], others] if shares else [[first], *([key] for key in others)],
                "client_id": uuid.uuid4(),
                "by": None,
            }
            if act == "record" or not versions:
                results.record(**sent, game_no=len(versions) + 1)
                versions.append(1)
                continue
            at = which % len(versions)
            sent |= {"game_no": at + 1, "version": versions[at], "reason": "Asked everyone"}
            results.correct(**sent, void=act == "void")
            versions[at] += 1
        kept = sorted(Tally.objects.values_list(*TALLY))
        tallies.rebuild(shared_places.round.event)
        assert sorted(Tally.objects.values_list(*TALLY)) == kept
        transaction.set_rollback(True)


def test_the_loser_deals_and_the_winner_leads_the_next_game():
    sitting = make_table(make_night(rules="thirteen"))
    order = names_at(sitting)[::-1]
    play(sitting, order)
    following = sittings.facts_of(sitting, sitting.round.event).next
    assert following.dealer.entrant.player.name == order[-1]
    assert following.leader.entrant.player.name == order[0]


def test_in_viet_cong_the_lowest_card_leads_every_game():
    sitting = make_table(make_night(rules="viet-cong"), games=1)
    assert sittings.facts_of(sitting, sitting.round.event).next.leader is None


class TestMoney:
    """penguin: the last pays each of the others the stake."""

    @pytest.fixture
    def sitting(self):
        return make_table(make_night(stake=5))

    def balances(self):
        net = {}
        for t in Transfer.objects.select_related("payer__player", "payee__player"):
            net[t.payer.player.name] = net.get(t.payer.player.name, 0) - t.amount
            net[t.payee.player.name] = net.get(t.payee.player.name, 0) + t.amount
        return net

    def test_the_last_pays_everybody_and_a_correction_reverses_only_what_stands(self, sitting):
        first, second, third, last = names_at(sitting)
        game = play(sitting, [first, second, third, last])
        assert self.balances() == {first: 5, second: 5, third: 5, last: -15}
        game = correct(game, [last, second, third, first])
        assert self.balances() == {first: -15, second: 5, third: 5, last: 5}
        assert Transfer.objects.filter(reverses__isnull=False).count() == 3
        correct(game, [], void=True)
        assert set(self.balances().values()) == {0}

    @pytest.mark.parametrize(
        "change", ["UPDATE league_transfer SET amount = 1", "DELETE FROM league_transfer"]
    )
    def test_the_database_refuses_to_change_a_transfer(self, sitting, change):
        play(sitting)
        with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
            connection.cursor().execute(change)


@pytest.mark.django_db(transaction=True)
def test_two_people_saving_the_same_game_at_once_save_it_once():
    sitting = make_table()
    order = names_at(sitting)
    saves = [partial(play, sitting, places, game_no=1) for places in (order, order[::-1])]
    assert at_once(*saves) == ["done", "stale"]
    assert Result.objects.count() == 1

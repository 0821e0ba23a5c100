"""Tables that stay open all night: the loser leaves, and tables form as people come."""

import pytest
from django.core.exceptions import ValidationError

from engine.rules import ruleset
from league.clubs.acts import merges, players
from league.exchange.acts import archives
from league.models import Entrant, Event, Place, Player
from league.nights.acts import attendance, closing, draws, results, seat_changes
from league.nights.facts import sittings
from league.nights.facts import waitlist as selector
from league.nights.pages.queue_page import queue_page, table_queue
from league.proof.facts import verify
from league.seasons.facts.standings import event_standings
from tables.base import rulesets
from tests.factories import correct, make_night, owner_of, play, secret_of
from tests.league.nights.test_seat_changes import leave
from tests.league.nights.waitlist_helpers import around, check_in, come, go, open_floor, waiting
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def loser_leaves(players=6, tables=1, **settings):
    night = make_night(players, format={"kind": "loser_leaves", "tables": tables, **settings})
    return night, list(open_floor(night).sittings.all())


@made_once
def table():
    """One table and six people, two of whom wait."""
    return loser_leaves(6)[1][0]


@pytest.fixture
def night(table):
    return table.round.event


@made_once
def four():
    return loser_leaves(4)


def open_night(players=0, tables=2, **details):
    night = make_night(players, format={"kind": "open", "tables": tables}, **details)
    return night, list(open_floor(night).sittings.all())


def test_the_draw_shows_tables_and_queue_and_the_same_seed_draws_the_same():
    night = make_night(6, format={"kind": "loser_leaves"})
    by = owner_of(night)
    first, again = (draws.draw_round(event=night, by=by, seed=7).settings for _ in range(2))
    assert first == again
    assert len(first["waiting"]) == 2
    assert night.rounds.get().byes.count() == 2


def test_the_loser_makes_room_for_the_head_of_the_queue(night, table):
    a, b, c, d = around(table)
    first, second = waiting(night)
    play(table, [a, b, c, d])
    assert around(table) == [a, b, c, first]
    assert waiting(night) == [second, d]
    assert Place.objects.get(left_because="lost").entrant.player.name == d


def test_nobody_leaves_while_nobody_waits(four):
    night, (table,) = four
    people = around(table)
    play(table, people)
    assert around(table) == people
    assert waiting(night) == []


def test_a_cap_sends_off_who_has_played_enough_in_a_row():
    night, (table,) = loser_leaves(6, cap=2)
    a, b, c, d = around(table)
    first, second = waiting(night)
    play(table, [a, b, c, d])
    play(table, [a, b, c, first])
    tired = Place.objects.get(sitting=table, left_because="cap").entrant.player.name
    assert set(around(table)) == {second, d} | ({a, b, c} - {tired})
    assert waiting(night)[0] == first


def test_of_those_who_share_the_last_place_who_sat_there_longest_makes_room():
    night = make_night(5, format={"kind": "loser_leaves"})
    night.ruleset = rulesets.freeze(
        ruleset.with_options(ruleset.preset("penguin"), {"all_lose": True})
    )
    night.save()
    (table,) = open_floor(night).sittings.all()
    a, b, c, d = around(table)
    (first,) = waiting(night)
    play(table, [a, b, c, d])
    play(table, [a, [b, c, first]])
    assert set(around(table)) - {a, d, first} <= {b, c}
    assert len(set(around(table)) & {b, c}) == 1


def test_saving_a_game_twice_moves_nobody_twice(table):
    saved = play(table)
    people = around(table)
    keys = [[p.entrant_id] for p in saved.placings.order_by("rank")]
    again = results.record(
        sitting_id=table.pk, game_no=1, groups=keys, client_id=saved.client_id, by=None
    )
    assert again == saved
    assert around(table) == people


def test_whoever_comes_late_queues_and_an_empty_chair_is_taken_at_once(four):
    night, (table,) = four
    come(night, "Zoe")
    assert waiting(night) == ["Zoe"]
    gone = around(table)[1]
    go(night, gone)
    assert "Zoe" in around(table)
    assert gone not in around(table)
    assert waiting(night) == []


def test_who_leaves_and_comes_back_starts_at_the_end_and_keeps_what_was_played(night, table):
    a, b, c, d = around(table)
    play(table, [a, b, c, d])
    go(night, a)
    check_in(night, a)
    assert waiting(night)[-1] == a
    for _ in range(3):
        play(table)
    points = {s.player.name: s.row.games for s in event_standings(night)}
    assert points[a] >= 1
    assert sum(points.values()) == 16


@pytest.mark.parametrize("games", [0, 1, 2], ids=["before a game", "after one", "played on"])
def test_who_left_by_a_wrong_tap_has_the_seat_back_until_a_game_is_played(night, table, games):
    if games:
        play(table)
    seats, queue = around(table), waiting(night)
    by = owner_of(night)
    own = {"event": night, "player_ids": [night.entrants.get(player__name=seats[1]).player_id]}
    entry = attendance.set_presence(**own, presence="left", by=by)
    assert around(table) == [seats[0], queue[0], *seats[2:]]
    if games == 2:
        play(table)
    attendance.set_presence(**own, presence="here", by=by, undoes=entry)
    if games == 2:
        assert seats[1] == waiting(night)[-1]
    else:
        assert (around(table), waiting(night)) == (seats, queue)
    assert list(verify.everything(night.season.club)) == []


@pytest.mark.parametrize("two", [(0, 1), (1, 2), (2, 3)])
def test_of_two_who_left_by_a_wrong_tap_the_successors_wait_in_their_order_again(night, table, two):
    seats, queue = around(table), waiting(night)
    left = night.entrants.filter(player__name__in=[seats[seat] for seat in two])
    gone = left.values_list("player_id", flat=True)
    own = {"event": night, "player_ids": list(gone), "by": owner_of(night)}
    entry = attendance.set_presence(**own, presence="left")
    assert waiting(night) == []
    attendance.set_presence(**own, presence="here", undoes=entry)
    assert (around(table), waiting(night)) == (seats, queue)


def test_nobody_who_is_at_two_tables_or_waits_while_seated():
    night, tables = loser_leaves(11, tables=2, cap=3, look=3)
    for number in range(12):
        table = tables[number % 2]
        play(table, around(table)[::-1] if number % 3 else around(table))
        seated = [name for each in tables for name in around(each)]
        assert len(seated) == len(set(seated)) == 8
        assert not set(seated) & set(waiting(night))
        assert len(waiting(night)) == 3
    assert night.entrants.filter(passed_over__gt=2).count() == 0


def test_a_correction_of_the_last_game_sends_off_the_right_player(night, table):
    a, b, c, d = around(table)
    first, second = waiting(night)
    correct(play(table, [a, b, c, d]), [a, b, d, c])
    assert around(table) == [a, b, first, d]
    assert waiting(night) == [second, c]


def test_a_correction_that_leaves_the_loser_as_he_was_moves_nobody(night, table):
    a, b, c, d = around(table)
    saved = play(table, [a, b, c, d])
    come(night, "Zoe")
    before = around(table), waiting(night)
    correct(saved, [b, a, c, d])
    assert (around(table), waiting(night)) == before


def test_a_game_that_does_not_count_brings_the_loser_back_until_it_counts_again(night, table):
    people, queue = around(table), waiting(night)
    saved = play(table, people)
    after = around(table), waiting(night)
    struck = correct(saved, people, void=True)
    assert (around(table), waiting(night)) == (people, queue)
    correct(struck, people)
    assert (around(table), waiting(night)) == after


def test_a_correction_after_the_next_game_moves_nobody_and_keeps_both_games(night, table):
    a, b, c, d = around(table)
    saved = play(table, [a, b, c, d])
    play(table)
    before = around(table), waiting(night)
    correct(saved, [a, b, d, c])
    assert (around(table), waiting(night)) == before
    assert table.results.filter(current=True).count() == 2


def test_an_earlier_game_that_counts_again_moves_nobody(night, table):
    people = around(table)
    struck = correct(play(table, people), people, void=True)
    play(table, people)
    before = around(table), waiting(night)
    correct(struck, people[::-1])
    assert (around(table), waiting(night)) == before


def test_an_organiser_chooses_the_substitute_and_the_queue_closes_up(night, table):
    a, *_ = around(table)
    first, second = waiting(night)
    leave(table, a, night.entrants.get(player__name=second))
    assert around(table)[0] == second
    assert waiting(night) == [first]


def test_a_table_of_too_few_waits_and_plays_on_when_somebody_comes():
    night = make_night(4, rules="family", format={"kind": "loser_leaves", "tables": 1})
    (table,) = open_floor(night).sittings.all()
    go(night, around(table)[0])
    facts = sittings.facts_of(table, night)
    assert (facts.next.waits, len(facts.next.places)) == (True, 3)
    come(night, "Zoe")
    assert not sittings.facts_of(table, night).next.waits


def test_the_draw_is_taken_back_with_its_queue(night):
    by = owner_of(night)
    draws.discard_round(round_=night.rounds.get(), by=by, reason="another hall")
    assert night.entrants.exclude(ticket=None).count() == 0
    assert open_floor(night).sittings.count() == 1


def test_a_second_draw_is_refused_while_the_tables_are_open(night):
    with refuses("open"):
        draws.draw_round(event=night, by=owner_of(night))


def test_a_swap_in_the_draft_exchanges_the_places_in_the_queue():
    from league.nights.acts import swaps

    night = make_night(6, format={"kind": "loser_leaves"})
    by = owner_of(night)
    drawn = draws.draw_round(event=night, by=by, seed=3)
    head, seated = drawn.settings["waiting"][0], drawn.sittings.get().places.first().entrant_id
    swaps.swap(round_=drawn, a=head, b=seated, by=by)
    draws.release_round(round_=drawn, by=by)
    assert selector.queue(night)[0].pk == seated
    assert drawn.byes.count() == 0


def test_another_table_opens_for_four_who_wait():
    night, _tables = loser_leaves(9)
    added = seat_changes.add_table(event=night, by=owner_of(night))
    assert added.table_no == 2
    assert len(around(added)) == 4
    assert len(waiting(night)) == 1
    assert secret_of(added)


def test_the_mean_of_the_night_counts_where_people_change_tables():
    night = make_night(6, counting="average", format={"kind": "loser_leaves"})
    (table,) = open_floor(night).sittings.all()
    a, b, c, d = around(table)
    play(table, [a, b, c, d])
    play(table, [a, *[name for name in around(table) if name != a]])
    assert night.rules_of_scoring.counting == "night_average"
    assert {s.player.name: float(s.row.points) for s in event_standings(night)}[a] == 3


def test_a_ranking_of_tables_is_refused_where_people_change_tables():
    with pytest.raises(ValidationError) as refused:
        make_night(4, counting="table_ranking", format={"kind": "open"})
    assert list(refused.value.error_dict) == ["counting"]


def test_tables_form_as_people_come():
    night, (one, two) = open_night(2)
    assert len(waiting(night)) == 2
    assert around(one) == []
    come(night, "Xuân", "Yến")
    assert len(around(one)) == 4
    assert waiting(night) == []
    come(night, "Zoe")
    assert waiting(night) == ["Zoe"]
    assert around(two) == []


def test_three_who_wait_are_proposed_and_seated_by_hand():
    night, (one, _two) = open_night(3)
    proposal = queue_page(night, night.rounds.all()).proposal
    assert len(proposal.entrants) == 3
    by = owner_of(night)
    keys = [entrant.pk for entrant in proposal.entrants]
    assert seat_changes.seat_table(event=night, entrants=keys, by=by) == one
    with refuses("gone"):
        seat_changes.seat_table(event=night, entrants=keys, by=by)


def test_a_table_that_is_done_makes_way_for_people_who_have_not_met():
    night, (one, two) = open_night(8, games_per_round=1)
    first, second = set(around(one)), set(around(two))
    assert (len(first), len(second)) == (4, 4)
    play(one)
    assert around(one) == []  # The same four would only meet again.
    assert set(waiting(night)) == first
    play(two)
    for table in (one, two):  # Two of each table: nobody can do better, and nobody has to tap.
        assert len(set(around(table)) & first) == len(set(around(table)) & second) == 2
    assert waiting(night) == []


def test_nine_on_an_open_night_play_on_without_a_tap():
    night, tables = open_night(9, games_per_round=1)
    for number in range(8):
        table = tables[number % 2]
        if around(table):
            play(table)
        assert any(around(table) for table in tables)
    counts = night.rounds.get().sittings.values_list("results", flat=True)
    assert len([key for key in counts if key]) >= 6


def test_an_open_night_and_a_queue_know_who_sits_apart():
    for kind in ("open", "loser_leaves"):
        night = make_night(9, format={"kind": kind, "tables": 2})
        by = owner_of(night)
        for entrant in night.entrants.order_by("pk")[:2]:
            players.set_wishes(
                player=entrant.player, group="nhà An", together="", fixed_table=None, by=by
            )
        a, b = night.entrants.order_by("pk").values_list("player__name", flat=True)[:2]
        for seed in range(8):
            round_ = draws.draw_round(event=night, by=by, seed=seed)
            assert not any({a, b} <= {*around(table)} for table in round_.sittings.all())


def test_those_at_a_table_say_themselves_that_they_are_done():
    night, (one, _two) = open_night(4, counting="average")
    people = around(one)
    play(one, people)
    play(one, people)
    seat_changes.end_table(sitting_id=one.pk, by=None)
    assert waiting(night) == people
    assert {p.left_because for p in one.places.all()} == {"done"}


def test_the_next_group_at_a_table_plays_on_under_its_own_names():
    night, (one, _two) = open_night(4, tables=2, games_per_round=1)
    first = around(one)
    play(one, first)
    assert around(one) == []  # The same four would only meet again.
    come(night, "Xuân")
    assert around(one) == [*first[:3], "Xuân"]
    facts = sittings.facts_of(one, night)
    queue = table_queue(night, one, facts.next.number)
    assert (facts.next.number, queue.together, facts.next.leader) == (2, 0, None)
    play(one)
    games = {s.player.name: s.row.games for s in event_standings(night)}
    assert games == dict.fromkeys(first[:3], 2) | {first[3]: 1, "Xuân": 1}


def test_everything_derived_follows_from_the_results_of_a_night_with_a_queue():
    night = make_night(
        9, counting="average", format={"kind": "loser_leaves", "tables": 2, "cap": 2, "look": 2}
    )
    tables = list(open_floor(night).sittings.all())
    for number in range(8):
        saved = play(tables[number % 2], around(tables[number % 2]))
    correct(saved, [p.entrant.player.name for p in saved.placings.order_by("-rank")])
    assert list(verify.everything(night.season.club)) == []


def test_a_night_with_a_queue_travels_in_an_archive():
    night, (table,) = loser_leaves(7)
    play(table)
    by = owner_of(night)
    club = archives.read_archive(data=archives.write_archive(club=night.season.club, by=by), by=by)
    copy = Event.objects.get(season__club=club)
    assert copy.format == night.format
    assert waiting(copy) == waiting(night)
    assert around(copy.rounds.get().sittings.get()) == around(table)


def test_a_name_merged_while_it_sits_keeps_the_seat_for_who_it_is(night, table):
    club, by = night.season.club, owner_of(night)
    play(table)
    before, queue = around(table), waiting(night)
    alias = night.entrants.get(player__name=before[0]).player
    into = players.add_player(club=club, name="Zoe", by=by)
    merges.merge(alias=alias, into=into, by=by)
    assert around(table) == ["Zoe", *before[1:]]
    assert waiting(night) == queue
    merges.unmerge(alias=Player.objects.get(pk=alias.pk), by=by)
    assert (around(table), waiting(night)) == (before, queue)
    merges.merge(alias=Player.objects.get(pk=alias.pk), into=into, by=by)
    assert around(table) == ["Zoe", *before[1:]]
    play(table, ["Zoe", *before[1:]])
    merges.unmerge(alias=Player.objects.get(pk=alias.pk), by=by)
    assert alias.name in around(table)


def test_a_name_merged_while_it_waits_keeps_its_turn(night, table):
    club, by = night.season.club, owner_of(night)
    come(night, "Yến", "Zoe")
    queue = waiting(night)
    alias, into = (players.named(club=club, name=name) for name in (queue[0], "Zoe"))
    merges.merge(alias=alias, into=into, by=by)
    assert waiting(night) == ["Zoe", *queue[1:-1]]
    merges.unmerge(alias=Player.objects.get(pk=alias.pk), by=by)
    assert waiting(night) == queue


def test_a_cap_counts_the_games_of_both_names():
    night = make_night(
        6, counting="average", format={"kind": "loser_leaves", "tables": 1, "cap": 2}
    )
    [table] = open_floor(night).sittings.all()
    winner = around(table)[0]
    play(table)
    alias = players.named(club=night.season.club, name=winner)
    by = owner_of(night)
    into = players.add_player(club=night.season.club, name="Zoe", by=by)
    merges.merge(alias=alias, into=into, by=by)
    play(table, ["Zoe", *(name for name in around(table) if name != "Zoe")])
    assert "Zoe" in waiting(night)


def test_a_night_of_rounds_ends_no_table_by_hand():
    from tests.factories import make_table

    sitting = make_table()
    with refuses("format"):
        seat_changes.end_table(sitting_id=sitting.pk, by=owner_of(sitting))


def test_a_night_with_open_tables_closes_without_asking_for_more_games(night, table):
    play(table)
    assert not closing.close_event(event=night, by=owner_of(night)).is_open


def test_checking_oneself_out_by_the_link_frees_the_chair():
    night, (table,) = loser_leaves(5)
    gone = around(table)[2]
    player = night.entrants.get(player__name=gone).player_id
    attendance.set_presence(
        event=night, player_ids=[player], presence=Entrant.Presence.EXPECTED, by=None
    )
    assert gone not in around(table)
    assert len(around(table)) == 4
    assert waiting(night) == []

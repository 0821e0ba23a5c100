"""Groups with a final, tables whose best go on, bots in empty chairs."""

import re
from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from league.models import Place, Player
from league.nights.acts import draws, events, night_settings, seat_changes, swaps
from league.nights.domain.night_formats import NightFormat
from league.nights.facts import stages as selector
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import event_places
from league.nights.pages.round_page import round_page
from league.nights.pages.stage_page import stage_page, who_went_on
from league.seasons.facts.standings import event_standings
from tests.factories import (
    NAMES,
    browser_of,
    change_night,
    correct,
    make_adjustment,
    make_night,
    make_season,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_seat_changes import entrant, leave
from tests.league.nights.test_seat_changes import go as change_tables
from tests.league.nights.waitlist_helpers import come, go, open_floor
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def groups_night(players=8, **details):
    settings = {"kind": "groups", "groups": 2, "group_rounds": 1, "final": 4}
    settings |= {key: details.pop(key) for key in list(details) if key in SETTINGS}
    details = {"rounds_planned": 2, "games_per_round": 1} | details
    return make_night(players, format=settings, **details)


@made_once
def event():
    return groups_night(8)


def knockout_night(players=16, **details):
    settings = {"kind": "knockout", "others_play": False}
    settings |= {key: details.pop(key) for key in list(details) if key in SETTINGS}
    return make_night(players, format=settings, **({"games_per_round": 1} | details))


SETTINGS = {"groups", "group_rounds", "final", "others_play", "fill_up", "bot", "table_size"}


def by_seat(sitting):
    return [p.entrant.player.name for p in sitting.places.order_by("seat")]


def play_all(round_):
    """One game at each table, in the order of the seats; returns those orders."""
    orders = {}
    for sitting in round_.sittings.all():
        orders[sitting.table_no] = by_seat(sitting)
        play(sitting, orders[sitting.table_no])
    return orders


def pools(round_):
    return {(p["kind"], p["no"]): p for p in round_.settings["pools"]}


def names(event, keys):
    return {event.entrants.get(pk=key).player.name for key in keys}


def everybody_at(round_):
    return {p.entrant.player.name for p in Place.objects.filter(round=round_)}


def test_groups_play_among_themselves_and_the_best_of_each_meet_in_the_final(event):
    first = open_floor(event)
    orders = play_all(first)
    final = open_floor(event)
    best = {name for order in orders.values() for name in order[:2]}
    assert names(event, pools(final)["final", 1]["members"]) == best
    assert {p.entrant.player.name for p in final.sittings.get(table_no=1).places.all()} == best
    assert pools(final)["others", 1]["tables"] == [2]
    assert everybody_at(final) == everybody_at(first)
    assert final.settings["cut"]["by_lot"] == []


def test_without_a_second_final_the_others_are_out():
    event = groups_night(8, others_play=False)
    play_all(open_floor(event))
    final = open_floor(event)
    assert final.sittings.count() == 1
    assert final.byes.count() == 0


def test_groups_keep_together_over_their_rounds_and_late_comers_join_the_smallest():
    event = groups_night(9, group_rounds=2, rounds_planned=3)
    first = open_floor(event)
    before = {no: set(pool["members"]) for (_kind, no), pool in pools(first).items()}
    play_all(first)
    come(event, "Zoe")
    second = open_floor(event)
    after = {no: set(pool["members"]) for (_kind, no), pool in pools(second).items()}
    zoe = event.entrants.get(player__name="Zoe").pk
    smallest = min(before, key=lambda no: len(before[no]))
    assert after == before | {smallest: before[smallest] | {zoe}}
    for pool in pools(second).values():
        seated = set(
            Place.objects.filter(round=second, sitting__table_no__in=pool["tables"]).values_list(
                "entrant", flat=True
            )
        )
        assert seated == set(pool["members"])


@pytest.mark.parametrize("group_rounds", [1, 2])
def test_who_takes_a_seat_at_a_group_s_table_plays_in_that_group(group_rounds):
    event = groups_night(8, group_rounds=group_rounds, rounds_planned=3, games_per_round=3)
    sitting, other = open_floor(event).sittings.all()
    a, b, c, d = by_seat(sitting)
    play(sitting, [a, b, c, d])
    come(event, "Zoe")
    leave(sitting, d, entrant(event, "Zoe"))
    for _game in range(2):
        play(sitting, ["Zoe", b, c, a])
    for _game in range(3):
        play(other, by_seat(other))
    for name in by_seat(other)[:2]:
        go(event, name)
    come(event, "Yen", "Xuan")
    parts = selector.groups(rounds_of(event, with_drafts=False), selector.Played(event))
    assert names(event, [row.entrant for row in parts[0].rows]) == {a, b, c, d, "Zoe"}
    second = open_floor(event)
    if group_rounds == 1:
        assert {b, "Zoe"} < names(event, pools(second)["final", 1]["members"])
    else:  # Not in the other group, though it is the smaller one.
        assert {a, b, c, "Zoe"} < names(event, pools(second)["group", 1]["members"])


def test_who_takes_a_seat_in_the_final_plays_its_next_round():
    event = groups_night(16, final=8, rounds_planned=3)
    play_all(open_floor(event))
    second = open_floor(event)
    goes = pools(second)["final", 1]["members"][0]
    come(event, "Zoe")
    zoe = event.entrants.get(player__name="Zoe").pk
    table = Place.objects.get(round=second, entrant=goes).sitting_id
    seat_changes.leave(sitting_id=table, entrant_id=goes, by=owner_of(event), substitute_id=zoe)
    for sitting in second.sittings.all():
        now = sitting.places.filter(to_game=None).order_by("seat")
        play(sitting, [place.entrant.player.name for place in now])
    third = pools(open_floor(event))
    assert zoe in third["final", 1]["members"]
    assert zoe not in third["others", 1]["members"]


def test_groups_are_of_equal_strength_by_the_season_so_far():
    season = make_season()
    earlier = make_night(8, season=season, games_per_round=1)
    play_all(open_floor(earlier))
    order = [s.player.name for s in event_standings(earlier)]
    event = groups_night(8, season=season)
    first = open_floor(event)
    strongest = [names(event, p["members"]) & set(order[:2]) for p in pools(first).values()]
    assert [len(best) for best in strongest] == [1, 1]


def test_too_few_people_for_the_groups_are_told_so():
    event = groups_night(5)
    with refuses("groups"):
        draws.draw_round(event=event, by=owner_of(event))
    assert event.rounds.count() == 0


def test_a_final_waits_for_the_games_that_decide_unless_the_organiser_says_so(event):
    first = open_floor(event)
    play(first.sittings.first(), by_seat(first.sittings.first()))
    by = owner_of(event)
    with pytest.raises(ValidationError) as refused:
        draws.draw_round(event=event, by=by)
    assert refused.value.code == "unfinished"
    assert "table 2" in refused.value.messages[0]
    final = draws.draw_round(event=event, by=by, anyway=True)
    assert len(final.settings["cut"]["by_lot"][0]) == 4  # Who has not played is level.


def test_who_is_level_at_the_cut_goes_on_by_a_lot_that_is_kept_and_shown():
    event = groups_night(8, games_per_round=2)
    one, two = open_floor(event).sittings.all()
    a, b, c, d = by_seat(one)
    for order in ([a, b, c, d], [a, c, b, d]):
        play(one, order)
    for _ in range(2):
        play(two, by_seat(two))
    final = open_floor(event)
    assert [names(event, level) for level in final.settings["cut"]["by_lot"]] == [{b, c}]
    page = who_went_on(event, final)
    fates = {line.entrant.player.name: line.fate for part in page.parts for line in part.lines}
    assert (fates[a], fates[d]) == ("through", "out")
    assert {fates[b], fates[c]} == {"through", "out"}
    assert [fates[entrant.player.name] for entrant in page.by_lot] == ["through"]
    assert page.by_lot[0].player.name in {b, c}


def test_a_round_tells_who_was_eliminated_from_who_came_too_late():
    event = knockout_night(8)
    orders = play_all(open_floor(event))
    come(event, "Zoe")
    page = round_page(event, open_floor(event))
    out = {name for order in orders.values() for name in order[2:]}
    assert {one.player.name for one in page.eliminated} == out
    assert [one.player.name for one in page.late] == ["Zoe"]
    body = browser_of(owner_of(event)).get(path_of(event, "round", 2)).content.decode()
    assert re.search(r"Came too late:\s+Zoe\s*<", body)


@pytest.mark.parametrize("players", [8, 16])
def test_the_draft_of_a_final_at_one_table_says_nothing_of_who_meets_again(players):
    """Its players are given, and no draw could part them."""
    event = knockout_night(players)
    play_all(open_floor(event))
    draft = draws.draw_round(event=event, by=owner_of(event))
    page, tables = round_page(event, draft, hosts=True), draft.sittings.count()
    assert (tables, bool(page.draft.price), bool(page.draft.met)) == (
        (1, False, False) if players == 8 else (2, True, True)
    )


def test_a_finalist_who_has_left_makes_room_for_the_next_of_the_group(event):
    orders = play_all(open_floor(event))
    go(event, orders[1][0])
    final = open_floor(event)
    chosen = names(event, pools(final)["final", 1]["members"])
    assert chosen == {orders[1][1], orders[1][2], *orders[2][:2]}
    page = who_went_on(event, final)
    assert [entrant.player.name for entrant in page.absent] == [orders[1][0]]


def test_penalties_count_in_the_groups(event):
    orders = play_all(open_floor(event))
    winner = event.entrants.get(player__name=orders[1][0]).player
    make_adjustment(event.season, winner.name, "-5", event=event)
    chosen = names(event, pools(open_floor(event))["final", 1]["members"])
    assert chosen == {orders[1][1], orders[1][2], *orders[2][:2]}


def test_the_final_is_ranked_by_its_own_games(event):
    play_all(open_floor(event))
    table = open_floor(event).sittings.get(table_no=1)
    order = by_seat(table)[::-1]
    play(table, order)
    page = stage_page(event, rounds_of(event, with_drafts=True))
    assert [line.entrant.player.name for line in page.final] == order
    assert [line.row.games for line in page.final] == [1, 1, 1, 1]
    assert [len(part.lines) for part in page.parts] == [4, 4]


def test_who_shares_a_place_in_the_final_is_told_no_reason_for_it():
    event = groups_night(8, games_per_round=2)
    for _game in range(2):
        first = event.rounds.first() or open_floor(event)
        play_all(first)
    table = open_floor(event).sittings.get(table_no=1)
    a, b, c, d = by_seat(table)
    play(table, [a, b, d, c])
    play(table, [a, c, d, b])
    page = browser_of(owner_of(event)).get(path_of(event, "event")).content.decode()
    final = page.split('id="final"')[1].split("</table>")[0]
    assert final.count('2<span title="tied">=</span>') == 2
    assert "ahead: more second places" not in final


def test_a_second_round_of_the_final_keeps_the_finalists():
    event = groups_night(16, final=8, rounds_planned=3)
    play_all(open_floor(event))
    first = open_floor(event)
    play_all(first)
    second = open_floor(event)
    assert set(pools(second)["final", 1]["members"]) == set(pools(first)["final", 1]["members"])
    assert "cut" not in second.settings


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (16, [[4, 4, 4, 4], [4, 4], [4]]),
        (13, [[4, 3, 3, 3], [4, 4], [4]]),
        (12, [[4, 4, 4], [3, 3], [4]]),
        (10, [[4, 3, 3], [3, 3], [4]]),
        (7, [[4, 3], [4]]),
        (4, [[4]]),
    ],
)
def test_the_first_two_of_each_table_go_on_until_one_table_is_left(players, sizes):
    event = knockout_night(players)
    found, best = [], set(NAMES[:players])
    for _round in sizes:
        drawn = open_floor(event)
        found.append(sorted((s.places.count() for s in drawn.sittings.all()), reverse=True))
        assert everybody_at(drawn) == best
        best = {name for order in play_all(drawn).values() for name in order[:2]}
    assert found == sizes
    with refuses("over"):
        open_floor(event)


def test_a_knockout_at_tables_of_six_ends_with_one_table_of_six():
    event = knockout_night(16, season=make_season(rules="thirteen"), table_size=6)
    found = []
    for _round in range(2):
        drawn = open_floor(event)
        found.append([s.places.count() for s in drawn.sittings.all()])
        play_all(drawn)
    assert found == [[6, 5, 5], [6]]
    assert selector.is_final(drawn)


def test_who_changes_tables_in_a_knockout_goes_on_once_and_has_one_place():
    event = knockout_night(8, games_per_round=2)
    one, other = open_floor(event).sittings.order_by("table_no")
    (a, b, c, d), (e, f, g, h) = by_seat(one), by_seat(other)
    play(one, [a, b, c, d])
    play(other, [e, f, g, h])
    change_tables(one, a, other, instead_of=h)
    play(one, [b, c, d, h])
    play(other, [a, e, f, g])
    final = open_floor(event)
    assert names(event, final.settings["cut"]["through"]) == {a, b, e, c}
    assert sorted(by_seat(final.sittings.get())) == sorted([a, b, e, c])
    play(final.sittings.get(), by_seat(final.sittings.get()))
    assert sorted(one.player.name for one in event_places(event)) == sorted(NAMES[:8])


def test_the_best_thirds_fill_tables_of_four():
    event = knockout_night(12, fill_up=True)
    orders = play_all(open_floor(event))
    second = open_floor(event)
    assert sorted(s.places.count() for s in second.sittings.all()) == [4, 4]
    thirds = {order[2] for order in orders.values()}
    assert len(everybody_at(second) & thirds) == 2
    assert [names(event, level) for level in second.settings["cut"]["by_lot"]] == [thirds]


def test_rules_for_four_always_fill_up_tables_of_four():
    event = knockout_night(12, season=make_season(rules="family"))
    play_all(open_floor(event))
    assert sorted(s.places.count() for s in open_floor(event).sittings.all()) == [4, 4]


def test_a_late_comer_of_a_knockout_plays_with_the_others():
    event = knockout_night(16, others_play=True)
    orders = play_all(open_floor(event))
    come(event, "Zoe")
    others = names(event, pools(open_floor(event))["others", 1]["members"])
    assert others == {"Zoe"} | {name for order in orders.values() for name in order[2:]}


@made_once
def knocked_out():
    """The first round of a cup of eight is played; the game of table 1, and table 2."""
    event = knockout_night(8)
    one, two = open_floor(event).sittings.all()
    saved = play(one, by_seat(one))
    play(two, by_seat(two))
    return event, saved, two


def test_a_correction_that_changes_who_goes_on_says_what_follows_and_keeps_what_was_played(
    knocked_out,
):
    event, saved, _two = knocked_out
    a, b, c, d = by_seat(saved.sitting)
    by = owner_of(event)
    draft = draws.draw_round(event=event, by=by)
    assert selector.changes(event) == []

    saved = correct(saved, [a, c, b, d])
    (change,) = selector.changes(event)
    assert [e.player.name for e in change.instead] == [c]
    assert [e.player.name for e in change.of] == [b]
    assert change.state == "draft"
    released = draws.release_round(round_=draft, by=by)
    assert [change.state for change in selector.changes(event)] == ["released"]

    final = play(released.sittings.get(), by_seat(released.sittings.get()))
    assert [change.state for change in selector.changes(event)] == ["played"]
    assert final.current
    assert event.rounds.count() == 2
    correct(saved, [a, b, c, d])
    assert selector.changes(event) == []


def test_taking_back_and_drawing_again_follows_the_correction(knocked_out):
    event, saved, two = knocked_out
    a, b, c, d = by_seat(saved.sitting)
    second = open_floor(event)
    correct(saved, [a, c, b, d])
    draws.discard_round(round_=second, by=owner_of(event), reason="corrected")
    assert everybody_at(open_floor(event)) == {a, c, *by_seat(two)[:2]}


def test_two_swapped_between_groups_belong_to_the_other_group(event):
    by = owner_of(event)
    draft = draws.draw_round(event=event, by=by, seed=1)
    one, two = (pool["members"] for pool in draft.settings["pools"])
    swaps.swap(round_=draft, a=one[0], b=two[0], by=by)
    first = draws.release_round(round_=draft, by=by)
    assert one[0] in pools(first)["group", 2]["members"]
    best = {name for order in play_all(first).values() for name in order[:2]}
    assert names(event, pools(open_floor(event))["final", 1]["members"]) == best


def test_the_stake_decides_a_group_where_stakes_are_the_points():
    season = make_season(rules="mien-nam", points_table="stake_result")
    event = groups_night(8, season=season, stake=10)
    orders = play_all(open_floor(event))
    best = {name for order in orders.values() for name in order[:2]}
    assert names(event, pools(open_floor(event))["final", 1]["members"]) == best


def test_a_bot_fills_the_empty_chair_and_has_no_row_of_its_own():
    event = make_night(7, games_per_round=1, format={"kind": "rounds", "bot": "greedy"})
    first = open_floor(event)
    assert [s.places.count() for s in first.sittings.all()] == [4, 4]
    bot = Player.objects.get(bot="greedy")
    assert event.entrants.get(player=bot).counts is False
    play_all(first)
    rows = event_standings(event)
    assert len(rows) == 7
    assert bot not in [row.player for row in rows]


def test_several_bots_sit_at_different_tables_and_leave_when_people_come():
    event = make_night(13, games_per_round=1, format={"kind": "rounds", "bot": "greedy"})
    first = open_floor(event)
    assert first.sittings.count() == 4
    for sitting in first.sittings.all():
        assert sitting.places.exclude(entrant__player__bot="").count() <= 1
    come(event, "Zoe", "Yến", "Xuân")
    second = open_floor(event)
    assert Place.objects.filter(round=second).exclude(entrant__player__bot="").count() == 0
    assert "bots" not in second.settings


def test_a_bot_never_goes_on():
    event = knockout_night(7, bot="greedy")
    first = open_floor(event)
    for sitting in first.sittings.all():
        play(sitting, sorted(by_seat(sitting), key=lambda name: "bot" not in name))
    second = open_floor(event)
    assert Place.objects.filter(round=second).exclude(entrant__player__bot="").count() == 0
    assert second.sittings.get().places.count() == 4


def test_an_unknown_bot_is_refused():
    with pytest.raises(ValidationError) as refused:
        make_night(4, format={"kind": "rounds", "bot": "nobody"})
    assert list(refused.value.error_dict) == ["bot"]


def test_the_format_stays_once_a_round_is_drawn_and_its_numbers_may_change(event):
    open_floor(event)
    by = owner_of(event)
    values = {"name": event.name, "date": event.date}
    plan = replace(event.plan, format=NightFormat("knockout"))
    with pytest.raises(ValidationError) as refused:
        night_settings.change_settings(event=event, by=by, **values, plan=plan)
    assert list(refused.value.error_dict) == ["format"]
    plan = replace(event.plan, format=replace(event.rules_of_format, final=8))
    changed = night_settings.change_settings(event=event, by=by, **values, plan=plan)
    assert changed.rules_of_format.final == 8
    told = event.season.club.audit.filter(action="event.settings").latest("pk").data["changed"]
    assert told == {"final": ["4", "8"]}


def test_more_group_rounds_come_too_late_once_the_final_is_drawn():
    event = groups_night(16, final=8, rounds_planned=4)
    play_all(open_floor(event))
    final = open_floor(event)
    finalists = set(pools(final)["final", 1]["members"])
    play_all(final)
    change_night(event, format=replace(event.rules_of_format, group_rounds=3))
    for _again in range(2):
        event.refresh_from_db()
        assert selector.next_stage(event, list(event.rounds.all())) == "final"
        drawn = open_floor(event)
        assert set(pools(drawn)["final", 1]["members"]) == finalists
        play_all(drawn)


def test_the_same_night_again_keeps_its_format():
    event = groups_night(8, final=6)
    assert events.repeat_event(event=event, by=owner_of(event)).format == event.format

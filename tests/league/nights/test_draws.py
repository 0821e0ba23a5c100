"""Draws of a night: sizes, drafts, taking back, the same seed."""

import pytest
from django.core.exceptions import ValidationError

from league.clubs.acts import players
from league.models import Bye, Place, Round
from league.nights.acts import attendance, draws, swaps
from league.nights.facts.small_tables import shorted
from league.nights.pages.round_page import swap_choices
from league.online.acts import results_in
from tests.factories import make_night, make_round, make_table, owner_of, play
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def draw(event, **details):
    return draws.draw_round(event=event, by=owner_of(event), **details)


def sizes(round_):
    return sorted((s.places.count() for s in round_.sittings.all()), reverse=True)


def seating(round_):
    return [list(s.places.values_list("entrant", "seat")) for s in round_.sittings.all()]


@pytest.mark.parametrize(
    ("players", "tables"),
    [(4, [4]), (6, [3, 3]), (7, [4, 3]), (8, [4, 4]), (13, [4, 3, 3, 3]), (16, [4, 4, 4, 4])],
)
def test_tables_are_of_four_and_of_three_where_four_does_not_divide(players, tables):
    assert sizes(draw(make_night(players))) == tables


def test_thirteen_players_meet_few_twice_over_three_rounds():
    event = make_night(13)
    met: dict[tuple[int, int], int] = {}
    for _ in range(3):
        for sitting in make_round(event).sittings.all():
            people = sorted(sitting.places.values_list("entrant_id", flat=True))
            for i, a in enumerate(people):
                for b in people[i + 1 :]:
                    met[a, b] = met.get((a, b), 0) + 1
    assert sum(times - 1 for times in met.values()) == 0


def test_a_bot_that_plays_for_itself_fills_no_chair():
    event = make_night(6, format={"kind": "rounds", "bot": "greedy"})
    by = owner_of(event)
    guest = results_in.add_bot(event=event, bot="greedy", by=by)
    places = Place.objects.filter(round=draw(event)).select_related("entrant__player")
    bots = {p.entrant.player.name: p.entrant.counts for p in places if p.entrant.player.bot}
    assert bots == {"greedy (bot)": True, "greedy 2 (bot)": False}
    house = event.entrants.get(counts=False)
    for entrant in (house, guest):
        attendance.set_presence(event=event, player_ids=[entrant.player_id], presence="left", by=by)
    again = [results_in.add_bot(event=event, bot="greedy", by=by) for _ in range(2)]
    assert [entrant.player.name for entrant in again] == ["greedy (bot)", "greedy 3 (bot)"]


def test_a_draw_with_new_house_bots_is_searched_once(monkeypatch):
    searched, search = [], draws.seating.next_round
    monkeypatch.setattr(
        draws.seating, "next_round", lambda **asked: searched.append(asked) or search(**asked)
    )
    drawn = draw(make_night(6, format={"kind": "rounds", "bot": "greedy"}))
    assert (sizes(drawn), len(searched)) == ([4, 4], 1)


def test_a_ruleset_for_four_lets_the_odd_ones_sit_out_in_turn():
    event = make_night(6, rules="family")
    first, second = make_round(event), make_round(event)
    out = [set(r.byes.values_list("entrant_id", flat=True)) for r in (first, second)]
    assert [len(people) for people in out] == [2, 2]
    assert out[0] & out[1] == set()


def test_too_few_players_for_the_ruleset_are_told_so():
    with pytest.raises(ValidationError) as refused:
        draw(make_night(3, rules="family"))
    assert refused.value.messages == [
        "3 players are here; these rules need at least 4 per table. Check in more players."
    ]
    assert Round.objects.count() == 0


def test_the_same_seed_draws_the_same():
    event = make_night(13)
    assert seating(draw(event, seed=7)) == seating(draw(event, seed=7))


def test_drawing_again_replaces_the_draft():
    event = make_night(8)
    draw(event)
    draw(event)
    assert list(event.rounds.values_list("number", "status")) == [(1, "draft")]
    assert Place.objects.count() == 8


def people_of(tables):
    return sorted(sorted(table) for table in tables)


def test_drawing_again_takes_another_round_of_the_plan():
    event = make_night(16, rounds_planned=5)
    planned = make_round(event).settings["planned"]
    drawn, tables = [], []
    for _ in range(4):
        drawn.append(draw(event, anyway=True))
        tables.append(people_of(draws.tables_of(drawn[-1])))
    assert sorted(tables) == sorted(map(people_of, planned))
    assert [each.settings["turn"] for each in drawn] == [0, 1, 2, 3]


def test_the_plan_is_kept_when_one_leaves():
    event = make_night(17, rounds_planned=5)
    by = owner_of(event)
    rounds = [make_round(event)]
    gone = event.entrants.first()
    attendance.set_presence(event=event, player_ids=[gone.player_id], presence="left", by=by)
    for _ in range(4):
        rounds.append(make_round(event))
        assert rounds[-1].quality["repeats"] <= 2
    assert [len(each.settings["planned"]) for each in rounds] == [4, 3, 2, 1, 0]


def test_a_discarded_round_gives_its_plan_back():
    event = make_night(16, rounds_planned=5)
    make_round(event)
    tables = draws.tables_of(draw(event, anyway=True))
    again = draw(event, anyway=True)
    assert draws.tables_of(again) != tables
    draws.discard_round(round_=again, by=owner_of(event))
    assert draws.tables_of(draw(event, anyway=True)) == tables


@pytest.mark.parametrize("number", [1, 2])
def test_players_who_were_swapped_by_hand_cost_later_rounds_next_to_nothing(number):
    event = make_night(16, rounds_planned=4)
    for _ in range(number - 1):
        make_round(event)
    draft = draw(event, seed=1, anyway=True)
    one, other, *_more = draws.tables_of(draft)
    swaps.swap(round_=draft, a=one[0], b=other[0], by=owner_of(event))
    draws.release_round(round_=draft, by=owner_of(event))
    later = [make_round(event).quality["repeats"] for _ in range(4 - number)]
    assert sum(later) <= (0 if number == 1 else 3)


def test_a_night_drawn_before_plans_were_stored_goes_on_by_its_plan():
    event = make_night(16, rounds_planned=5)
    for _ in range(5):
        drawn = make_round(event)
        assert drawn.quality["repeats"] == 0
        del drawn.settings["planned"]
        drawn.save(update_fields=["settings"])


def test_one_who_took_a_break_does_not_rest_in_the_next_round():
    event = make_night(9, rules="family")
    by = owner_of(event)
    make_round(event)
    away = event.entrants.exclude(byes__isnull=False).first()
    attendance.set_presence(event=event, player_ids=[away.player_id], presence="left", by=by)
    assert not make_round(event).byes.exists()
    attendance.set_presence(event=event, player_ids=[away.player_id], presence="here", by=by)
    for seed in range(4):
        assert not draw(event, seed=seed, anyway=True).byes.filter(entrant=away).exists()


def test_results_wait_for_the_release():
    drawn = draw(make_night())
    with refuses("draft"):
        play(drawn.sittings.get())


def test_a_released_round_is_taken_back_with_a_reason_while_it_has_no_result():
    round_ = make_round(make_night())
    by = owner_of(round_)
    with pytest.raises(ValidationError):
        draws.discard_round(round_=round_, by=by)
    draws.discard_round(round_=round_, by=by, reason="Lan came late")
    assert Round.objects.count() == 0


def test_a_round_with_results_stays():
    sitting = make_table(games=1)
    by = owner_of(sitting)
    with refuses("played"):
        draws.discard_round(round_=sitting.round, by=by, reason="no")


def wish(event, name, **wishes):
    by = owner_of(event)
    player = players.find_by_name(club=event.season.club, name=name)
    players.set_wishes(
        player=player, **({"group": "", "together": "", "fixed_table": None} | wishes), by=by
    )


def people(sitting):
    return {place.entrant.player.name for place in sitting.places.all()}


def test_people_of_one_group_sit_apart():
    event = make_night(16)
    family = {"An", "Bình", "Chi", "Dũng"}
    for name in family:
        wish(event, name, group="nhà An" if name != "Chi" else "Nhà  an")
    for seed in range(3):
        tables = draw(event, seed=seed).sittings.all()
        assert [len(people(sitting) & family) for sitting in tables] == [1, 1, 1, 1]


def test_a_couple_among_nine_sits_apart_and_a_parent_with_the_child():
    event = make_night(9, rounds_planned=5)
    for name in ("An", "Bình"):
        wish(event, name, group="vợ chồng")
    for name in ("Chi", "Dũng"):
        wish(event, name, together="Nhà Chi")
    for _ in range(5):
        tables = [people(sitting) for sitting in make_round(event).sittings.all()]
        assert not any({"An", "Bình"} <= table for table in tables)
        assert any({"Chi", "Dũng"} <= table for table in tables)


def test_a_player_who_needs_a_table_sits_there_in_every_round():
    event = make_night(13)
    wish(event, "Giang", fixed_table=3)
    for _ in range(3):
        assert "Giang" in people(make_round(event).sittings.get(table_no=3))


def test_a_wish_for_a_table_that_is_not_there_spoils_no_draw():
    event = make_night(8)
    wish(event, "Giang", fixed_table=40)
    assert sizes(draw(event)) == [4, 4]


def test_who_is_swapped_is_offered_with_the_table_or_as_sitting_out():
    event = make_night(4)
    drawn = draws.draw_round(event=event, by=owner_of(event))
    place = Place.objects.filter(round=drawn).first()
    Place.objects.filter(pk=place.pk).delete()
    Bye.objects.create(round=drawn, entrant=place.entrant)
    offered = dict(swap_choices(drawn))
    assert offered.pop(place.entrant_id) == f"{place.entrant.player.name} · sits out"
    assert {label.split(" · ")[1] for label in offered.values()} == {"table 1"}


def test_a_night_begins_with_the_season_s_count_of_small_tables():
    first = make_night(7)
    drawn = make_round(first)
    small = {
        place.entrant.player.name
        for sitting in drawn.sittings.all()
        if sitting.places.count() == 3
        for place in sitting.places.all()
    }
    event = make_night(7, season=first.season)
    keys = dict(event.entrants.values_list("player__name", "pk"))
    had = shorted(event, keys.values())
    assert {name for name, key in keys.items() if had[key] > 0} == small
    assert sum(had.values()) == pytest.approx(0)

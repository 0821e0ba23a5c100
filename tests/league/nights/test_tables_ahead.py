"""What check-in says of the tables is what the draw makes, and no two play for full points."""

from itertools import product

import pytest
from django.core.exceptions import ValidationError

from league.nights.acts import draws
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import event_places
from league.nights.facts.night import Night
from league.nights.facts.stages import Played, groups, is_final, share_of
from league.nights.facts.table_sizes import sizes_ahead
from league.nights.pages.next_step import step_of
from league.nights.pages.stage_page import stage_page
from league.nights.pages.wall_before import before_the_draw
from tests.factories import browser_of, make_night, owner_of, path_of, play
from tests.league.nights.test_stages import by_seat, groups_night, knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor
from tests.shares import share

pytestmark = pytest.mark.django_db


def drawn_sizes(round_):
    return sorted((sitting.places.count() for sitting in round_.sittings.all()), reverse=True)


def promised(event):
    """The tables of which check-in speaks, as sizes."""
    here = list(event.entrants.filter(presence="here", counts=True).values_list("pk", flat=True))
    rounds = list(event.rounds.filter(status="released").prefetch_related("sittings__places"))
    return sizes_ahead(event, here, rounds)


KINDS = {
    "rounds": lambda people: make_night(people),
    "duplicate": lambda people: make_night(people, format={"same_deals": True}),
    "groups": lambda people: groups_night(
        people, groups=2, group_rounds=2, final=4, rounds_planned=4
    ),
    "final of five": lambda people: groups_night(people, groups=2, final=5),
    "knock-out": lambda people: knockout_night(people, others_play=True, rounds_planned=4),
    "bots": lambda people: make_night(people, format={"bot": "greedy"}),
    "threes": lambda people: make_night(people, format={"table_size": 3}),
}


# Seven kinds and every third case: each kind meets three or four of the numbers of people.
@pytest.mark.parametrize(("people", "kind"), share(product(range(6, 17), KINDS)))
def test_every_draw_of_a_night_makes_the_tables_that_were_promised(people, kind):
    event = KINDS[kind](people)
    for _number in range(event.rounds_planned):
        rounds = list(event.rounds.all())
        if event.rules_of_format.kind == "knockout" and rounds and is_final(rounds[-1]):
            break  # The final decides a knock-out.
        sizes, drawn = promised(event), open_floor(event)
        assert drawn_sizes(drawn) == sizes
        assert 2 not in sizes
        play_all(drawn)


def test_a_cup_of_thirteen_is_drawn_as_check_in_says():
    event = groups_night(13, groups=3, group_rounds=2, final=4, rounds_planned=5)
    assert step_of(Night(event)).sentences == ["13 players: 1 table of 4, 3 tables of 3."]
    for _number in range(2):
        assert drawn_sizes(play_and_draw(event)) == [4, 3, 3, 3]
    assert step_of(Night(event)).sentences == ["13 players: 1 table of 4, 3 tables of 3."]
    assert drawn_sizes(open_floor(event)) == [4, 3, 3, 3]


def play_and_draw(event):
    drawn = open_floor(event)
    play_all(drawn)
    return drawn


@pytest.mark.parametrize(("kind", "tables"), [("loser_leaves", None), ("open", 1)])
def test_the_wall_tells_the_tables_that_stay_open_all_night(kind, tables):
    event = make_night(9 if tables else 7, format={"kind": kind, "tables": tables})
    assert before_the_draw(event, 0).tables == open_floor(event).sittings.count() == 1


def test_of_five_one_sits_out_in_turn_and_the_page_says_so_before_the_draw():
    event = make_night(5, rounds_planned=5, games_per_round=1)
    at = path_of(event, "check_in")
    said = "5 players: 1 table of 4, 1 sits out, in turn."
    assert said in browser_of(owner_of(event)).get(at).content.decode()
    out = set()
    for _number in range(5):
        drawn = play_and_draw(event)
        out |= set(drawn.byes.values_list("entrant_id", flat=True))
    assert len(out) == 5


def test_too_few_for_a_duplicate_night_are_refused_with_the_number_it_takes():
    event = make_night(3, format={"same_deals": True})
    with pytest.raises(ValidationError, match=r"3 players are here.* at least 4 per table"):
        draws.draw_round(event=event, by=owner_of(event), seed=1)


def test_the_best_of_unequal_groups_are_compared_by_their_share_of_the_points():
    """A group of three where second place gives 1.5 of 3, and one of four where it gives 2 of 3.

    The seconds of both have one game at a table; the third place in the final goes by share.
    """
    event = groups_night(7, groups=2, final=3, rounds_planned=2)
    first = play_and_draw(event)
    four, three = sorted(map(by_seat, first.sittings.all()), key=len, reverse=True)
    parts = groups([first], Played(event))
    shares = {row.entrant: share_of(row) for part in parts for row in part.rows}
    names = {entrant.pk: entrant.player.name for entrant in event.entrants.all()}
    by_name = {names[key]: share for key, share in shares.items()}
    assert [by_name[name] * 6 for name in four] == [6, 4, 2, 0]
    assert [by_name[name] * 6 for name in three] == [6, 3, 0]
    page = stage_page(event, rounds_of(event, with_drafts=False))
    assert page is not None
    assert page.compares.startswith("The groups differ in size")
    final = open_floor(event)
    assert set(by_seat(final.sittings.get(table_no=1))) == {four[0], four[1], three[0]}
    play(final.sittings.get(table_no=1), [four[1], four[0], three[0]])
    assert event_places(event)[3].player.name == three[1]

"""Late comers, leavers and substitutes while a round is played; swaps in a draft."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.log.pages import entries as log
from league.models import Audit, Entrant, Place, Round
from league.nights.acts import attendance, draws, seat_changes, swaps
from league.nights.facts import sittings
from league.nights.pages import round_page
from league.seasons.facts.standings import event_standings
from tests.factories import (
    correct,
    make_night,
    make_round,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    table_link,
)
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

MOVE_QUERIES = 9


def guest(event, name="Zoe"):
    return attendance.add_guest(event=event, name=name, by=owner_of(event))


def entrant(event, name):
    return event.entrants.get(player__name=name)


def leave(sitting, name, substitute=None):
    event = sitting.round.event
    return seat_changes.leave(
        sitting_id=sitting.pk,
        entrant_id=entrant(event, name).pk,
        substitute_id=substitute.pk if substitute else None,
        by=owner_of(event),
    )


def join(sitting, who):
    return seat_changes.join(sitting_id=sitting.pk, entrant_id=who.pk, by=owner_of(sitting))


def following(sitting):
    return sittings.facts_of(sitting, sitting.round.event).next


def points(event):
    return {s.player.name: float(s.row.points) for s in event_standings(event)}


def test_a_substitute_plays_on_and_each_keeps_the_games_played(sitting):
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    event = sitting.round.event
    leave(sitting, a, guest(event))
    assert names_at(sitting, 1) == [a, b, c, d]
    assert names_at(sitting, 2) == ["Zoe", b, c, d]
    keys = {p.entrant.player.name: p.entrant_id for p in sittings.places_at(sitting, 2)}
    play(sitting, [], groups=[[keys[name]] for name in ("Zoe", b, c, d)])
    assert points(event) == {a: 3, "Zoe": 3, b: 4, c: 2, d: 0}
    assert entrant(event, a).presence == Entrant.Presence.LEFT


@pytest.mark.parametrize("heir", [[], ["Zoe"]], ids=["nobody comes", "a substitute"])
def test_where_the_winner_has_left_the_lowest_card_leads_and_the_loser_deals(heir):
    sitting = make_table(make_night(rules="thirteen"))
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    assert following(sitting).leader.entrant.player.name == a
    leave(sitting, a, *(guest(sitting.round.event, name) for name in heir))
    assert names_at(sitting, 2) == [*heir, b, c, d]
    assert following(sitting).leader is None
    assert following(sitting).dealer.entrant.player.name == d


def test_a_late_comer_takes_a_chair_of_a_table_of_three():
    sitting = make_table(make_night(3), games=1)
    late = guest(sitting.round.event)
    assert join(sitting, late).from_game == 2
    assert len(names_at(sitting, 1)) == 3
    assert names_at(sitting, 2)[-1] == "Zoe"


def test_who_leaves_before_the_first_game_has_sat_nowhere(sitting):
    name = names_at(sitting)[0]
    leave(sitting, name, guest(sitting.round.event))
    assert names_at(sitting, 1)[0] == "Zoe"
    assert not sitting.places.filter(entrant__player__name=name).exists()


def test_a_correction_of_an_old_game_still_names_those_who_played_it(sitting):
    order = names_at(sitting)
    first = play(sitting, order)
    leave(sitting, order[0], guest(sitting.round.event))
    assert correct(first, order[::-1]).version == 2


@pytest.mark.parametrize(
    ("rules", "players", "change", "code"),
    [
        ("penguin", 4, lambda s: join(s, guest(s.round.event)), "too_many"),
        ("family", 4, lambda s: leave(s, names_at(s)[0]), "too_few"),
        ("penguin", 2, lambda s: leave(s, names_at(s)[0]), "too_few"),
    ],
)
def test_a_table_keeps_the_number_of_players_that_the_rules_ask_for(rules, players, change, code):
    sitting = make_table(make_night(players, rules=rules))
    with refuses(code):
        change(sitting)
    assert len(names_at(sitting)) == players


def test_nobody_sits_at_two_tables_of_a_round():
    first, second = make_table(make_night(7)).round.sittings.all()
    with refuses("seated"):
        join(second, entrant(first.round.event, names_at(first)[0]))


def test_the_database_keeps_one_holder_of_a_chair():
    place = make_table().places.first()
    other = guest(place.round.event)
    with pytest.raises(IntegrityError, match="place_one_holder"), transaction.atomic():
        Place.objects.create(
            sitting=place.sitting, round=place.round, seat=place.seat, entrant=other, from_game=2
        )


def test_the_next_draw_counts_whoever_sat_there_last(sitting):
    a, *others = names_at(sitting)
    play(sitting, [a, *others])
    leave(sitting, a, guest(sitting.round.event))
    names = {e.pk: e.player.name for e in sitting.round.event.entrants.select_related("player")}
    assert [[names[key] for key in t] for t in draws.tables_of(sitting.round)] == [["Zoe", *others]]


class TestSwap:
    @pytest.fixture
    def draft(self):
        event = make_night(8)
        make_round(event)
        return draws.draw_round(event=event, by=owner_of(event), anyway=True)

    def two(self, draft):
        first, second = draws.tables_of(draft)
        return first[0], second[0]

    def test_the_cost_is_what_the_swap_then_has(self, draft):
        a, b = self.two(draft)
        cost = swaps.cost(round_=draft, a=a, b=b)
        assert cost.before.repeats == draft.quality["repeats"]
        swapped = swaps.swap(round_=draft, a=a, b=b, by=owner_of(draft))
        assert swapped.quality["repeats"] == cost.after.repeats
        fresh = Round.objects.get(pk=draft.pk)
        assert [table[0] for table in draws.tables_of(fresh)] == [b, a]
        assert fresh.settings["swaps"] == [[a, b]]

    @pytest.mark.parametrize("first", ["a", "b"])
    def test_who_sits_out_can_be_swapped_in(self, first):
        event = make_night(6, rules="family")
        by = owner_of(event)
        draft = draws.draw_round(event=event, by=by)
        out, seated = draft.byes.first().entrant_id, draws.tables_of(draft)[0][0]
        second = "b" if first == "a" else "a"
        swaps.swap(round_=draft, by=by, **{first: out, second: seated})
        fresh = Round.objects.get(pk=draft.pk)
        assert draws.tables_of(fresh)[0][0] == out
        assert seated in fresh.byes.values_list("entrant_id", flat=True)

    def test_a_released_round_is_not_swapped(self, draft):
        a, b = self.two(draft)
        by = owner_of(draft)
        draws.release_round(round_=draft, by=by)
        with refuses("stale"):
            swaps.swap(round_=draft, a=a, b=b, by=by)

    def test_the_page_of_a_released_round_says_what_to_do_instead(self, client, draft):
        a, b = self.two(draft)
        by, club = owner_of(draft), draft.event.season.club
        client.force_login(by)
        path = path_of(club, "swap", draft.event_id, draft.number)
        assert "Check the effect" in client.get(path).content.decode()
        draws.release_round(round_=draft, by=by)
        for page, status in (
            (client.get(path, {"a": a, "b": b}), 200),
            (client.post(path, {"a": a, "b": b}), 409),
        ):
            text = page.content.decode()
            assert (page.status_code, "Withdraw the draw" in text) == (status, True)
            assert "<select" not in text.split("<main")[1]

    @pytest.mark.parametrize("b", [0, None])
    def test_two_different_players_of_the_draw_are_needed(self, draft, b):
        a, _other = self.two(draft)
        with refuses("players"):
            swaps.cost(round_=draft, a=a, b=a if b is None else b)

    def test_the_explanation_names_who_meets_again_and_when(self, draft):
        found = round_page.explanation(draft.event, draft)
        assert len(found.again) == draft.quality["repeats"] > 0
        assert {tuple(meeting.rounds) for meeting in found.again} == {(1,)}


# --- From table to table ----------------------------------------------------------------------


@made_once
def two_tables():
    """Two tables of a round under rules for two to four players, one game played at the first."""
    night = make_night(8, rules="thirteen", games_per_round=4)
    first, second = make_round(night).sittings.all()
    play(first)
    return first, second


def go(sitting, name, to, instead_of=None):
    event = sitting.round.event
    return seat_changes.move(
        sitting_id=sitting.pk,
        entrant_id=entrant(event, name).pk,
        to_id=to.pk,
        with_id=entrant(event, instead_of).pk if instead_of else None,
        by=owner_of(event),
    )


def play_next(sitting):
    """The next game, first to last in the order of the chairs."""
    number = sittings.next_number(sitting)
    keys = [[place.entrant_id] for place in sittings.places_at(sitting, number)]
    return play(sitting, [], groups=keys)


def test_two_players_exchange_tables_and_each_keeps_the_games_played(two_tables):
    first, second = two_tables
    (a, b, c, d), (e, f, g, h) = names_at(first), names_at(second)
    go(first, b, second, instead_of=e)
    assert (names_at(first, 1), names_at(first, 2)) == ([a, b, c, d], [a, e, c, d])
    assert names_at(second, 1) == [b, f, g, h]
    play_next(first)
    play_next(second)
    assert points(first.round.event) == {
        a: 6, b: 5, c: 2, d: 0, e: 2, f: 2, g: 1, h: 0
    }  # fmt: skip
    assert entrant(first.round.event, b).presence == Entrant.Presence.HERE


def test_an_exchange_can_be_taken_back_before_the_next_game(two_tables):
    first, second = two_tables
    before = names_at(first, 2), names_at(second)
    b, e = names_at(first)[1], names_at(second)[0]
    go(first, b, second, instead_of=e)
    go(first, e, second, instead_of=b)
    assert (names_at(first, 2), names_at(second)) == before
    play_next(first)
    assert names_at(first, 2)[1] == b


def test_somebody_goes_to_a_new_chair_where_the_rules_have_one(two_tables):
    first, second = two_tables
    name = names_at(second)[0]
    leave(first, names_at(first)[0])
    go(second, name, first)
    assert (names_at(first, 2)[-1], len(names_at(first, 2))) == (name, 4)
    assert (name in names_at(second), len(names_at(second))) == (False, 3)
    play_next(first)
    play_next(second)


def test_who_came_back_to_a_table_sits_there_again(two_tables):
    first, second = two_tables
    b, e, f = names_at(first)[1], *names_at(second)[:2]
    go(first, b, second, instead_of=e)
    play_next(first)
    play_next(second)
    go(second, b, first, instead_of=e)
    assert names_at(first, 3)[1] == b
    play_next(first)
    places = Place.objects.filter(round=first.round, entrant__player__name=b)
    assert sorted(places.values_list("sitting", "from_game", "to_game")) == sorted(
        [(first.pk, 1, 1), (second.pk, 1, 1), (first.pk, 3, None)]
    )
    assert f in names_at(second, 2)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda one, two: go(one, names_at(one)[0], one), "table"),
        (lambda one, two: go(one, names_at(two)[0], two), "gone"),
        (lambda one, two: go(one, names_at(one)[0], two, names_at(one)[1]), "gone"),
        (lambda one, two: fill_and_go(one, two), "too_many"),
        (lambda one, two: empty_and_go(one, two), "too_few"),
    ],
)
def test_a_change_of_tables_that_cannot_be_changes_nothing(two_tables, change, code):
    with refuses(code):
        change(*two_tables)
    assert not Audit.objects.filter(action="table.moved").exists()


def fill_and_go(one, two):
    for number in range(4):
        join(two, guest(two.round.event, f"Guest {number}"))
    go(one, names_at(one)[0], two)


def empty_and_go(one, two):
    for name in names_at(two)[:2]:
        leave(two, name)
    go(two, names_at(two)[0], one)


def test_nobody_counts_twice_where_all_games_of_a_table_count_as_one():
    night = make_night(8, rules="thirteen", counting="average")
    first, second = make_round(night).sittings.all()
    go(first, names_at(first)[0], second, instead_of=names_at(second)[0])
    play(first, [], groups=[[p.entrant_id] for p in sittings.places_at(first, 1)])
    with refuses("counting"):
        go(first, names_at(first)[0], second, instead_of=names_at(second)[1])


def test_an_organiser_changes_tables_on_a_page_that_the_log_tells(client, two_tables):
    first, second = two_tables
    event = first.round.event
    by = owner_of(event)
    client.force_login(by)
    path = path_of(event, "move", 1, 1)
    b, e = entrant(event, names_at(first)[1]), entrant(event, names_at(second)[0])
    chair = second.places.get(entrant=e)
    page = client.get(path).content.decode()
    assert f"swap seats with {e.player}" in page
    way = re.search(r'href="([^"]*)#seat-changes">Players leave or join', page)[1]
    assert 'id="seat-changes"' in client.get(way).content.decode()
    refused = client.post(path, {"who": "", "to": f"place.{chair.pk}"})
    assert (refused.status_code, refused.content.count(b" checked")) == (409, 1), "What was chosen"
    answer = client.post(path, {"who": b.pk, "to": f"place.{chair.pk}"}, follow=True)
    assert answer.redirect_chain[0][0].endswith("/tables/2/")
    said = [str(one) for one in answer.context["messages"]]
    assert said == [f"{b.player} sits at table 2 from the next game."]
    assert names_at(second)[0] == b.player.name
    (line,) = log.log_page(event.season.club, log.Asked(event=event.pk), None).lines[:1]
    assert line.sentence == (f"{by} swapped {b.player} at table 1 with {e.player} at table 2.")


@pytest.mark.parametrize(
    "odd", [{}, {"who": "x", "to": "y"}, {"who": "1"}, {"who": "1", "to": "place.0"}]
)
def test_an_odd_change_of_tables_is_answered_with_what_to_do(client, two_tables, odd):
    first, _second = two_tables
    event = first.round.event
    client.force_login(owner_of(event))
    answer = client.post(path_of(event, "move", 1, 1), odd)
    assert (answer.status_code, 'role="alert"' in answer.content.decode()) == (409, True)


def test_a_table_whose_player_has_left_asks_its_organiser_who_sits_down(client, sitting):
    event, names = sitting.round.event, names_at(sitting)
    at = [event.season.club.slug, event.pk, sitting.round.number, sitting.table_no]
    client.force_login(owner_of(event))

    def seen():
        page = " ".join(client.get(reverse("league:table", args=at)).content.decode().split())
        chosen = re.findall(r"selected> ([^<]+) </option>", page)
        return f"{names[1]} has left." in page, page.count(" open>"), chosen

    before = seen()
    gone = event.entrants.get(player__name=names[1])
    attendance.set_presence(event=event, player_ids=[gone.player_id], presence="left", by=None)
    assert (before, seen()) == ((False, 0, []), (True, 2, [names[1]]))
    guest(event, "Zoe")
    assert seen() == (True, 2, [names[1], "Zoe"]), "Only one can sit down"
    guest(event, "Yen")
    assert seen() == (True, 2, [names[1]])
    leave(sitting, names[1])
    assert seen() == (False, 0, [])


@pytest.mark.parametrize(
    ("rules", "table_no", "free"),
    [("mien-nam", 1, 1), ("mien-nam", 2, 0), ("family", 1, 0), ("thirteen", 2, 1)],
)
def test_a_new_seat_is_offered_only_where_the_rules_have_room_for_it(client, rules, table_no, free):
    event = make_night(8 if rules == "family" else 7, rules=rules)
    sizes = [len(names_at(one)) for one in make_round(event).sittings.all()]
    assert sizes == ([4, 4] if rules == "family" else [4, 3])
    client.force_login(owner_of(event))
    path = path_of(event, "move", 1, table_no)
    assert client.get(path).content.count(b'value="table.') == free


@pytest.mark.parametrize("players", [8, 16])
def test_the_page_takes_the_same_queries_with_two_tables_or_four(
    client, players, django_assert_num_queries
):
    event = make_night(players)
    make_round(event)
    client.force_login(owner_of(event))
    path = path_of(event, "move", 1, 1)
    with django_assert_num_queries(MOVE_QUERIES):
        assert client.get(path).content.count(b'name="to"') == players - 4


def test_the_table_notes_who_cut_the_highest_card_and_mends_it_until_the_first_game():
    sitting = make_table(make_night(rules="killa"))
    here = table_link(sitting, 1)
    phone = Client()
    assert "Cut for the first deal." in phone.get(here).content.decode()
    first, other = (place.entrant for place in sitting.seated[1:3])
    for dealer in (first, other, other):
        assert phone.post(here, {"dealer": dealer.pk}).status_code == 302
    page = phone.get(here).content.decode()
    assert f"<b>{other.player.name}</b> shuffles and deals." in page
    assert Audit.objects.filter(action="table.cut").count() == 2
    play(sitting)
    assert phone.post(here, {"dealer": first.pk}).status_code == 409
    sitting.refresh_from_db()
    assert sitting.first_dealer == 2

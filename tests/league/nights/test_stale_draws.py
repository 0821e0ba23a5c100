"""A page acts on the draw that its reader saw, or says what has changed and by whom."""

import re

import pytest
from django.test import Client

from league.models import Audit, Place, Round
from league.nights.acts import draws, swaps
from tests.factories import browser_of, make_member, make_night, owner_of, path_of
from tests.league.nights.test_event_page import in_one_line
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
FORM = re.compile(r'<form method="post"\s+action="([^"]+)"(.*?)</form>', re.S)


@made_once
def event():
    return make_night(8)


@pytest.fixture
def other(event):
    user = make_member(event.season.club, "organiser")
    user.name = "Bình"
    user.save()
    return user


@pytest.fixture
def mine(event):
    """The browser of the owner, who draws first."""
    return browser_of(owner_of(event))


@pytest.fixture
def draft(event):
    return draws.draw_round(event=event, by=owner_of(event))


def sent_by(page, address):
    """What the form of a page sends to that address, without its token and its button."""
    form = next(own for path, own in FORM.findall(page.content.decode()) if path == address)
    return dict(FIELD.findall(form))


def by_table(round_):
    return sorted(Place.objects.filter(round=round_).values_list("sitting__table_no", "entrant"))


def read(client, event, act):
    """What the page of round 1 sends when its reader taps `act`."""
    return sent_by(client.get(path_of(event, "round", 1)), act)


def test_a_draft_that_was_drawn_again_is_not_released_by_who_saw_the_first(
    event, other, mine, draft
):
    release = path_of(event, "release", 1)
    seen = read(mine, event, release)
    again = path_of(event, "draw")
    theirs = browser_of(other)
    theirs.post(again, read(theirs, event, again))
    drawn = by_table(event.rounds.get())
    answer = mine.post(release, seen, follow=True)
    assert event.rounds.get().status == "draft"
    assert by_table(event.rounds.get()) == drawn
    text = in_one_line(answer)
    assert "Bình drew the tables of round 1 at " in text
    assert "Nothing was changed. Check the tables as they are now." in text
    mine.post(release, read(mine, event, release))
    assert event.rounds.get().status == "released"


def test_a_swap_makes_another_draft_of_it(event, other, mine, draft):
    seen = {act: read(mine, event, path_of(event, act, *keys)) for act, keys in
            (("release", [1]), ("discard", [1]), ("draw", []))}  # fmt: skip
    a, b = (table.places.first().entrant_id for table in draft.sittings.all())
    swaps.swap(round_=draft, a=a, b=b, by=other)
    for act, fields in seen.items():
        path = path_of(event, act, 1) if act != "draw" else path_of(event, act)
        answer = mine.post(path, fields, follow=True)
        assert "Bình swapped two players in round 1 at " in in_one_line(answer), act
        assert list(event.rounds.values_list("pk", "status")) == [(draft.pk, "draft")]


def test_a_swap_chosen_on_an_older_draft_moves_nobody(event, other, mine, draft):
    a, b = (table.places.first().entrant_id for table in draft.sittings.all())
    swap = path_of(event, "swap", 1)
    page = mine.get(swap, {"a": a, "b": b})
    forms = re.findall(r'<form method="post">(.*?)</form>', page.content.decode(), re.S)
    [fields] = [dict(FIELD.findall(form)) for form in forms]
    draws.draw_round(event=event, by=other)
    drawn = by_table(event.rounds.get())
    answer = mine.post(swap, fields)
    assert answer.status_code == 409
    assert "Bình drew the tables of round 1 at " in in_one_line(answer)
    assert by_table(event.rounds.get()) == drawn


@pytest.mark.parametrize("act", ["release", "discard", "swap"])
def test_a_draft_that_is_gone_leads_back_to_the_night(event, other, mine, draft, act):
    seen = {"version": draft.version}
    draws.discard_round(round_=draft, by=other)
    answer = mine.post(path_of(event, act, 1), seen, follow=True)
    assert answer.redirect_chain == [(path_of(event, "event"), 302)]
    assert "Bình discarded the draw of round 1 at " in in_one_line(answer)
    assert "Draw the tables here when you are ready." in in_one_line(answer)
    look = mine.get(path_of(event, "round", 1), follow=True)
    assert look.redirect_chain == [(path_of(event, "event"), 302)]
    assert "Bình discarded the draw of round 1 at " in in_one_line(look)
    assert mine.get(path_of(event, "round", 7)).status_code == 404
    assert Client().get(path_of(event, "round", 1)).status_code == 404


def test_the_clock_of_a_round_that_was_withdrawn_leads_back_to_the_night(event, other, mine, draft):
    released = draws.release_round(round_=draft, by=owner_of(event))
    draws.discard_round(round_=released, by=other, reason="two came late")
    sent = {"do": "start", "minutes": "30"}
    answer = mine.post(path_of(event, "round_clock", 1), sent, follow=True)
    assert answer.redirect_chain == [(path_of(event, "event"), 302)]
    assert "Bình discarded the draw of round 1 at " in in_one_line(answer)


@pytest.mark.parametrize("act", ["release", "discard", "draw"])
def test_who_acts_on_a_released_draft_sees_the_round_instead(event, other, mine, draft, act):
    path = path_of(event, act, 1) if act != "draw" else path_of(event, act)
    seen = read(mine, event, path)
    draws.release_round(round_=draft, by=other)
    answer = mine.post(path, seen, follow=True)
    assert answer.redirect_chain == [(path_of(event, "round", 1), 302)]
    assert "Bình released round 1 at " in in_one_line(answer)
    assert list(event.rounds.values_list("number", "status")) == [(1, "released")]


@pytest.mark.parametrize("page", ["event", "check_in"])
def test_the_second_tap_on_draw_leaves_the_first_ones_draft(event, other, mine, page):
    theirs = browser_of(other)
    draw = path_of(event, "draw")
    seen = [sent_by(client.get(path_of(event, page)), draw) for client in (theirs, mine)]
    theirs.post(draw, seen[0])
    drawn = event.rounds.get()
    answer = mine.post(draw, seen[1], follow=True)
    assert answer.redirect_chain == [(path_of(event, "round", 1), 302)]
    assert "Bình drew the tables of round 1 at " in in_one_line(answer)
    assert event.rounds.get().pk == drawn.pk


def test_a_tap_on_draw_that_comes_after_the_release_draws_no_round_more(event, other, mine):
    draw = path_of(event, "draw")
    seen = sent_by(mine.get(path_of(event, "event")), draw)
    draws.release_round(round_=draws.draw_round(event=event, by=other), by=other)
    answer = mine.post(draw, seen, follow=True)
    assert "Bình released round 1 at " in in_one_line(answer)
    assert event.rounds.count() == 1


def test_a_released_round_is_withdrawn_by_who_saw_it_released(event, other, mine, draft):
    released = draws.release_round(round_=draft, by=owner_of(event))
    discard = path_of(event, "discard", 1)
    seen = read(mine, event, discard) | {"reason": "two came late"}
    draws.discard_round(round_=released, by=other, reason="Lan came")
    draws.release_round(round_=draws.draw_round(event=event, by=other), by=other)
    answer = mine.post(discard, seen, follow=True)
    assert "Bình released round 1 at " in in_one_line(answer)
    assert event.rounds.count() == 1
    mine.post(discard, read(mine, event, discard) | {"reason": "two came late"})
    assert not event.rounds.exists()


def test_a_draft_of_the_release_before_versions_can_be_released(event):
    owner = owner_of(event)
    mine = browser_of(owner)
    draws.draw_round(event=event, by=owner)
    Round.objects.update(version=0)
    release = path_of(event, "release", 1)
    mine.post(release, read(mine, event, release))
    assert event.rounds.get().status == "released"
    assert Audit.objects.filter(action="draw.released").count() == 1

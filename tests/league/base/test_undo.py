"""What is done with one tap is taken back with one."""

import re

import pytest
from django.test import Client

from league.base.acts import links
from league.clubs.acts import players
from league.models import Audit, Entrant, Event, Player, Season
from tests.factories import (
    browser_of,
    make_club,
    make_night,
    make_round,
    make_rules,
    owner_of,
    play,
    stored,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@made_once
def night() -> Event:
    return make_night(6)


@pytest.fixture
def organiser(night) -> Client:
    return browser_of(owner_of(night))


def check_in(night: Event) -> str:
    return f"/clubs/{night.season.club.slug}/events/{night.pk}/check-in/"


def fields(answer) -> dict[str, list[str]]:
    """What the form of the button "Undo" would send."""
    found: dict[str, list[str]] = {}
    for name, value in answer.context["done"].fields:
        found.setdefault(name, []).append(str(value))
    return found


def test_after_a_refused_guest_a_tap_loads_the_whole_page_without_the_error(night, organiser):
    here = check_in(night)
    links.renew_for_night(event=night, by=owner_of(night))
    refused = organiser.post(here.replace("check-in/", "guest/"), {"name": "x" * 99})
    page = refused.content.decode()
    assert (refused.status_code, "hx-disable" in page) == (422, True)
    assert "Replace the link" in page
    assert "hx-disable" not in organiser.get(here).content.decode()


def presence(night: Event, key: int) -> str:
    return Entrant.objects.get(event=night, player=key).presence


@pytest.mark.parametrize("before", ["here", "left", "expected"])
def test_a_tap_on_a_name_is_taken_back(night, organiser, before):
    key = night.entrants.first().player_id
    night.entrants.filter(player=key).update(presence=before)
    to = "left" if before == "here" else "here"
    answer = organiser.post(check_in(night), {"presence": to, "player": key}, headers=HTMX)
    assert presence(night, key) == to
    assert answer.context["done"].text.endswith("left." if to == "left" else "is here.")
    organiser.post(check_in(night), fields(answer), headers=HTMX)
    assert presence(night, key) == before


def test_who_comes_during_a_round_is_told_when_there_is_a_seat(night, organiser):
    Event.objects.filter(pk=night.pk).update(rounds_planned=2)
    late, sat = [one.player_id for one in night.entrants.all()][:2]
    night.entrants.filter(player=late).update(presence="expected")

    def told(key: int, presence: str = "here") -> str:
        sent = {"presence": presence, "player": key}
        return organiser.post(check_in(night), sent, headers=HTMX).context["done"].text

    for number in (1, 2):
        make_round(night)
        assert told(late).endswith("Plays from round 2." if number == 1 else "is here.")
        told(late, "expected")
    told(sat, "left")
    assert told(sat).endswith("is here."), "has a seat"


def names(answer) -> list[tuple[int, bool, str]]:
    """The names as they stand on the page, with who is here and what a tap gives back."""
    groups = answer.context["groups"]
    return [(one.player.pk, one.is_here, one.back) for group in groups for one in group.names]


def test_names_that_were_tapped_stay_where_they_are_until_the_page_is_opened_again(
    night, organiser
):
    url, (an, bình, *_others) = (
        check_in(night),
        [key for key, *_ in names(organiser.get(check_in(night)))],
    )
    new = players.add_player(club=night.season.club, name="Cúc", by=owner_of(night)).pk
    before = names(organiser.get(url))
    assert [key for key, *_ in before][-1] == new
    stood = ""
    for presence_, key in (("left", bình), ("here", new), ("left", an)):
        sent = {"presence": presence_, "player": key, "stood": stood}
        answer = organiser.post(url, sent, headers=HTMX)
        stood = answer.context["stood"]
        assert [key for key, *_ in names(answer)] == [key for key, *_ in before]
    changed = {an: (False, "here"), bình: (False, "here"), new: (True, "expected")}
    assert names(answer) == [(key, *changed.get(key, then)) for key, *then in before]
    assert "<b>5</b>" in answer.content.decode()
    assert names(organiser.get(url, {"stood": stood}, headers=HTMX)) == names(answer)
    back = organiser.post(url, {"presence": "here", "player": an, "stood": stood}, headers=HTMX)
    assert names(back)[0] == (an, True, "expected")
    assert [key for key, *_ in names(organiser.get(url))][-1] == bình


def tap(organiser: Client, url: str, name: str) -> str:
    """Tap the name on the page as it is opened, without a script; return its presence then."""
    page = organiser.get(url).content.decode()
    [button] = re.findall(rf"<button[^>]*>(?:(?!</button>).)*\s{name}\s", page, re.DOTALL)
    form = re.search(r'form="back-(\w+)"', button)
    before = page.split(button)[0]
    presence = form[1] if form else re.findall(r'name="presence" value="(\w+)"', before)[-1]
    [key] = re.findall(r'value="(\d+)"', button)
    organiser.post(url, {"presence": presence, "player": key})
    return Entrant.objects.get(player=key).presence


def test_a_second_tap_takes_an_arrival_back_until_the_player_was_in_a_draw():
    night = make_night(4, games_per_round=1)
    organiser, url = browser_of(owner_of(night)), check_in(night)
    players.add_player(club=night.season.club, name="Sáu", by=owner_of(night))
    assert [tap(organiser, url, "Sáu") for _tap in range(3)] == ["here", "expected", "here"]
    entry = Audit.objects.filter(action="event.presence").order_by("-pk")[1]
    assert entry.data["to"] == "expected"
    play(make_round(night).sittings.get())
    assert tap(organiser, url, "Sáu") == "left"
    assert tap(organiser, url, "Sáu") == "here"
    players.add_player(club=night.season.club, name="Bảy", by=owner_of(night))
    assert [tap(organiser, url, "Bảy") for _tap in range(2)] == ["here", "expected"]


@pytest.mark.parametrize("stood", ["x", "1:x", ":here", "99999999:left"])
def test_what_no_page_has_sent_of_its_names_moves_none(night, organiser, stood):
    url = check_in(night)
    odd = organiser.get(url, {"stood": stood}, headers=HTMX)
    assert names(odd) == names(organiser.get(url))


def test_a_player_whose_game_is_on_leaves_by_a_second_button():
    night = make_night(8, games_per_round=1)
    organiser = browser_of(owner_of(night))
    url, (first, _second) = check_in(night), make_round(night).sittings.all()
    key = first.places.first().entrant.player_id

    def tap() -> str:
        button = rf'<button class="btn btn-here"\s+name="(\w+)"\s+value="{key}"'
        [name] = re.findall(button, organiser.get(url).content.decode())
        return name

    page = organiser.get(url).content.decode()
    rule = "<p>Tap the name of a player who arrives or leaves.</p>"
    assert page.index(rule) < page.index("btn-here")
    assert tap() == "asks"
    for headers in (HTMX, {}):
        asked = organiser.post(url, {"asks": key}, headers=headers)
        assert presence(night, key) == "here"
        name = Player.objects.get(pk=key).name
        told = f"{name} is playing at table 1. Leaving frees the seat."
        assert asked.context["done"].text == told
        assert "Mark as left" in asked.content.decode()
        assert f'href="{url}">Cancel</a>' in asked.content.decode()
    play(first)
    assert tap() == "player"
    assert organiser.post(url, {"asks": key}, headers=HTMX).context["done"] is None
    organiser.post(url, fields(asked), headers=HTMX)
    assert presence(night, key) == "left"


def test_everybody_has_come_is_taken_back_for_all_of_them(night, organiser):
    night.entrants.update(presence="expected")
    keys = list(night.entrants.values_list("player_id", flat=True))
    answer = organiser.post(check_in(night), {"presence": "here", "player": keys}, headers=HTMX)
    assert answer.context["done"].text == f"{len(keys)} players checked in."
    answer = organiser.post(check_in(night), fields(answer), headers=HTMX)
    assert set(night.entrants.values_list("presence", flat=True)) == {"expected"}
    page = answer.content.decode()
    assert "<span data-says>Undone.</span>" in page
    assert 'name="undo"' not in page


def test_without_javascript_the_message_has_the_button(night, organiser):
    key = night.entrants.first().player_id
    page = organiser.post(check_in(night), {"presence": "left", "player": key}, follow=True)
    text = page.content.decode()
    assert f'<input type="hidden" name="player" value="{key}">' in text
    assert '<input type="hidden" name="presence" value="here">' in text
    form = text.split('class="message success"')[1].split("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    page = organiser.post(check_in(night), sent, follow=True)
    assert presence(night, key) == "here"
    assert 'name="undo"' not in page.content.decode()


def test_nobody_at_all_is_an_incomplete_form(night, organiser):
    answer = organiser.post(check_in(night), {"presence": "here"}, follow=True)
    assert "This form is incomplete." in answer.content.decode()


def test_a_closed_night_is_opened_again_from_the_message(night, organiser):
    url = f"/clubs/{night.season.club.slug}/events/{night.pk}/status/"
    page = organiser.post(url, {"status": "closed"}, follow=True).content.decode()
    assert f"{night.name} closed." in page
    assert f'action="{url}"' in page
    organiser.post(url, {"status": "open"})
    assert stored(night).is_open


def test_a_closed_season_is_opened_again_from_the_message(night, organiser):
    url = f"/clubs/{night.season.club.slug}/seasons/{night.season_id}/status/"
    organiser.post(
        f"/clubs/{night.season.club.slug}/events/{night.pk}/status/", {"status": "closed"}
    )
    page = organiser.post(url, {"status": "closed"}, follow=True).content.decode()
    assert f"{night.season.name} closed." in page
    assert '<input type="hidden" name="status" value="open">' in page
    organiser.post(url, {"status": "open"})
    assert Season.objects.get().status == "open"


def test_rules_put_away_come_back_from_the_message():
    club = make_club()
    own = make_rules(club)
    client = browser_of(owner_of(club))
    url = f"/clubs/{club.slug}/rules/{own.pk}/archive/"
    page = client.post(url, {"archived": "yes"}, follow=True).content.decode()
    assert f"{own.name} archived." in page
    assert '<input type="hidden" name="archived" value="no">' in page
    client.post(url, {"archived": "no"})
    assert stored(own).archived_at is None

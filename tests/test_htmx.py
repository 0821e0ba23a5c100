"""Redirects that meet htmx, and pages of releases that sent no mark."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from launcher import release
from league.base.acts import links
from league.models import Entrant
from tables.web import old_pages
from tests.factories import make_night, owner_of, path_of

pytestmark = pytest.mark.django_db
OURS = {"HX-Request": "true", release.HEADER: "any"}


@pytest.fixture
def night():
    return make_night()


@pytest.fixture
def host(night) -> Client:
    client = Client()
    client.force_login(owner_of(night))
    return client


def polls(client: Client, path: str, part: str, page: str = "") -> Any:
    """What a page of 1.1 at `page` hears when its part asks for news."""
    client.cookies.pop(old_pages.cookie_of(urlsplit(page or path).path), None)  # As the first time.
    return client.get(path, headers=old(part, page or path))


def old(part: str, page: str) -> dict[str, str]:
    return {
        "HX-Request": "true", "HX-Trigger": part, "HX-Target": part,
        "HX-Current-URL": f"http://testserver{page}",
    }  # fmt: skip


def test_a_sign_in_that_has_ended_moves_the_page_and_is_drawn_into_no_part(night):
    here = path_of(night, "check_in")
    headers = OURS | {"HX-Current-URL": f"http://testserver{here}"}
    for answer in (
        Client().get(f"{here}?version=0", headers=headers),
        Client().post(here, {"player": 1, "presence": "here"}, headers=headers),
    ):
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer["HX-Redirect"].startswith(reverse("account_login"))
        assert "Location" not in answer


def test_an_address_that_can_be_none_breaks_nothing(host, night):
    money = path_of(night.season, "season_money")
    settle = path_of(night.season, "settle")
    moves = host.post(settle, {}, headers=OURS | {"HX-Current-URL": "http://[::1"})
    assert (moves.status_code, moves["HX-Redirect"]) == (204, money)


def test_a_redirect_to_the_page_itself_stays_for_htmx_to_follow(host, night):
    here = path_of(night, "event")
    by_page = OURS | {"HX-Current-URL": f"http://testserver{here}#top"}
    answer = host.post(
        path_of(night, "check_in"), {"night": 1}, headers=by_page | {"HX-Request": ""}
    )
    assert answer.status_code == 302
    money = path_of(night.season, "season_money")
    settle = path_of(night.season, "settle")
    stays = host.post(settle, {}, headers=OURS | {"HX-Current-URL": f"http://testserver{money}"})
    moves = host.post(settle, {}, headers=OURS | {"HX-Current-URL": f"http://testserver{here}"})
    assert (stays.status_code, stays["Location"]) == (302, money)
    assert (moves.status_code, moves["HX-Redirect"]) == (204, money)


def test_an_old_page_is_led_to_its_own_address_one_in_three(host, night, monkeypatch):
    here, live = path_of(night, "event"), path_of(night, "event_live")
    heard = [
        polls(host, f"{live}?version=0", "event-live", f"{here}?a=1#tables") for _ in range(60)
    ]
    assert {answer.status_code for answer in heard} == {204}
    led = [answer["HX-Redirect"] for answer in heard if "HX-Redirect" in answer]
    assert set(led) == {f"{here}?a=1"}
    assert 5 < len(led) < 40
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    link = reverse("league:link_night", args=[links.keep_for_night(event=night).secret])
    assert polls(Client(), f"{link}?version=0", "night", link)["HX-Redirect"] == link
    assert "HX-Redirect" not in polls(host, live, "event-live", f"{here}rounds/1/")
    assert host.get(live, headers=OURS).status_code == 200


def test_a_page_whose_mark_a_proxy_takes_away_is_renewed_once(host, night, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    here, live = path_of(night, "event"), path_of(night, "event_live")
    assert polls(host, f"{live}?version=0", "event-live", here)["HX-Redirect"] == here
    again = host.get(f"{live}?version=0", headers=old("event-live", here))
    assert (again.status_code, "HX-Redirect" in again) == (200, False)
    assert host.cookies[old_pages.cookie_of(here)]["path"] == here, (
        "other open pages of this browser are too"
    )


def test_each_page_of_a_browser_is_renewed_by_itself(host, night, monkeypatch):
    """The host's night and the big screen below its address, on one laptop."""
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    here, wall = path_of(night, "event"), path_of(night, "wall")
    renewed = host.get(path_of(night, "event_live"), headers=old("event-live", here))
    assert renewed["HX-Redirect"] == here
    assert wall.startswith(host.cookies[old_pages.cookie_of(here)]["path"])
    assert host.get(f"{wall}?screen=1", headers=old("screen", wall))["HX-Redirect"] == wall


def test_an_old_wall_is_renewed_at_once(host, night, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 10**9)
    wall = path_of(night, "wall")
    assert polls(host, f"{wall}?screen=1", "screen", wall)["HX-Redirect"] == wall


def test_an_old_check_in_keeps_what_is_typed_until_a_tap_renews_it(host, night, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    here = path_of(night, "check_in")
    asked = polls(host, f"{here}?version=0", "people", here)
    assert (asked.status_code, "HX-Redirect" in asked) == (204, False)
    player = night.season.club.players.create(name="An")
    data = {"player": player.pk, "presence": "here"}
    tapped = host.post(here, data, headers=old("", here) | {"HX-Target": "people"})
    assert tapped["HX-Redirect"] == here
    assert night.entrants.get(player=player).presence == Entrant.Presence.HERE
    refused = host.post(path_of(night, "guest"), {"name": ""}, headers=old("", here))
    assert "HX-Redirect" not in refused


def test_a_search_on_an_old_page_is_answered(night):
    asked = Client().get("/search/?q=a", headers=old("q", "/search/") | {"HX-Target": "results"})
    assert (asked.status_code, "HX-Redirect" in asked) == (200, False)

"""An association's Saturday: two clubs, four people of both, one organiser, a guest, a final."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, ViewportSize

from league.clubs.acts import players
from league.models import Entrant, Event, Place, Sitting
from league.money.facts import open_debts
from league.nights.acts import clock, closing
from tests.browser.conftest import check_page, open_page, shot, sign_in
from tests.factories import (
    give_role,
    make_club,
    make_night,
    make_round,
    make_season,
    make_user,
    names_at,
    night_secret,
    play,
)
from tests.shares import share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CLUBS = ("Hội Sông Hồng", "Hội Bến Nghé")
SIZES: list[ViewportSize] = [{"width": 360, "height": 740}, {"width": 1440, "height": 900}]
ONLY_HERE = ("Ánh", "Ý Nhi")
"""A name that only the first club has, and one that only the other has."""


def evening() -> Iterator[Event]:
    """The nights of both clubs, drawn and with a game at each table."""
    organiser, mai = make_user("host@club.example"), make_user("mai@club.example")
    for club_name, only in zip(CLUBS, ONLY_HERE, strict=True):
        club = make_club(owner=organiser, is_public=False, name=club_name)
        added = players.add_players(club=club, text=f"{only}\nMai", by=organiser).players
        give_role(club, mai, "player")
        added[1].user = mai
        added[1].save()
        night = make_night(14, season=make_season(club, rules="killa"), stake=10_000)
        here = [player.pk for player in added]
        Entrant.objects.filter(event=night, player__in=here).update(presence="here")
        Event.objects.filter(pk=night.pk).update(name="Buổi 1, 28/11")
        night.refresh_from_db()
        for table in make_round(night).sittings.all():
            play(table, names_at(table))
        yield night


def path(name: str, night: Event, *more: object) -> str:
    return reverse(f"league:{name}", args=[night.season.club.slug, night.pk, *more])


def text_of(page: Page, address: str) -> str:
    page.goto(address)
    check_page(page)
    return page.locator("body").inner_text()


@pytest.mark.parametrize("language", share(["vi-VN", "en-GB"], of=2))
def test_a_saturday_of_two_clubs_on_one_phone(browser: Browser, live_server, language):
    here, there = nights = list(evening())
    organiser, mai = (
        here.season.club.memberships.get(role=role).user for role in ("owner", "player")
    )
    calling = Sitting.objects.get(round__event=there, table_no=1)
    clock.call_director(sitting=calling, by=None)
    guest, links = (
        Client(),
        [reverse("league:link_night", args=[night_secret(one)]) for one in nights],
    )
    for link, night in zip(links, nights, strict=True):
        walks = night.season.club.players.get(name="Dũng")
        guest.post(link, {"me": walks.pk})
    cookies = [
        {"name": name, "value": one.value, "domain": "localhost", "path": "/"}
        for name, one in guest.cookies.items()
    ]
    for size in SIZES:
        name = f"saturday-{language[:2]}-{size['width']}"
        with open_page(browser, live_server.url, size=size, language=language) as page:
            sign_in(page, organiser)
            page.goto(path("event", here))
            page.locator(f"#needs a[href*='/{there.pk}/']").wait_for()
            assert f"Buổi 1, 28/11 · {CLUBS[1]}" in page.locator("#needs").inner_text()
            assert page.title().endswith(f"· {CLUBS[0]}")
            shot(page, f"{name}-night")
            for where in ("event", "check_in", "event_money", "wall"):
                text = text_of(page, path(where, here))
                assert CLUBS[0] in text
                assert ONLY_HERE[1] not in text
            assert all(club in text_of(page, "/") for club in CLUBS)
            shot(page, f"{name}-tonight")
            sign_in(page, mai)
            for door in ("/", "/people/me/"):
                text_of(page, door)
                blocks = page.locator(".of-club")
                assert [blocks.nth(n).locator("h2 a").first.inner_text() for n in (0, 1)] == list(
                    CLUBS
                )
                shot(page, f"{name}-mai{door.replace('/', '-')}")
        with open_page(browser, live_server.url, size=size, language=language) as page:
            page.context.add_cookies(cookies)
            text = text_of(page, links[1])
            assert text.count(f"Buổi 1, 28/11 · {CLUBS[0]}") == 2, "asked about it, and named"
            assert ONLY_HERE[0] not in text
            shot(page, f"{name}-guest")
    with open_page(browser, live_server.url, language=language) as page:
        page.context.add_cookies(cookies)
        page.goto(links[1])
        page.locator(".my-question summary").click()
        page.locator("button[name=when][value=round]").click()
        page.wait_for_load_state()
        walked = Entrant.objects.get(event=here, player__name="Dũng")
        assert walked.leaves_after == 1
        sign_in(page, organiser)
        # A final without typing: from Tonight to its released draw in eleven taps.
        page.goto("/")
        page.get_by_role("link", name=CLUBS[0]).last.scroll_into_view_if_needed()
        page.locator(
            f"a[href$='{reverse('league:night_create', args=[here.season.club.slug])}']"
        ).click()
        page.locator("a[href*='like=cup']").click()
        page.locator(".chip:has([name=of-nights]) summary").first.click()
        page.locator(".chip[open] .plan-row > summary").click()
        for night in nights:
            page.locator(f"input[name=of-nights][value='{night.pk}']").check()
        shot(page, f"saturday-{language[:2]}-new")
        page.locator(".chip[open] [name=preview]").click()
        page.locator(".dock button").last.click()
        page.locator(".people-here .panel-head form button").click()
        page.locator(".next-step form button").click()
        page.locator("form[action$='/release/'] button").first.click()
        page.wait_for_load_state()
    final = Event.objects.latest("pk")
    round_ = final.rounds.get()
    assert round_.status == "released"
    people = final.entrants.values_list("player__name", flat=True)
    assert len(people) == len(set(people)) == 16
    for table in round_.sittings.all():
        sent = [place.entrant.from_club for place in Place.objects.filter(sitting=table)]
        assert sorted(sent) == sorted(CLUBS * 2)
    # What the ended night owes the guest stays on the other night's page.
    closing.close_event(event=here, by=organiser, despite_unfinished=True)
    walked_player = walked.player
    open_ = [
        one for one in open_debts.of_night(here)
        if walked_player in (one.payer.player, one.payee.player)
    ]  # fmt: skip
    page_text = guest.get(links[1]).content.decode()
    assert (CLUBS[0] in page_text) is bool(open_)

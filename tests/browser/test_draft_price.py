"""A night of 22: people come, go and rest, and each draft says what it costs before its release."""

import pytest
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import expect

from league.clubs.acts import players
from league.models import Round
from league.nights.acts import attendance, draws
from league.nights.facts.events import rounds_of
from league.nights.pages.draft_price import draft_price
from tests.browser.conftest import PHONE, check_page, open_page, shot, sign_in
from tests.factories import NAMES, make_night, make_round, owner_of
from tests.shares import share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(
    ("language", "redraw"), share([("en-GB", "Redraw"), ("vi-VN", "Xếp lại")], 1, of=2)
)
def test_each_draft_of_an_evening_says_what_it_costs(browser, live_server, language, redraw):
    event = make_night(16, rounds_planned=7)
    by = owner_of(event.season.club)
    six = "\n".join(f"Người {number}" for number in range(6))
    here = players.add_players(club=event.season.club, text=six, by=by).players
    attendance.set_presence(
        event=event, player_ids=[one.pk for one in here], presence="here", by=by
    )
    make_round(event)
    make_round(event)
    names = NAMES[:5]
    for name in names[:2]:
        player = players.find_by_name(club=event.season.club, name=name)
        players.set_wishes(player=player, group="nhà An", together="", fixed_table=None, by=by)
    found = {e.player.name: e.player_id for e in event.entrants.select_related("player")}
    late = players.add_players(club=event.season.club, text="Mai Tới\nVinh Trễ", by=by).players
    attendance.set_presence(
        event=event, player_ids=[one.pk for one in late], presence="here", by=by
    )
    away = [found[names[2]], found[names[3]]]
    attendance.set_presence(event=event, player_ids=away, presence="left", by=by)
    draws.draw_round(event=event, by=by, anyway=True)
    with open_page(browser, live_server.url, size=PHONE, language=language) as page:
        sign_in(page, by)
        page.goto(reverse("league:round", args=[event.season.club.slug, event.pk, 3]))
        for turn in range(3):
            if turn:
                page.get_by_role("button", name=redraw, exact=True).click()
                expect(page.locator(".next-step .kind")).to_contain_text(str(turn + 1))
            with translation.override(language[:2]):
                price = draft_price(rounds_of(event, with_drafts=True))
            expect(page.locator("#price")).to_have_text(price.title)
            expect(page.locator(".draft-named")).to_have_count(
                len(price.again) + len(price.wishes) + 4
            )
            for width in (360, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                check_page(page)
                shot(page, f"draft-price-{turn + 1}-{width}-{language[:2]}")
        page.locator(".dock .btn-primary").click()
        page.wait_for_load_state()
    assert Round.objects.get(number=3).status == "released"

"""On a phone, from the last card to what one learns of it: review, try again, puzzle, luck."""

import datetime
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from playwright.sync_api import Page, expect

from accounts.models import User
from league.clubs.acts import players
from league.models import Season
from league.online.acts import results_in
from league.seasons.domain.scoring import Scoring
from tables.models import Attempt, Game, Puzzle, Table
from tables.reviews.acts import making
from tables.reviews.facts import puzzles
from tests.browser.conftest import PHONE, check_page, open_page, seen, shot, sign_in
from tests.factories import give_role, make_season, make_user
from tests.league.online.helpers import deal, make_online_night, online, release
from tests.tables import live
from tests.tables.reviewed import judged, planned

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "vi"])
def test_a_game_is_learnt_from_until_the_next_day_and_the_season(
    browser, live_server, language, monkeypatch
):
    season = make_season(rules="tien-len")
    event, user = make_online_night(4, season=season, games_per_round=1), make_user()
    give_role(season.club, user, "player")
    an = season.club.players.get(name="An")
    players.take_player(player=an, user=user)
    release(event)
    table = online(event).table
    deal(online(event))
    size, address = PHONE, live_server.url
    opened = open_page(browser, address, size=size, language=language)
    with opened as page, translation.override(language):
        sign_in(page, user)
        page.goto(reverse("tables:table", args=[table.key]))
        expect(page.locator("#board-public")).to_have_attribute("data-status", "playing")
        game = live.play_quickly(table)
        expect(page.locator(".result-links")).to_be_visible()
        body = judged(game)
        body["decisions"][-1]["top"][0][1] = 2.2  # The surest one, of which the puzzle is made.
        making.keep(game=game, body=body)
        expect(page.locator("[data-lines]")).to_contain_text("2.5" if language == "en" else "2,5")
        shot(page, f"review-result-{language}")
        page.get_by_role("link", name=_("Review"), exact=True).click()
        _review(page, game, language)
        page.goto(reverse("tables:puzzle_today"))
        expect(page.get_by_role("heading", name=_("Your mistakes, once more"))).to_be_visible()
        _solve(page, user, game, language, monkeypatch)
        results_in.take_games(table_id=table.pk)
        shown = Scoring.from_json(season.scoring | {"luck": True}).to_json()
        Season.objects.filter(pk=season.pk).update(scoring=shown)
        page.goto(reverse("league:season", args=[season.club.slug, season.pk]))
        page.locator(".plots label").last.click()
        expect(page.locator("#luck tbody tr")).to_have_count(4)
        seen(page, f"review-luck-{language}")


def _review(page: Page, game: Game, language: str) -> None:
    """The graph, a step, and a mistake tried again before its answer is seen."""
    expect(page.locator(".chances")).to_be_visible()
    seen(page, f"review-{language}")
    page.get_by_role("link", name=_("Step forward")).click()
    expect(page.locator(".record-steps")).to_contain_text("1 /")
    page.locator(".decision summary").first.click()
    expect(page.get_by_text(_("Every way to play"))).to_have_count(0)
    page.get_by_role("link", name=_("Try again")).first.click()
    expect(page.locator(".asked")).to_be_visible()
    seen(page, f"review-try-{language}")
    step = int(page.url.rstrip("/").rpartition("/")[2])
    _choose(page, next(one for one in judged(game)["decisions"] if one["step"] == step))
    expect(page.get_by_role("heading", name=_("Every way to play"))).to_be_visible()
    check_page(page)
    page.get_by_role("link", name=_("Back to the review")).click()
    expect(page.locator(".chances")).to_be_visible()


def _choose(page: Page, decision: dict[str, Any]) -> None:
    """The judge's best move, by the keyboard: on a phone, cards lie over each other."""
    for card in decision["best"].get("cards", "").split():
        page.locator(f'.asked input[value="{card}"]').focus()
        page.keyboard.press("Space")
    name = _("Choose") if decision["best"]["do"] == "play" else _("Pass")
    page.get_by_role("button", name=name, exact=True).click()


def _solve(
    page: Page, user: User, game: Game, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is a puzzle the next day, and the tried mistake comes again after three days."""
    attempt = Attempt.objects.get(user=user)
    today = attempt.on  # By the browser's clock, which may be a day ahead of ours.

    def after(days: int) -> None:
        day = today + datetime.timedelta(days=days)
        monkeypatch.setattr(timezone, "localdate", lambda *_given: day)
        monkeypatch.setattr(puzzles, "days_begun", lambda _moment: [day])

    Table.objects.update(for_anyone=True)  # Only games of open tables become puzzles.
    after(days=1)
    planned(monkeypatch)
    puzzle = Puzzle.objects.get(day=today + datetime.timedelta(days=1))
    assert puzzle.game == game
    one = puzzle.decision
    again = reverse("tables:try_again", args=[game.table.key, game.no, attempt.step])
    page.goto(reverse("tables:lobby"))
    page.get_by_role("link", name=_("Puzzle of the day")).click()
    expect(page.locator(".asked")).to_be_visible()
    expect(page.locator(".asked")).not_to_contain_text("Bình")
    seen(page, f"puzzle-{language}")
    _choose(page, one)
    expect(page.get_by_text(_("Right!"))).to_be_visible()
    seen(page, f"puzzle-answer-{language}")
    page.goto(reverse("tables:lobby"))
    said = ngettext("%(n)s day in a row", "%(n)s days in a row", 1) % {"n": 1}
    expect(page.locator("main")).to_contain_text(said)
    for days, links in ((1, 0), (3, 1)):
        after(days)
        page.goto(reverse("tables:puzzle_today"))
        expect(page.locator(f'a[href="{again}"]')).to_have_count(links)
    after(0)

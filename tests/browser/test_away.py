"""Phones that were away: what they may save, under which number it goes, and who sees what."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from league.models import Result, Sitting, Transfer
from league.nights.acts import closing, draws, results
from league.nights.domain.entry import read_order
from tests.browser.conftest import check_page, open_page, seen, shot, sign_in
from tests.browser.entering import link_of, played, save, saves, tap
from tests.factories import make_night, make_table, names_at, owner_of, path_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sitting() -> Sitting:
    return make_table(make_night(rules="mien-nam", counting="average"))


@pytest.fixture
def northern() -> Sitting:
    return make_table(make_night(rules="mien-bac", stake=10, counting="average"))


def heading(page: Page, number: int) -> None:
    expect(page.locator("[data-now] h2")).to_contain_text(f"Game {number}")


def look(page: Page) -> None:
    """The page asks what is new every few seconds; this test does not wait for it."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def online(page: Page) -> None:
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


def stored() -> list[tuple[int, list[str]]]:
    """The games as they are stored: number, and names from first to last."""
    return [
        (game.game_no, [p.entrant.player.name for p in game.placings.order_by("rank", "seat")])
        for game in Result.objects.filter(current=True).order_by("game_no")
    ]


WAITING = "JSON.parse(localStorage.getItem('games-to-send') || '[]')"


def count_cards(page: Page, **counts: int) -> None:
    for name, count in counts.items():
        page.locator("label.chip", has_text="Number of cards left").click()
        tap(page, name)
        exact = re.compile(rf"^\s*{count}\s*$")
        page.locator(".special-count label.chip").filter(has_text=exact).click()


def test_a_phone_without_a_network_saves_no_game_without_the_cards_left(page: Page, northern):
    page.goto(link_of(northern))
    first, second, third, fourth = names_at(northern)
    page.context.set_offline(True)
    tap(page, first)
    said = "Enter how many cards each loser has left, or cóng."
    button = page.get_by_role("button", name="Save the game")
    expect(page.locator("[data-problem]")).to_have_text(said)
    expect(button).to_be_disabled()
    expect(page.locator("#live")).to_have_text(said)
    seen(page, "away-northern")
    count_cards(page, **{second: 3, third: 5})
    expect(page.locator("[data-problem]")).to_have_text(said)
    expect(button).to_be_disabled()
    page.locator("label.chip", has_text="Cóng").click()
    tap(page, fourth)
    expect(page.locator("[data-preview]")).to_contain_text("once you are back online")
    save(page)
    heading(page, 2)
    online(page)
    played(page, 1)
    assert Result.objects.get().specials[-1] == {
        "kind": "cong", "of": northern.places.get(seat=3).entrant_id,
    }  # fmt: skip


def test_what_the_server_refuses_holds_nobody_back(page: Page, northern):
    """A release before this one kept a game without its cards: it waits for its taps alone."""
    page.goto(link_of(northern))
    names = names_at(northern)
    keys = [place.entrant_id for place in northern.places.order_by("seat")]
    here = page.evaluate("document.querySelector('[data-table]').dataset.here")
    bare = {
        "id": "11111111-1111-4111-8111-111111111111", "url": here, "game": 1, "title": "Old",
        "order": f"{keys[0]},{keys[1]}+{keys[2]}+{keys[3]}", "specials": "", "names": "",
        "lines": [],
    }  # fmt: skip
    page.context.set_offline(True)
    page.evaluate("text => localStorage.setItem('games-to-send', text)", json.dumps([bare]))
    tap(page, names[1])
    count_cards(page, **{names[0]: 3, names[2]: 5, names[3]: 7})
    save(page)
    online(page)
    played(page, 1)
    assert stored() == [(1, [names[1], names[0], names[2], names[3]])]
    row = page.locator(".queue li")
    expect(row).to_contain_text("Enter how many cards each loser has left, or cóng.")
    expect(row.get_by_role("button", name="Send as")).to_be_hidden()
    seen(page, "away-refused")
    row.get_by_role("button", name="Edit").click()
    expect(page.locator(".tap").first).to_be_focused()
    expect(page.locator(".tap-1 [data-name]")).to_be_in_viewport()
    expect(page.locator(".tap-1 [data-name]")).to_have_text(names[0])
    count_cards(page, **{names[1]: 1, names[2]: 2, names[3]: 3})
    saves(page, 2)
    assert [number for number, _names in stored()] == [1, 2]


def test_games_behind_a_discarded_one_take_the_next_free_numbers(page: Page, sitting):
    page.goto(link_of(sitting))
    names = names_at(sitting)
    play(sitting, names)
    look(page)
    heading(page, 2)
    page.context.set_offline(True)
    for first in (1, 2):
        tap(page, *(names[first:] + names[:first])[:3])
        save(page)
    theirs = play(sitting, names[::-1])
    online(page)
    played(page, 3)
    assert stored()[1:] == [(2, names[::-1]), (3, names[2:] + names[:2])]
    row = page.locator(".queue li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Someone else has just saved game 2.")
    expect(row.get_by_role("button", name="Send as game 4")).to_be_visible()
    row.get_by_role("button", name="Discard").click()
    expect(page.locator("[data-queue]")).to_be_hidden()
    heading(page, 4)
    assert len(stored()) == 3
    assert Result.objects.get(pk=theirs.pk).current


def test_a_game_that_was_never_played_leaves_no_hole(page: Page, sitting):
    """Game 1 is refused for what it says and thrown away: game 2 is the first one."""
    page.goto(link_of(sitting))
    names = names_at(sitting)
    page.context.set_offline(True)
    for first in (0, 1):
        tap(page, *(names[first:] + names[:first])[:3])
        save(page)
    kept = json.loads(page.evaluate("localStorage.getItem('games-to-send')"))
    kept[0]["order"] = kept[0]["order"].replace(",", "+", 1)
    page.evaluate("text => localStorage.setItem('games-to-send', text)", json.dumps(kept))
    online(page)
    played(page, 1)
    assert stored() == [(1, names[1:] + names[:1])]
    page.locator(".queue").get_by_role("button", name="Discard").click()
    heading(page, 2)


def half_tapped(page: Page, sitting: Sitting) -> list[str]:
    """A phone that has tapped all of game 2, and somebody else's other order of it, saved."""
    names = names_at(sitting)
    play(sitting, names)
    page.goto(link_of(sitting))
    tap(page, *names[:3])
    return names


def test_all_games_stay_listed_when_another_one_is_saved(page: Page, sitting):
    names = names_at(sitting)
    for _ in range(11):
        play(sitting, names)
    page.goto(link_of(sitting))
    page.get_by_role("link", name="All 11 games").click()
    played(page, 11)
    play(sitting, names)
    look(page)
    heading(page, 13)
    played(page, 12)


def test_the_number_of_a_game_belongs_to_its_first_tap(page: Page, sitting):
    names = half_tapped(page, sitting)
    theirs = [names[0], names[1], names[3], names[2]]
    play(sitting, theirs)
    look(page)
    card = page.locator("[data-overtaken]")
    expect(card.get_by_role("heading", name="Someone else has just saved game 2.")).to_be_visible()
    heading(page, 2)
    expect(card.locator("[data-theirs] li")).to_have_count(4)
    mine = [re.compile(f"{rank}\\s*{name}") for rank, name in enumerate(names, 1)]
    expect(card.locator("[data-mine] li")).to_have_text(mine)
    seen(page, "away-overtaken")
    expect(page.get_by_role("button", name="Save the game")).to_be_hidden()
    tap(page, names[2])  # A tap taken back changes nothing of whose game it is.
    expect(card.locator("[data-mine] li")).to_have_count(2)
    expect(card.get_by_text("Correct it to your taps")).to_be_hidden()
    tap(page, names[2])
    card.get_by_role("button", name="No, this is game 3").click()
    saves(page, 3)
    assert stored() == [(1, names), (2, theirs), (3, names)]


def test_a_game_saved_before_the_page_heard_of_another_is_compared(page: Page, sitting):
    names = half_tapped(page, sitting)
    play(sitting, names[::-1])
    save(page)
    waits = page.locator(".queue li")
    expect(waits).to_contain_text("Someone else has just saved game 2.")
    assert stored() == [(1, names), (2, names[::-1])]
    waits.get_by_role("button", name="Send as game 3").click()
    played(page, 3)
    assert stored()[2] == (3, names)


@pytest.mark.parametrize("choice", ["Keep the saved game", "No, this is game 3", "Correct it"])
def test_the_taps_stay_until_they_are_decided_on(page: Page, sitting, choice):
    names = half_tapped(page, sitting)
    theirs = [names[1], names[0], names[2], names[3]]
    play(sitting, theirs)
    look(page)
    card = page.locator("[data-overtaken]")
    expect(card).to_be_visible()
    card.get_by_text(choice).click()
    if choice == "Correct it":
        page.wait_for_url("**/games/2/**")
        expect(page.locator(".tap-1 [data-name]")).to_have_text(names[0])
        page.get_by_role("button", name=re.compile("Save")).click()
        played(page, 2)
        assert stored() == [(1, names), (2, names)]
        return
    expect(card).to_be_hidden()
    heading(page, 3)
    if choice == "Keep the saved game":
        expect(page.locator(".tap[aria-pressed=true]")).to_have_count(0)
        tap(page, *names[:3])
    saves(page, 3)
    assert stored() == [(1, names), (2, theirs), (3, names)]


def test_an_organisers_phone_without_a_network_says_that_it_cannot_draw_or_close(page: Page):
    event = make_night(8)
    sign_in(page, owner_of(event))
    here = path_of(event, "event")
    page.goto(here)
    says = page.locator("[data-needs-network]")
    expect(says).to_be_hidden()
    page.context.set_offline(True)
    expect(says).to_contain_text("Drawing and closing need one")
    page.get_by_role("button", name="Draw round 1").click()
    expect(page).to_have_url(re.compile(re.escape(here)))
    expect(says).to_be_in_viewport()
    seen(page, "away-organiser")
    page.context.set_offline(False)
    expect(says).to_be_hidden()
    page.get_by_role("button", name="Draw round 1").click()
    expect(page.get_by_role("button", name="Release", exact=True)).to_be_visible()
    page.goto(here)
    page.context.set_offline(True)
    page.locator(".next-step a").first.click()
    expect(page).to_have_url(re.compile(re.escape(here)))
    assert event.rounds.get().status == "draft"


@pytest.mark.parametrize("reader", ["phone", "scorer"])
def test_a_night_closed_under_taps_says_who_and_goes_on_by_itself(page: Page, sitting, reader):
    event = sitting.round.event
    by = owner_of(event)
    by.name = "Chị Hoa"
    by.save()
    names = names_at(sitting)
    if reader == "scorer":
        sign_in(page, by)
        here = [event.season.club.slug, event.pk, 1, 1]
        page.goto(reverse("league:table", args=here))
    else:
        page.goto(link_of(sitting))
    tap(page, *names[:3])
    closing.close_event(event=event, by=by, despite_unfinished=True)
    stopped = page.locator("[data-halted]")
    expect(stopped).to_contain_text("Chị Hoa closed the night at")
    expect(page.locator(".tap[aria-pressed=true]")).to_have_count(4)
    expect(page.get_by_role("button", name="Save the game")).to_be_hidden()
    seen(page, f"away-closed-{reader}")
    closing.reopen_event(event=event, by=by)
    expect(stopped).to_be_hidden()
    saves(page, 1)
    assert stored() == [(1, names)]


def test_a_round_withdrawn_under_taps_says_who_and_why_and_keeps_them(page: Page, sitting):
    by = owner_of(sitting)
    by.name = "Chị Hoa"
    by.save()
    page.goto(link_of(sitting))
    tap(page, *names_at(sitting)[:2])
    draws.discard_round(round_=sitting.round, by=by, reason="Sơn came after all")
    stopped = page.locator("[data-halted]")
    expect(stopped).to_contain_text("Chị Hoa discarded the draw of round 1")
    expect(stopped).to_contain_text("Sơn came after all")
    expect(page.locator(".tap[aria-pressed=true]")).to_have_count(2)


def test_one_game_that_two_phones_tapped_alike_counts_once(page: Page, sitting):
    names = half_tapped(page, sitting)
    play(sitting, names)
    look(page)
    expect(page.get_by_text("Game 2 is already saved with the same places.")).to_be_visible()
    expect(page.locator(".tap[aria-pressed=true]")).to_have_count(0)
    heading(page, 3)
    seen(page, "away-same")
    tap(page, names[0])
    expect(page.get_by_text("Game 2 is already saved")).to_be_hidden()
    assert len(stored()) == 2


def test_ones_own_games_on_their_way_overtake_nobody(page: Page, sitting):
    """Taps of game 3 while games 1 and 2 of the same phone are sent under higher numbers."""
    page.goto(link_of(sitting))
    names = names_at(sitting)
    page.context.set_offline(True)
    for first in (0, 1):
        tap(page, *(names[first:] + names[:first])[:3])
        save(page)
    tap(page, names[3], names[2])
    play(sitting, names[::-1])
    online(page)
    row = page.locator(".queue li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Someone else has just saved game 1.")
    row.get_by_role("button", name="Send as game 3").click()
    played(page, 3)
    expect(page.locator("[data-overtaken]")).to_be_hidden()
    heading(page, 4)
    expect(page.locator(".tap[aria-pressed=true]")).to_have_count(2)
    tap(page, names[1])
    saves(page, 4)
    assert [number for number, _names in stored()] == [1, 2, 3, 4]


class Paper:
    """What people at the table write down: winner, cards left, in the order of play."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.games = names, []
        self._chance = random.Random("paper")

    def game(self) -> tuple[str, dict[str, int]]:
        winner = self._chance.choice(self.names)
        losers = [name for name in self.names if name != winner]
        self.games.append((winner, {name: self._chance.randint(1, 9) for name in losers}))
        return self.games[-1]

    def sums(self, stake: int) -> Counter[str]:
        """Each loser pays the winner one stake a card."""
        total: Counter[str] = Counter()
        for winner, cards in self.games:
            for name, count in cards.items():
                total[winner] += stake * count
                total[name] -= stake * count
        return total


@pytest.fixture
def phones(browser: Browser, live_server, northern) -> Iterator[list[Page]]:
    with ExitStack() as stack:
        found = [stack.enter_context(open_page(browser, live_server.url)) for _ in range(3)]
        for page in found:
            page.goto(link_of(northern))
        yield found


def test_an_evening_by_three_phones_that_lose_the_network_in_turn_is_the_paper_s(phones, northern):
    """Each phone enters some games away while the others look on, and hands over when it is back.

    Beside it: a game that two enter alike, one that somebody saved under the hand, one mistake.
    """
    paper = Paper(names_at(northern))

    def enter(page: Page, game: tuple[str, dict[str, int]]) -> None:
        tap(page, game[0])
        count_cards(page, **game[1])
        save(page)

    def back(page: Page) -> None:
        online(page)
        expect(page.locator("[data-queue]")).to_be_hidden()
        for other in phones:
            look(other)
            heading(other, len(paper.games) + 1)

    for phone, number in zip(itertools.cycle(phones), (3, 2, 4, 1, 2, 3), strict=False):
        phone.context.set_offline(True)
        for _ in range(number):
            enter(phone, paper.game())
        back(phone)
    away, here, other = phones
    # Both write one game: it is one, whoever comes first.
    away.context.set_offline(True)
    game = paper.game()
    enter(away, game)
    enter(here, game)
    back(away)
    # One who was away wrote it wrongly: the table's own stands, and the next ones stay games.
    away.context.set_offline(True)
    game = paper.game()
    enter(away, (game[0], {name: count + 1 for name, count in game[1].items()}))
    enter(here, game)
    heading(here, len(paper.games) + 1)
    enter(away, paper.game())
    online(away)
    row = away.locator(".queue li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(f"Someone else has just saved game {len(paper.games) - 1}.")
    row.get_by_role("button", name="Discard").click()
    back(away)
    # One taps while another saves the same game in another order of taps.
    game = paper.game()
    tap(other, game[0])
    count_cards(other, **game[1])
    enter(here, game)
    look(other)
    expect(other.get_by_text("is already saved with the same places")).to_be_visible()
    back(other)

    found = stored()
    assert [number for number, _names in found] == list(range(1, len(paper.games) + 1))
    assert [names[0] for _number, names in found] == [winner for winner, _cards in paper.games]
    keys = {p.entrant_id: p.entrant.player.name for p in northern.places.all()}
    counted = [
        {keys[one["of"]]: int(one["what"]) for one in game.specials}
        for game in Result.objects.filter(current=True).order_by("game_no")
    ]
    assert counted == [cards for _winner, cards in paper.games]
    sums: Counter[str] = Counter()
    for transfer in Transfer.objects.select_related("payer__player", "payee__player"):
        sums[transfer.payer.player.name] -= transfer.amount
        sums[transfer.payee.player.name] += transfer.amount
    assert sums == paper.sums(10)


def test_a_scorer_s_page_says_it_in_vietnamese_too(browser: Browser, live_server, sitting):
    event = sitting.round.event
    names = names_at(sitting)
    with open_page(browser, live_server.url, language="vi-VN") as page:
        sign_in(page, owner_of(event))
        page.goto(path_of(event, "table", 1, 1))
        tap(page, *names[:3])
        order = [[p.entrant_id] for p in sitting.places.order_by("-seat")]
        results.record(
            sitting_id=sitting.pk, game_no=1, groups=order, by=None,
            client_id="22222222-2222-4222-8222-222222222222",
        )  # fmt: skip
        look(page)
        expect(page.locator("[data-overtaken] h3")).to_have_text("Người khác vừa lưu ván 1.")
        check_page(page)
        page.set_viewport_size({"width": 1440, "height": 900})
        shot(page, "away-overtaken-1440", whole=False)
        assert read_order(page.locator("[data-order]").first.input_value())

"""What a main page asks of a person on a phone: a fifth more than its drawing at most."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Event
from league.nights.acts import closing, disputes
from league.tasks import sweep_ratings, sweep_standings
from league.turnout.acts import sign_ups
from tests.browser.conftest import sign_in
from tests.factories import (
    make_night,
    make_round,
    make_season,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
)
from tests.league.arena.test_people_and_bots import tournament
from tests.league.nights.test_friends import Friends
from tests.league.nights.test_stages import knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = {
    "season": (5, 78, 1.47),
    "player": (2, 69, 1.36),
    "club": (6, 129, 2.14),
    "players": (2, 61, 1.35),
    "home": (6, 116, 1.72),
    "me": (7, 77, 1.49),
}
"""Controls, words and screens at 360x740 as drawn; these figures may fall and not rise."""

COUNT = r"""() => {
    const seen = (one) => one.checkVisibility({ visibilityProperty: true })
        && !one.closest("[aria-hidden=true], .visually-hidden, svg");
    const main = document.querySelector("main");
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const lists = new Map(), sizes = new Set(), looks = new Set();
    let filled = 0;
    for (const one of main.querySelectorAll(controls)) {
        if (!seen(one)) continue;
        const is = getComputedStyle(one);
        if (one.matches("a, button, summary")) {
            const { backgroundColor, color, borderTopWidth, borderRadius, fontSize } = is;
            looks.add([backgroundColor, color, borderTopWidth, borderRadius, fontSize,
                is.textDecorationLine].join());
            filled += one.matches(".btn-primary, .btn-gold, .btn-danger.btn-big");
        }
        const list = one.closest("ul, ol, tbody, fieldset, [role=group], .segments, .chips") ?? one;
        lists.set(list, (lists.get(list) ?? 0) + 1);
    }
    let words = 0;
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        if (!text.data.trim() || !seen(text.parentElement)) continue;
        sizes.add(getComputedStyle(text.parentElement).fontSize);
        words += text.data.trim().split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
    }
    const count = [...lists.values()].reduce((sum, n) => sum + (n > 2 ? 1 : n), 0);
    const height = document.documentElement.scrollHeight / innerHeight;
    return [[count, words, height], [sizes.size, looks.size, filled]];
}"""
"""What it asks, and its sizes of type, looks of a control and filled buttons.

A list of more than two like controls counts once.
"""
MOST = (6, 8, 1)
"""The sizes of type, the looks of a control and the filled buttons that a page may have."""


@pytest.fixture
def addresses() -> tuple[object, dict[str, str]]:
    """A club of twelve with four nights behind it, one running, whose owner plays."""
    season = make_season(rules="killa")
    club, by = season.club, owner_of(season)
    for _ in range(4):
        event = make_night(12, season=season, stake=2)
        for sitting in make_round(event).sittings.all():
            play(sitting, sorted(names_at(sitting)))
        closing.close_event(event=event, by=by, despite_unfinished=True)
    make_round(make_night(12, season=season, stake=2))
    player = club.players.order_by("pk")[0]
    player.user = by
    player.save()
    sweep_ratings()
    sweep_standings()
    pages = {"season": [season.pk], "player": [player.pk], "club": [], "players": []}
    found = {name: path_of(club, name, *pages[name]) for name in pages}
    return by, found | {"home": reverse("home"), "me": reverse("me")}


def over(drawn, page, reader, at):
    """Return the pages of which a figure is more than a fifth above its drawing's, or too many."""
    page.goto("/")
    if reader is not None:
        sign_in(page, reader)
    found = {}
    for name, figures in drawn.items():
        assert page.goto(at[name]).ok, name
        asked, forms = page.evaluate(COUNT)
        print(name, asked, forms)
        is_over = any(is_ > 1.2 * was for is_, was in zip(asked, figures, strict=True))
        if is_over or any(is_ > most for is_, most in zip(forms, MOST, strict=True)):
            found[name] = (figures, asked, forms)
    return found


@pytest.mark.always
def test_main_pages_ask_a_fifth_more_than_their_drawings_at_most(page, addresses):
    assert over(PAGES, page, *addresses) == {}


NIGHT = {
    "check_in": (6, 86, 1.53),
    "event_money": (5, 142, 2.86),
    "season_money": (4, 76, 1.49),
    "standings": (2.5, 72, 1.33),  # Drawn with 2: its rows lead nowhere, ours to the player.
    "before": (4, 69, 1.4),
    "game": (3, 73, 1),
    "event_share": (5, 44, 1.04),
}
"""The same of a night's pages and of money, for an organiser."""


@pytest.fixture
def night_addresses() -> tuple[object, dict[str, str]]:
    """Twelve play their second round with a dispute; a night is over, and one is to come."""
    season = make_season(rules="killa")
    club, by = season.club, owner_of(season)
    played = make_night(12, season=season, stake=10_000)
    running = make_night(12, season=season, stake=10_000, rounds_planned=2, games_per_round=1)
    for event in (played, running):
        for sitting in make_round(event).sittings.all():
            play(sitting, sorted(names_at(sitting)))
    closing.close_event(event=played, by=by, despite_unfinished=True)
    make_round(running)
    told = {"sitting_id": sitting.pk, "game_no": 1, "by": None, "note": "I was second, not third"}
    disputes.open_dispute(**told)
    ahead = make_night(0, season=season, date=club.today + timedelta(days=7))
    sign_ups.open_list(event=ahead, by=by)

    def of(event, name, *more):
        return path_of(club, name, event.pk, *more)

    return by, {
        "check_in": of(running, "check_in"),
        "event_money": of(played, "event_money"),
        "season_money": of(season, "season_money"),
        "standings": of(running, "event") + "?show=standings",
        "before": of(ahead, "event"),
        "game": of(running, "game", 1, sitting.table_no, 1),
        "event_share": of(played, "event_share"),
    }


@pytest.mark.always
def test_a_night_s_pages_ask_a_fifth_more_than_their_drawings_at_most(page, night_addresses):
    assert over(NIGHT, page, *night_addresses) == {}


REST = {
    "event": (12, 150, 1.92),
    "table": (15, 57, 1),
    "my_night": (4, 93, 1.7),
    "night_create": (9, 68, 1),
    "event_settings": (10, 48, 1),
    "round": (5, 44, 1.18),  # Drawn with 1: its tables lead nowhere, each of five here to its own.
    "lobby": (8, 76, 1.47),
    "bots": (5, 78, 1.42),
    "audit": (5, 91, 1.05),
    "cup": (4, 55, 1.14),  # Drawn with 2: its stages stand for the night's parts, which ours keeps.
}
"""A running night, its round and tables, a new one, settings, two doors, the log, a semi-final."""


@pytest.fixture
def other_addresses() -> tuple[object, dict[str, str]]:
    """Twenty play their second round, the reader among them; bots have played a tournament."""
    season = make_season(rules="killa")
    club, by = season.club, owner_of(season)
    event = make_night(20, season=season, stake=10_000, rounds_planned=2, games_per_round=1)
    for sitting in make_round(event).sittings.all():
        play(sitting, sorted(names_at(sitting)))
    sitting = make_round(event).sittings.get(table_no=3)
    player = club.players.get(name=names_at(sitting)[0])
    player.user = by
    player.save()
    cup = knockout_night(16, season=season)
    play_all(open_floor(cup))
    play(open_floor(cup).sittings.first())
    tournament(season, deals=10)
    names = {"event": [event.pk], "table": [event.pk, 2, 3], "night_create": [], "audit": []}
    names |= {"event_settings": [event.pk], "round": [event.pk, 2]}
    found = {name: path_of(club, name, *more) for name, more in names.items()}
    doors = {"lobby": reverse("tables:lobby"), "bots": reverse("bots")}
    doors |= {"cup": path_of(club, "event", cup.pk) + "?show=standings"}
    return by, found | doors | {"my_night": reverse("league:my_night", args=[event.pk])}


@pytest.mark.always
def test_the_other_main_pages_ask_a_fifth_more_than_drawn_at_most(page, other_addresses):
    assert over(REST, page, *other_addresses) == {}


STRANGERS = {
    "event": (5, 65, 1.5),  # Drawn with 1: its tables and the round lead nowhere, ours to each.
    "link": (2, 65, 1.5),  # Drawn with 41 words: no name there has its table below it.
}
"""A running night for who only looks on, and behind its link before a name is chosen."""


@pytest.mark.always
def test_what_a_stranger_sees_asks_a_fifth_more_than_drawn_at_most(page, other_addresses):
    _by, at = other_addresses
    event = Event.objects.get(pk=int(at["event"].rstrip("/").split("/")[-1]))
    assert over(STRANGERS, page, None, at | {"link": night_link(event)}) == {}


FRIENDS = {
    "event": (3.5, 56, 1),  # Drawn with 2: in a club that is kept, without the night's parts.
    "event_money": (4, 86, 1.25),
}
"""Four friends at one table: after the games they asked for, and who pays whom."""


@pytest.mark.always
def test_friends_at_one_table_are_asked_a_fifth_more_than_drawn_at_most(page):
    friends = Friends()
    friends.play(4)
    page.goto("/")
    for cookie in friends.phone.cookies.values():
        page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": page.url}])
    at = {name: path_of(friends.event, name) for name in FRIENDS}
    assert over(FRIENDS, page, None, at) == {}

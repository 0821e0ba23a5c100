"""A hundred games of every ruleset: nothing moves in any frame, and no text tells a hidden card."""

import json
import os
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from engine.rules import game as engine_game
from engine.rules import ruleset
from engine.rules.actions import action_from_json
from engine.rules.cards import format_cards
from tables.models import Game, Table
from tables.play.facts.replayed import as_dealt
from tests.browser.people import at
from tests.tables import live

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.django_db(transaction=True),
]

GAMES = int(os.environ.get("GAMES", "8"))
"""Of each of thirteen rulesets: 104 in all."""
SECONDS = 600
"""Within which each next game ends, however slow the machine is."""
SIZES = [(360, 640), (740, 360), (1024, 700), (412, 915)]
PARTS = [".own-hand", "[data-pass]", "[data-sort]", "[data-hint]", "[value=play]", ".middle"]
WATCH = """(parts) => {
    // Looks in both frames after each change: what is changed late moves in the second.
    const board = () => document.querySelector("#board-public");
    const seen = {};
    window.moved = [];
    window.frames = 0;
    const look = () => {
        if (board().dataset.status !== "playing") return;
        window.frames += 1;
        for (const part of parts) {
            const box = document.querySelector(`#the-table ${part}`)?.getBoundingClientRect();
            if (!box) continue;
            const place = JSON.stringify([box.x, box.y, box.right, box.bottom].map(Math.round));
            seen[part] ??= place;
            const inside = box.x >= 0 && box.right < innerWidth + 1 && box.bottom < innerHeight + 1;
            if (seen[part] !== place || !inside) {
                window.moved.push([part, seen[part], place, board().dataset.phase]);
            }
        }
    };
    let coming = false;
    new MutationObserver(() => {
        if (coming) return;
        coming = true;
        requestAnimationFrame(() => {
            coming = false;
            look();
            requestAnimationFrame(look);
        });
    }).observe(document.querySelector("#the-table"), { childList: true, subtree: true });
}"""
HEAR = """(() => {
    // Each text from the server, with the version and the status of the board that it came to.
    window.heard = [];
    const now = () => ({ ...document.querySelector("#board-public")?.dataset });
    const note = (text, { version, status }) => heard.push([text, Number(version), status]);
    const fetched = window.fetch;
    window.fetch = async (...asked) => {
        const before = now();
        const answer = await fetched(...asked);
        note(await answer.clone().text(), before);
        return answer;
    };
    window.EventSource = class extends EventSource {
        constructor(...way) {
            super(...way);
            for (const kind of ["message", "talk"]) {
                this.addEventListener(kind, ({ data }) => note(data, now()));
            }
        }
    };
    addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.visibility = "hidden"; // Laid out as ever, but not painted.
        note(document.body.outerHTML, now());
    });
})()"""
CARD = re.compile(
    r"\b([2-9TJQKA])([SCDH])\b|(10|[2-9JQKA])([♠♣♦♥])"
    r"|\b(10|[2-9]|jack|queen|king|ace) of ([schd])"
)
LETTERS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}
SIGNS = dict(zip("♠♣♦♥", "SCDH", strict=True))
TOKEN = re.compile(r'(?<="token": ")[^"]*|(?<=data-token=")[^"]*')
PLAY = """() => {
    const own = (part) => document.querySelector(`#own ${part}`);
    const press = (part) => own(`${part}:not(:disabled)`)?.click();
    const asked = { ask: "[name=rank]", give: "[value=give]", return: "[value=return]" };
    setInterval(() => {
        const board = document.querySelector("#board-public").dataset;
        const request = own("[data-request]")?.dataset;
        if (board.status !== "playing") return press(".acts .lit");
        if (own("[value=ask].lit")) return press("[value=ask]");
        if (request) {
            const cards = [...document.querySelectorAll("#own .hand-pick input")];
            const few = own("input:checked") ? [] : cards.slice(0, request.count);
            few.forEach((card) => card.click());
            return press(asked[request.request]);
        }
        if (own("[value=ready]")) return press("[value=ready]");
        if (board.turn !== document.querySelector("#own").dataset.seat) return;
        if (own("input:checked")) return press("[value=play]");
        press(own("[data-say]")?.textContent.includes("beat") ? "[data-pass]" : "[data-hint]");
    }, 60);
}"""


def told(game: Game, seat: int | None) -> Iterator[tuple[int, set[str]]]:
    """From which version on a seat, or one who watches, may know which cards."""
    replayed, known = as_dealt(game), set()
    bodies = game.actions.order_by("seq").values_list("version", "body")
    for version, body in [(0, None), *bodies]:
        if body:
            replayed.apply(action_from_json(body))
            known |= set(body.get("cards", "").split()) if body["do"] in ("play", "lock") else set()
        if seat is not None:
            known |= set(format_cards(engine_game.observe(replayed.state, seat).hand).split())
        yield version, set(known)


def named(text: str, version: int, status: str) -> tuple[int, bool, set[str]]:
    """The version that a text tells of, whether its game is on, and the cards that it names."""
    text = TOKEN.sub("", text)
    if text.startswith("{"):
        said = json.loads(text)
        version, text = said.get("version", version), " ".join(strings(said))
    found = re.search(r'data-status="(\w+)', text)
    pairs = [[part for part in parts if part] for parts in CARD.findall(text)]
    cards = {LETTERS.get(rank, rank) + SIGNS.get(suit, suit.upper()) for rank, suit in pairs}
    return version, (found[1] if found else status) == "playing", cards


def strings(said: object) -> Iterator[str]:
    """All strings of an answer, however deep."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict | list):
        for one in said.values() if isinstance(said, dict) else said:
            yield from strings(one)


def leaks(
    table: Table, seat: int | None, heard: list[tuple[int, bool, set[str]]]
) -> list[tuple[int, list[str]]]:
    """The texts of games that were on with a card that this seat did not hold and nobody played."""
    games = [list(told(game, seat)) for game in table.games.exclude(dealt_at=None).order_by("no")]
    found = []
    for version, playing, cards in heard:
        steps = next((steps for steps in games if steps[-1][0] > version), None)
        if playing and steps:
            known = [known for since, known in steps if since <= version][-1]
            found += [(version, sorted(cards - known))] if cards - known else []
    return found


@pytest.mark.parametrize("rules", ruleset.preset_keys())
def test_nothing_moves_and_nothing_leaks_in_many_games(people, settings, rules):
    """Four browsers of four sizes play by quick clicks, a fifth watches.

    Where a table has fewer chairs, fewer play.
    """
    settings.TABLES_WINDOW_SECONDS = 0.3
    chosen = ruleset.preset(rules)
    players = min(4, chosen.max_players)
    table = live.open_table(rules, players, people=players)
    live.deal(table)
    sizes = [{"width": width, "height": height} for width, height in SIZES[:players]]
    pages: list[Page] = [people.page(table, no, size) for no, size in enumerate(sizes)]
    heard: dict[Page, list] = {page: [] for page in [*pages, people.page()]}
    for page in heard:
        page.add_init_script(HEAR)
        page.goto(at(table))
    for page in pages:
        page.evaluate(WATCH, PARTS)
        page.evaluate(PLAY)
    over, until = 0, time.monotonic() + SECONDS
    while over < GAMES:
        assert time.monotonic() < until, f"no game ended in {SECONDS} s after {over}"
        if (ended := table.games.exclude(over_at=None).count()) > over:
            over, until = ended, time.monotonic() + SECONDS
        pages[0].wait_for_timeout(500)
        for page, texts in heard.items():
            texts += [named(*text) for text in page.evaluate("heard.splice(0)")]
    frames = 0
    for page, size in zip(pages, sizes, strict=True):
        assert (size, page.evaluate("moved.slice(0, 5)")) == (size, [])
        frames += page.evaluate("frames")
    assert frames > players * GAMES
    for no, said in enumerate(heard.values()):
        seat = no if no < players else None
        assert (seat, leaks(table, seat, said)[:5]) == (seat, [])
    # A busy server asks to try again, and the page does.
    people.problems[:] = [text for text in people.problems if "a status of 503" not in text]
    texts = [cards for said in heard.values() for *_, cards in said]
    assert sum(map(len, texts)) > 100 * GAMES
    print(
        f"{rules}: {over} games, {frames} frames, {len(texts)} texts, {sum(map(len, texts))} cards"
    )

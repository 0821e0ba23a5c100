"""A hundred games of every ruleset, and in each frame hand and buttons are where they were."""

import os
import time

import pytest
from playwright.sync_api import Page

from engine.rules import ruleset
from tests.tables import live

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.django_db(transaction=True),
]

GAMES = int(os.environ.get("GAMES", "13"))
"""Of each of eight rulesets: 104 in all."""
SECONDS = 600
SIZES = [(360, 640), (740, 360), (1024, 700), (412, 915)]
PARTS = [".own-hand", "[data-pass]", "[data-sort]", "[data-hint]", "[value=play]", ".middle"]
WATCH = """(parts) => {
    const board = () => document.querySelector("#board-public");
    const seen = {};
    window.moved = [];
    window.frames = 0;
    const watch = () => {
        requestAnimationFrame(watch);
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
    requestAnimationFrame(watch);
}"""
PLAY = """() => {
    const own = (part) => document.querySelector(`#own ${part}`);
    const press = (part) => own(`${part}:not(:disabled)`)?.click();
    const asked = { ask: "[name=rank]", give: "[value=give]", return: "[value=return]" };
    setInterval(() => {
        const board = document.querySelector("#board-public").dataset;
        const request = own("[data-request]")?.dataset;
        if (board.status !== "playing") return press(".acts .lit");
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


@pytest.mark.parametrize("rules", ruleset.preset_keys())
def test_no_button_moves_in_many_games(people, settings, rules):
    """Four browsers of four sizes play by quick clicks; where a table has fewer chairs, fewer."""
    settings.TABLES_WINDOW_SECONDS = 0.3
    chosen = ruleset.preset(rules)
    players = min(4, chosen.max_players)
    table = live.open_table(rules, players, people=players)
    live.deal(table)
    sizes = [{"width": width, "height": height} for width, height in SIZES[:players]]
    pages: list[Page] = [people.page(table, no, size) for no, size in enumerate(sizes)]
    for page in pages:
        page.evaluate(WATCH, PARTS)
        page.evaluate(PLAY)
    until = time.monotonic() + SECONDS
    while (over := table.games.exclude(over_at=None).count()) < GAMES:
        assert time.monotonic() < until, f"{over} games in {SECONDS} s"
        pages[0].wait_for_timeout(500)
    for page, size in zip(pages, sizes, strict=True):
        assert (size, page.evaluate("moved.slice(0, 5)")) == (size, [])
        assert page.evaluate("frames") > GAMES

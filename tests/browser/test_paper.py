"""Pages on paper: A4, and US Letter, which is wider and shorter."""

import itertools
import re
import zlib

import pytest
from playwright.sync_api import Page, expect

from league.clubs.acts import players
from league.nights.acts import attendance
from tests.browser.conftest import sign_in
from tests.factories import make_night, make_round, make_season, names_at, owner_of, path_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEAST = 12
"""Fewer pieces of text on a page are its head alone."""


def texts_by_page(pdf: bytes) -> list[int]:
    """How many pieces of text stand on each page, in their order."""
    parts = {
        int(number): body
        for number, body in re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL)
    }
    found = []
    for body in parts.values():
        if re.search(rb"/Type\s*/Page\b", body):
            drawn = parts[int(re.search(rb"/Contents (\d+) 0 R", body)[1])]
            stream = drawn.partition(b"stream\n")[2].rpartition(b"\nendstream")[0]
            found.append(len(re.findall(rb"T[jJ]\b", zlib.decompress(stream))))
    return found


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("language", ["vi", "en"])
def test_a_season_prints_without_an_empty_page(page: Page, paper, language):
    """On Letter a page was an empty frame, and a list stood over the chart."""
    season = make_season()
    for _night in range(2):
        drawn = make_round(make_night(16, season=season))
        for sitting in drawn.sittings.all():
            play(sitting, names_at(sitting))
    page.context.set_extra_http_headers({"accept-language": language})
    page.goto(f"/clubs/{season.club.slug}/seasons/{season.pk}/")
    expect(page.locator("#rows tbody tr")).to_have_count(16)
    page.emulate_media(media="print")
    expect(page.locator(".segments")).to_be_hidden()
    texts = texts_by_page(page.pdf(format=paper))
    assert len(texts) <= 3
    assert min(texts[:-1] or texts) >= LEAST
    boxes = page.locator(".columns-season .panel").evaluate_all(
        "all => all.map(one => { const box = one.getBoundingClientRect();"
        " return [box.top, box.bottom]; }).filter(([top, bottom]) => bottom > top)"
    )
    assert all(above[1] <= below[0] for above, below in itertools.pairwise(boxes))


FAINT = """() => {
    const canvas = document.createElement("canvas").getContext("2d");
    const light = (colour) => {
        canvas.fillStyle = "#fff"; canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
            .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const of = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
        if (!text || of.closest("script, style, noscript, .visually-hidden")) continue;
        if (!of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const style = getComputedStyle(of);
        const colour = of.closest("svg") ? style.fill : style.color;
        if (1.05 / (light(colour) + 0.05) < 7) found.push(text);
    }
    return found;
}"""


@pytest.fixture
def printed(page: Page):
    """A night of 60 as paper shows it to its organiser, by the end of its address."""
    season = make_season()
    night, by = make_night(16, season=season), owner_of(season.club)
    text = "\n".join(f"Nguyễn Hoàng Phương {number}" for number in range(44))
    players.add_players(club=season.club, text=text, by=by)
    keys = list(season.club.players.values_list("pk", flat=True))
    attendance.set_presence(event=night, player_ids=keys, presence="here", by=by)
    for sitting in make_round(night).sittings.all():
        play(sitting, names_at(sitting))
    sign_in(page, by)
    page.set_viewport_size({"width": 688, "height": 1017})  # A4 within its margins.
    page.emulate_media(media="print")
    club = f"/clubs/{season.club.slug}/"

    def opened(path: str) -> Page:
        paths = {"season": season.pk, "night": night.pk}
        assert page.goto(club + path.format(**paths)).status == 200
        return page

    return opened


@pytest.mark.parametrize(
    "path",
    ["seasons/{season}/", "events/{night}/", "events/{night}/rounds/1/", "events/{night}/recap/",
     "events/{night}/rounds/1/print/"],
)  # fmt: skip
def test_paper_is_black_on_white_without_bars_and_questions(printed, path):
    page = printed(path)
    assert page.evaluate(FAINT) == []
    expect(page.locator(".doors, .tabs, .segments").locator("visible=true")).to_have_count(0)
    expect(page.locator("form:not(:has(table))").locator("visible=true")).to_have_count(0)


def test_a_seasons_standings_print_every_row(printed):
    page = printed("seasons/{season}/")
    expect(page.locator("#rows tbody tr").locator("visible=true")).to_have_count(60)
    expect(page.locator(".whole-table")).to_be_hidden()


EMPTY = """() => [...document.querySelectorAll("main .panel")]
    .filter((panel) => panel.checkVisibility() && !panel.innerText.trim()).length"""


@pytest.mark.parametrize("path", ["events/{night}/", "seasons/{season}/"])
def test_printed_standings_name_their_columns_and_no_box_is_empty(printed, path):
    page = printed(path)
    expect(page.locator(".standings thead").first).to_have_css("clip-path", "none")
    assert page.evaluate(EMPTY) == 0


def test_the_names_of_a_round_print_though_a_screen_folds_them(page: Page):
    drawn = make_round(make_night(8))
    sign_in(page, owner_of(drawn.event))
    page.goto(path_of(drawn.event, "round", drawn.number))
    names = page.locator(".round-names li").locator("visible=true")
    expect(names).to_have_count(0)
    page.emulate_media(media="print")
    expect(names).to_have_count(8)


def test_the_seating_of_60_is_one_page_and_badges_are_ten_to_a_page(printed):
    page = printed("events/{night}/rounds/1/print/")
    for part in ("paper-cards", "paper-sheets"):
        page.evaluate(f"document.querySelector('#{part}')?.click()")
    assert len(texts_by_page(page.pdf(format="A4"))) == 1
    badges = printed("events/{night}/badges/")
    assert len(texts_by_page(badges.pdf(format="A4"))) == 6


CUT = """() => [...document.querySelectorAll("table")].flatMap((table) => {
    if (!table.checkVisibility()) return [];
    const paper = document.documentElement.clientWidth;
    const shown = [...table.querySelectorAll("th, td")].filter((cell) => cell.checkVisibility());
    return shown.filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const sides = [...text.getClientRects()].filter((side) => side.width > 1);
        const scroll = cell.closest(".table-scroll")?.getBoundingClientRect().right ?? paper;
        const end = Math.min(paper, scroll) + 1;
        const tops = sides.map((side) => side.top);
        const breaks = cell.matches(".num") && Math.max(...tops) - Math.min(...tops) > 14;
        return breaks || sides.some((side) => side.left < 0 || side.right > end);
    }).map((cell) => cell.textContent.trim());
})"""

LONG = ["nguyenhoangphuonganhthudangtrankhanhngocbaochaulevu", "W" * 60, "Nguyễn Hoàng " * 4 + "W"]


def test_paper_cuts_no_amount_whatever_the_length_of_a_name(page: Page):
    """Unbroken letters pushed the amounts of all off the sheet, and tables off the seating."""
    season = make_season(rules="killa")
    night, by = make_night(4, season=season, stake=1_250_000), owner_of(season.club)
    for number, player in enumerate(season.club.players.order_by("pk")[: len(LONG)]):
        players.rename_player(player=player, name=LONG[number], by=by)
    (sitting,) = make_round(night).sittings.all()
    short = set(names_at(sitting)) - set(LONG)
    play(sitting, [LONG[1], *short, LONG[2], LONG[0]])
    sign_in(page, by)
    page.set_viewport_size({"width": 688, "height": 1017})  # A4 within its margins.
    page.emulate_media(media="print")
    for end in (
        f"events/{night.pk}/money/sheet/",
        f"events/{night.pk}/money/",
        f"events/{night.pk}/rounds/1/print/",
        f"events/{night.pk}/",
        f"events/{night.pk}/recap/",
        f"seasons/{season.pk}/",
        f"seasons/{season.pk}/money/",
    ):
        assert page.goto(f"/clubs/{season.club.slug}/{end}").status == 200
        assert page.evaluate(CUT) == [], end

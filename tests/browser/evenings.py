"""An evening as an organiser at a laptop, two players with phones and the big screen live it."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Browser, Error, Locator, Page, expect

from league.models import Event, Season, Sitting
from league.proof.facts import verify
from tests.browser.conftest import check_page, open_page, says_who, shot, sign_in
from tests.factories import names_at, owner_of

LAPTOP = {"width": 1280, "height": 800}
Ranked = tuple[int | None, str]


def number(text: str) -> int | None:
    """The number that a cell begins with: ranks that are shared have a mark behind."""
    found = re.match(r"\d+", text.strip())
    return int(found[0]) if found else None


@dataclass
class Evening:
    """The season, the organiser's laptop, a phone for two of the people, and the wall.

    `event` is the night that they live now.
    """

    season: Season
    host: Page
    phones: dict[str, Page]
    wall: Page
    language: str
    event: Event

    def at(self, name: str, *more: object) -> str:
        return reverse(f"league:{name}", args=[self.season.club.slug, self.event.pk, *more])

    def of_season(self, name: str, *more: object) -> str:
        return reverse(f"league:{name}", args=[self.season.club.slug, self.season.pk, *more])

    def picture(self, page: Page, name: str) -> None:
        """Keep a picture, which whoever looks at it knows by the format."""
        kind = self.event.rules_of_format.kind
        size = page.viewport_size or LAPTOP
        shot(page, f"evening-{kind}-{name}-{size['width']}-{self.language}")

    def plan(self, kind: str = "rounds", **fields: int | str | bool) -> None:
        """Fill in the form of a new night of today, whose check-in is open."""
        page, nights = self.host, self.season.events.count()
        page.goto(self.of_season("event_create"))
        choice = page.locator(f"[name=format][value={kind}]")
        unfold(choice)
        choice.check()
        today = self.season.starts_on.isoformat()
        values = {"name": f"Đêm {nights + 1}", "date": today, "games_per_round": 1}
        for name, value in (values | fields).items():
            field = page.locator(f"#id_{name}")
            unfold(field)
            if isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(str(value))
            field.evaluate(
                "one => { const chip = one.closest('.chip'); if (chip) chip.open = false }"
            )
        button(page, gettext("Create the night")).click()
        expect(page.locator("#who")).to_be_visible()
        self.event = self.season.events.latest("pk")

    def arrive(self, names: Sequence[str]) -> None:
        """Two take their names on their phones, the organiser taps the others."""
        page = self.host
        page.locator("#night-menu > summary").click()
        page.locator(f'form[action="{self.at("check_in_link")}"] button').click()
        link = self.event.links.get(purpose="check_in", revoked_at=None).secret
        for name, phone in self.phones.items():
            phone.goto(reverse("league:link_night", args=[link]))
            says_who(phone, name)
            expect(phone.locator("h1")).to_contain_text(name)
            expect(phone.locator("#night")).to_be_visible()
        page.goto(self.at("check_in"))
        others = [name for name in names if name not in self.phones]
        if len(names) == self.season.club.players.filter(bot="").count():
            button(page, gettext("Everyone is here")).click()
        else:
            for name in others:
                button(page, name).click()
                expect(page.locator(".btn-here", has_text=name)).to_be_visible()
        expect(page.locator("#people [data-says]").first).to_contain_text(str(len(names)))

    def invite_a_bot(self) -> str:
        """Put a bot on the list of a night with real cards that may go online; its name."""
        page = self.host
        page.goto(self.at("online"))
        page.locator("#id_played").select_option("mixed")
        button(page, gettext("Save")).click()
        page.locator("#which-bot").select_option("greedy")
        button(page, gettext("Add and check in")).click()
        bot = page.locator("button[name=leaves]")
        expect(bot).to_be_visible()
        return self.event.entrants.get(player__bot="greedy").player.name

    def draw(self, text: str) -> list[Sitting]:
        """Take the step that the night's page offers, and release the draw."""
        page = self.host
        page.goto(self.at("event"))
        page.get_by_role("region", name=gettext("Next"), exact=True).get_by_role(
            "button", name=text, exact=True
        ).click()
        button(page, gettext("Release")).click()
        drawn = self.event.rounds.latest("number")
        told = gettext("Round %(round)s released.") % {"round": drawn.number}
        expect(page.locator("#messages").get_by_text(told)).to_be_visible()
        return list(drawn.sittings.order_by("table_no"))

    def enter(self, sitting: Sitting, order: Sequence[str]) -> None:
        """Enter a game: on the phone of the first where there is one, else at the laptop."""
        assert sorted(names_at(sitting)) == sorted(order)
        page = self.phones.get(order[0], self.host)
        if page is self.host:
            page.goto(self.at("table", sitting.round.number, sitting.table_no))
        else:
            self._my_night(page)
            page.locator(".my-seats-card .btn").click()
        for name in order[:-1]:
            page.locator("[data-tap]").filter(has=page.get_by_text(name, exact=True)).click()
        button(page, gettext("Save the game")).click()
        done = page.locator("[data-now]").get_by_text(
            gettext("All games of this round are entered.")
        )
        expect(done).to_be_visible()

    def _my_night(self, phone: Page) -> None:
        """Open the player's own page, as who taps again where the page's own news came between."""
        address = reverse("league:my_night", args=[self.event.pk])
        try:
            phone.goto(address)
        except Error:
            phone.goto(address)

    def enter_in_order(self, sittings: Sequence[Sitting], best: Sequence[str]) -> list[list[str]]:
        """A game at each table that ends in the order of `best`; these orders."""
        orders = [sorted(names_at(sitting), key=best.index) for sitting in sittings]
        for sitting, order in zip(sittings, orders, strict=True):
            self.enter(sitting, order)
        return orders

    def close(self) -> None:
        page = self.host
        page.goto(self.at("event"))
        check_page(page)
        self.picture(page, "open")
        tables = page.locator(".night-ranks .table-scroll").all()
        wider = "panel => panel.scrollWidth - panel.clientWidth"
        assert {table.evaluate(wider) for table in tables} == {0}
        close_night(page)
        expect(page.get_by_text(gettext("closed"), exact=True).first).to_be_visible()
        self.event.refresh_from_db()

    def check(self, places: dict[str, int | None], points: Mapping[str, float]) -> None:
        """All pages and files tell these places, the best first; and the season these points.

        A bot beside the people has no place.
        """
        ranked: list[Ranked] = sorted(
            [(place, name) for name, place in places.items() if place], key=lambda one: one[0]
        )
        told = self._places_told()
        for where, rows in told.items():
            people = [row for row in rows if row[0]]
            assert (where, sorted(people)) == (where, sorted(ranked))
            assert (where, [row[0] for row in people]) == (where, [row[0] for row in ranked])
        podiums = self._podiums_told()
        shown = [name for place, name in ranked if place and place <= 3]
        assert podiums == dict.fromkeys(podiums, shown)
        for name, phone in self.phones.items():
            self._my_night(phone)
            expect(phone.get_by_text(gettext("This night is closed."))).to_be_visible()
            assert (
                number(phone.locator(".figures dd").first.inner_text().split("/")[0])
                == places[name]
            )
            check_page(phone)
            self.picture(phone, "my-night")
        season = self._season_told()
        expected = {name: round(float(sum_), 2) for name, sum_ in points.items()}
        assert [season[where] for where in season] == [expected] * len(season)
        assert list(verify.everything(self.season.club)) == []

    def _places_told(self) -> dict[str, list[Ranked]]:
        """The places of the night on its page, in its file, by the API and on the wall."""
        page = self.host
        page.goto(self.at("event"))
        check_page(page)
        self.picture(page, "closed")
        has_stages = page.locator("section[aria-labelledby=places]").count()
        file = "places" if has_stages else "standings"
        told = {
            "night": rows_of(page, "places" if has_stages else "standings"),
            "file": [(number(row[0]), row[1]) for row in self._file("event_csv", file)],
            "API": [
                (row["place"], row["name"])
                for row in self._answer("event_places", self.event.pk)
                if row["place"]
            ],
            "wall": [],
        }
        self.wall.goto(self.at("wall") + "?screen=1")
        check_page(self.wall)
        self.picture(self.wall, "wall-places")
        parts = self.wall.locator(".wall-part")
        count = int(parts.inner_text().split("/")[1]) if parts.count() else 1
        for part in range(1, count + 1):
            self.wall.goto(f"{self.at('wall')}?screen={part}")
            told["wall"] += rows_of(self.wall)
        return told

    def _podiums_told(self) -> dict[str, list[str]]:
        """The podium on the night's page, the recap and the wall."""
        found = {}
        for where, page in (("event", self.host), ("recap", self.host), ("wall", self.wall)):
            page.goto(self.at(where))
            expect(page.locator(".podium").first).to_be_visible()
            check_page(page)
            if where == "wall":
                expect(page.locator("h1")).to_contain_text(self.event.name)
            if where != "event":
                self.picture(page, where)
            found[where] = page.locator(".podium li a").all_inner_texts()
            medals = page.locator(".podium .medal").all_inner_texts()
            steps = page.locator(".podium .step").evaluate_all(
                "all => all.map(s => s.offsetHeight)"
            )
            by_medal = dict(zip(map(number, medals), steps, strict=True))
            assert [
                by_medal[number(medal)] for medal in medals
            ] == steps  # Who is level is as high.
        return found

    def _season_told(self) -> dict[str, dict[str, float]]:
        """The points of the season on its page, in its file and by the API."""
        page = self.host
        page.goto(self.of_season("season"))
        check_page(page)
        self.picture(page, "season")
        rows = page.locator("table.standings tbody tr:has(td)")
        names = [name.strip() for name in rows.locator("th a").all_inner_texts()]
        points = rows.locator("td.total").all_inner_texts()
        return {
            "season": dict(zip(names, map(worth, points), strict=True)),
            "file": {row[1]: worth(row[2]) for row in self._file("season_csv", "standings")},
            "API": {
                row["name"]: worth(row["points"])
                for row in self._answer("season_standings", self.season.pk)
            },
        }

    def teams_told(self, *, night: bool) -> list[tuple[int | None, str, float]]:
        """The teams of this night or of the season: place, name, points."""
        page = self.host
        page.goto(self.of_season("rosters") + (f"?event={self.event.pk}" if night else ""))
        check_page(page)
        rows = page.locator("section[aria-labelledby=teams] li").all()
        return [
            (
                number(row.locator(".medal").inner_text()),
                row.locator(".rows-main").evaluate("e => e.firstChild.data.trim()"),
                worth(row.locator("b.num").inner_text()),
            )
            for row in rows
        ]

    def _file(self, page: str, what: str) -> list[list[str]]:
        """What a visitor without an account downloads."""
        address = self.at(page, what) if page == "event_csv" else self.of_season(page, what)
        got = self.wall.request.get(address, params={"as": "plain"})
        text = got.body().decode("utf-8-sig")
        return list(csv.reader(io.StringIO(text)))[1:]

    def _answer(self, name: str, key: int) -> list[dict]:
        address = reverse(f"api:{name}", args=[self.season.club.slug, key])
        return self.wall.request.get(address).json()["results"]


def worth(text: str) -> float:
    """Points as a number: pages write halves with a sign, files and API as fractions."""
    text = text.split()[0].replace("\u2212", "-").replace(",", ".")
    if "/" in text:
        above, below = text.split("/")
        return round(int(above) / int(below), 2)
    return float(text)


def rows_of(page: Page, section: str = "") -> list[Ranked]:
    """Rank and name in each row of a table of players."""
    inside = f"section[aria-labelledby={section}] " if section else ""
    rows = page.locator(f"{inside}tbody tr:has(td)")
    ranks = rows.locator("td:first-child").all_inner_texts()
    names = rows.locator("th a").all_inner_texts()
    return list(zip(map(number, ranks), names, strict=True))


def unfold(field: Locator) -> None:
    """Open what a field is folded away in."""
    parents = "for (let d = one.closest('details'); d; d = d.parentElement.closest('details'))"
    field.evaluate(f"one => {{ {parents} d.open = true }}")


def button(page: Page | Locator, text: str) -> Locator:
    return page.get_by_role("button", name=text, exact=True)


def close_night(page: Page) -> None:
    """Close the night whose page is open: by the next step, or before it by the menu."""
    closing = button(page, gettext("Close the night"))
    if not closing.count():
        page.locator("#night-menu > summary").click()
    closing.first.click()


@contextmanager
def evening(
    browser: Browser, address: str, season: Season, phones: Sequence[str], language: str = "en"
) -> Iterator[Evening]:
    """The screens of an evening in one language, the organiser signed in."""
    with ExitStack() as stack:
        stack.enter_context(translation.override(language))
        locale = {"en": "en-GB", "vi": "vi-VN"}[language]

        def opened(**more) -> Page:
            return stack.enter_context(open_page(browser, address, language=locale, **more))

        host, wall = opened(size=LAPTOP), opened(size=LAPTOP)
        sign_in(host, owner_of(season.club))
        yield Evening(
            season, host, {name: opened() for name in phones}, wall, language, Event(season=season)
        )

"""Whole evenings in front of their screens: what a podium, a table and a file say, by hand.

A game gives 3, 2, 1 and 0 points, at a table of three 3, 1.5 and 0. `tests/league` lives the same
formats without a browser, with the money and the archive.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import permutations, product

import pytest
from django.utils.translation import gettext
from playwright.sync_api import Browser, expect

from league.clubs.acts import players
from tests.browser.evenings import Evening, button, evening
from tests.factories import NAMES, make_season, names_at, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = NAMES[:8]
TWENTY_ONE = [*NAMES, "Sơn", "Tú", "Uyên", "Vân", "Xuân"]
TEAMS = {
    "Bắc": ("An", "Bình"),
    "Nam": ("Chi", "Dũng"),
    "Trung": ("Em", "Phúc"),
    "Tây": ("Giang", "Hà"),
}


SEVEN: dict[str, int | bool] = {"table_size": 7, "others_play": False}


@pytest.fixture
def live(browser: Browser, live_server) -> Callable[..., AbstractContextManager[Evening]]:
    """The screens of a new club's season with these people, two of whom have a phone."""

    def begin(names=PEOPLE, language="en"):
        season = make_season(rules="thirteen")
        by = owner_of(season.club)
        players.add_players(club=season.club, text="\n".join(names), by=by)
        return evening(browser, live_server.url, season, (names[0], names[4]), language)

    return begin


def name_teams(night: Evening) -> None:
    page = night.host
    for name, pair in TEAMS.items():
        page.goto(night.of_season("rosters"))
        page.locator("#id_kind").select_option("team")
        page.locator("#id_name").fill(name)
        page.locator("#id_members").fill("\n".join(pair))
        button(page.locator("section[aria-labelledby=new]"), gettext("Save")).click()
        expect(page.locator("section[aria-labelledby=teams]")).to_contain_text(name)


def round_of(night: Evening, number: int) -> str:
    return gettext("Draw round %(number)s") % {"number": number}


Told = tuple[dict[str, int | None], Counter[str]]
"""The places of an evening, and the points that it gives its season."""


def cup(night: Evening) -> Told:
    """Two groups of four, and side games beside a final that ends 2nd, 1st, 2nd, 1st of a group."""
    night.plan("groups", rounds_planned=2, groups=2, group_rounds=1, final=4, others_play=True)
    night.arrive(PEOPLE)
    groups = night.draw(round_of(night, 1))
    (a, b, c, d), (e, f, g, h) = night.enter_in_order(groups, PEOPLE)
    final, side = night.draw(gettext("Draw the final"))
    night.enter(final, [f, b, a, e])
    night.enter(side, [h, d, g, c])
    night.close()
    ranks = {f: 1, b: 2, a: 3, e: 4, c: 5, g: 5, d: 7, h: 7}
    return ranks, Counter({f: 5, b: 4, a: 4, e: 3, c: 1, g: 2, d: 2, h: 3})


def as_unlike(points: Counter[str], tables: list[list[str]]) -> list[list[str]]:
    """Orders of games at these tables after which as few as can be have the same points."""

    def different(orders: Sequence[Sequence[str]]) -> int:
        return len(
            {points[name] + 3 - place for order in orders for place, name in enumerate(order)}
        )

    return [[*order] for order in max(product(*map(permutations, tables)), key=different)]


def rounds_with_a_cut(night: Evening) -> Told:
    """Three rounds, two of them by standings, and a final of the best four.

    The draw chooses who meets, the games see to it that no two have the same points before the
    final, which ends 2nd, 4th, 1st, 3rd of those who go on.
    """
    night.plan("groups", rounds_planned=4, groups=1, group_rounds=3, final=4, others_play=False)
    night.arrive(PEOPLE)
    points = Counter(dict.fromkeys(PEOPLE, 0))
    for step in (round_of(night, 1), *[gettext("Draw by standings")] * 2):
        tables = night.draw(step)
        for table, order in zip(tables, as_unlike(points, [*map(names_at, tables)]), strict=True):
            night.enter(table, order)
            points.update({name: 3 - place for place, name in enumerate(order)})
    best = [name for name, _points in points.most_common()]
    assert len({*points.values()}) == len(best)
    (final,) = night.draw(gettext("Draw the final"))
    order = [best[place] for place in (1, 3, 0, 2)]
    night.enter(final, order)
    points.update({name: 3 - place for place, name in enumerate(order)})
    night.close()
    return {name: place for place, name in enumerate(order + best[4:], start=1)}, points


def teams_meet(night: Evening, best: list[str]) -> Told:
    """One round in which the teams end in this order at both tables, and their own table."""
    night.plan(rounds_planned=1)
    night.arrive(PEOPLE)
    order = [name for team in best for name in TEAMS[team]]
    for table in night.enter_in_order(night.draw(round_of(night, 1)), order):
        assert all(len({*table} & {*pair}) == 1 for pair in TEAMS.values())
    night.close()
    points = {team: 2 * (3 - place) for place, team in enumerate(best)}
    told = night.teams_told(night=True)
    assert told == [(place, team, points[team]) for place, team in enumerate(best, start=1)]
    ranks = {name: 1 + 2 * best.index(team) for team in best for name in TEAMS[team]}
    return ranks, Counter({name: points[team] / 2 for team in best for name in TEAMS[team]})


def people_and_a_bot(night: Evening) -> Told:
    """Three people and a bot, which wins and has no place."""
    night.plan(rounds_planned=1)
    night.arrive(["An", "Em", "Chi"])
    bot = night.invite_a_bot()
    (table,) = night.draw(round_of(night, 1))
    night.enter(table, [bot, "Em", "An", "Chi"])
    night.close()
    return {"Em": 1, "An": 2, "Chi": 3, bot: None}, Counter({bot: 3, "Em": 2, "An": 1, "Chi": 0})


@pytest.mark.parametrize("language", ["en", pytest.param("vi", marks=pytest.mark.long)])
def test_a_cup_of_eight_ends_with_the_podium_of_its_final(live, language):
    with live(language=language) as night:
        night.check(*cup(night))


@pytest.mark.long
def test_a_cup_of_twenty_one_at_tables_of_seven(live):
    """The best two of each group meet in a final of six, which ends seconds before firsts.

    At seven a game gives 3, 2.5 and so on, at six 3, 2.4 and so on.
    """
    with live(TWENTY_ONE, "vi") as night:
        night.plan("groups", rounds_planned=2, groups=3, group_rounds=1, final=6, **SEVEN)
        night.arrive(TWENTY_ONE)
        groups = night.enter_in_order(night.draw(round_of(night, 1)), TWENTY_ONE)
        assert [len(order) for order in groups] == [7, 7, 7]
        (final,) = night.draw(gettext("Draw the final"))[:1]
        best = [order[place] for place in (1, 0) for order in groups]
        night.enter(final, best)
        night.close()
        ranks = {name: place for place, name in enumerate(best, start=1)}
        points = Counter({name: 3 - 0.6 * place for place, name in enumerate(best)})
        for place in range(7):
            points.update({order[place]: 3 - 0.5 * place for order in groups})
            if place > 1:
                ranks |= {order[place]: 1 + 3 * place for order in groups}
        night.check(ranks, points)


@pytest.mark.long
def test_a_knock_out_of_twenty_one(live):
    """Twelve go on from six tables, six from three, four from two; the others are level by table.

    The third of a table of three has no point, the one of a table of four one.
    """
    with live(TWENTY_ONE) as night:
        night.plan("knockout", others_play=False, fill_up=False)
        night.arrive(TWENTY_ONE)
        points: Counter[str] = Counter()
        out: list[list[list[str]]] = []
        for number in (1, 2, 3, 4):
            named = {3: gettext("Draw the semi-final"), 4: gettext("Draw the final")}
            step = named.get(number) or round_of(night, number)
            orders = night.enter_in_order(night.draw(step), TWENTY_ONE)
            out.insert(0, orders)
            for order in orders:
                step = 3 / (len(order) - 1)
                points.update({name: 3 - step * place for place, name in enumerate(order)})
        night.close()
        (final,), twos, threes, sixes = out
        assert [len(order) for order in twos] == [3, 3]
        assert [len(order) for order in threes] == [4, 4, 4]
        assert sorted(len(order) for order in sixes) == [3, 3, 3, 4, 4, 4]
        ranks = {name: place for place, name in enumerate(final, start=1)}
        ranks |= {order[2]: 5 for order in twos}
        ranks |= {order[2]: 7 for order in threes} | {order[3]: 10 for order in threes}
        ranks |= {order[2]: 13 if len(order) == 4 else 16 for order in sixes}
        ranks |= {order[3]: 19 for order in sixes if len(order) == 4}
        night.check(ranks, points)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "vi"])
def test_four_rounds_with_a_cut(live, language):
    with live(language=language) as night:
        night.check(*rounds_with_a_cut(night))


@pytest.mark.long
def test_a_league_of_teams_over_three_nights(live):
    """Bắc has 6, 2 and 4, Nam 4, 6 and 6, Trung 2, 0 and 0, Tây 0, 4 and 2."""
    with live(language="vi") as night:
        name_teams(night)
        season: Counter[str] = Counter()
        for best in (
            ["Bắc", "Nam", "Trung", "Tây"],
            ["Nam", "Tây", "Bắc", "Trung"],
            ["Nam", "Bắc", "Tây", "Trung"],
        ):
            ranks, points = teams_meet(night, best)
            season.update(points)
            night.check(ranks, season)
        told = night.teams_told(night=False)
        assert told == [(1, "Nam", 16), (2, "Bắc", 12), (3, "Tây", 6), (4, "Trung", 2)]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_night_of_people_and_a_bot(live, language):
    with live(["An", "Bình", "Chi", "Dũng", "Em"], language) as night:
        night.check(*people_and_a_bot(night))


@pytest.mark.long
def test_a_season_of_all_of_these(live):
    """Each night is told as it ends, and the season adds them up."""
    with live() as night:
        season: Counter[str] = Counter()
        for evening_of in (cup, rounds_with_a_cut, people_and_a_bot):
            ranks, points = evening_of(night)
            season.update(points)
            night.check(ranks, season)
        name_teams(night)
        ranks, points = teams_meet(night, ["Tây", "Trung", "Nam", "Bắc"])
        season.update(points)
        night.check(ranks, season)
        teams = {team: sum(season[name] for name in pair) for team, pair in TEAMS.items()}
        told = night.teams_told(night=False)
        assert {name: points for _place, name, points in told} == teams
        assert [points for *_team, points in told] == sorted(teams.values(), reverse=True)

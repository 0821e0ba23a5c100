"""A Northern evening: eight people, one table with real cards, one online, and every sum agrees."""

import itertools
import re
import uuid
from fractions import Fraction

import pytest
from django.test import Client

from engine.rules.state import OVER
from league.exchange.acts import archives
from league.models import LiveTable, Result
from league.money.facts import open_debts
from league.online.acts import results_in
from league.proof.facts import verify
from tables.bots.facts import autopilot
from tables.models import Table
from tables.play.facts import positions
from tests.factories import browser_of, make_club, make_user, owner_of, path_of, table_link
from tests.league.test_lived_evening import close, draw, settle, told_debts, told_money, told_season
from tests.league.test_lived_season import PEOPLE, night
from tests.shares import share
from tests.tables import live

pytestmark = pytest.mark.django_db
GAMES, STAKE = 3, 10
NORTHERN = ("mien-bac", "mien-bac-3-bich", "mien-bac-khong-thong")


def opened(rules):
    club = make_club()
    host = browser_of(owner_of(club))
    form = {"name": "Mùa 1", "ruleset": rules, "points": "3-2-1-0", "starts_on": "2015-01-01"}
    host.post(path_of(club, "season_create"), form)
    host.post(path_of(club, "players"), {"text": "\n".join([*PEOPLE, "Zoe"])})
    return night(
        (club.seasons.get(), host), 1, rounds_planned=1, games_per_round=GAMES, stake=STAKE
    )


def enter(evening, sitting, number, order, *specials):
    """A game with real cards, entered on a phone at the link of its table; it is taken as it is."""
    keys = {place.entrant.player.name: str(place.entrant_id) for place in sitting.places.all()}
    winner, *others = (keys[name] for name in order)
    said = ";".join(" ".join(special).replace(" ", ".") for special in specials)
    for name, key in keys.items():
        said = re.sub(rf"\b{name}\b", key, said)
    game = {"game_no": number, "order": f"{winner},{'+'.join(others)}", "specials": said}
    address = table_link(sitting, sitting.round.number)
    answer = evening.late.post(address, game | {"client_id": uuid.uuid4()})
    assert answer.status_code == 302, answer.context["form"].errors


def play_real_cards(evening, sitting):
    """A chop and a 2 left, a player who never played (cóng), and an instant win; who won what."""
    a, b, c, d = [place.entrant.player.name for place in sitting.places.all()]
    left = [("cards", b, "3"), ("cards", c, "5"), ("cards", d, "7"), ("left", d, "B")]
    enter(evening, sitting, 1, [a, b, c, d], ("chop", b, c, "R"), *left)
    left = [("cards", a, "2"), ("cards", c, "1"), ("cong", d)]
    enter(evening, sitting, 2, [b, a, c, d], *left)
    enter(evening, sitting, 3, [c, a, b, d], ("win", c))
    # The chop of a red 2 is 4; six cards and a black 2 are 8; cóng is 26, ăn trắng 13 from each.
    units = {
        a: 3 + 5 + 8 - 2 - 13,
        b: 4 - 3 + 2 + 1 + 26 - 13,
        c: -4 - 5 - 1 + 3 * 13,
        d: -8 - 26 - 13,
    }
    return {name: STAKE * won for name, won in units.items()}


def chairs_of(evening, sitting):
    """The table that the organiser opens online, and a browser for each link that he sends."""
    where = evening.at("online_table", 1, sitting.table_no)
    evening.host.post(where, {"do": "open"})
    table = LiveTable.objects.get(sitting=sitting).table
    page = evening.host.get(evening.at("online")).content.decode()
    browsers = {}
    for link in re.findall(r'data-copy="http://testserver(/[^"]+)"', page):
        browser = Client()
        seen = browser.get(link, follow=True).content.decode()
        browsers[int(re.search(r'id="own"[^>]*data-seat="(\d)"', seen)[1])] = browser
    assert sorted(browsers) == [0, 1, 2, 3]
    return table, browsers


def play_online(evening, sitting):
    """All games of an online table, each move of the first posted by the browser of its seat."""
    table, browsers = chairs_of(evening, sitting)
    for number in range(1, GAMES + 1):
        for browser in browsers.values():
            live.post(browser, table, "deal")
        game = table.games.get(no=number)
        if number > 1 and game.over_at is None:  # A hand may have won it as dealt.
            live.play_quickly(table)
        while (state := positions.replay_of(live.current(table)).state).phase != OVER:
            move = autopilot.cautious(state)
            cards = live.fields_of(move)["cards"].split()
            answer = live.post(browsers[state.turn], table, "act", do=move.do, cards=cards)
            assert answer.status_code == 200, answer.content
        game.refresh_from_db()
        assert game.outcome is not None
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED
    results_in.sweep()
    names = [place.entrant.player.name for place in sitting.places.all()]
    nets = [game.outcome["net"] for game in table.games.filter(over_at__isnull=False)]
    return {name: sum(won) for name, won in zip(names, zip(*nets, strict=True), strict=True)}


@pytest.mark.parametrize("rules", share(NORTHERN))
def test_a_northern_evening_at_a_table_and_online_agrees_to_the_last_coin(rules):
    evening = opened(rules)
    evening.host.post(
        evening.at("online"), {"played": "mixed", "move_seconds": "90", "abandoned": "count"}
    )
    real, online = draw(evening)
    won = play_real_cards(evening, real) | play_online(evening, online)
    assert Result.objects.filter(current=True).count() == 2 * GAMES
    assert sum(won.values()) == 0
    # What engine, tables and a sum by hand say is what the books and every page say.
    won = {name: sum_ for name, sum_ in won.items() if sum_}
    told = told_money(evening)
    assert (told["API"], told["file"]) == (won, won)
    assert told["my night"] == {name: won[name] for name in evening.phones if name in won}
    close(evening)
    debts = told_debts(evening)
    assert debts["recap"] == debts["shared text"] == debts["API"] != []
    settle(evening)
    assert told_debts(evening)["API"] == []
    # The first has 3 points, and all others share (2 + 1 + 0) / 3.
    firsts = Result.objects.filter(current=True, placings__rank=1)
    wins = firsts.values_list("placings__entrant__player__name", flat=True)
    assert len(wins) >= 2 * GAMES
    season = told_season(evening)
    assert season["season"] == season["API"] == season["file"]
    assert {name: points for _rank, name, points in season["season"]} == points_of(evening)
    assert list(verify.everything(evening.club)) == []
    # The archive brings all of it back elsewhere.
    data = evening.host.post(path_of(evening.club, "club_archive")).content
    made = archives.read_archive(data=data, by=make_user()).seasons.get()
    assert list(open_debts.of_season(made)) == []
    assert list(verify.everything(made.club)) == []


def points_of(evening):
    """Points by hand: those of the places 3, 2, 1 and 0, shared by all at one place."""
    found: dict[str, Fraction] = dict.fromkeys(PEOPLE, Fraction())
    for result in Result.objects.filter(current=True):
        rows = result.placings.order_by("rank").values_list("rank", "entrant__player__name")
        for rank, group in itertools.groupby(rows, key=lambda row: row[0]):
            names = [name for _rank, name in group]
            each = Fraction(sum(range(3, -1, -1)[rank - 1 : rank - 1 + len(names)]), len(names))
            for name in names:
                found[name] += each
    return {name: round(float(points), 3) for name, points in found.items()}

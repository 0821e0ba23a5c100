"""A cup as its people live it, from the sign-up list to the archive: every page tells the same."""

import csv
import io
import re
import uuid
from dataclasses import dataclass
from fractions import Fraction

import pytest
from django.test import Client
from openpyxl import load_workbook

from league.clubs.acts import players
from league.models import Event, NewsItem, SignUpAnswer
from league.money.facts import open_debts
from league.news.facts import words
from league.nights.acts import events
from league.recap.pages import pictures
from tests.factories import (
    NAMES,
    browser_of,
    game_form,
    keys_at,
    make_season,
    night_link,
    owner_of,
    path_of,
    table_link,
)
from tests.league.nights.test_event_page import in_one_line
from tests.league.nights.test_stages import by_seat

pytestmark = pytest.mark.django_db

MORE = ["Sơn", "Tú", "Uyên", "Vân", "Xuân"]


@dataclass
class Evening:
    """The night, its organiser's browser, a phone for everybody who plays, and one for Zoe."""

    event: Event
    host: Client
    phones: dict[str, Client]
    late: Client

    @property
    def club(self):
        return self.event.season.club

    def at(self, name, *more):
        return path_of(self.club, name, self.event.pk, *more)

    def of_season(self, name, *more):
        return path_of(self.club, name, self.event.season_id, *more)

    def key(self, name):
        return self.club.players.get(name=name).pk

    def api(self, name, key=None):
        """What a member reads there, who sees money."""
        address = path_of(self.club, f"api:{name}", key or self.event.pk)
        return self.host.get(address).json()["results"]

    def table(self, page, what):
        """The rows of a file of the night or season, which is the same as CSV and as workbook."""
        address = getattr(self, page)(f"{'event' if page == 'at' else 'season'}_csv", what)
        text = self.host.get(address).content.decode("utf-8-sig")
        book = load_workbook(io.BytesIO(self.host.get(address, {"as": "xlsx"}).content))
        rows = list(csv.reader(io.StringIO(text)))
        names = [str(row[1]) for row in book.active.iter_rows(values_only=True)]
        assert names == [row[1] for row in rows]
        return rows[1:]


def plan(people, **format):
    """A cup of so many people with one game a round, with two phones; and the names."""
    season = make_season(rules="thirteen")
    by = owner_of(season)
    names = [*NAMES, *MORE][:people]
    players.add_players(club=season.club, text="\n".join(names), by=by)
    event = events.create_event(
        season=season,
        by=by,
        name="Cúp 1",
        date=season.starts_on,
        plan=events.read_plan({"rounds_planned": 2, "games_per_round": 1, "format": format}),
    )
    phones = {name: Client() for name in (names[0], names[-1])}
    return Evening(event, browser_of(by), phones, Client()), names


def sign_up(evening):
    places = len(evening.phones)
    evening.host.post(evening.at("sign_up"), {"places": places, "closes_at": ""})
    link = night_link(evening.event)
    for name, phone in [*evening.phones.items(), ("Zoe", evening.late)]:
        phone.post(link, {"player": evening.key(name), "reply": "yes"})
    answers = SignUpAnswer.objects.filter(sign_up__event=evening.event)
    assert {said.player.name for said in answers.filter(is_in=True)} == set(evening.phones)
    assert [said.player.name for said in answers.filter(is_in=False)] == ["Zoe"]


def check_in(evening, people):
    """These people arrive: who has a phone here checks in on it, the organiser the others."""
    others = [evening.key(name) for name in people if name not in evening.phones]
    if others:
        evening.host.post(evening.at("check_in"), {"presence": "here", "player": others})
    evening.host.post(evening.at("check_in_link"))
    link = night_link(evening.event)
    for name, phone in evening.phones.items():
        phone.post(link, {"player": evening.key(name)})
    here = evening.event.entrants.filter(presence="here")
    assert {entrant.player.name for entrant in here} == set(people)


def draw(evening):
    """The next round's tables, drawn and released as an organiser does it."""
    drawn = evening.host.post(evening.at("draw"))
    seen = evening.event.rounds.latest("number").version
    evening.host.post(drawn["Location"] + "release/", {"version": seen})
    return list(evening.event.rounds.latest("number").sittings.order_by("table_no"))


def play(evening, sitting, order):
    """The first one's phone enters the game by the link of the table."""
    assert set(keys_at(sitting)) == set(order)
    phone = evening.phones.get(order[0], evening.late)
    phone.post(table_link(sitting, sitting.round.number), game_form(sitting, order))
    assert sitting.results.count() == 1


def settle(evening):
    """One tap of the organiser for all that is open in the night."""
    amount = sum(payment.amount for payment in open_debts.of_night(evening.event))
    fields = {"event": evening.event.pk, "amount": amount, "client_id": uuid.uuid4()}
    evening.host.post(evening.of_season("settle"), fields)


def told_places(evening):
    """The places as each page and file tells them: (rank, name), the best first; and the podium."""
    visitor = Client()
    page = visitor.get(evening.at("event"))
    share = in_one_line(visitor.get(evening.at("event_share")))
    text = share.split("share-text")[1].split("</pre>")[0]
    walls = [visitor.get(evening.at("wall"), {"screen": n}).context["screen"] for n in range(3)]
    shown = [s for wall in walls[1 : 1 + walls[1].parts] for s in wall.items]
    news = words.message_of(NewsItem(kind="night_result", club=evening.club, event=evening.event))
    chat = in_one_line(page).split('og:description" content="')[1].split('"')[0]
    return {
        "night": [(s.row.rank, s.player.name) for s in page.context["night"].rounds.places],
        "shared text": [(int(n), name) for n, name in re.findall(r"(\d+)\. (\w+) ", text)],
        "wall": [(s.row.rank, s.player.name) for s in shown],
        "API": [(row["place"], row["name"]) for row in evening.api("event_places")],
        "file": [(rank(row[0]), row[1]) for row in evening.table("at", "places")],
        "picture": [(row.rank, row.name) for row in pictures.of_night(evening.event).rows],
    }, {
        "night": [s.player.name for s in page.context["podium"]],
        "chat": [part.split(". ")[1] for part in chat.strip().split(", ")],
        "news": [line.split(". ")[1] for line in news[1] if line != str(evening.club)],
        "wall": [s.player.name for s in walls[0].items],
        "recap": [s.player.name for s in visitor.get(evening.at("recap")).context["podium"]],
    }


def rank(text):
    """The rank in a file, where a bot beside the people has none."""
    return int(text) if text else None


def worth(points):
    """Points as a number: files and API write them as text, halves also as fractions."""
    return round(float(Fraction(points)), 3)


def told_season(evening):
    """The season's table as each page and file tells it: (rank, name, points)."""
    visitor = Client()
    rows = visitor.get(evening.of_season("season")).context["standings"]
    embed = visitor.get(path_of(evening.club, "embed")).context["standings"]
    return {
        "season": [(s.row.rank, s.player.name, worth(s.row.points)) for s in rows],
        "embed": [(s.row.rank, s.player.name, worth(s.row.points)) for s in embed],
        "API": [
            (row["rank"], row["name"], worth(row["points"]))
            for row in evening.api("season_standings", evening.event.season_id)
        ],
        "file": [
            (rank(row[0]), row[1], worth(row[2])) for row in evening.table("of_season", "standings")
        ],
    }


def told_money(evening):
    """What everybody won by games, as each page and file tells it; nothing for nothing."""
    address = evening.at("event_csv", "money")
    text = evening.host.get(address).content.decode("utf-8-sig")
    found = {
        "my night": {name: my_night(evening, name).rank.money for name in evening.phones},
        "API": {
            row["name"]: row["games"]
            for row in evening.api("season_balances", evening.event.season_id)
        },
        "file": {row[0]: int(row[1]) for row in list(csv.reader(io.StringIO(text)))[1:]},
    }
    return {where: {who: sum_ for who, sum_ in won.items() if sum_} for where, won in found.items()}


def told_debts(evening):
    """Who still pays whom, as each page tells members and each phone its person."""
    mine = [money for name in evening.phones if (money := my_night(evening, name).money)]
    payments = {
        "recap": evening.host.get(evening.at("recap")).context["payments"],
        "shared text": evening.host.get(evening.at("event_share")).context["payments"],
        "whoever pays": [debt.payment for own in mine for debt in own.owe],
        "whoever is paid": [payment for own in mine for payment in own.owed],
    }
    api = evening.api("season_payments", evening.event.season_id)
    return {
        where: sorted((str(p.payer), str(p.payee), p.amount) for p in found)
        for where, found in payments.items()
    } | {"API": sorted((row["payer_name"], row["payee_name"], row["amount"]) for row in api)}


def my_night(evening, name):
    """What this person's phone shows."""
    return evening.phones[name].get(night_link(evening.event)).context["page"].own


def close(evening):
    evening.host.post(evening.at("event_status"), {"status": "closed"})
    evening.event.refresh_from_db()
    assert not evening.event.is_open


def check_places(evening, ranks):
    """All tell these ranks by name, the podium's first, and each phone that of its person.

    A bot beside the people has no rank, and is not told everywhere.
    """
    places, podiums = told_places(evening)
    assert dict(map(reversed, places["night"])) == ranks
    ranked = [(place, name) for place, name in places["night"] if place]
    for where, told in places.items():
        people = [(place, name) for place, name in told if place]
        assert (where, people) == (where, ranked[: max(8, len(people))])
    first = [name for name, place in ranks.items() if place and place <= 3]
    assert podiums == dict.fromkeys(podiums, first)
    for name in evening.phones:
        own = my_night(evening, name)
        assert (own.player.name, own.rank.rank) == (name, ranks[name])


def test_a_knock_out_of_twenty_one_is_told_alike():
    """Twelve go on from six tables, six from three, four from two; the others are level by table.

    The third of a table of four has a point, the one of a table of three has none.
    """
    evening, names = plan(21, kind="knockout", others_play=False, fill_up=False)
    check_in(evening, names)
    rounds = []
    for _round in range(4):
        tables = draw(evening)
        rounds.append([by_seat(table) for table in tables])
        for table, order in zip(tables, rounds[-1], strict=True):
            play(evening, table, order)
    close(evening)
    first, second, third, [final] = rounds
    sizes = [sorted(map(len, orders)) for orders in rounds]
    assert sizes == [[3, 3, 3, 4, 4, 4], [4, 4, 4], [3, 3], [4]]
    ranks = {name: rank for rank, name in enumerate(final, start=1)}
    ranks |= {order[2]: 5 for order in third} | {order[2]: 7 for order in second}
    ranks |= {order[3]: 10 for order in second}
    ranks |= {order[2]: 13 if order[3:] else 16 for order in first}
    ranks |= {order[3]: 19 for order in first if order[3:]}
    check_places(evening, ranks)
    season = told_season(evening)
    assert [len(season[where]) for where in season] == [21, 10, 21, 21]
    assert [told[:10] for told in season.values()] == [season["season"][:10]] * 4

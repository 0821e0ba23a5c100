"""Deals that nobody can bend: players' parts, what is kept of them, and who checks it."""

import hashlib
import json
import secrets
import shutil
import subprocess

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from engine.records import deals
from engine.rules import ruleset
from engine.rules.cards import format_cards
from engine.rules.errors import RecordError
from engine.sim import verify
from tables.chairs.acts import seats
from tables.models import Game, Table
from tables.play.acts import games, mixing
from tables.play.facts import archive, proof
from tables.refusals import TableRefusal
from tests.scripts import FETCH
from tests.tables import live

pytestmark = pytest.mark.django_db

SECRET = "5e" * 32


class Phone:
    """A browser's chain, and its seat."""

    def __init__(self, table, no):
        self.table, self.no = table, no
        self.chain = [secrets.token_hex(32)]
        while len(self.chain) < 10:
            self.chain.append(hashlib.sha256(bytes.fromhex(self.chain[-1])).hexdigest())

    def mix(self, **what):
        seat = live.chair(self.table, self.no)
        return mixing.mix(table_id=self.table.pk, seat_id=seat.pk, **what)

    def say(self):
        return self.mix(link=self.chain[-1])

    def give(self, game=1, back=2):
        return self.mix(game_no=game, part=self.chain[-back])


@pytest.fixture
def phones():
    table = live.open_table(players=3, people=2)
    return Phone(table, 0), Phone(table, 1)


def finished(table):
    live.play_game(table)
    return table.games.get(no=1)


def test_links_are_listed_once_everybody_has_one_and_parts_come_after(phones):
    an, binh = phones
    assert an.say().links is None
    assert an.give().part == ""  # Before the list is there nothing is taken.
    told = binh.say()
    assert told.links == [an.chain[-1], binh.chain[-1], ""]
    assert binh.mix(game_no=1, part=secrets.token_hex(32)).part == ""
    assert an.give().part == an.chain[-2]
    assert an.give(back=3).part == an.chain[-2]
    assert (an.say().link, an.say().links) == (an.chain[-2], told.links)
    assert an.mix(game_no=2, part=an.chain[-3]).link == an.chain[-2]


def test_cards_follow_from_the_secret_and_the_parts(phones):
    an, binh = phones
    an.say(), binh.say()
    binh.give()
    game = finished(an.table)
    assert game.parts == ["", binh.chain[-2], ""]
    assert list(proof.replayed(game)) == []
    record = archive.record(game)
    assert record["deal"]["method"] == deals.MIXED
    assert deals.wrong_deal(record) == []
    assert archive.proof(game).mixers == ["Guest 1"]
    for name, value in (("secret", "00" * 32), ("links", ["", "", ""]), ("parts", ["", "", ""])):
        assert deals.wrong_deal(record | {"deal": record["deal"] | {name: value}})
    assert deals.wrong_deal(record | {"hands": record["hands"][::-1]})
    assert deals.wrong_deal(turned(record))
    endless = record | {"deal": record["deal"] | {"game": float("inf")}}
    for no_record in ({"hands": []}, endless):
        with pytest.raises(RecordError):
            deals.wrong_deal(no_record)


def turned(record: dict) -> dict:
    """The record with everyone's hand given to the next seat, by another seat dealt to first."""
    told, hands = record["deal"], record["hands"]
    first = (told["first"] + 1) % len(hands)
    return record | {"hands": [hands[-1], *hands[:-1]], "deal": told | {"first": first}}


VERIFY = """
const fs = require("fs");
const told = JSON.parse(fs.readFileSync(0));
const place = {}, facts = { textContent: JSON.stringify(told.facts) };
const box = { dataset: { seen: "seen", good: "good", other: "other", bad: "bad" },
              querySelector: () => place };
global.window = {};
Object.defineProperty(global, "localStorage", { value: Object.assign(Object.create({
  getItem: (name) => told.kept[name] }), told.kept) });
global.document = { getElementById: (id) => ({ facts, verify: box })[id] };
for (const file of ["hash", "verify"]) (0, eval)(fs.readFileSync(`static/js/${file}.js`, "utf8"));
console.log(place.textContent);
"""


def verdict(facts: dict, saw: dict | None = None) -> str:
    """What a browser says of these facts, which kept `saw` of the game."""
    own = {"games": {facts["game"]: saw}}
    kept = {f"deal:{facts['table']}:7": json.dumps(own)} if saw else {}
    told = json.dumps({"facts": facts, "kept": kept})
    done = subprocess.run(["node", "-e", VERIFY], input=told, capture_output=True, text=True,
                          check=True, cwd=settings.BASE_DIR)  # fmt: skip
    return done.stdout.strip()


@pytest.mark.skipif(shutil.which("node") is None, reason="There is no Node.js here.")
@pytest.mark.parametrize("rules", ["tien-len", "killa"])
def test_a_browser_lets_nobody_choose_the_labels_or_who_is_dealt_to_first(rules):
    table = live.open_table(rules, players=3, people=3)
    an = Phone(table, 0)
    for number in (1, 2):
        mixing.mix(table_id=table.pk, seat_id=live.chair(table, 0).pk, link=an.chain[-1])
        live.hurry_to(table, mixing.LAST_MOMENT)
        links = an.mix().links
        part = an.give(number, back=number + 1).part
        game = live.play_game(table)
        game.table = table
        facts = archive.proof(game).facts
        saw = {"fingerprint": game.commitment, "links": links, "part": part, "taken": True}
        assert [verdict(facts), verdict(facts, saw)] == ["good", "seen"]
        assert verdict(facts, saw | {"fingerprint": "ab" * 32}) == "other"
        assert deals.wrong_deal(record := archive.record(game)) == []
        assert deals.wrong_deal(turned(record))
        bent = {
            "first": (facts["first"] + 1) % 3,
            "hands": [facts["hands"][-1], *facts["hands"][:-1]],
        }
        assert verdict(facts | bent, saw) == "bad"
        key = deals.key_of(game.secret, table_key=table.key, game_no=99, links=links,
                           parts=game.parts)  # fmt: skip
        chosen = deals.hands(ruleset.preset(rules), 3, key=key, table_key=table.key, game_no=99,
                             first=facts["first"])  # fmt: skip
        labels = {
            "mixed": f"tien-len-deal/2:{table.key}:99",
            "label": f"tien-len-deal/1:{table.key}:99",
        }
        shown = facts | labels | {"hands": chosen, "drawn": False, "dealerLabel": ""}
        assert verdict(shown, saw) == "bad"


def test_a_card_that_is_there_twice_counts_twice():
    rules = ruleset.preset("thirteen")
    about = {"table_key": "twice", "game_no": 1, "first": 0}
    hands = deals.hands(rules, 8, key=SECRET, **about)
    told = {"secret": SECRET, "commitment": deals.fingerprint(SECRET)}
    told |= {"table": "twice", "game": 1, "first": 0, "dealer": 7}
    record = {"ruleset": "thirteen", "hands": [*map(format_cards, hands)], "deal": told}
    assert deals.wrong_deal(record) == []
    seat, card = next((no, a) for no, hand in enumerate(hands) for a in hand if hand.count(a) > 1)
    other = next(one for one in hands[seat] if hands[seat].count(one) == 1)
    bent = [*hands[seat], other]
    bent.remove(card)
    record["hands"][seat] = format_cards(bent)
    assert deals.wrong_deal(record)
    deck = verify.hands_of(rules, 8, "seed", 0)
    game = {"ruleset": "thirteen", "event": {"deal": 1}}
    game["hands"] = [format_cards(hand) for hand in deck]
    assert verify.wrong_deals([game], "seed") == []
    seat = next(no for no, hand in enumerate(deck) if len(set(hand)) < len(hand))
    game["hands"][seat] = format_cards(sorted(set(deck[seat])))
    assert verify.wrong_deals([game], "seed")


def test_without_parts_the_server_deals_as_before(phones):
    an, _binh = phones
    an.say()
    game = finished(an.table)
    assert (game.links, game.parts, archive.record(game)["deal"]["method"]) == (
        None, None, deals.METHOD,
    )  # fmt: skip
    assert list(proof.replayed(game)) == []
    following = an.mix()
    assert (following.game, following.links) == (2, None)


@pytest.mark.parametrize("script", ["", "1"])
def test_a_browser_with_a_script_has_its_part_in_the_first_game_too(script):
    """Without one the cards of a table with bots lie there at once."""
    browser = Client()
    browser.post(reverse("tables:play_now"), {"bots": "planner", "script": script})
    phone = Phone(Table.objects.get(), 0)
    if script:
        assert phone.table.status == Table.Status.WAITING
        assert live.post(browser, phone.table, "mix", link=phone.chain[-1]).json()["links"]
        live.post(browser, phone.table, "mix", game=1, part=phone.chain[-2])
    game = live.current(phone.table)
    assert game.parts == ([phone.chain[-2], "", "", ""] if script else None)


def test_a_first_game_that_all_ask_for_waits_two_seconds_for_the_parts(phones):
    an, binh = phones
    an.say()
    games.deal_asked(table_id=an.table.pk)
    assert not an.table.games.filter(dealt_at__isnull=False).exists()
    assert an.mix().links == [an.chain[-1], "", ""]
    binh.say()  # Too late for the list: nobody waits for more than two seconds.
    an_gives = games.take_part(
        table_id=an.table.pk, seat_id=live.chair(an.table, 0).pk, game_no=1, part=an.chain[-2]
    )
    assert an_gives.part == an.chain[-2]
    live.hurry(an.table)
    assert live.current(an.table).parts == [an.chain[-2], "", ""]


def test_deals_promised_and_never_dealt_are_counted_for_all(phones):
    an, binh = phones
    an.say(), binh.say()
    finished(an.table)
    other = live.open_table(people=1)
    for table in (an.table, other):
        live.close(table)
    assert proof.promised() == {"dealt": 1, "never": 2, "first": 1, "begun": 0}
    page = Client().get(reverse("tables:fair", args=[an.table.key, 1])).content.decode()
    told = " ".join(page.split())
    assert (
        "dealt: 1. Promised and never dealt, because the table closed: 2 (first deals: 1," in told
    )


def test_nobody_waits_for_who_gives_no_link(phones):
    an, _binh = phones
    an.say()
    live.hurry_to(an.table, mixing.LAST_MOMENT)
    assert an.mix().links == [an.chain[-1], "", ""]


def test_who_sits_down_later_is_not_in_the_list(phones):
    an, binh = phones
    an.say(), binh.say()
    seats.leave(seat_id=live.chair(an.table, 1).pk)
    seats.sit(table_id=an.table.pk, no=1, name="Chi")
    chi = Phone(an.table, 1)
    assert chi.say().links == [an.chain[-1], binh.chain[-1], ""]
    assert chi.give().part == ""


def test_a_player_who_sits_down_after_the_parts_did_not_shuffle(phones):
    an, binh = phones
    an.say(), binh.say()
    an.give(), binh.give()
    seats.leave(seat_id=live.chair(an.table, 1).pk)
    seats.sit(table_id=an.table.pk, no=1, name="Chi")
    first = finished(an.table)
    assert archive.proof(first).mixers == ["Guest 0"]
    an.mix()
    live.hurry_to(an.table, mixing.LAST_MOMENT)
    an.mix()
    an.give(2, back=3)
    live.deal(an.table)
    assert archive.proof(live.play_quickly(an.table)).mixers == ["Guest 0"]
    assert archive.proof(first).mixers == ["Guest 0"]


def test_one_list_of_parts_deals_the_same_cards_at_several_tables():
    rules, boards = ruleset.preset("tien-len"), {"table_key": "round-7", "game_no": 3}
    parts = [secrets.token_hex(32) for _phone in range(12)]
    links, secret = [deals.fingerprint(part) for part in parts], secrets.token_hex(32)
    key = deals.key_of(secret, links=links, parts=parts, **boards)
    dealt = [format_cards(hand) for hand in deals.hands(rules, 4, key=key, first=0, **boards)]
    told = {"table": "round-7", "game": 3, "secret": secret, "first": 0, "dealer": 3,
            "commitment": deals.fingerprint(secret), "links": links, "parts": parts}  # fmt: skip
    record = {"ruleset": "tien-len", "hands": dealt, "deal": told}
    assert deals.wrong_deal(record) == []
    assert deals.wrong_deal(record | {"deal": told | {"parts": [*parts[:11], ""]}})


def test_what_was_published_stays(phones):
    an, binh = phones
    an.say(), binh.say()
    an.give()
    own = Game.objects.filter(table=an.table)
    for change in ({"secret": "1" * 64}, {"commitment": "1" * 64}, {"links": ["", "", ""]}):
        with pytest.raises(DatabaseError, match="stays as it is"), transaction.atomic():
            own.filter(no=1).update(**change)
    finished(an.table)
    for change in ({"parts": ["", "", ""]}, {"links": None}, {"dealt": ["", "", ""]}):
        with pytest.raises(DatabaseError, match="stays as it is"), transaction.atomic():
            own.filter(no=1).update(**change)


def test_only_who_sits_there_mixes_and_while_cards_lie_nothing_is_taken(phones):
    an, _binh = phones
    bot = live.chair(an.table, 2)
    with pytest.raises(TableRefusal):
        mixing.mix(table_id=an.table.pk, seat_id=bot.pk)
    games.deal_next(table_id=an.table.pk)
    assert an.say().game is None
    assert Client().post(reverse("tables:mix", args=[an.table.key])).status_code == 403


def test_the_page_answers_a_browser_and_shows_nothing_of_the_others(client):
    client.post(reverse("tables:lobby"), {"rules": "thirteen", "players": 2, "clock": 40,
                                          "name": "An", "bots": "", "talk": "all"})  # fmt: skip
    table = Table.objects.latest("pk")
    seats.sit(table_id=table.pk, no=1, name="Binh")
    binh = Phone(table, 1)
    binh.say()
    link = "ab" * 32
    answer = client.post(reverse("tables:mix", args=[table.key]), {"link": link})
    assert json.loads(answer.content) == {
        "game": 1, "fingerprint": table.games.get().commitment, "links": [link, binh.chain[-1]],
        "link": link, "part": "", "following": {},
    }  # fmt: skip
    binh.give()
    answer = client.post(reverse("tables:mix", args=[table.key]), {"game": 1})
    assert binh.chain[-2] not in answer.content.decode()
    wrong = client.post(reverse("tables:mix", args=[table.key]), {"link": "xyz"},
                        headers=FETCH)  # fmt: skip
    assert wrong.status_code == 422

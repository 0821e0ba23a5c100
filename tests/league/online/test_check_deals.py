"""The reader of docs/examples, which checks the deals of a night without our engine."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from engine.records import deals
from engine.rules import ruleset
from engine.rules.cards import format_cards
from league.online.acts import results_in
from tables.play.facts import archive
from tests.factories import path_of
from tests.league.online.helpers import play_game, release
from tests.league.online.test_same_deals import everyone_gives, same_night, tables_of
from tests.tables import live
from tests.tables.test_deals import turned

pytestmark = pytest.mark.django_db

READER = Path(settings.BASE_DIR, "docs/examples/check_deals.py")


def read_with(lines, *seen):
    """What the reader says of these lines, in a folder without any of our modules."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "night.jsonl").write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-I", str(READER), "night.jsonl", "--seen", *seen]
        return subprocess.run(
            command, cwd=folder, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip


@pytest.fixture
def records():
    """Two deals at two tables."""
    event = same_night()
    release(event)
    everyone_gives(event)
    for one in tables_of(event):
        play_game(one), play_game(one)
    at = path_of(event, "deal_records")
    assert Client().get(at).content == b""  # Nothing before the results are in.
    results_in.sweep()
    return [json.loads(line) for line in Client().get(at).content.decode().splitlines()]


def said_of(records, *seen):
    found = read_with([json.dumps(record) for record in records], *seen)
    return found.returncode, found.stdout


def test_all_tables_of_a_night_at_once(records):
    code, said = said_of(records, records[0]["deal"]["commitment"])
    assert code == 0
    key = records[0]["deal"]["table"]
    assert said.splitlines() == [f"{key} {no}: 2 tables, 8 parts, true" for no in (1, 2)]


def swapped(hands):
    """The hands with the first cards of two of them exchanged."""
    one, two, *others = [hand.split() for hand in hands]
    one[0], two[0] = two[0], one[0]
    return [" ".join(hand) for hand in (one, two, *others)]


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("secret", lambda value: value[::-1]),
        ("commitment", lambda value: value[::-1]),
        ("links", lambda value: [*value[1:], value[0]]),
        ("parts", lambda value: ["", *value[1:]]),
        ("first", lambda value: (value + 1) % 4),
        ("hands", swapped),
    ],
)
def test_whatever_one_table_changes_is_found(records, key, change):
    of = records[1] if key == "hands" else records[1]["deal"]
    of[key] = change(of[key])
    code, said = said_of(records)
    assert code == 1
    assert said.count("FALSE") == 1


def test_a_table_with_other_cards_than_the_others_is_found(records):
    other = records[0]["deal"] | {"secret": "ab" * 32}
    records[0]["deal"] = other
    assert "different secrets" in said_of(records)[1]


def test_what_a_device_saw_must_be_among_the_records(records):
    assert said_of(records, "ab" * 32) == (1, said_of(records)[1] + (
        f"Seen before the deal, and in none of these: {'ab' * 32}\n"
    ))  # fmt: skip


@pytest.mark.parametrize(("rules", "players"), [("penguin", 4), ("killa", 3), ("thirteen", 5)])
def test_one_game_of_any_table_as_it_is_downloaded(rules, players):
    table = live.dealt(rules, players, people=players)
    game = live.play_quickly(table)
    game.table = table
    record = archive.record(game)
    found = read_with([json.dumps(record, indent=2)])
    assert "1 tables, 0 parts, true" in found.stdout
    found = read_with([json.dumps(turned(record), indent=2)])
    assert "the seat dealt to first is not the one that the rules say" in found.stdout


def test_two_decks_of_which_nobody_has_a_card_twice():
    """House rules with two decks for two players: one game in sixty looks like one deck."""
    rules = ruleset.with_options(ruleset.preset("tien-len"), {"decks": {"2": 2}})
    about, secret = {"table_key": "duel", "first": 1}, "ab" * 32
    each = ((no, deals.hands(rules, 2, key=secret, game_no=no, **about)) for no in range(1, 999))
    number, hands = next((no, two) for no, two in each if len({*two[0], *two[1]}) == 26)
    told = {"table": "duel", "game": number, "dealer": 0, "first": 1, "secret": secret}
    told |= {"links": [], "parts": []}
    told |= {"commitment": deals.fingerprint(secret), "drawn": False, "standalone": False}
    record = {"ruleset": ruleset.to_json(rules), "previous": None, "deal": told}
    record["hands"] = [format_cards(hand) for hand in hands]
    assert "1 tables, 0 parts, true" in read_with([json.dumps(record)]).stdout


@pytest.mark.parametrize("wrong", ["{}", "[]", "no", '{"deal": {"table": 1, "game": 2}}'])
def test_anything_else_is_no_record(wrong):
    found = read_with([wrong])
    assert found.returncode == 2
    assert found.stderr.startswith("No record")
    assert "Traceback" not in found.stderr

"""Taps and specials of one game, and their text form."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.rules.ruleset import preset, preset_keys
from engine.rules.southern_money import BOMBS
from engine.rules.specials import FINISHES, LOSING, TWOS, SpecialError, check_specials, offered
from league.base.domain.stored_specials import from_json, to_json
from league.nights.domain.entry import (
    PROBLEMS,
    EntryError,
    read_entry,
    read_order,
    read_specials,
    write_order,
    write_specials,
)
from league.nights.pages.entry_form import WHAT, checks

HERE = Path(__file__).parent
ENTRY = HERE.parents[2] / "static" / "js" / "entry.js"
CASES = json.loads((HERE / "entry_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_taps_enter_a_game(case):
    sent = {name: case.get(name, "") for name in ("order", "specials")}
    for step in case["steps"]:
        entry = read_entry(sent | step, case["players"], first_out=case.get("first_out", False))
        sent = {"order": entry.order, "specials": write_specials(entry.specials)}
    assert sent == case["gives"]
    marks = {str(player): entry.cannot(player) for player in entry.players}
    assert {player: found for player, found in marks.items() if found} == case["cannot"]


@pytest.mark.parametrize("key", preset_keys())
def test_all_cards_that_rules_let_a_table_enter_have_a_name(key):
    offer = offered(preset(key))
    assert {*offer.chops, *offer.left, *offer.finish} <= WHAT.keys()
    assert {*TWOS, *BOMBS, *FINISHES, *LOSING} <= WHAT.keys(), "also in rules of a club's own"


SCRIPT = """
const fs = require("fs"), vm = require("vm");
const [source, table] = process.argv.slice(1).map((path) => fs.readFileSync(path, "utf8"));
const rules = vm.runInThisContext(source + "; entryRules");
const read = (text, mark) => text ? text.split(mark) : [];
const write = (entry) => ({
  order: entry.groups.map((group) => group.join("+")).join(","),
  specials: entry.specials.map((special) => special.text).join(";"),
});
const results = JSON.parse(table).map((row) => {
  let entry = {
    players: row.players.map(String),
    firstOut: Boolean(row.first_out),
    groups: read(row.order || "", ",").map((part) => part.split("+")),
    specials: read(row.specials || "", ";").map((text) => ({ text })),
  };
  for (const step of row.steps) {
    if ("tap" in step) entry = rules.tap(entry, step.tap);
    if ("share" in step) entry = rules.shareRest(entry);
    if ("remove" in step) entry = rules.remove(entry, Number(step.remove));
    const text = "add" in step ? rules.choose(entry, step) : null;
    if (text) entry = rules.add(entry, { text });
  }
  const cannot = {};
  for (const player of entry.players) {
    const marks = Object.entries(rules.cannot(entry, player)).filter(([, holds]) => holds);
    if (marks.length) cannot[player] = marks.map(([mark]) => mark);
  }
  return { gives: write(entry), cannot };
});
console.log(JSON.stringify(results));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_pages_script_enters_the_same_games():
    done = subprocess.run(
        ["node", "-e", SCRIPT, str(ENTRY), str(HERE / "entry_cases.json")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found = {case["name"]: got for case, got in zip(CASES, json.loads(done.stdout), strict=True)}
    assert found == {
        case["name"]: {"gives": case["gives"], "cannot": case["cannot"]} for case in CASES
    }


CHECK = """
const fs = require("fs"), vm = require("vm");
const rules = vm.runInThisContext(fs.readFileSync(process.argv[1], "utf8") + "; entryRules");
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const entries = asked.map(({ order, specials, checks }) => rules.problem({
  groups: order.split(",").map((part) => part.split("+")),
  specials: specials ? specials.split(";").map((text) => ({ text })) : [],
  firstOut: checks.includes("first-out"), checks,
}));
console.log(JSON.stringify(entries));
"""
ONLY_THE_SERVER = {"too_many_twos", "too_many_cards"}


def some_entry(chance, rules):
    """Places and specials as hurried taps give them, most of them impossible."""
    offer, players = offered(rules), [5, 6, 7, 8]
    chance.shuffle(players)
    cut = chance.choice([0, 0, 1, 2])
    groups = [[one] for one in players] if not cut else [players[:1], players[1:]]
    if cut == 2:
        groups = [players[:-1], players[-1:]]
    kinds = ["chop", "chain"] * bool(offer.chops) + ["left"] * bool(offer.left)
    kinds += ["cong"] * offer.cong + ["win"] * offer.instant_win + ["fin"] * bool(offer.finish)
    specials = []
    if offer.cards and chance.random() < 0.8:
        specials += [f"cards.{one}.{chance.randint(1, offer.cards)}" for one in groups[-1]]
        chance.shuffle(specials)
        specials = specials[chance.choice([0, 0, 0, 1]) :]
    for _ in range(chance.choice([0, 0, 1, 1, 2, 3]) if kinds else 0):
        kind, (by, of) = chance.choice(kinds), chance.choices(players, k=2)
        what = {"left": offer.left, "fin": offer.finish}.get(kind, offer.chops)
        chop = chance.choice(what) if what else ""
        if kind == "chain":
            chop = chance.choice([each for each in ("PR3", "Q", "PR4", "bomb") if each in what])
        specials.append({
            "chop": f"chop.{by}.{of}.{chop}", "chain": f"chain.{by}.{of}.{chop}",
            "left": f"left.{of}.{chop}", "fin": f"fin.{by}.{chop}", "cong": f"cong.{of}",
            "win": f"win.{by}",
        }[kind])  # fmt: skip
    return {"order": write_order(groups), "specials": ";".join(specials)}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_phone_without_a_network_refuses_what_the_server_would(chance):
    """Every preset's rules, for money: the same code, or none where only the server can know."""
    asked, expected = [], []
    for key in preset_keys():
        rules = preset(key)
        for _ in range(400):
            entry = some_entry(chance, rules)
            code = ""
            try:
                check_specials(rules, read_order(entry["order"]), read_specials(entry["specials"]))
            except SpecialError as error:
                code = error.code
            if code not in ONLY_THE_SERVER:
                asked.append(entry | {"checks": list(checks(rules, offered(rules)))})
                expected.append(code)
    done = subprocess.run(
        ["node", "-e", CHECK, str(ENTRY)],
        input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    found = json.loads(done.stdout)
    wrong = [
        (entry, code, said)
        for entry, code, said in zip(asked, expected, found, strict=True)
        if code != said
    ]
    assert wrong == []
    covered = {"cards_missing", "counted_cong", "not_last", "twice", "cong_first", "shared",
               "finish_first", "finish_last", "first_out", "self", "chain", "instant_win_alone",
               "instant_win_places", ""}  # fmt: skip
    assert set(expected) == covered
    assert covered - {""} <= PROBLEMS.keys()


@pytest.mark.parametrize("text", ["", "5", "5,7,8+9", "5+6", "5,,6", ",5"])
def test_places_read_as_they_are_written(text):
    assert write_order(read_order(text)) == text


SPECIALS = "chop.5.7.R;chain.8.5.PR3;left.7.B;cong.9"


@pytest.mark.parametrize("text", ["", SPECIALS, "win.5"])
def test_specials_read_as_they_are_written_and_stored(text):
    assert write_specials(read_specials(text)) == text
    assert from_json(to_json(read_specials(text))) == read_specials(text)


@pytest.mark.parametrize(
    "text", ["x", "5,+6", "5,-6", "5,6.5", "5,²", ",".join("5" * 300), "9" * 20]
)
def test_other_texts_are_no_places(text):
    with pytest.raises(EntryError):
        read_order(text)


@pytest.mark.parametrize(
    "text", ["x", "chop.5", "chop.5.7", "chop.a.7.R", "cong", "win.5.6", ";".join(["cong.5"] * 21)]
)
def test_other_texts_are_no_specials(text):
    with pytest.raises(EntryError):
        read_specials(text)

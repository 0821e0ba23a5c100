"""Taps and specials of one game, and their text form."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from league.base.domain.stored_specials import from_json, to_json
from league.nights.domain.entry import (
    EntryError,
    read_entry,
    read_order,
    read_specials,
    write_order,
    write_specials,
)

HERE = Path(__file__).parent
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
    script = HERE.parents[2] / "static" / "js" / "entry.js"
    done = subprocess.run(
        ["node", "-e", SCRIPT, str(script), str(HERE / "entry_cases.json")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found = {case["name"]: got for case, got in zip(CASES, json.loads(done.stdout), strict=True)}
    assert found == {
        case["name"]: {"gives": case["gives"], "cannot": case["cannot"]} for case in CASES
    }


@pytest.mark.parametrize("text", ["", "5", "5,7,8+9", "5+6"])
def test_places_read_as_they_are_written(text):
    assert write_order(read_order(text)) == text


SPECIALS = "chop.5.7.R;chain.8.5.PR3;left.7.B;cong.9"


@pytest.mark.parametrize("text", ["", SPECIALS, "win.5"])
def test_specials_read_as_they_are_written_and_stored(text):
    assert write_specials(read_specials(text)) == text
    assert from_json(to_json(read_specials(text))) == read_specials(text)


@pytest.mark.parametrize(
    "text", ["x", "5,,6", "5,-6", "5,6.5", "5,²", ",".join("5" * 300), "9" * 20]
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

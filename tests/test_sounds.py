"""The sounds of tables: one file, each sound in the slot where the page looks for it."""

import re
import wave
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_each_sound_is_heard_where_the_page_looks_for_it():
    page = (ROOT / "static/js/sounds.js").read_text()
    script = (ROOT / "script/sounds").read_text()
    listed = re.search(r"NAMES = \[(.*)\]", page)
    assert listed
    names = re.findall(r'"(\w+)"', listed[1])
    assert names == re.findall(r'^    "(\w+)": mix', script, re.M)
    played = "".join((ROOT / f"static/js/{name}.js").read_text() for name in ("live", "attention"))
    assert set(re.findall(r'(?:sounds|tableSounds)\.play\("(\w+)"\)', played)) <= set(names)
    with wave.open(str(ROOT / "static/sounds/table.wav")) as file:
        slot = int(0.8 * file.getframerate())
        assert file.getnframes() == slot * len(names)
        for name in names:
            samples = file.readframes(slot)
            assert max(samples) - min(samples) > 60, name
            assert abs(samples[-1] - 128) < 16, name

"""The notation of docs/records.md and the refusals of wrong records."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.record import RecordError, legal, parse, record_of, replay
from engine.rules.ruleset import preset, to_json
from tests.engine.walk import finished
from tests.plugins.chance import examples

HANDS = [
    "3S 3C 4D 6S 7S 8S 9D TC JH QH KS AC 2H",
    "3D 4S 5S 5C 5D 5H 9S TS JS QS KC AS 2S",
    "3H 4C 6C 6D 7C 8C 9C TD JC QC KD AD 2C",
    "4H 6H 7D 7H 8D 8H 9H TH JD QD KH AH 2D",
]


def record(*actions, **fields):
    return {
        "format": "tien-len-record/1",
        "ruleset": "killa",
        "hands": HANDS,
        "leader": None,
        "previous": None,
        "stake": 1,
        "actions": list(actions),
    } | fields


def play(seat, cards):
    return {"seat": seat, "do": "play", "cards": cards}


def passed(seat):
    return {"seat": seat, "do": "pass"}


def test_legal_lists_plays_sorted_as_plain_strings():
    answer = legal(record(play(0, "3S 3C")))
    assert answer == {
        "finished": False,
        "seat": 1,
        "phase": "play",
        "legal": ["5C 5D", "5C 5H", "5D 5H", "5S 5C", "5S 5D", "5S 5H", "pass"],
    }


def test_replay_of_an_unfinished_record_says_what_is_decided():
    two = record(play(0, "2H"), play(1, "5S 5C 5D 5H"), passed(2), passed(3), passed(0), leader=0)
    assert replay(two) == {
        "finished": False,
        "placings": [],
        "net": [0, 0, 0, 0],
        "payments": [],
        "chops": [{"by": 1, "of": 0, "cards": "5S 5C 5D 5H", "on": "2H", "level": 1}],
        "hands": [
            HANDS[0].removesuffix(" 2H"),
            "3D 4S 9S TS JS QS KC AS 2S",
            *HANDS[2:],
        ],
        "dealer_next": None,
    }


def test_payments_appear_when_the_trick_has_ended():
    moves = [play(0, "2H"), play(1, "5S 5C 5D 5H"), passed(2), passed(3), passed(0), passed(1)]
    assert replay(record(*moves, leader=0, stake=3))["payments"] == [
        {"from": 0, "to": 1, "amount": 3, "reason": "chop"}
    ]


def test_a_finished_record_has_nothing_legal():
    state = finished((preset("killa"), 4), Random(3))
    whole = record_of(state)
    assert legal(whole) == {"finished": True, "seat": None, "phase": "over", "legal": []}
    assert replay(whole)["finished"]


def test_a_ruleset_may_be_written_whole_and_overridden():
    whole = to_json(preset("killa"))
    first = record(ruleset=whole, options={"pass_locks": False})
    second = record(options={"pass_locks": False})
    assert legal(first) == legal(second)


def test_optional_fields_are_carried_along():
    assert legal(record(players=["A", "B"], event="x", clock={})) == legal(record())


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (
            record(play(0, "3S 3C"), play(1, "5S 5C"), play(2, "6C 6D"), play(3, "4H 6H")),
            (
                "action 4: seat 3 cannot play 4H 6H: these cards are not a combination in "
                    "this ruleset"
            ),
        ),
        (
            record(play(0, "3S 3C"), play(1, "5S 5C"), play(2, "6C 6D"), play(3, "6H")),
            "action 4: seat 3 cannot play 6H: it does not beat 6C 6D",
        ),
        (
            record(play(0, "7S"), leader=None),
            "action 1: seat 0 cannot play 7S: the first play must include 3S",
        ),
        (
            record(play(1, "4S")),
            "action 1: seat 1 cannot play 4S: it is seat 0's turn",
        ),
        (
            record(passed(0)),
            "action 1: seat 0 cannot pass: the seat leads and must play",
        ),
        (
            record(play(0, "3S"), passed(1), play(2, "4C"), passed(3), passed(0), passed(1)),
            "action 6: seat 1 cannot pass: the seat has passed and is out until the next trick",
        ),
        (
            record(play(0, "3S 3D")),
            "action 1: seat 0 cannot play 3S 3D: 3D is not in its hand",
        ),
        (
            record(play(0, "3S 3C 4D 4D 4D")),
            "action 1: seat 0 cannot play 3S 3C 4D 4D 4D: 4D is not in its hand",
        ),
        (
            record({"seat": 0, "do": "declare"}),
            "action 1: seat 0 cannot declare: it is asked to play",
        ),
        (
            record(play(5, "3S")),
            "action 1: seat 5 cannot play 3S: there are only seats 0 to 3",
        ),
        (
            record({"seat": 0, "do": "trade", "with": 1, "give": "3S", "take": "3D"}),
            "action 1: seat 0 cannot trade 3S for 3D with seat 1: it is asked to play; "
            "trades are not accepted now",
        ),
        (record(play(0, "3X")), None),
        (record({"seat": 0}), None),
        (record({"seat": "0", "do": "pass"}), None),
        (record({"do": "pass"}), None),
        (record(7), None),
        (record(play(0, "")), None),
        (record(play(0, "3S 3S 3S")), None),
        (record(leader=4), "leader: there are only seats 0 to 3"),
        (record(leader=-1), None),
        (record(leader=True), None),
        (record(stake=0), "stake: must be a whole number, 1 or more"),
        (record(stake=1.5), None),
        (record(ruleset="bridge"), None),
        (record(ruleset=None), None),
        (record(options={"pass_locks": 3}), None),
        (record(options=[1]), None),
        (record(format="pgn"), 'format: write "tien-len-record/1"'),
        (record(actions=None), "actions: write a list"),
        (record(hands=[*HANDS[:3], ""]), "hands: seat 3 has 0 cards, but killa deals 13 each to 4 "
         "players"),
        (record(hands=[HANDS[0]] * 4), "hands: 3S appears 4 times, but there is only 1 deck"),
        (record(hands=HANDS[:1]), None),
        (record(hands=[*HANDS, HANDS[0]]), "hands: killa is for 2 to 4 players, not 5"),
        (record(hands=[3] * 4), None),
        (record(hands="3S"), None),
        (record(previous=[]), None),
        (record(previous={}), None),
        (record(previous={"placings": [[0], [1]]}), None),
        (record(previous={"placings": [[0], [1], [2], [2]]}), None),
        (record(previous={"placings": [[0, 1, 2, 3], []]}), None),
        (record(previous={"placings": [[0], [1], [2], [3]], "chops": [{"by": 0}]}), None),
        (record(previous={"placings": [[0], [1], [2], [3]], "gone": [9]}), None),
        (record(previous={"placings": [[0], [1], [2], [3]], "gone": [7]}), None),
        (record(previous={"placings": [[0], [1], [2], [3]], "hands": ["2S"]}), None),
        (
            record(previous={
                "placings": [[0], [1], [2], [3]],
                "chops": [{"by": 0, "of": 1, "cards": "", "on": "2S", "level": 2}],
            }),
            "previous: chop 1: level 2 must come after a chop of a lower level",
        ),
        ([], "a game record is a JSON object"),
        (None, "a game record is a JSON object"),
    ],
)  # fmt: skip
def test_a_wrong_record_gives_one_line(wrong, line):
    for answer in (legal, replay):
        with pytest.raises(RecordError) as error:
            answer(wrong)
        assert "\n" not in str(error.value)
        assert line is None or str(error.value) == line


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 5_000, b"1" * 5_000, b"NaN",
     b" " * 1_000_001, b'"\\ud800"', b"\x00"],
    ids=range(10),
)  # fmt: skip
def test_bytes_that_are_no_record_give_one_line(text):
    with pytest.raises(RecordError) as error:
        legal(parse(text))
    assert "\n" not in str(error.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(["3S", "play", "pass", "killa", "7", "2S 2H"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["seat", "do", "cards", "rank", "with", "give", "take", "placings",
                         "chops", "by", "of", "on", "level", "gone", "hands", "key"]),
        inner, max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=examples(400), deadline=None)
@given(
    st.sampled_from(["ruleset", "options", "hands", "leader", "previous", "stake", "actions"]),
    json_values,
)
def test_any_value_in_any_field_is_answered_or_refused_in_one_line(field, value):
    for wrong in (record(**{field: value}), record(value) if field == "actions" else value):
        try:
            assert set(legal(wrong)) == {"finished", "seat", "phase", "legal"}
        except RecordError as error:
            line = str(error)
            assert line
            assert "\n" not in line
            assert len(line) < 700


@settings(max_examples=examples(300), deadline=None)
@given(st.data())
def test_any_damaged_record_is_answered_or_refused_in_one_line(data):
    text = bytearray(json.dumps(record(play(0, "3S 3C"), play(1, "5S 5C"), passed(2))).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=4))
        if not text:
            return
    try:
        assert "finished" in replay(parse(bytes(text)))
    except RecordError as error:
        line = str(error)
        assert "\n" not in line


def test_a_long_list_of_actions_is_refused():
    with pytest.raises(RecordError, match="at most 5000"):
        legal(record(*[passed(0)] * 5001))


def test_more_returns_than_can_be_listed_are_refused_in_one_line():
    chain = [{"by": level % 2, "of": 1 - level % 2, "cards": "", "on": "2S", "level": level}
             for level in range(1, 9)]  # fmt: skip
    options = {"exchange": ["chop_debt"], "chop_debt_count": "doubling",
               "chop_debt_cards": "highest_card", "chop_debt_owed_by": "last"}  # fmt: skip
    previous = {"placings": [[0], [1], [2], [3]], "chops": chain}
    with pytest.raises(RecordError, match="more than 500000 ways"):
        legal(record(ruleset="tien-len", options=options, previous=previous))

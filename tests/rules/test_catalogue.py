"""The catalogue is whole, the tests cite what exists, and the committed pages are theirs."""

from collections import Counter

from engine.rules.ruleset import BETTING, EXCHANGES, PRESETS, preset, to_json
from tests.rules.marker import examples_of, rule_tests
from tests.rules.sentences import FIXED, NO_RULE, by_id, documents
from tests.rules.table import PAGES, pages

FIVE = ("tien-len", "thirteen", "penguin", "family", "killa")


def sentences():
    return by_id().values()


def test_every_rule_sentence_has_a_test():
    assert [s.id for s in sentences() if s.states_a_rule and s.id not in examples_of()] == []


def test_every_test_cites_sentences_that_state_a_rule():
    rules = {s.id for s in sentences() if s.states_a_rule}
    assert sorted(set(examples_of()) - rules) == []


def test_every_repeated_sentence_repeats_one_with_tests():
    repeated = {s.repeats for s in sentences() if s.repeats}
    assert sorted(id_ for id_ in repeated if id_ not in examples_of()) == []


def test_every_rule_sentence_has_a_flip_unless_no_field_can_flip_it():
    with_flip = {id_ for id_, tests in examples_of().items() if any(t.flips for t in tests)}
    rules = [s for s in sentences() if s.states_a_rule]
    assert [s.id for s in rules if not s.fixed and s.id not in with_flip] == []


def test_every_reason_is_in_the_legend():
    assert {s.none for s in sentences() if s.none} <= set(NO_RULE)
    assert {s.fixed for s in sentences() if s.fixed} <= set(FIXED)


def test_what_a_sentence_concerns_is_a_preset_or_a_word_of_rulesets():
    known = {*PRESETS, *EXCHANGES, *BETTING, *to_json(preset("tien-len")), "every preset"}
    named = {word for s in sentences() for word in s.concerns.split(", ")}
    assert sorted(named - known) == []


def test_a_sentence_without_a_rule_says_nothing_else():
    assert [s.id for s in sentences() if s.none and (s.repeats or s.fixed)] == []


def test_the_documents_are_counted_to_the_last_sentence_and_word():
    counts = {d.key: (len(d.sentences), d.words) for d in documents() if d.key in FIVE}
    assert counts == {
        "tien-len": (322, 4903),
        "thirteen": (164, 1461),
        "penguin": (66, 914),
        "family": (75, 1572),
        "killa": (79, 1318),
    }


def test_names_of_rule_tests_are_unique():
    names = Counter(test.name for test in rule_tests())
    assert [name for name, count in names.items() if count > 1] == []


def test_the_committed_pages_are_up_to_date():
    committed = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    assert committed == pages(), "run: python -m tests.rules.table"

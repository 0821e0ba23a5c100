from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.base.domain.keys import Key
from league.money.domain.settle_up import EXACT_UP_TO, Settlement, settle, settle_further
from tests.plugins.chance import examples

SHEET = {"An": 50, "Dũng": -50, "Cường": 30, "Bình": -30}


@st.composite
def balances(draw: st.DrawFn, most: int, largest: int) -> dict[str, int]:
    free = draw(st.lists(st.integers(-largest, largest), max_size=most - 1))
    return {f"p{i}": units for i, units in enumerate([*free, -sum(free)])}


def after(start: dict[Key, int], payments: list[Settlement]) -> dict[Key, int]:
    left = dict(start)
    for payer, payee, amount in payments:
        left[payer] += amount
        left[payee] -= amount
    return left


@cache
def fewest(units: tuple[int, ...]) -> int:
    """The least number of payments, by trying every payment of the first person."""
    left = tuple(u for u in units if u)
    if not left:
        return 0
    first, rest = left[0], left[1:]
    choices = [i for i, other in enumerate(rest) if other * first < 0]
    # The first person hands all of the balance to somebody of the other sign.
    return 1 + min(
        fewest(tuple(sorted((*rest[:i], rest[i] + first, *rest[i + 1 :])))) for i in choices
    )


def test_the_loser_pays_everybody():
    assert settle({"An": 30, "Bình": 10, "Cường": 0, "Dũng": -40}) == [
        ("Dũng", "An", 30),
        ("Dũng", "Bình", 10),
    ]


def test_those_who_match_pay_each_other():
    sheet = {"An": 70, "Bình": 50, "Cường": -50, "Dũng": -70}
    assert settle(sheet) == [("Dũng", "An", 70), ("Cường", "Bình", 50)]


def test_groups_that_are_even_among_themselves_are_found():
    # If who owes most always paid who is owed most, five payments would be needed.
    sheet = {"An": 2, "Bi": 2, "Cu": -4, "Du": 3, "Em": 3, "Gi": -6}
    assert settle(sheet) == [
        ("Gi", "Du", 3),
        ("Gi", "Em", 3),
        ("Cu", "An", 2),
        ("Cu", "Bi", 2),
    ]


def test_a_whole_association_is_settled():
    sheet: dict[Key, int] = {n: n * n - 30_000_000 for n in range(1, 10_001)}
    sheet["club"] = -sum(sheet.values())
    payments = settle(sheet)
    assert len(payments) <= 10_000
    assert after(sheet, payments) == dict.fromkeys(sheet, 0)


def test_nobody_owes_anything():
    assert settle({}) == []
    assert settle({"An": 0, "Bình": 0}) == []


def test_keys_may_be_numbers():
    assert settle({2: -5, 10: 5}) == [Settlement(payer=2, payee=10, amount=5)]


def test_balances_that_do_not_sum_to_zero_are_refused():
    with pytest.raises(ValueError, match="sum to 5, not 0"):
        settle({"An": 10, "Bình": -5})


@given(balances(most=20, largest=100_000))
def test_everybody_is_even_after_at_most_one_payment_less_than_people(start):
    payments = settle(start)
    assert after(start, payments) == dict.fromkeys(start, 0)
    people = sum(units != 0 for units in start.values())
    assert len(payments) <= max(0, people - 1)
    assert all(amount > 0 for _, _, amount in payments)
    assert all(start[payer] < 0 < start[payee] for payer, payee, _ in payments)


@settings(max_examples=examples(60))
@given(balances(most=7, largest=6))
def test_payments_are_as_few_as_trying_everything_finds(start):
    assert len(settle(start)) == fewest(tuple(sorted(start.values())))


@st.composite
def tables(draw: st.DrawFn) -> list[dict[Key, int]]:
    """Two or three tables, each even in itself."""
    sheets = draw(st.lists(balances(most=4, largest=12), min_size=2, max_size=3))
    return [{f"{i}{name}": n for name, n in sheet.items()} for i, sheet in enumerate(sheets)]


@given(tables())
def test_tables_together_need_no_more_payments_than_each_by_itself(sheets):
    together = {name: units for sheet in sheets for name, units in sheet.items()}
    assert len(settle(together)) <= sum(len(settle(sheet)) for sheet in sheets)


@given(balances(most=EXACT_UP_TO, largest=20), st.randoms())
def test_the_order_of_the_people_does_not_matter(start, random):
    shuffled = list(start.items())
    random.shuffle(shuffled)
    assert settle(dict(shuffled)) == settle(start)


def test_twelve_people_are_still_settled_with_the_fewest_payments():
    threes = ((5, 7), (9, 14), (31, 2), (40, 13))
    balances = {f"{n}{k}": units for n, (a, b) in enumerate(threes)
                for k, units in enumerate((a, b, -a - b))}  # fmt: skip
    assert (len(balances), len(settle(balances))) == (EXACT_UP_TO, 8)


def test_part_of_a_payment_moves_nobody_elses_debt():
    """The fewest payments for what is open would send both to somebody else."""
    paid = {("Dũng", "An"): 20}
    left = after(SHEET, [Settlement("Dũng", "An", 20)])
    assert settle(left) == [("Bình", "An", 30), ("Dũng", "Cường", 30)]
    assert settle_further(left, paid) == [("Bình", "Cường", 30), ("Dũng", "An", 30)]


@pytest.mark.parametrize(
    "paid",
    [{("Dũng", "Cường"): 20}, {("Dũng", "An"): 60}, {("An", "Cường"): 10}],
    ids=["another pair", "too much", "by whom nothing was owed"],
)
def test_payments_beside_the_plan_make_a_new_one(paid):
    left = after(SHEET, [Settlement(*pair, amount) for pair, amount in paid.items()])
    assert settle_further(left, paid) == settle(left)


@given(balances(most=9, largest=40), st.data())
@settings(max_examples=examples(60))
def test_what_is_left_of_a_plan_brings_every_balance_to_zero(start, data):
    paid = {}
    for payer, payee, amount in settle(start):
        paid[payer, payee] = data.draw(st.integers(0, amount))
    left = after(start, [Settlement(*pair, amount) for pair, amount in paid.items()])
    further = settle_further(left, paid)
    assert not any(after(left, further).values())
    assert {(one.payer, one.payee) for one in further} <= set(paid)

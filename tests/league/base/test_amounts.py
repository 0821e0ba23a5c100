"""Amounts as people type them: every way that a page prints one, and the ways they are spoken."""

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.base import texts
from league.base.domain.amounts import AmountProblem, Usual, common, parse_amount
from league.base.forms import MoneyInput, read_amount
from league.templatetags import league as shown
from tables.base import currencies

READ = [
    (".25", "¤USD", 25),
    ("0,25", "¤USD", 25),
    ("0.25", "¤EUR", 25),
    ("$0.25", "¤USD", 25),
    ("$.25", "¤USD", 25),
    ("−.5", "¤USD", -50),
    ("25¢", "¤USD", 25),
    ("25 cents", "¤AUD", 25),
    ("25 xu", "¤USD", 25),
    ("20p", "¤GBP", 20),
    ("$5", "¤USD", 500),
    ("5 đô", "¤USD", 500),
    ("27.40", "¤USD", 2_740),
    ("27,40 €", "¤EUR", 2_740),
    ("1,250", "¤USD", 125_000),
    ("1.250", "¤EUR", 125_000),
    ("1.250,50", "¤EUR", 125_050),
    ("1,250.5", "¤USD", 125_050),
    ("1,25", "¤CZK", 125),
    ("2k", "¤USD", 200_000),
    ("1,5k", "¤USD", 150_000),
    ("CHF 5", "¤CHF", 500),
    ("500 ¥", "¤JPY", 500),
    ("1,500", "¤KRW", 1_500),
    ("10.000", "đ", 10_000),
    ("10,000", "đ", 10_000),
    ("10 000", "đ", 10_000),
    ("10\u00a0000", "đ", 10_000),
    ("10\u2009000", "đ", 10_000),
    ("10\u202f000 đ", "đ", 10_000),
    ("1'000", "đ", 1_000),
    ("1.000.000", "đ", 1_000_000),
    ("1,234,567.00", "đ", 1_234_567),
    ("10k", "đ", 10_000),
    ("10 K", "đ", 10_000),
    ("10 nghìn", "đ", 10_000),
    ("10 ngàn đồng", "đ", 10_000),
    ("10nghin", "đồng", 10_000),
    ("1,5tr", "đ", 1_500_000),
    ("1.5 triệu", "đ", 1_500_000),
    ("1tr5", "đ", 1_500_000),
    ("1tr500", "đ", 1_500_000),
    ("1 triệu rưỡi", "đ", 1_500_000),
    ("2 tỷ", "đ", 2_000_000_000),
    ("0,5k", "đ", 500),
    ("= 10.000 đ", "đ", 10_000),
    ("10.000 VND", "đồng", 10_000),
    ("+20", "đ", 20),
    ("−5", "đ", -5),
    ("- 5", "đ", -5),
    ("0", "đ", 0),
    ("$1,000", "$", 1_000),
    ("5 kẹo", "kẹo", 5),
    ("10k", "nghìn đồng", 10),
    ("10 nghìn", "nghìn", 10),
    ("10.000 đ", "nghìn", 10),
    ("10", "nghìn", 10),
    ("1,5tr", "nghìn", 1_500),
    ("10k", "k", 10),
]
TWO_READINGS = [
    ("1.500k", "đ", ("1.500", "1.500.000")),
    ("10.00", "đ", ("10", "1.000")),
    ("1tr50", "đ", ("1.050.000", "1.500.000")),
    ("1000.000", "đ", ("1.000", "1.000.000")),
]
NO_AMOUNT = [
    "abc",
    "10.",
    ".5",
    "1e5",
    "10$",
    "2 triệu 500 nghìn",
    "1.0.0",
    "10,5tr đô",
    "1 00",
    "9" * 50,
]

AMOUNTS = st.integers(-(10**12), 10**12)
UNITS = st.sampled_from(
    ["đ", "đồng", "nghìn", "nghìn đồng", "k", "kẹo", "$", "€", "điểm", "chips", ""]
)


@pytest.mark.parametrize(("text", "unit", "amount"), READ)
def test_an_amount_is_read_as_people_write_and_say_it(text, unit, amount):
    assert parse_amount(text, unit) == amount


@pytest.mark.parametrize(("text", "unit", "readings"), TWO_READINGS)
def test_what_has_two_readings_is_refused_with_both(text, unit, readings):
    with translation.override("vi"), pytest.raises(ValidationError) as refused:
        read_amount(text, unit)
    assert all(reading in refused.value.message for reading in readings)


@pytest.mark.parametrize("text", NO_AMOUNT)
def test_what_is_no_amount_is_refused_with_an_example(text):
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        read_amount(text, "đ")
    assert "10,000 or 10k" in refused.value.message


def test_a_fraction_of_a_unit_is_refused_with_what_it_may_be():
    with translation.override("vi"), pytest.raises(ValidationError) as refused:
        read_amount("0,5", "đ")
    assert "500" in refused.value.message


@given(amount=AMOUNTS, unit=UNITS, language=st.sampled_from(["vi", "en"]))
def test_every_amount_a_page_or_a_file_prints_can_be_typed_in_again(amount, unit, language):
    with translation.override(language):
        printed = [
            str(amount),  # CSV and the API
            texts.amount(amount),
            texts.amount(amount, unit),
            f"= {texts.amount(amount, unit)}",
            currencies.signed(amount),
            f"{currencies.signed(amount)} {unit}",
            currencies.money(amount, unit),
            MoneyInput().format_value(amount),
        ]
        assert {text: parse_amount(text, unit) for text in printed} == dict.fromkeys(
            printed, amount
        )
        assert shown.lost(amount) == currencies.signed(-amount)


@given(
    amount=AMOUNTS,
    unit=st.sampled_from([one.unit for one in currencies.CURRENCIES.values()]),
    language=st.sampled_from(["vi", "en"]),
)
def test_every_amount_of_a_currency_that_is_printed_can_be_typed_in_again(amount, unit, language):
    field = MoneyInput()
    field.unit = unit
    with translation.override(language):
        printed = [
            str(currencies.in_whole(amount, unit)),  # CSV
            texts.amount(amount, unit),
            texts.bare(amount, unit),
            f"= {texts.amount(amount, unit)}",
            currencies.signed(amount, unit),
            field.format_value(amount),
        ]
        assert {text: parse_amount(text, unit) for text in printed} == dict.fromkeys(
            printed, amount
        )


def test_a_currency_is_written_as_its_readers_write_it():
    written = {
        "¤USD": ("$0.25", "0,25 $"), "¤EUR": ("€0.25", "0,25 €"), "¤CHF": ("CHF 0.25", "0,25 CHF"),
        "¤CZK": ("0.25 Kč", "0,25 Kč"), "¤JPY": ("¥25", "25 ¥"), "đ": ("25 đ", "25 đ"),
    }  # fmt: skip
    for unit, both in written.items():
        for language, text in zip(("en", "vi"), both, strict=True):
            with translation.override(language):
                assert texts.amount(25, unit) == text
    with translation.override("en"):
        assert texts.amount(-125_050, "¤USD") == "−$1,250.50"
        assert currencies.signed_amount(125_050, "¤USD") == "+$1,250.50"
        assert [currencies.brief(20_000, unit) for unit in ("đ", "¤USD")] == ["+20k", "+$200.00"]


@pytest.mark.parametrize("text", ["0.255", "1.2345", "25 kilo", "12 ¢ 5"])
def test_text_that_is_no_amount_of_a_currency_is_refused_with_one_that_is(text):
    with translation.override("vi"), pytest.raises(ValidationError) as refused:
        read_amount(text, "¤EUR")
    assert refused.value.message == f"“{text}” không phải là số tiền. Ghi bằng số, ví dụ 0,20."


def test_points_that_round_to_nothing_have_no_sign():
    told = [texts.points(Fraction(n, 1000)) for n in (-4, 0, -5, 1500)]
    assert told == ["0", "0", "−0.01", "1.5"]


@given(st.text(alphabet="0123456789., k'trđ−+-nghìưỡ\u00a0x", max_size=14), UNITS)
def test_any_text_is_one_whole_amount_or_is_refused(text, unit):
    try:
        amount = parse_amount(text, unit)
    except AmountProblem:
        return
    assert parse_amount(str(amount), unit) == amount


def test_out_of_scale_is_a_hundred_times_less_or_more_and_never_nothing():
    usual = Usual(10_000, 50_000)
    far = {amount: usual.far_from(amount) for amount in (0, 100, 101, 4_999_999, 5_000_000)}
    assert far == {0: None, 100: 10_000, 101: None, 4_999_999: None, 5_000_000: 50_000}
    assert Usual().far_from(1) is None


def test_a_common_stake_is_known_in_dong_only():
    assert [common(unit) for unit in ("đ", "đồng", "nghìn đồng", "kẹo", "điểm")] == [
        10_000, 10_000, 10, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "tile"),
    [(20_000, "+20k"), (-1_500_000, "−1,500k"), (-350, "−350 đ"), (1_350, "+1,350 đ"), (0, "0 đ")],
)
def test_a_tile_says_whole_thousands_short_and_never_rounds(value, tile):
    with translation.override("en"):
        assert currencies.brief(value, "đ") == tile

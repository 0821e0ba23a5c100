import pytest

from league.nights.domain.night_formats import KINDS, NightFormat
from league.seasons.domain.scoring import FieldError


@pytest.mark.parametrize("kind", KINDS)
def test_a_format_survives_its_json(kind):
    made = NightFormat(kind=kind, groups=3, cap=4, bot="greedy", fill_up=True)
    assert NightFormat.from_json(made.to_json()) == made


def test_an_empty_object_means_rounds():
    assert NightFormat.from_json({}) == NightFormat("rounds")


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"kind": "swiss"}, "format"),
        ({"groups": 0}, "groups"),
        ({"final": 1}, "final"),
        ({"cap": 0}, "cap"),
        ({"look": "many"}, "look"),
        ({"fill_up": 1}, "fill_up"),
        ({"bot": None}, "bot"),
        ({"color": 1}, "color"),
        ([], "format"),
    ],
)
def test_a_wrong_value_is_refused_with_its_field(values, field):
    with pytest.raises(FieldError) as refused:
        NightFormat.from_json(values)
    assert refused.value.field == field

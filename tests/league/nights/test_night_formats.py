import pytest

from league.base.domain.settings import settings_of
from league.log.pages.words import FIELDS
from league.nights.api.serializers import FormatSchema
from league.nights.domain.night_formats import KINDS, NightFormat
from league.nights.forms.formats import FormatForm
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


def test_one_row_makes_the_form_the_schema_and_the_log_of_a_setting():
    rows = settings_of(NightFormat)
    form, schema = FormatForm(), FormatSchema()
    assert list(rows) == list(form.fields)[1:] == list(schema.fields)[1:]
    assert rows.keys() <= FIELDS.keys()
    look = form.fields["look"]
    assert (look.label, look.min_value, look.max_value) == (rows["look"].label, 1, 10)
    assert (schema.fields["look"].min_value, schema.fields["look"].max_value) == (1, 10)
    assert {name for name, row in rows.items() if row.may_lack} == {"tables", "cap", "one_table"}

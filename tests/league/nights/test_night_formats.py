import pytest

from league.base.domain.settings import settings_of
from league.base.forms import setting_field
from league.log.pages.words import FIELDS
from league.nights.api.serializers import EventChangeIn, EventIn, FormatSchema
from league.nights.domain.night_formats import KINDS, NightFormat
from league.nights.domain.night_plans import NightPlan
from league.nights.forms.plans import PlanForm
from league.seasons.domain.scoring import FieldError
from tests.factories import make_club


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


@pytest.mark.django_db
def test_one_row_makes_the_form_the_schema_and_the_log_of_a_setting():
    rows, settings = settings_of(NightFormat), settings_of(NightPlan)
    form = PlanForm(plan=NightPlan(), club=make_club(), unit="đ", betting="mien_nam")
    schema = FormatSchema()
    assert [name for name in form.fields if name != "format"] == [
        *(name for name in settings if name != "gives"), *rows
    ]  # fmt: skip
    assert list(rows) == list(schema.fields)[1:]
    assert EventIn().fields.keys() | EventChangeIn().fields.keys() >= settings.keys()
    assert rows.keys() | settings.keys() <= FIELDS.keys()
    look = form.fields["look"]
    assert (look.label, look.min_value, look.max_value) == (rows["look"].label, 1, 10)
    assert (schema.fields["look"].min_value, schema.fields["look"].max_value) == (1, 10)
    defaults = NightFormat().to_json()
    assert all(row.may_lack == (defaults[name] is None) for name, row in rows.items())


def test_a_plan_survives_its_json():
    made = NightPlan(NightFormat("groups", final=8), rounds_planned=5, gives="nothing", stake=5)
    assert NightPlan.from_json(made.to_json()) == made
    with pytest.raises(FieldError) as refused:
        NightPlan.from_json({"sugar": 1})
    assert refused.value.field == "sugar"


def test_whoever_makes_a_plan_may_play_more_games_than_a_form_takes():
    row = settings_of(NightPlan)["games_per_round"]
    assert NightPlan(games_per_round=1000).games_per_round == 1000
    assert setting_field(row).max_value == EventIn().fields["games_per_round"].max_value == 50

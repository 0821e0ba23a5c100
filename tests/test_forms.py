"""The component that every form is shown with."""

import pytest
from django.template.loader import render_to_string

from league.clubs.forms.players import PlayerListForm
from league.nights.forms.events import GuestForm
from league.schedules.forms import BotsForm
from tests.factories import make_club

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("make", [GuestForm, PlayerListForm, lambda: BotsForm(club=make_club())])
def test_a_form_shows_each_of_its_fields_once(make):
    form = make()
    page = render_to_string("components/form.html", {"form": form})
    for name in form.fields:
        assert page.count(f'name="{name}"') == 1, name

"""The component that every form is shown with, and which forms mind what others save."""

import pytest
from django.forms import BaseForm
from django.template.loader import render_to_string
from django.urls import get_resolver

from league.base.forms import SeenForm
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


EXEMPT = {
    "what others build on": "ClubForm MoneyForm NightForm PlanForm PostingForm RepeatForm"
    " SharedForm TournamentForm",
    "a new row": "AdjustmentForm BotForm BotsForm CostForm FeeForm InvitationForm LeagueForm"
    " MemberForm NewClubForm NewNightForm PlayerListForm PrizeForm RecipeForm RemoteBotForm"
    " RosterForm SeasonForm SettlementForm SideForm SprintForm StakeForm TokenForm TonightForm"
    " WebhookForm",
    "an act or a question": "AccountForm ArchiveForm BestOfForm GuestForm KeepForm MergeForm"
    " MinutesForm TableForm",
    "a single field": "ClockForm FaceForm SeenByForm",
    "the act says what it was": "NightSettingsForm PlayerForm",
    "one whole, whose parts are never mixed": "PaymentWayForm",
    "of one person alone": "WishForm",
}


def forms_of_the_league(base: type[BaseForm] = BaseForm) -> set[type[BaseForm]]:
    found = {base} if base.__module__.startswith("league.") else set()
    return found.union(*map(forms_of_the_league, base.__subclasses__()))


def test_a_form_of_a_stored_row_saves_only_what_its_person_changed():
    """Base it on `SeenForm`, show its `seen`, give it the locked row; or say why not here."""
    get_resolver().url_patterns  # noqa: B018 (imports all views)
    blind = {one.__name__ for one in forms_of_the_league() if not issubclass(one, SeenForm)}
    assert sorted(blind) == sorted(" ".join(EXEMPT.values()).split())

"""Games that waited on a phone: when they were tapped, by whom, and what tells of it."""

import datetime
import re
import uuid
import zoneinfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.log.pages import entries as log
from league.models import Result, Round
from league.nights.pages.wall import screen_of
from tests.factories import make_member, make_night, make_table, owner_of, secret_of
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db
HOUR = 3600
ORIGIN = datetime.timedelta(hours=2)


@pytest.fixture
def sitting():
    sitting = make_table(make_night(8))
    began = timezone.now() - ORIGIN
    Round.objects.filter(pk=sitting.round_id).update(released_at=began)
    sitting.round.refresh_from_db()
    return sitting


def sends(client: Client, sitting, number: int = 1, **more: object) -> Result:
    order = ",".join(str(place.entrant_id) for place in sitting.places.order_by("seat"))
    game = {"game_no": number, "order": order, "specials": "", "client_id": uuid.uuid4()}
    there = reverse("league:link_table", args=[secret_of(sitting), 1])
    answer = client.post(there, game | more, headers=SCRIPT)
    assert answer.status_code == 200, answer.content
    return Result.objects.get(client_id=game["client_id"])


def mark_on(client: Client, sitting) -> str:
    """The account as the table's page names it."""
    page = client.get(reverse("league:link_table", args=[secret_of(sitting), 1])).text
    return re.search(r'data-by="(.*?)"', page)[1]


def last(sitting) -> str:
    return log.log_page(sitting.round.event.season.club, log.Asked(), None).lines[0].sentence


@pytest.mark.parametrize(
    ("ago", "waited"),
    [("0", None), ("59", None), (str(HOUR), HOUR), ("99999999", 2 * HOUR)]
    + [(strange, None) for strange in ("", "-5", "1e9", "9" * 20, "ten")],
)
def test_a_game_keeps_how_long_ago_it_was_tapped_in_its_round(client, sitting, ago, waited):
    result = sends(client, sitting, ago=ago)
    if waited is None:
        assert result.tapped_at is None
    else:
        assert (result.at - result.tapped_at).total_seconds() == pytest.approx(waited, abs=30)
        assert result.tapped_at >= sitting.round.released_at


def test_the_pace_and_the_wall_tell_when_games_were_tapped(client, sitting):
    event, tapped_at = sitting.round.event, sends(client, sitting, ago=HOUR).tapped_at
    assert [table.since for table in screen_of(event, 0).items] == [tapped_at, None]


def test_the_log_tells_both_times_in_the_order_of_arrival(client, sitting):
    tapped_at = sends(client, sitting, ago=HOUR).tapped_at
    assert f"{timezone.localtime(tapped_at):%H:%M}" in last(sitting)
    assert "Tapped at" in last(sitting)
    sends(client, sitting, 2)
    assert "entered game 2" in last(sitting)
    assert "Tapped" not in last(sitting)
    club = sitting.round.event.season.club
    at = timezone.localtime(tapped_at, zoneinfo.ZoneInfo(club.time_zone))
    there = reverse("league:link_game", args=[secret_of(sitting), 1, 1])
    assert re.search(rf"tapped [^<]*{at:%H:%M}", client.get(there).text)


def test_a_game_by_a_table_s_link_is_sent_by_whoever_has_it_and_the_log_names_both(sitting):
    scorer, owner = (browser_of(sitting, role) for role in ("scorer", "owner"))
    mark = mark_on(scorer, sitting)
    assert sends(owner, sitting, by=mark).by == owner.user
    said = last(sitting)
    assert said.startswith(f"{owner.user} entered game 1")
    assert said.endswith(f"Tapped by {scorer.user} on that phone.")
    assert sends(Client(), sitting, 2, by=mark).by is None
    assert last(sitting).endswith(f"Tapped by {scorer.user} on that phone.")
    sends(scorer, sitting, 3, by=mark)
    assert "Tapped" not in last(sitting)


def test_no_phone_names_an_account_that_did_not_enter_there(sitting):
    owner = owner_of(sitting.round.event.season.club)
    for number, made_up in enumerate((owner.pk, f"{owner.pk}:x", ":", "x" * 900), 1):
        sends(Client(), sitting, number, by=made_up)
        assert "Tapped" not in last(sitting)


def browser_of(sitting, role: str) -> Client:
    club = sitting.round.event.season.club
    browser = Client()
    browser.user = owner_of(club) if role == "owner" else make_member(club, role)
    browser.user.name = role.title()
    browser.user.save()
    browser.force_login(browser.user)
    return browser

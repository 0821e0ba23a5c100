"""The bin: a night or a season made by mistake goes there and comes back, a used one stays."""

from __future__ import annotations

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from league.exchange.services import archives
from league.models import Event, Season
from league.nights.selectors.bins import binned
from league.nights.services import bins
from league.seasons.services import bins as season_bins
from tables.refusals import Refusal
from tests.factories import make_night, make_round, make_season, owner_of

pytestmark = pytest.mark.django_db


def test_an_empty_night_leaves_every_page_and_undo_brings_it_back(client):
    night = make_night(4)
    club, by = night.season.club, owner_of(night.season.club)
    client.force_login(by)
    at = reverse("league:event", args=[club.slug, night.pk])
    assert "Move to the bin" in client.get(at).content.decode()
    there = client.post(reverse("league:event_bin", args=[club.slug, night.pk]), follow=True)
    assert "is in the bin for 30 days" in there.content.decode()
    assert client.get(at).status_code == 404
    assert night.name not in client.get(reverse("league:club", args=[club.slug])).content.decode()
    bin_ = reverse("league:bin", args=[club.slug])
    assert night.name in client.get(bin_).content.decode()
    bins.bin_event(event=night, by=by)  # once more: nothing
    client.post(bin_, {"kind": "event", "key": night.pk})
    assert client.get(at).status_code == 200
    assert night.entrants.filter(presence="here").count() == 4


def test_a_night_with_a_draw_stays_and_says_why(client):
    night = make_night(4)
    make_round(night)
    by = owner_of(night.season.club)
    with pytest.raises(Refusal) as refused:
        bins.bin_event(event=night, by=by)
    assert refused.value.code == "used"
    assert "1 draw" in refused.value.messages[0]


def test_a_season_goes_only_without_nights_and_its_name_is_free_then():
    night = make_night(0)
    season, by = night.season, owner_of(night.season.club)
    with pytest.raises(Refusal, match="1 night"):
        season_bins.bin_season(season=season, by=by)
    bins.bin_event(event=night, by=by)
    season_bins.bin_season(season=season, by=by)
    with pytest.raises(Refusal) as refused:
        bins.restore_event(event=night, by=by)
    assert refused.value.code == "season"
    again = make_season(season.club)
    Season.objects.filter(pk=again.pk).update(name=season.name)
    with pytest.raises(Refusal, match="Rename"):
        season_bins.restore_season(season=season, by=by)
    assert {row.kind for row in binned(season.club)} == {"event", "season"}


def test_after_thirty_days_the_bin_is_empty_and_an_archive_carries_what_lies_there():
    night = make_night(4)
    club, by = night.season.club, owner_of(night.season.club)
    bins.bin_event(event=night, by=by)
    copy = archives.read_archive(data=archives.write_archive(club=club, by=by), by=by)
    assert [row.name for row in binned(copy)] == [night.name]
    old = timezone.now() - datetime.timedelta(days=31)
    Event.everything.filter(pk=night.pk).update(binned_at=old)
    assert binned(club) == []
    with pytest.raises(Refusal, match="no longer"):
        bins.restore_event(event=night, by=by)

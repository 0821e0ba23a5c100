"""The bin: a night or a season made by mistake goes there and comes back, a used one stays."""

import datetime
import uuid

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links as check_ins
from league.clubs.acts import bins as player_bins
from league.clubs.acts import invitations, members, merges, players
from league.clubs.pages.account_data import everything
from league.exchange.acts import archives
from league.models import (
    Account,
    Audit,
    Club,
    Event,
    Link,
    PaymentWay,
    Player,
    Posting,
    RoleOffer,
    Season,
    Transfer,
)
from league.models.binned import KEPT_IN_BIN
from league.money.acts import payment_ways
from league.nights.acts import attendance, bins, claims
from league.nights.pages.bins import binned
from league.seasons.acts import bins as season_bins
from league.seasons.acts import seasons
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_night,
    make_round,
    make_season,
    make_user,
    owner_of,
    path_of,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_an_empty_night_leaves_every_page_and_undo_brings_it_back(night, client):
    club, by = night.season.club, owner_of(night)
    client.force_login(by)
    at = path_of(night, "event")
    assert "Move to the bin" in client.get(at).content.decode()
    there = client.post(path_of(night, "event_bin"), follow=True)
    assert "is in the bin for 30 days" in there.content.decode()
    assert client.get(at).status_code == 404
    assert night.name not in client.get(path_of(club, "club")).content.decode()
    bin_ = path_of(club, "bin")
    assert night.name in client.get(bin_).content.decode()
    bins.bin_event(event=night, by=by)  # once more: nothing
    client.post(bin_, {"kind": "event", "key": night.pk})
    assert client.get(at).status_code == 200
    assert night.entrants.filter(presence="here").count() == 4


def test_a_night_whose_phone_says_how_its_player_is_paid_stays_until_it_is_freed(night):
    """What the phone left goes with its name tonight, and to nobody's surprise."""
    by, phone = owner_of(night), "a" * 64
    an = night.season.club.players.get(name="An")
    claim = claims.claim(event=night, player_id=an.pk, phone=phone)
    left = {"bank": "", "number": "", "holder": "", "words": "MoMo"}
    payment_ways.leave_on_phone(claim=claim, **left)
    with pytest.raises(Refusal, match="1 phone"):
        bins.bin_event(event=night, by=by)
    Event.objects.filter(pk=night.pk).update(binned_at=timezone.now() - 2 * KEPT_IN_BIN)
    assert bins.empty_bin(timezone.now()) == 0
    assert PaymentWay.objects.get().words == "MoMo"
    Event.everything.filter(pk=night.pk).update(binned_at=None)
    claims.forget(event=night, player_id=an.pk, by=by)
    assert bins.bin_event(event=night, by=by).binned_at is not None


def test_a_night_with_a_draw_stays_and_says_why(night, client):
    make_round(night)
    by = owner_of(night)
    with pytest.raises(Refusal) as refused:
        bins.bin_event(event=night, by=by)
    assert refused.value.code == "used"
    assert "1 draw" in refused.value.messages[0]


def test_a_season_goes_only_without_nights_and_its_name_is_free_then():
    night = make_night(0)
    season, by = night.season, owner_of(night)
    with pytest.raises(Refusal, match="1 night"):
        season_bins.bin_season(season=season, by=by)
    bins.bin_event(event=night, by=by)
    season_bins.bin_season(season=season, by=by)
    with refuses("season"):
        bins.restore_event(event=night, by=by)
    again = make_season(season.club)
    Season.objects.filter(pk=again.pk).update(name=season.name)
    with pytest.raises(Refusal, match="Rename"):
        season_bins.restore_season(season=season, by=by)
    assert {row.kind for row in binned(season.club)} == {"event", "season"}


def test_an_open_night_does_not_come_back_into_a_season_closed_without_it(night):
    season, by = night.season, owner_of(night)
    bins.bin_event(event=night, by=by)
    seasons.set_status(season=season, status="closed", by=by)
    with refuses("season"):
        bins.restore_event(event=night, by=by)
    seasons.set_status(season=season, status="open", by=by)
    assert bins.restore_event(event=night, by=by).is_open


def test_after_thirty_days_the_bin_is_empty_and_an_archive_carries_what_lies_there(night):
    club, by = night.season.club, owner_of(night)
    bins.bin_event(event=night, by=by)
    copy = archives.read_archive(data=archives.write_archive(club=club, by=by), by=by)
    assert [row.name for row in binned(copy)] == [night.name]
    old = timezone.now() - datetime.timedelta(days=31)
    Event.everything.filter(pk=night.pk).update(binned_at=old)
    assert binned(club) == []
    with pytest.raises(Refusal, match="no longer"):
        bins.restore_event(event=night, by=by)


def test_after_thirty_days_unused_things_are_deleted_and_the_log_still_tells_of_them(client):
    night = make_night(2)
    season, by = night.season, owner_of(night)
    club = season.club
    check_ins.renew_for_night(event=night, by=by)
    empty = make_season(club)
    wrong = players.add_player(club=club, name="Hoaa", by=by)
    used = players.add_player(club=club, name="Used", by=by)
    bins.bin_event(event=night, by=by)
    for one in (season, empty):
        season_bins.bin_season(season=one, by=by)
    for player in (wrong, used):
        player_bins.bin_player(player=player, by=by)
    Player.everything.filter(pk=used.pk).update(user=by)
    drawn = make_round(make_night(4, season=make_season(club))).event
    paid, payee = (players.add_player(club=club, name=name, by=by) for name in ("Pays", "Is paid"))
    posting = Posting.objects.create(
        season=drawn.season, kind=Posting.Kind.SETTLEMENT, client_id=uuid.uuid4()
    )
    accounts = [Account.objects.get(player=player) for player in (paid, payee)]
    Transfer.objects.create(
        payer=accounts[0], payee=accounts[1], amount=1, reason="settlement", posting=posting
    )
    for row in (drawn, paid, payee):  # The bin refuses them; something else may come to hang there.
        type(row).everything.filter(pk=row.pk).update(binned_at=timezone.now())
    kept = {
        Event: [night.pk, drawn.pk],
        Season: [season.pk, empty.pk],
        Player: [used.pk, wrong.pk, paid.pk, payee.pk],
    }

    def there():
        found = {model: model.everything.filter(pk__in=keys) for model, keys in kept.items()}
        return {model: sorted(rows.values_list("pk", flat=True)) for model, rows in found.items()}

    now = timezone.now()
    assert bins.empty_bin(now + KEPT_IN_BIN - datetime.timedelta(minutes=1)) == 0
    assert there() == {model: sorted(keys) for model, keys in kept.items()}
    assert bins.empty_bin(now + KEPT_IN_BIN + datetime.timedelta(minutes=1)) == 4
    assert there() == {Event: [drawn.pk], Season: [], Player: [used.pk, paid.pk, payee.pk]}
    assert Audit.objects.filter(event=night.pk, action="event.binned").exists()
    client.force_login(by)
    log = client.get(path_of(club, "audit"), {"page": 2})
    assert f"moved the night {night.name} to the bin" in log.content.decode()
    names = [entry["event__name"] for entry in everything(by)["done"]["log"]]
    assert set(names) == {None, drawn.name}


def test_a_player_typed_by_mistake_leaves_the_door_and_the_bin_brings_them_back(night, client):
    club, by = night.season.club, owner_of(night)
    client.force_login(by)
    wrong = players.add_player(club=club, name="Hoaa", by=by)
    attendance.set_presence(event=night, player_ids=[wrong.pk], presence="here", by=by)
    door = path_of(night, "check_in")
    assert "Hoaa" in client.get(door).content.decode()
    there = client.post(path_of(club, "player_bin", wrong.pk), follow=True)
    assert "is in the bin for 30 days" in " ".join(str(m) for m in there.context["messages"])
    for address in (door, path_of(club, "players")):
        assert "Hoaa</" not in client.get(address).content.decode()
    assert client.get(path_of(club, "player", wrong.pk)).status_code == 404
    again = players.add_player(club=club, name="Hoaa", by=by)
    bin_ = path_of(club, "bin")
    restore = {"kind": "player", "key": wrong.pk}
    assert "Rename that one first" in client.post(bin_, restore, follow=True).content.decode()
    player_bins.bin_player(player=again, by=by)
    api = f"/api/v1/clubs/{club.slug}/bin/"
    assert {(row["kind"], row["key"]) for row in client.get(api).json()["results"]} == {
        ("player", wrong.pk), ("player", again.pk)
    }  # fmt: skip
    stranger = {"kind": "player", "key": owner_of(club).pk + 10**6}
    assert client.post(api, stranger, content_type="application/json").status_code == 404
    assert client.post(api, restore, content_type="application/json").status_code == 204
    assert club.players.get(name="Hoaa").pk == wrong.pk


def test_a_player_with_a_seat_or_an_account_stays_and_the_reason_is_told(night):
    make_round(night)
    by = owner_of(night)
    seated = night.entrants.first().player
    with pytest.raises(Refusal, match="1 night"):
        player_bins.bin_player(player=seated, by=by)
    linked = players.add_player(club=night.season.club, name="Linked", by=by)
    players.take_player(player=linked, user=by)
    with pytest.raises(Refusal, match="1 account"):
        player_bins.bin_player(player=linked, by=by)


def test_who_was_asked_to_play_as_a_player_in_the_bin_reads_that_it_is_over(night):
    club, by, user = night.season.club, owner_of(night), make_user()
    wrong, asked = (players.add_player(club=club, name=name, by=by) for name in ("Hoaa", "Lann"))
    link = invitations.invite_player(player=wrong, by=by)
    members.offer_player(player=asked, email=user.email, by=by)
    held = members.offer_role(club=club, email=user.email, role="organiser", by=by)
    for player in (wrong, asked):
        player_bins.bin_player(player=player, by=by)
    page = browser_of(user).post(reverse("league:link_join", args=[link.secret]))
    assert page.status_code == 404
    assert "Lann" not in browser_of(user).get(reverse("me")).content.decode()
    with refuses("over"):
        players.take_player(player=asked, user=user)
    assert RoleOffer.objects.get(pk=held.pk).player is None
    assert members.accept_offer(offer=held, user=user).role == "organiser"


def test_a_test_club_goes_is_seen_by_nobody_comes_back_and_ends_for_good(night, client):
    club, by = night.season.club, owner_of(night)
    link = check_ins.renew_for_night(event=night, by=by)
    merged = players.add_player(club=club, name="Ann", by=by)
    merges.merge(alias=merged, into=night.entrants.first().player, by=by)
    client.force_login(by)
    close = path_of(club, "close")
    assert "A test club goes in the bin" in client.get(close).content.decode()
    there = client.post(path_of(club, "club_bin"), follow=True)
    assert "is in the bin for 30 days" in " ".join(str(m) for m in there.context["messages"])
    admin = browser_of(make_user(is_superuser=True))
    for address in (close, path_of(night, "event")):
        assert {one.get(address).status_code for one in (client, admin, Client())} == {404}
    lists = (reverse("league:club_list"), reverse("search") + "?q=ban", "/api/v1/clubs/")
    assert not any(club.slug in client.get(address).content.decode() for address in lists)
    assert Link.objects.alive().filter(pk=link.pk).exists() is False
    assert make_club(name=club.name, owner=by).slug != club.slug
    me = client.get(reverse("account")).content.decode()
    assert f'name="club" value="{club.slug}"' in me
    stranger = browser_of(make_user())
    api = "/api/v1/bin/"
    body = {"slug": club.slug}
    assert stranger.get(api).json()["results"] == []
    assert stranger.post(api, body, content_type="application/json").status_code == 404
    assert [row["slug"] for row in client.get(api).json()["results"]] == [club.slug]
    assert client.post(api, body, content_type="application/json").json()["slug"] == club.slug
    assert client.get(close).status_code == 200
    assert Link.objects.alive().filter(pk=link.pk).exists()

    assert client.delete(f"/api/v1/clubs/{club.slug}/").status_code == 204
    now = timezone.now()
    assert bins.empty_bin(now + KEPT_IN_BIN - datetime.timedelta(minutes=1)) == 0
    Club.everything.filter(pk=club.pk).update(binned_at=now - datetime.timedelta(days=31))
    client.post(reverse("my_bin"), {"club": club.slug})
    assert Club.objects.filter(pk=club.pk).exists() is False
    assert bins.empty_bin(now) == 1
    assert not Club.everything.filter(pk=club.pk).exists()
    assert not Player.everything.filter(club=club.pk).exists()
    assert not Audit.objects.filter(club=club.pk).exists()


def test_a_club_with_games_or_members_closes_instead_and_its_log_cannot_be_deleted(night, client):
    make_round(night)
    club, by = night.season.club, owner_of(night)
    make_member(club, "scorer")
    client.force_login(by)
    told = "1 night with a draw, 1 other member. Close it instead."
    assert told in client.get(path_of(club, "close")).content.decode()
    refused = client.delete(f"/api/v1/clubs/{club.slug}/")
    assert refused.status_code == 409
    assert told in refused.content.decode()
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now())
    Club.objects.filter(pk=club.pk).update(binned_at=timezone.now() - datetime.timedelta(days=31))
    assert bins.empty_bin(timezone.now()) == 0  # Asked again before the end.
    Club.everything.filter(pk=club.pk).update(binned_at=timezone.now())
    with pytest.raises(IntegrityError, match="only grows"), transaction.atomic():
        Audit.objects.filter(club=club).delete()
    with pytest.raises(IntegrityError, match="club_in_the_bin_is_closed"), transaction.atomic():
        Club.everything.filter(pk=club.pk).update(closed_at=None)

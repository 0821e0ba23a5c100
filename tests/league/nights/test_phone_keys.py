"""A phone without an account: known by a key of its own in each club, until it is forgotten."""

import datetime
import hashlib

import pytest
from django.test import Client
from django.urls import reverse

from league import tasks
from league.base.acts import locks
from league.base.views.phones import COOKIE
from league.clubs.acts import members, players
from league.clubs.signals import words_forgotten
from league.models import (
    Audit,
    Channel,
    Claim,
    Club,
    Event,
    FormerWay,
    PaymentWay,
    Player,
    Result,
    SignUpAnswer,
)
from league.nights.acts import claims
from league.nights.facts import claims as facts
from league.turnout.acts import sign_ups
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    game_form,
    make_club,
    make_night,
    make_season,
    make_table,
    owner_of,
    path_of,
)
from tests.league.nights.test_my_night import at_table, found, is_own, known, my_page, player_at
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def sittings():
    """A table of four in each of two private clubs."""
    return [
        make_table(make_night(4, season=make_season(make_club(is_public=False)), stake=5))
        for _club in range(2)
    ]


def in_both(sittings):
    """One phone with a name in each club."""
    phone = found(sittings[0])
    phone.post(at_table(sittings[1], "link_me"), {"player": player_at(sittings[1]).pk})
    return phone


def plain_hash(phone):
    """What acts know the phone by, and what an older release stored."""
    return hashlib.sha256(phone.cookies[COOKIE].value.split(":")[0].encode()).hexdigest()


def older(phone):
    """Store the phone's claims as an older release did: by one hash for all clubs."""
    Claim.objects.update(phone_hash=plain_hash(phone))
    return plain_hash(phone)


def enter(phone, sitting):
    return phone.post(at_table(sitting), game_form(sitting))


def test_a_reader_of_the_database_joins_nobodys_clubs(sittings):
    phone = in_both(sittings)
    first, second = Claim.objects.order_by("pk").values_list("phone_hash", flat=True)
    assert first[:16] != second[:16]
    assert all(is_own(phone, sitting) for sitting in sittings)


def test_phones_of_an_older_release_go_on_and_are_keyed_by_the_sweep(sittings):
    phone = in_both(sittings)
    plain = older(phone)
    assert all(is_own(phone, sitting) for sitting in sittings)
    tasks.sweep_held_clubs()
    assert not Claim.objects.filter(phone_hash=plain).exists()
    assert all(is_own(phone, sitting) for sitting in sittings)


def test_games_of_an_older_release_name_their_phone_by_a_key_of_the_club_too(sittings):
    phone = in_both(sittings)
    for sitting in sittings:
        enter(phone, sitting)
    keyed = list(Result.objects.order_by("pk").values_list("device", flat=True))
    assert len({*keyed}) == 2
    Result.objects.update(device=plain_hash(phone)[:16])
    tasks.sweep_held_clubs()
    assert list(Result.objects.order_by("pk").values_list("device", flat=True)) == keyed
    tasks.sweep_held_clubs()
    assert list(Result.objects.order_by("pk").values_list("device", flat=True)) == keyed


def test_a_phone_outlives_a_new_secret_of_the_server_while_the_old_one_is_known(sittings, settings):
    event = sittings[0].round.event
    claims.claim(event=event, player_id=player_at(sittings[0]).pk, phone="a" * 64)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-of-this-server-that-is-long-enough"
    assert facts.held(event, "a" * 64)
    settings.SECRET_KEY_FALLBACKS = []
    assert not facts.held(event, "a" * 64)


def test_its_owner_forgets_a_phone_in_all_clubs(sittings):
    phone, copied = in_both(sittings), Client()
    copied.cookies[COOKIE] = phone.cookies[COOKIE].value
    event = sittings[0].round.event
    phone.post(reverse("league:my_phone_bank", args=[event.pk]), {"words": "cash, please"})
    plain = older(phone)
    Channel.objects.create(phone=plain, kind="push", address="https://push.example/1", lane="p")
    assert "Forget this phone everywhere" in known(phone, my_page(sittings[0]))
    assert phone.post(reverse("league:forget_phone"))["Location"] == "/"
    assert not phone.cookies[COOKIE].value
    assert not any(is_own(one, sitting) for one in (phone, copied) for sitting in sittings)
    assert not Claim.objects.filter(ended_at=None).exists()
    assert not Channel.objects.exists()
    assert not PaymentWay.objects.exists()
    assert not FormerWay.objects.exists()


def test_a_forgotten_phone_no_longer_owns_its_answers(sittings):
    night = make_night(season=sittings[0].round.event.season)
    list_ = sign_ups.open_list(event=night, by=owner_of(night), places=None)
    player = player_at(sittings[0])
    sign_ups.answer(sign_up=list_, player=player, reply="yes", device="a" * 64)
    with pytest.raises(Refusal):
        sign_ups.answer(sign_up=list_, player=player, reply="no", device="b" * 64)
    claims.forget_everywhere(phone="a" * 64)
    assert SignUpAnswer.objects.get(player=player).device == ""
    assert sign_ups.answer(sign_up=list_, player=player, reply="no", device="b" * 64).reply == "no"


def test_a_phone_is_forgotten_night_by_night_in_the_order_of_all_locks(sittings, monkeypatch):
    early, late = (sitting.round.event for sitting in sittings)
    Event.objects.filter(pk=late.pk).update(date=early.date + datetime.timedelta(days=7))
    for sitting in sittings:
        claims.claim(event=sitting.round.event, player_id=player_at(sitting).pk, phone="a" * 64)
    locked: list[int] = []
    take = locks.event_to_change

    def noted(key, **how):
        locked.append(key)
        return take(key, **how)

    monkeypatch.setattr(locks, "event_to_change", noted)
    claims.forget_everywhere(phone="a" * 64)
    assert locked == sorted([early.pk, late.pk])
    assert not Claim.objects.filter(ended_at=None).exists()


def test_an_organiser_forgets_the_phone_of_a_name_in_all_nights_of_the_club(sittings):
    phone = in_both(sittings)
    event, player = sittings[0].round.event, player_at(sittings[0])
    later = make_night(season=event.season)
    later_page = Claim.objects.create(
        event=later, player=player, phone_hash=Claim.objects.get(event=event).phone_hash
    )
    browser_of(owner_of(event)).post(path_of(event, "free_phone"), {"player": player.pk})
    later_page.refresh_from_db()
    assert later_page.ended_at is not None
    assert (is_own(phone, sittings[0]), is_own(phone, sittings[1])) == (False, True)


def test_a_phone_that_holds_a_club_is_not_forgotten():
    phone = Client()
    asked = {"text": "An, Bình, Chi, Dũng", "ruleset": "mien-nam", "games": "4", "stake": "10k"}
    phone.post("/clubs/~tonight/", asked | {"seed": "7", "do": "start"})
    club = Club.objects.latest("pk")
    answer = phone.post(reverse("league:forget_phone"), follow=True)
    assert f"Only this phone opens {club.name}." in answer.content.decode()
    assert phone.get(path_of(club, "club")).status_code == 200


def test_what_a_phone_enters_does_not_join_its_clubs_either(sittings):
    phone = in_both(sittings)
    for sitting in sittings:
        enter(phone, sitting)
    first, second = Result.objects.order_by("pk").values_list("device", flat=True)
    assert first
    assert first != second


@pytest.mark.parametrize("has_another", [False, True])
def test_a_name_that_is_removed_takes_its_phone_table_and_face_with_it(sittings, has_another):
    """A phone with a name in another club keeps that one, and its news."""
    phone = in_both(sittings)
    if not has_another:
        claims.end(event=sittings[1].round.event, player_id=player_at(sittings[1]).pk, by=None)
    plain = plain_hash(phone)
    Channel.objects.create(phone=plain, kind="push", address="https://push.example/1", lane="p")
    player = player_at(sittings[0])
    Player.objects.filter(pk=player.pk).update(fixed_table=1, animal="tiger", ground=3)
    players.anonymise_player(player=player, by=owner_of(player))
    player.refresh_from_db()
    assert (player.fixed_table, player.animal, player.ground) == (None, "", None)
    assert [is_own(phone, one) for one in sittings] == [False, has_another]
    assert Channel.objects.exists() == has_another


def test_a_withdrawn_offer_leaves_no_address_in_the_log(sittings):
    club = sittings[0].round.event.season.club
    by, heard = owner_of(club), []

    def hear(club, **kwargs):
        heard.append(club)

    words_forgotten.connect(hear)
    members.offer_role(club=club, email="mai@club.example", role="scorer", by=by)
    members.withdraw_offer(club=club, offer_id=club.role_offers.get().pk, by=by)
    assert heard == []  # Standings and files that wait are not of an offer.
    told = str(list(Audit.objects.filter(club=club).values_list("data", flat=True)))
    assert "mai@club.example" not in told
    assert Audit.objects.filter(club=club, action="member.offer_withdrawn").exists()

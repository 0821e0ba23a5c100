"""Owners among each other: who came later ends the role of who was there before after a week."""

import datetime

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from accounts.models import SecurityEvent, SecurityMail
from league.clubs.acts import members
from league.models import Membership, NewsItem
from league.news.facts.words import address_of, message_of
from tests.factories import browser_of, confirmed, make_club, make_user, owner_of, path_of
from tests.league.clubs.test_invitations import role_of
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]


@made_once
def club():
    """A club of a founder and an owner whom the founder made one."""
    club = make_club()
    club.founder, club.second = owner_of(club), make_user("second@club.example")
    for user in (club.founder, club.second):
        EmailAddress.objects.update_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )
    offer = members.offer_role(club=club, email=club.second.email, role="owner", by=club.founder)
    members.accept_offer(offer=offer, user=club.second)
    return club


def remove(club, user, by, **fields):
    keys = [club.slug, club.memberships.get(user=user).pk]
    return browser_of(by).post(reverse("league:member_remove", args=keys), fields, follow=True)


def a_week_later():
    members.end_due(timezone.now() + datetime.timedelta(days=7, minutes=1))


def test_a_second_owner_does_not_throw_the_founder_out_at_once(club):
    page = remove(club, club.founder, club.second)
    assert "Their role ends in a week, unless they stop it." in page.content.decode()
    assert role_of(club, club.founder) == "owner"
    event = SecurityEvent.objects.get(user=club.founder, kind="owner_ending")
    assert event.by == club.second
    assert SecurityMail.objects.filter(event=event, to=club.founder.email).exists()
    members.end_due(timezone.now() + datetime.timedelta(days=6))
    assert role_of(club, club.founder) == "owner"
    a_week_later()
    assert role_of(club, club.founder) is None


def test_nobody_is_offered_to_remove_the_only_owner(club):
    own = club.memberships.get(user=club.founder).pk
    page, own = f"{path_of(club, 'members')}?member={own}", path_of(club, "member_remove", own)
    assert own in browser_of(club.founder).get(page).content.decode()
    club.memberships.filter(user=club.second).delete()
    alone = browser_of(club.founder).get(page).content.decode()
    assert own not in alone
    assert "You\n" in alone


def test_asking_again_does_not_write_again_nor_end_it_sooner(club):
    remove(club, club.founder, club.second)
    first = Membership.objects.get(user=club.founder, club=club).ends_at
    remove(club, club.founder, club.second)
    assert Membership.objects.get(user=club.founder, club=club).ends_at == first
    assert SecurityEvent.objects.filter(kind="owner_ending").count() == 1


def test_stop_it_leaves_the_decision_to_the_administrator(club):
    remove(club, club.founder, club.second)
    assert "Stop it" in browser_of(club.founder).get(path_of(club, "members")).content.decode()
    remove(club, club.founder, club.second, stop="")
    assert Membership.objects.get(user=club.founder, club=club).ends_at is not None
    administrator = confirmed(make_user(is_superuser=True))
    remove(club, club.founder, club.founder, stop="")
    news = NewsItem.objects.get(user=administrator)
    assert address_of(news).endswith(path_of(club, "members"))
    told = message_of(news)
    assert told is not None
    assert str(club) in told.subject
    assert "Bạn quyết định" in told.lines[0]
    a_week_later()
    assert role_of(club, club.founder) == "owner"
    page = remove(club, club.founder, club.second).content.decode()
    assert "Ask the administrator of the server." in page
    assert members.remove_member(member=club.memberships.get(user=club.founder), by=administrator)
    assert role_of(club, club.founder) is None


def test_lowering_an_owner_of_longer_standing_waits_as_well(club):
    data = {"email": club.founder.email, "role": "player"}
    browser_of(club.second).post(path_of(club, "members"), data)
    assert role_of(club, club.founder) == "owner"
    a_week_later()
    assert role_of(club, club.founder) == "player"


def test_a_founder_removes_a_later_owner_at_once_and_the_last_owner_stays(club):
    remove(club, club.founder, club.second)
    remove(club, club.second, club.founder)
    assert role_of(club, club.second) is None
    a_week_later()
    assert role_of(club, club.founder) == "owner"

"""Invitation links: which role they give, to whom, how long."""

import datetime
import re
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.clubs.acts import invitations, merges, players
from league.models import Link, Membership
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_player,
    make_user,
    owner_of,
    path_of,
    stored,
)
from tests.races import race

pytestmark = pytest.mark.django_db


def invite(club, role="scorer", **details):
    return invitations.invite(club=club, role=role, by=owner_of(club), **details)


def accept(link, user):
    return invitations.accept(secret=link.secret, user=user)


def role_of(club, user):
    return club.memberships.filter(user=user).values_list("role", flat=True).first()


@pytest.mark.parametrize("role", ["player", "scorer", "organiser"])
def test_who_accepts_gets_the_role(role):
    club, user = make_club(), make_user()
    assert accept(invite(club, role), user).role == role


@pytest.mark.parametrize(
    ("held", "role", "then"),
    [("player", "scorer", "scorer"), ("organiser", "scorer", "organiser"), ("scorer",) * 3],
)
def test_a_link_raises_a_role_and_never_lowers_it(club, held, role, then):
    user = make_member(club, held)
    link = invite(club, role, once=True)
    accept(link, user)
    assert (role_of(club, user), stored(link).uses) == (then, int(held != then))


def test_nobody_becomes_owner_by_a_link():
    with pytest.raises(ValidationError):
        invite(make_club(), "owner")
    made = {"purpose": "invitation", "role": "owner", "expires_at": timezone.now()}
    link = links.new(club=make_club(), **made)
    with pytest.raises(IntegrityError, match="link_has_what"), transaction.atomic():
        link.save()


def over(link):
    with pytest.raises(ValidationError) as refused:
        accept(link, make_user())
    return refused.value.code == "over"


def test_a_link_for_one_works_once_and_one_for_many_does_not_end(club):
    once, many = invite(club, once=True), invite(club)
    for link in (once, many, many):
        accept(link, make_user())
    assert over(once)
    assert club.memberships.count() == 4


def test_it_ends_when_revoked_and_when_its_days_are_over(club):
    revoked, old = invite(club), invite(club, days=1)
    invitations.revoke(club=club, link_id=revoked.pk, by=owner_of(club))
    Link.objects.filter(pk=old.pk).update(expires_at=timezone.now() - datetime.timedelta(seconds=1))
    assert (over(revoked), over(old)) == (True, True)


def test_another_club_cannot_revoke_it():
    link, other = invite(make_club()), make_club()
    invitations.revoke(club=other, link_id=link.pk, by=owner_of(other))
    assert accept(link, make_user()).role == "scorer"


def test_a_stranger_signs_in_first_and_comes_back():
    link = invite(make_club(is_public=False))
    path = reverse("league:link_join", args=[link.secret])
    client = Client()
    assert client.get(path).status_code == 200
    assert client.post(path)["Location"] == f"/accounts/login/?next={path}"
    user = make_user()
    client.force_login(user)
    assert client.post(path)["Location"] == f"/clubs/{link.club.slug}/"
    assert role_of(link.club, user) == "scorer"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_for_one_at_once_one_gets_in():
    club = make_club()
    link = invite(club, once=True)
    tries = [partial(accept, link, make_user()) for _ in range(2)]
    [refused] = [
        came for came in race(*tries, refused=(ValidationError,)) if isinstance(came, Exception)
    ]
    assert refused.code == "over"
    assert Membership.objects.filter(club=club, role="scorer").count() == 1


def personal(player):
    return invitations.invite_player(player=player, by=owner_of(player))


def test_a_personal_link_makes_the_account_that_player_once():
    club, user = make_club(), make_user()
    lan = make_player(club)
    link = personal(lan)
    assert accept(link, user).role == "player"
    lan.refresh_from_db()
    assert lan.user == user
    assert over(link)
    with pytest.raises(ValidationError):
        personal(lan)


def test_a_personal_link_keeps_a_higher_role_and_is_used_up(club):
    lan, link = make_player(club), None
    link = personal(lan)
    assert accept(link, owner_of(club)).role == "owner"
    assert stored(lan).user == owner_of(club)
    assert over(link)


def test_a_new_personal_link_ends_the_one_before():
    lan = make_player(make_club())
    first = personal(lan)
    second = personal(lan)
    assert over(first)
    assert invitations.find(second.secret) == second


def test_a_personal_link_ends_with_the_name(club):
    mai = make_player(club, "Mai")
    link = personal(mai)
    players.anonymise_player(player=mai, by=owner_of(club))
    assert over(link)


def test_a_new_personal_link_ends_those_of_names_that_were_merged(club):
    lan, twin = make_player(club), make_player(club, "Lan B")
    first = personal(twin)
    merges.merge(alias=twin, into=lan, by=owner_of(club))
    personal(lan)
    assert over(first)


def test_who_joins_once_more_as_the_answer_was_lost_is_welcome(club):
    lan, user = make_player(club), make_user()
    for link, at in (
        (personal(lan), path_of(club, "player", lan.pk)),
        (invite(club, "scorer", once=True), path_of(club, "club")),
    ):
        path = reverse("league:link_join", args=[link.secret])
        for _tap in range(2):
            assert browser_of(user).post(path).headers.get("Location") == at
        assert browser_of(make_user()).post(path).status_code == 404


def test_a_personal_link_names_the_player_of_a_merge(club):
    lan, twin = make_player(club, "Nguyễn Lan"), make_player(club, "Lan B")
    link = personal(twin)
    merges.merge(alias=twin, into=lan, by=owner_of(club))
    browser, path = browser_of(make_user()), reverse("league:link_join", args=[link.secret])
    assert "Nguyễn Lan" in browser.get(path).content.decode()
    answer = browser.post(path, follow=True)
    assert answer.redirect_chain[0][0] == path_of(club, "player", lan.pk)
    assert "you play as Nguyễn Lan." in answer.content.decode()


def test_only_people_without_an_account_get_one(club):
    bot = players.add_player(club=club, name="greedy", by=None, bot="greedy")
    with pytest.raises(ValidationError):
        personal(bot)


def test_who_plays_as_somebody_else_already_is_told_so():
    club, user = make_club(), make_user()
    accept(personal(make_player(club, "Mai")), user)
    link = personal(make_player(club))
    answer = browser_of(user).post(reverse("league:link_join", args=[link.secret]))
    assert answer.status_code == 409
    assert "You already play here as Mai." in answer.content.decode()
    assert invitations.find(link.secret) == link


def test_the_way_from_the_players_page_to_the_own_name():
    club, user = make_club(), make_user()
    lan = make_player(club)
    organiser, guest = Client(), Client()
    organiser.force_login(make_member(club, "organiser"))
    edit = path_of(club, "player_edit", lan.pk)
    page = organiser.post(edit, {"act": "invite"}, follow=True).content.decode()
    path = re.search(r"http://testserver(/clubs/~join/[^\"]+)", page)[1]
    assert "You will play as <b>Lan</b>" in guest.get(path).content.decode()
    guest.force_login(user)
    answer = guest.post(path, follow=True)
    assert answer.redirect_chain[-1][0] == path_of(club, "player", lan.pk)
    assert "you play as Lan." in answer.content.decode()

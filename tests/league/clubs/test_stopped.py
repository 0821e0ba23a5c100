"""What the server's administrator stops: a club, an account, and what an erased account owns."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import SecurityEvent, User
from league.clubs.acts import account_data, bins, clubs
from league.models import Club
from tests.factories import (
    browser_of,
    confirmed,
    give_role,
    make_club,
    make_user,
    owner_of,
    path_of,
    sign_in,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def club():
    club = make_club()
    club.administrator = make_user("root@server.example", is_superuser=True, name="Root")
    club.administrator.set_password("s3cret-word")
    club.administrator.save()
    club.owner = confirmed(owner_of(club))
    return club


def close_page(club):
    return path_of(club, "close")


def test_what_the_administrator_closed_its_owner_does_not_reopen(club):
    root, owner = browser_of(club.administrator), browser_of(club.owner)
    root.post(close_page(club), {"because": "spam on the front page"})
    club.refresh_from_db()
    assert club.closed_at
    page = owner.get(close_page(club)).content.decode()
    assert "spam on the front page" in page
    assert "Reopen the club" not in page
    owner.post(close_page(club))
    club.refresh_from_db()
    assert club.closed_at
    told = SecurityEvent.objects.filter(user=club.owner, kind="club_stopped", club=club.name)
    assert told.exists()
    assert Client().get(path_of(club, "club")).status_code == 404
    root.post(close_page(club))
    club.refresh_from_db()
    assert (club.closed_at, club.stopped_because) == (None, "")


def test_a_club_that_its_owner_closed_is_stopped_too_and_the_bin_is_no_way_round(club):
    clubs.close_club(club=club, by=club.owner)
    clubs.stop_club(club=club, by=club.administrator, because="fraud")
    bins.bin_club(club=club, by=club.owner)
    restored = bins.restore_club(club=Club.everything.get(pk=club.pk), by=club.owner)
    assert restored.closed_at
    with pytest.raises(ValidationError, match="fraud"):
        clubs.reopen_club(club=restored, by=club.owner)


def test_nobody_else_stops_a_club_and_nobody_without_a_reason(club):
    with pytest.raises(PermissionDenied):
        clubs.stop_club(club=club, by=club.owner, because="mine")
    with pytest.raises(ValidationError, match="Say why"):
        clubs.stop_club(club=club, by=club.administrator, because="  ")
    assert browser_of(club.owner).post(close_page(club), {"because": "x"}).status_code == 403
    assert "administrator" not in browser_of(club.owner).get(close_page(club)).content.decode()
    with pytest.raises(IntegrityError), transaction.atomic():
        Club.objects.filter(pk=club.pk).update(stopped_because="open")


def lock(club, user):
    return sign_in(club.administrator).post(reverse("lock_person", args=[user.pk]))


def test_a_locked_account_cannot_sign_in_and_its_own_clubs_are_private(club):
    shared = make_club()
    give_role(shared, club.owner, "owner")
    club.owner.set_password("s3cret-word")
    club.owner.save()
    before = sign_in(club.owner)
    assert before.get(reverse("me")).status_code == 200
    assert lock(club, club.owner).status_code == 302
    club.refresh_from_db()
    shared.refresh_from_db()
    assert (club.is_public, shared.is_public) == (False, True)
    assert before.get(reverse("me")).status_code == 302
    assert sign_in(User.objects.get(pk=club.owner.pk)).get(reverse("me")).status_code == 302
    assert SecurityEvent.objects.filter(user=club.owner, kind="locked").exists()
    people = sign_in(club.administrator).get(reverse("accounts:people")).content.decode()
    assert "locked" in people
    lock(club, club.owner)  # The same button unlocks.
    assert sign_in(User.objects.get(pk=club.owner.pk)).get(reverse("me")).status_code == 200


def test_an_account_that_two_administrators_lock_stays_locked(club):
    for root in (club.administrator, make_user(is_superuser=True)):
        root.set_password("s3cret-word")
        root.save()
        sign_in(root).post(reverse("lock_person", args=[club.owner.pk]), {"locked": "1"})
    assert User.objects.get(pk=club.owner.pk).locked_at


def test_no_administrator_is_locked_and_nobody_else_locks(club):
    other = make_user(is_superuser=True)
    lock(club, other)
    assert User.objects.get(pk=other.pk).is_active
    with pytest.raises(PermissionDenied):
        account_data.lock_account(user=other, by=club.owner)
    account_data.erase_person(user=club.owner, by=club.administrator)
    with pytest.raises(User.DoesNotExist):
        User.objects.known().get(pk=club.owner.pk)


def test_what_an_erased_account_leaves_alone_is_closed_by_the_administrator(club):
    with pytest.raises(ValidationError, match="only owner"):
        account_data.erase_person(user=club.owner)
    account_data.erase_person(user=club.owner, by=club.administrator)
    club.refresh_from_db()
    assert club.closed_at
    assert not User.objects.get(pk=club.owner.pk).is_active


def test_a_server_of_one_club_goes_on_as_any_club():
    """Its owner is the administrator: nothing asks for a reason, and nothing is locked."""
    owner = make_user(is_superuser=True)
    club = make_club(owner=owner)
    browser = browser_of(owner)
    browser.post(close_page(club))
    club.refresh_from_db()
    assert (bool(club.closed_at), club.stopped_because) == (True, "")
    browser.post(close_page(club))
    club.refresh_from_db()
    assert club.closed_at is None
    assert Club.objects.on_front().get() == club

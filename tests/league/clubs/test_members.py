"""Roles: offered and accepted, taken away, left; a club that its last owner closes."""

import datetime
import re
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from league.clubs.acts import account_data, clubs, invitations, members, players
from league.models import Audit, Club, Link, RoleOffer
from league.schedules.acts import schedules
from tests.factories import (
    browser_of,
    give_role,
    make_club,
    make_member,
    make_night,
    make_schedule,
    make_season,
    make_table,
    make_user,
    owner_of,
    path_of,
    secret_of,
    stored,
)

pytestmark = pytest.mark.django_db


def offer(club: Club, email: str, role: str) -> RoleOffer:
    made = members.offer_role(club=club, email=email, role=role, by=owner_of(club))
    assert made is not None
    return made


def roles(user: User) -> list[tuple[str, str]]:
    return list(user.memberships.values_list("club__name", "role"))


def test_a_stranger_makes_nobody_owner_of_his_club():
    victim, club = make_user(), make_club(name="Hostile club of insults")
    data = {"email": victim.email.upper(), "role": "owner"}
    sent = browser_of(owner_of(club)).post(path_of(club, "members"), data)
    assert sent.status_code == 302
    assert roles(victim) == []
    assert account_data.clubs_left_alone(victim) == []
    page = browser_of(victim).get(reverse("me")).content.decode()
    assert page.count("insults") == page.split("<main")[1].split("</form>")[0].count("insults") == 3
    assert 'name="act" value="decline"' in page
    account_data.erase_person(user=victim)
    assert not RoleOffer.objects.exists()


def test_a_role_counts_once_it_is_accepted():
    user, club = make_user(), make_club(is_public=False)
    waiting = offer(club, user.email, "organiser")
    client = browser_of(user)
    assert client.get(path_of(club, "club")).status_code == 404
    assert club.name in client.get(reverse("offers")).content.decode()
    client.post(reverse("offer_answer", args=[waiting.pk]), {"act": "accept"})
    assert roles(user) == [(club.name, "organiser")]
    assert not RoleOffer.objects.exists()


def test_a_declined_offer_is_gone_and_the_log_says_so():
    user, club = make_user(), make_club()
    path = reverse("offer_answer", args=[offer(club, user.email, "scorer").pk])
    client = browser_of(user)
    assert client.post(path, {"act": "decline"}).status_code == 302
    again = client.post(path, {"act": "accept"}, follow=True).content.decode()
    assert "This offer was answered or withdrawn." in again
    assert roles(user) == []
    assert Audit.objects.filter(club=club, action="member.declined").count() == 1


def test_nobody_answers_an_offer_to_somebody_else():
    path = reverse("offer_answer", args=[offer(make_club(), "lan@club.example", "owner").pk])
    user = make_user()
    answer = browser_of(user).post(path, {"act": "accept"}, follow=True)
    assert "This offer was answered or withdrawn." in answer.content.decode()
    assert (roles(user), RoleOffer.objects.count()) == ([], 1)


def test_the_page_says_the_same_of_known_and_unknown_emails():
    club, known = make_club(), make_user()
    client = browser_of(owner_of(club))
    said = []
    for email in (known.email, "nobody@club.example"):
        path = path_of(club, "members")
        page = client.post(path, {"email": email, "role": "scorer"}, follow=True)
        said.append(page.content.decode().count(email))
        assert "Role offered." in page.content.decode()
    assert said[0] == said[1] > 0


def test_an_offer_waits_for_somebody_who_signs_up_later(club):
    waiting = offer(club, "Lan@club.example", "player")
    members.accept_offer(offer=waiting, user=make_user("lan@club.example"))
    assert club.memberships.filter(user__email="lan@club.example").exists()


def test_an_offer_ends_by_withdrawing_and_by_time():
    club, user = make_club(), make_user()
    waiting = offer(club, user.email, "owner")
    browser_of(owner_of(club)).post(path_of(club, "offer_withdraw", waiting.pk))
    with pytest.raises(ValidationError, match="no longer valid"):
        members.accept_offer(offer=waiting, user=user)
    waiting = offer(club, user.email, "owner")
    RoleOffer.objects.update(at=timezone.now() - datetime.timedelta(days=30))
    with pytest.raises(ValidationError, match="no longer valid"):
        members.accept_offer(offer=waiting, user=user)


def test_a_higher_role_is_an_offer_and_a_lower_one_counts_at_once(club):
    user = make_member(club, "scorer")
    offer(club, user.email, "owner")
    assert roles(user) == [(club.name, "scorer")]
    made = members.offer_role(club=club, email=user.email, role="player", by=owner_of(club))
    assert (made, roles(user)) == (None, [(club.name, "player")])
    assert not RoleOffer.objects.exists()


def test_an_offer_of_the_role_that_a_member_has_lowers_nothing(club):
    user = make_member(club, "scorer")
    path = path_of(club, "members")
    data = {"email": user.email, "role": "scorer"}
    page = browser_of(owner_of(club)).post(path, data, follow=True).content.decode()
    assert "Role lowered" not in page
    assert roles(user) == [(club.name, "scorer")]
    assert not Audit.objects.filter(action="member.role").exists()


def test_accepting_never_lowers_a_role():
    club, user = make_club(), make_user()
    waiting = offer(club, user.email, "player")
    invitation = invitations.invite(club=club, role="organiser", by=owner_of(club))
    invitations.accept(secret=invitation.secret, user=user)
    members.accept_offer(offer=waiting, user=user)
    assert roles(user) == [(club.name, "organiser")]


def test_where_mail_works_an_email_is_verified_first(settings):
    settings.HAS_MAIL = True
    club, user = make_club(), make_user()
    waiting = offer(club, user.email, "owner")
    with pytest.raises(ValidationError, match="Verify your email address"):
        members.accept_offer(offer=waiting, user=user)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    members.accept_offer(offer=waiting, user=user)
    assert roles(user) == [(club.name, "owner")]


def test_a_club_offers_50_roles_at_once(club):
    RoleOffer.objects.bulk_create(
        RoleOffer(club=club, email=f"a{n}@x.example", role="player", by=owner_of(club))
        for n in range(50)
    )
    with pytest.raises(ValidationError, match="50 offers"):
        offer(club, "one-more@club.example", "player")


def test_who_is_taken_out_of_a_private_club_sees_it_no_more():
    event = make_night(season=make_season(make_club(name="Hội Kín", is_public=False)))
    club = event.season.club
    user = make_member(club, "organiser")
    for_many = invitations.invite(club=club, role="player", by=owner_of(club))
    for_one = invitations.invite(club=club, role="player", by=owner_of(club), once=True)
    own = invitations.invite(club=club, role="player", by=user, once=True)
    client = browser_of(user)
    pages = [path_of(club, "club"), path_of(event, "event"), path_of(club, "api:club")]
    assert [client.get(page).status_code for page in pages] == [200] * 3
    member = club.memberships.get(user=user)
    path = path_of(club, "member_remove", member.pk)
    assert browser_of(owner_of(club)).post(path).status_code == 302
    assert [client.get(page).status_code for page in pages] == [404] * 3
    for page in ("me", "home", "league:club_list", "api:clubs"):
        assert club.name not in client.get(reverse(page)).content.decode()
    alive = {link.pk for link in Link.objects.alive()}
    assert (for_many.pk in alive, for_one.pk in alive, own.pk in alive) == (False, True, False)


@pytest.mark.parametrize("role", ["player", "scorer", "organiser"])
def test_everybody_leaves_a_club(role):
    club = make_club(is_public=False)
    user = make_member(club, role)
    client, path = browser_of(user), path_of(club, "leave")
    assert client.get(path).status_code == 200
    assert client.post(path)["Location"] == reverse("league:club_list")
    assert client.get(path).status_code == 404
    assert roles(user) == []


def test_the_last_owner_hands_over_or_closes_first(club):
    owner = owner_of(club)
    client = browser_of(owner)
    member = club.memberships.get()
    for path in (
        path_of(club, "leave"),
        path_of(club, "member_remove", member.pk),
    ):
        page = client.post(path, follow=True)
        assert "Make someone else an owner first, or close the club." in page.content.decode()
    data = {"email": owner.email, "role": "player"}
    assert client.post(path_of(club, "members"), data).status_code == 422
    assert roles(owner) == [(club.name, "owner")]
    give_role(club, make_user(), "owner")
    client.post(path_of(club, "leave"))
    assert roles(owner) == []


def test_a_second_owner_who_closes_the_club_too_does_not_reopen_it(club):
    owners, path = [owner_of(club), make_user()], path_of(club, "close")
    give_role(club, owners[1], "owner")
    for owner in owners:
        browser_of(owner).post(path, {"closed": "1"})
    assert Club.objects.get(pk=club.pk).closed_at
    for owner in owners:
        browser_of(owner).post(path, {"closed": "0"})
    assert not Club.objects.get(pk=club.pk).closed_at


def test_a_closed_club_is_its_owners_alone_until_it_reopens():
    club = make_club(name="Hội Hoa")
    sitting = make_table(make_night(season=make_season(club)))
    player, owner = make_member(club, "player"), owner_of(club)
    schedule = make_schedule(sitting.round.event.season)
    secret = secret_of(sitting)
    page, path = (path_of(club, name) for name in ("club", "close"))
    client = browser_of(owner)
    assert "Download archive" in client.get(path).content.decode()
    client.post(path)
    assert [browser_of(who).get(page).status_code for who in (player, owner)] == [404, 200]
    assert Client().get(page).status_code == 404
    assert Client().get(reverse("league:link_table", args=[secret])).status_code == 404
    for name in ("home", "league:club_list", "api:clubs", "me"):
        for who in (Client(), browser_of(player)):
            assert club.name not in who.get(reverse(name)).content.decode()
    assert (stored(schedule).paused, schedules.tick()) == (True, 0)
    account_data.erase_person(user=player)
    client.post(path)
    assert (stored(club).closed_at, Client().get(page).status_code) == (None, 200)


@pytest.mark.parametrize(("days", "status"), [(29, 200), (31, 404)])
def test_the_links_of_a_closed_club_sleep_for_30_days(days, status):
    sitting = make_table(make_night())
    club, secret = sitting.round.event.season.club, secret_of(sitting)
    owner, email = owner_of(club), "new@club.example"
    offer(club, email, "scorer")
    clubs.close_club(club=club, by=owner)
    links = [reverse("league:link_table", args=[secret])]
    assert [Client().get(link).status_code for link in links] == [404]
    assert not club.role_offers.waiting().exists()
    closed = timezone.now() - datetime.timedelta(days=days)
    club.links.update(revoked_at=closed)
    Club.objects.filter(pk=club.pk).update(closed_at=closed)
    clubs.reopen_club(club=club, by=owner)
    assert [Client().get(link, follow=True).status_code for link in links] == [status]
    assert club.role_offers.waiting().exists() == (status == 200)


def test_who_is_removed_from_a_closed_club_does_not_come_back_by_its_link():
    club = make_club()
    owner, member = owner_of(club), make_member(club, "player")
    link = invitations.invite(club=club, role="player", by=owner)
    clubs.close_club(club=club, by=owner)
    members.remove_member(member=club.memberships.get(user=member), by=owner)
    clubs.reopen_club(club=club, by=owner)
    assert stored(link).revoked_at is not None


def test_a_link_that_ended_before_the_closing_stays_ended():
    club = make_club()
    owner = owner_of(club)
    link = invitations.invite(club=club, role="player", by=owner)
    invitations.revoke(club=club, link_id=link.pk, by=owner)
    clubs.close_club(club=club, by=owner)
    clubs.reopen_club(club=club, by=owner)
    assert stored(link).revoked_at is not None


def test_a_closed_club_keeps_nobody_from_ending_the_account(club):
    owner = owner_of(club)
    with pytest.raises(ValidationError, match="only owner"):
        account_data.erase_person(user=owner)
    clubs.close_club(club=club, by=owner)
    account_data.erase_person(user=owner)
    assert not stored(owner).is_active
    assert Client().get(path_of(club, "club")).status_code == 404


def test_a_no_holds_for_90_days_except_for_an_invitation_link():
    user, club = make_user(), make_club()
    members.decline_offer(offer=offer(club, user.email, "scorer"), user=user)
    player = players.add_player(club=club, name="Lan", by=owner_of(club))
    again = [
        lambda: offer(club, user.email.upper(), "owner"),
        lambda: members.offer_player(player=player, email=user.email, by=owner_of(club)),
    ]
    for ask in again:
        with pytest.raises(ValidationError, match="only an invitation link"):
            ask()
    assert not RoleOffer.objects.exists()
    assert offer(make_club(name="Other"), user.email, "scorer")
    log = Audit.objects.filter(action="member.declined")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # The log is append-only.
        log.update(at=timezone.now() - datetime.timedelta(days=90))
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert offer(club, user.email, "owner")


def test_a_members_no_to_one_player_leaves_the_question_about_another():
    club = make_club()
    user = make_member(club, "player")
    lan = players.add_player(club=club, name="Lan", by=owner_of(club))
    mai = players.add_player(club=club, name="Mai", by=owner_of(club))
    ask = partial(members.offer_player, email=user.email, by=owner_of(club))
    members.decline_offer(offer=ask(player=lan), user=user)
    with pytest.raises(ValidationError, match="said no"):
        ask(player=lan)
    members.accept_offer(offer=ask(player=mai), user=user)
    assert stored(mai).user == user
    assert offer(club, user.email, "scorer")


def test_all_offers_are_declined_in_one_tap():
    user = make_user()
    clubs_of_it = [make_club(name=f"Club {no}") for no in range(3)]
    for club in clubs_of_it:
        offer(club, user.email, "owner")
    elsewhere = offer(clubs_of_it[0], "other@club.example", "owner")
    page = browser_of(user).post(reverse("offers"), follow=True).content.decode()
    assert "All offers declined." in page
    assert "Decline all" not in page
    assert list(RoleOffer.objects.all()) == [elsewhere]
    assert Audit.objects.filter(action="member.declined", by=user).count() == 3


def test_a_member_is_chosen_for_another_role_or_removed(club):
    """Highest roles first; only who is chosen has a button that removes."""
    scorer = make_member(club, "scorer")
    owner, page = browser_of(owner_of(club)), path_of(club, "members")
    text = owner.get(page).content.decode()
    remove = path_of(club, "member_remove", club.memberships.get(user=scorer).pk)
    assert text.index(owner_of(club).email) < text.index(scorer.email)
    assert remove not in text
    *_owners, chosen = re.findall(r'href="(\?member=\d+)"', text)
    shown = owner.get(page + chosen)
    assert shown.context["form"].initial == {"email": scorer.email, "role": "scorer"}
    assert remove in shown.content.decode()
    owner.post(page + chosen, {"email": scorer.email, "role": "player"})
    assert roles(scorer) == [(club.name, "player")]
    for nobody in ("?member=0", "?member=x", f"?member={2**70}"):
        assert owner.get(page + nobody).context["form"].initial == {}

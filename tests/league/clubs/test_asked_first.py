"""What one person does to another: an account is asked before a club reaches it, and told after."""

import datetime

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import security_mail
from accounts.models import SecurityEvent, User
from league.clubs.acts import clubs, doubts, invitations, members, merges, players
from league.exchange.acts import archives, imports
from league.models import (
    Club,
    Event,
    FormerWay,
    Membership,
    NewsItem,
    PaymentWay,
    Player,
    RoleOffer,
    Round,
)
from league.money.acts import payment_ways
from league.money.pages.pay import how_to_pay
from league.news.facts.words import message_of
from league.nights.acts import disputes, events
from league.recap.pages import tonight
from league.schedules.acts import calendars
from tests.accounts.test_security_log import kinds
from tests.factories import (
    browser_of,
    confirmed,
    make_club,
    make_member,
    make_night,
    make_paid_night,
    make_player,
    make_round,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    stored,
)
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:05Z")

WORDS = {"bank": "", "number": "", "holder": ""}

ENDS = pytest.mark.parametrize(
    "end",
    [
        lambda member: members.leave_club(member=member),
        lambda member: members.remove_member(member=member, by=owner_of(member)),
    ],
    ids=["left", "removed"],
)
"""Somebody leaves the club, or is removed from it."""


def person(email: str = "bi-mat@club.example") -> User:
    user = confirmed(make_user(email))
    payment_ways.leave(user=user, bank="970436", number="0071000242424", holder="BI MAT", words="")
    return user


def edit(player: Player, **form: str):
    path = path_of(player, "player_edit")
    return browser_of(owner_of(player)).post(path, form, follow=True)


def link_as_before(player: Player, user: User) -> None:
    """Link as releases before 1.2 did: without asking, and without a role."""
    Player.objects.filter(pk=player.pk).update(user=user)


# --- Nobody is linked unasked -----------------------------------------------------------------


def test_a_stranger_reads_no_account_number_by_an_email(with_mail):
    victim, club = person(), make_club(is_public=False)
    player = make_player(club, "Con nợ")
    edit(player, act="account", email=victim.email)
    assert stored(player).user is None
    pay = path_of(club, "pay", player.pk)
    page = browser_of(owner_of(club)).get(f"{pay}?amount=1000").content.decode()
    assert "0071000242424" not in page
    assert "BI MAT" not in page


def test_before_the_yes_nothing_of_the_club_reaches_the_account(with_mail):
    victim = person()
    event = make_paid_night(900_000)
    club, order = event.season.club, event.order
    name = order[-1]
    player = club.players.get(name=name)
    members.offer_player(player=player, email=victim.email, by=owner_of(club))
    make_round(event)
    assert not NewsItem.objects.exists()
    assert len(mail.outbox) == 0
    browser = browser_of(victim)
    home, me = (browser.get(reverse(page)).content.decode() for page in ("home", "me"))
    for page in (home, me):
        assert event.name not in page
        assert "900,000" not in page
        assert f"do you play here as <b>{name}</b>?" in page
        assert club.name in page
    assert f"<h1>\n{victim.email}\n</h1>" in me
    page = browser_of(owner_of(club)).get(path_of(club, "player", player.pk))
    assert victim.email not in page.content.decode()


def test_an_organiser_reads_the_same_of_known_and_unknown_addresses():
    known, club = make_user(), make_club()
    player = make_player(club)
    said = []
    for email in (known.email, "nobody@club.example"):
        page = edit(player, act="account", email=email).content.decode()
        assert f"Waiting for {email} to answer." in page
        said.append(page.replace(email, "?").count("?"))
    assert said[0] == said[1]
    assert RoleOffer.objects.get().email == "nobody@club.example"


def test_an_account_asks_for_60_addresses_an_hour_in_all_its_clubs():
    by = make_user()
    one, other = make_club(owner=by), make_club(owner=by)
    asked = [(one, n) for n in range(30)] + [(other, n) for n in range(30)]
    for club, n in asked:
        members.offer_role(club=club, email=f"a{n}@club.example", role="scorer", by=by)
    with pytest.raises(ValidationError, match="60 offers in the last hour"):
        members.offer_player(player=make_player(other), email="b@club.example", by=by)
    with pytest.raises(ValidationError, match="60 offers in the last hour"):
        members.offer_role(club=other, email="b@club.example", role="scorer", by=by)


def test_one_tap_links_and_brings_the_role_of_player():
    user, club = make_user(), make_club(is_public=False)
    player = make_player(club)
    offer = members.offer_player(player=player, email=user.email, by=owner_of(club))
    browser = browser_of(user)
    done = browser.post(reverse("offer_answer", args=[offer.pk]), {"act": "accept"}, follow=True)
    assert done.status_code == 200
    assert stored(player).user == user
    assert club.memberships.get(user=user).role == "player"
    assert browser.get(path_of(club, "club")).status_code == 200
    assert not RoleOffer.objects.exists()
    assert "linked" in kinds(user)


def test_a_no_links_nobody():
    user, club = make_user(), make_club()
    player = make_player(club)
    offer = members.offer_player(player=player, email=user.email, by=owner_of(club))
    browser_of(user).post(reverse("offer_answer", args=[offer.pk]), {"act": "decline"})
    assert stored(player).user is None
    assert not club.memberships.filter(user=user).exists()


def test_a_member_keeps_a_higher_role_and_an_offer_of_one_keeps_its_question():
    club = make_club()
    scorer, player = make_member(club, "scorer"), make_player(club)
    offer = members.offer_player(player=player, email=scorer.email, by=owner_of(club))
    assert club.memberships.get(user=scorer).role == "scorer"
    members.offer_role(club=club, email=scorer.email, role="organiser", by=owner_of(club))
    assert not RoleOffer.objects.filter(pk=offer.pk).exists()
    members.accept_offer(offer=RoleOffer.objects.get(), user=scorer)
    assert stored(player).user == scorer
    assert club.memberships.get(user=scorer).role == "organiser"


def test_a_question_about_a_player_leaves_the_offer_of_a_role_as_it_is():
    club, email = make_club(), "moi@club.example"
    members.offer_role(club=club, email=email, role="owner", by=owner_of(club))
    player = make_player(club)
    members.offer_player(player=player, email=email, by=owner_of(club))
    assert RoleOffer.objects.get().role == "owner"
    members.withdraw_player(player=player, by=owner_of(club))
    assert [(one.role, one.player) for one in RoleOffer.objects.all()] == [("owner", None)]


def test_an_organiser_who_plays_says_so_in_one_tap():
    club = make_club()
    player, owner = make_player(club), owner_of(club)
    assert "You play here as Lan." in edit(player, act="mine").content.decode()
    assert stored(player).user == owner
    assert club.memberships.get(user=owner).role == "owner"
    assert "already play here as Lan" in edit(make_player(club, "Mai"), act="mine").content.decode()


def test_the_owner_of_the_server_gets_a_role_with_the_link():
    club, admin = make_club(), User.objects.create_superuser("chu@club.example", "s3cret-word")
    players.take_player(player=make_player(club), user=admin)
    assert club.memberships.get(user=admin).role == "player"


def test_a_personal_link_asks_in_the_same_way():
    club, user = make_club(is_public=False), make_user()
    player = make_player(club)
    link = invitations.invite_player(player=player, by=owner_of(club))
    page = browser_of(user).get(reverse("league:link_join", args=[link.secret])).content.decode()
    assert "You will play as <b>Lan</b>" in " ".join(page.split())
    assert stored(player).user is None
    invitations.accept(secret=link.secret, user=user)
    assert stored(player).user == user
    assert club.memberships.get(user=user).role == "player"


def test_a_player_who_was_merged_or_taken_meanwhile_is_settled_at_the_answer():
    club, user = make_club(), make_user()
    alias, player = make_player(club, "Lan B"), make_player(club, "Lan")
    offer = members.offer_player(player=alias, email=user.email, by=owner_of(club))
    merges.merge(alias=alias, into=player, by=owner_of(club))
    Player.objects.filter(pk=player.pk).update(user=make_user())
    with pytest.raises(ValidationError, match="Lan is linked to another account"):
        members.accept_offer(offer=offer, user=user)
    assert not club.memberships.filter(user=user).exists()


# --- Told -------------------------------------------------------------------------------------


def test_links_and_roles_are_a_mail_and_a_line_in_the_security_log(with_mail):
    club, user = make_club(name="Hội Hoa"), person()
    owner = owner_of(club)
    player = make_player(club)
    offer = members.offer_player(player=player, email=user.email, by=owner)
    members.accept_offer(offer=offer, user=user)
    players.unlink_account(player=player, by=owner)
    invitation = invitations.invite(club=club, role="organiser", by=owner)
    invitations.accept(secret=invitation.secret, user=user)
    members.offer_role(club=club, email=user.email, role="scorer", by=owner)
    members.remove_member(member=club.memberships.get(user=user), by=owner)
    assert kinds(user) == ["linked", "unlinked", "role_taken", "role_lowered", "role_ended"]
    assert security_mail.send_due() == 5
    assert {tuple(one.to) for one in mail.outbox} == {(user.email,)}
    ended = mail.outbox[-1]
    assert ended.subject == "Your account: role ended"
    assert "Hội Hoa" in ended.body
    assert "By a member." in ended.body
    assert owner.email not in ended.body
    page = browser_of(user).get(reverse("accounts:security")).content.decode()
    assert "no longer plays in a club" in page
    assert "· Hội Hoa" in page
    assert owner.email not in page


def test_renames_and_merges_of_a_linked_player_are_told_to_its_account(with_mail):
    club, user = make_club(name="Hội Hoa"), person()
    owner = owner_of(club)
    player, other = make_player(club, "Lan"), make_player(club, "Lan B")
    players.take_player(player=player, user=user)
    players.rename_player(player=player, name="Lan Béo", by=owner)
    players.rename_player(player=player, name="Lan Anh", by=owner)
    merges.merge(alias=other, into=player, by=owner)
    merges.unmerge(alias=other, by=owner)
    told = [message_of(item) for item in NewsItem.objects.order_by("pk")]
    assert [one.lines for one in told if one] == [
        ["Bây giờ ở đó bạn tên là Lan Anh."],
        ["Các ván của một tên khác từ nay tính cho Lan Anh."],
        ["Các ván của một tên khác không còn tính cho Lan Anh."],
    ]
    assert {item.reader for item in NewsItem.objects.all()} == {user}
    NewsItem.objects.all().delete()
    players.rename_player(player=player, name="Lan", by=user)
    assert not NewsItem.objects.exists()


@ENDS
def test_a_role_that_ends_ends_the_link_and_the_news(with_mail, end):
    user = person()
    event = make_night(season=make_season(make_club(is_public=False)))
    club = event.season.club
    player = club.players.get(name="An")
    players.take_player(player=player, user=user)
    make_round(event)
    assert NewsItem.objects.filter(user=user).count() == 1
    member = club.memberships.get(user=user)
    end(member)
    assert stored(player).user is None
    assert not NewsItem.objects.exists()
    events_of = club.audit.filter(action="player.account_removed")
    assert events_of.get().data == {"player": player.pk, "user": user.pk}


# --- The upgrade ------------------------------------------------------------------------------


def test_a_link_that_nobody_confirmed_becomes_an_offer(with_mail):
    victim, event = person(), make_paid_night(900_000)
    club = event.season.club
    player = club.players.get(name=event.order[-1])
    link_as_before(player, victim)
    assert doubts.ask() == 1
    assert stored(player).user is None
    offer = RoleOffer.objects.get()
    assert (offer.player, offer.user, offer.role, offer.club) == (player, victim, "player", club)
    assert kinds(victim) == ["asked"]
    security_mail.send_due()
    [sent] = mail.outbox
    assert sent.subject == "Your account: a club asks whether you play there"
    assert club.name not in sent.body
    assert "900" not in browser_of(victim).get(reverse("me")).content.decode()
    RoleOffer.objects.update(at=timezone.now() - datetime.timedelta(days=400))
    browser_of(victim).post(reverse("offer_answer", args=[offer.pk]), {"act": "accept"})
    assert stored(player).user == victim
    assert club.memberships.get(user=victim).role == "player"
    assert doubts.ask() == 0


def test_an_offer_to_an_account_outlives_its_email():
    user, club = make_user("cu@club.example"), make_club()
    player = make_player(club)
    link_as_before(player, user)
    doubts.ask()
    User.objects.filter(pk=user.pk).update(email="moi@club.example")
    user.refresh_from_db()
    make_user("cu@club.example")
    assert [one.player for one in RoleOffer.objects.to(user)] == [player]
    assert not RoleOffer.objects.to(User.objects.get(email="cu@club.example")).exists()
    assert "cu@club.example" not in edit(player, act="withdraw").content.decode()


@pytest.mark.parametrize("act", ["confirmed", "disputed", "entered", "calendar"])
def test_who_acted_in_the_club_stays_linked_and_gets_the_role(act):
    user, sitting = make_user(), make_table(make_night(confirmed_by="player"))
    club = sitting.round.event.season.club
    player = club.players.get(name=names_at(sitting)[0])
    link_as_before(player, user)
    order = names_at(sitting)
    if act == "calendar":
        calendars.make_feed(user=user, club=club)
    elif act == "entered":
        play(sitting, order, by=user)
    else:
        play(sitting, order)
        kept = {"sitting_id": sitting.pk, "game_no": 1, "by": user, "device": ""}
        if act == "confirmed":
            disputes.confirm(version=1, **kept)
        else:
            disputes.open_dispute(**kept)
    assert doubts.ask() == 1
    assert stored(player).user == user
    assert club.memberships.get(user=user).role == "player"
    assert not RoleOffer.objects.exists()
    assert kinds(user) == ["linked"]


@ENDS
def test_who_left_is_asked_although_they_had_acted(end):
    club, user = make_club(), make_user()
    player = make_player(club)
    invitation = invitations.invite(club=club, role="scorer", by=owner_of(club))
    member = invitations.accept(secret=invitation.secret, user=user)
    end(member)
    link_as_before(player, user)
    doubts.ask()
    assert stored(player).user is None
    assert RoleOffer.objects.get().user == user


def test_a_member_who_is_linked_stays_so():
    club = make_club()
    user, player = make_member(club, "player"), make_player(club)
    link_as_before(player, user)
    assert doubts.ask() == 0
    assert stored(player).user == user
    assert not RoleOffer.objects.exists()


def test_an_open_offer_of_a_role_takes_up_the_question():
    club, user = make_club(), make_user()
    members.offer_role(club=club, email=user.email, role="scorer", by=owner_of(club))
    player = make_player(club)
    link_as_before(player, user)
    doubts.ask()
    offer = RoleOffer.objects.get()
    assert (offer.role, offer.player, offer.user) == ("scorer", player, user)


def test_no_older_text_of_payment_comes_to_light_while_an_account_is_asked():
    user, club = make_user(), make_club()
    player = make_player(club)
    payment_ways.leave_for(player=player, by=owner_of(club), **WORDS | {"words": "cũ"})
    link_as_before(player, user)
    doubts.ask()
    assert how_to_pay(player) is None
    new = WORDS | {"words": "mới"}
    with pytest.raises(ValidationError, match="Wait for its answer"):
        payment_ways.leave_for(player=player, by=owner_of(club), **new)
    members.decline_offer(offer=RoleOffer.objects.get(), user=user)
    player.refresh_from_db()
    assert how_to_pay(player) is None
    assert not PaymentWay.objects.exists()
    assert FormerWay.objects.get().words == "cũ"


# --- The server's front page ------------------------------------------------------------------


def front() -> Event | None:
    """The night on the front page of the server."""
    found = tonight.public_night()
    return found and found.event


def running(club: Club, **details: object) -> Round:
    return make_table(make_night(season=make_season(club), **details), games=1).round


def test_a_strangers_night_is_not_on_the_front_page_until_the_administrator_says_so():
    club = make_club(name="Hội Lạ")
    round_ = running(club, date=datetime.date(2199, 12, 31))
    assert front() is None
    admin = User.objects.create_superuser("chu@club.example", "s3cret-word")
    path = path_of(club, "club_settings")
    browser_of(owner_of(club)).post(path, {"front": "on"})
    assert front() is None
    for _second_tap in range(2):
        page = browser_of(admin).post(path, {"front": "on"}, follow=True).content.decode()
        assert "front page shows this club" in page
    assert 'name="front" value="off"' in page
    assert front() == round_.event
    browser_of(admin).post(path, {"front": "off"})
    assert front() is None


def test_the_front_page_shows_the_latest_round_of_the_administrators_club_for_twelve_hours():
    admin = User.objects.create_superuser("chu@club.example", "s3cret-word")
    club = make_club(owner=admin)
    far = running(club, date=datetime.date(2199, 12, 31))
    now = running(club)
    assert front() == now.event
    Round.objects.update(released_at=timezone.now() - datetime.timedelta(hours=13))
    assert front() is None
    Round.objects.filter(pk=far.pk).update(released_at=timezone.now())
    assert front() == far.event


def test_a_drawn_round_without_games_is_not_on_the_front_page():
    admin = User.objects.create_superuser("chu@club.example", "s3cret-word")
    make_round(make_night(season=make_season(make_club(owner=admin))))
    assert front() is None


# --- Names ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["http://evil.example", "xem WWW.evil.example", "lan@x", "lan＠x"])
def test_new_names_hold_no_address(name):
    club = make_club()
    by, season, player = owner_of(club), make_season(club), make_player(club)
    for act in (
        lambda: make_club(name=name),
        lambda: players.add_player(club=club, name=name, by=by),
        lambda: players.rename_player(player=player, name=name, by=by),
        lambda: events.create_event(season=season, by=by, name=name, date=club.today),
        lambda: clubs.change_club(
            club=club, by=by, name=name, time_zone=club.time_zone, unit=club.unit
        ),
    ):
        with pytest.raises(ValidationError, match="contains a web or email address"):
            act()
    added = players.add_players(club=club, text=f"Mai\n{name}", by=by)
    assert [one.name for one in added.players] == ["Mai"]
    assert "contains a web or email address" in added.problems[0]
    assert added.refused == [name]


def test_names_that_exist_stay():
    club = make_club()
    by, event = owner_of(club), make_night(season=make_season(club))
    player = make_player(club)
    Player.objects.filter(pk=player.pk).update(name="lan@x", name_key="lan@x")
    Club.objects.filter(pk=club.pk).update(name="Hội @ nhà Lan")
    type(event).objects.update(name="Buổi @ nhà Lan")
    player.refresh_from_db()
    club.refresh_from_db()
    players.rename_player(player=player, name="lan@x", by=by)
    clubs.change_club(
        club=club, by=by, name="Hội @ nhà Lan", time_zone=club.time_zone, unit=club.unit
    )
    again = events.create_event(season=event.season, by=by, name="Buổi @ nhà Lan", date=club.today)
    assert again.name == "Buổi @ nhà Lan"
    added = players.add_players(club=club, text="lan@x\nMai", by=by)
    assert [one.name for one in added.players] == ["Mai"]


def test_an_import_says_which_names_have_an_address():
    club = make_club()
    player = make_player(club)
    Player.objects.filter(pk=player.pk).update(name="cũ@x", name_key="cũ@x")
    looked = imports.preview_players(club=club, rows=[["name"], ["cũ@x"], ["mới@x"]])
    assert looked.problems == [
        "“mới@x” contains a web or email address. Leave out ://, www. and @."
    ]
    archive = archives.write_archive(club=club, by=owner_of(club))
    with pytest.raises(ValidationError, match="“cũ@x” contains a web or email address"):
        archives.read_archive(data=archive, by=make_user())
    assert Club.objects.count() == 1


# --- The legitimate ways ----------------------------------------------------------------------


def test_elderly_members_without_mail_take_a_personal_link(settings):
    assert not settings.HAS_MAIL
    club = make_club(is_public=False)
    user, player = make_user(), make_player(club, "Bác Sáu")
    link = invitations.invite_player(player=player, by=owner_of(club))
    browser_of(user).post(reverse("league:link_join", args=[link.secret]))
    assert browser_of(user).get(path_of(club, "club")).status_code == 200
    assert "Bác Sáu" in browser_of(user).get(reverse("me")).content.decode()


def test_four_friends_without_accounts_are_asked_nothing():
    make_table(games=1)
    assert Client().get(reverse("home")).status_code == 200
    assert not RoleOffer.objects.exists()
    assert not SecurityEvent.objects.exists()
    assert Membership.objects.count() == 1

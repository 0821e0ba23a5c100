"""Clubs without an account: who may open them, how they are kept, and how they end."""

from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from league import tasks
from league.base.views import phones
from league.base.views.phones import COOKIE
from league.clubs.acts import clubs, holding, invitations, members
from league.models import (
    Audit,
    Claim,
    Club,
    Event,
    Membership,
    NewsItem,
    Player,
    Posting,
    Result,
    Season,
    Transfer,
)
from league.money.acts import postings
from league.news.acts import outbox
from league.nights.acts import claims, closing
from league.seasons.acts import season_cache
from tests.factories import (
    browser_of,
    confirmed,
    correct,
    make_adjustment,
    make_club,
    make_payment,
    make_user,
    night_link,
    path_of,
    play,
    sign_in,
    stored,
)
from tests.races import race
from tests.worlds import made_once

pytestmark = pytest.mark.django_db
EMAIL = "me@club.example"
WORD = "s3cret-word-of-mine"


def started(phone=None):
    """Return a phone that has started a night of four, with a game in it."""
    phone = phone or Client()
    asked = {"text": "An, Bình, Chi, Dũng", "ruleset": "mien-nam", "games": "4", "stake": "10k"}
    phone.post("/clubs/~tonight/", asked | {"seed": "7", "do": "start"})
    club = Club.objects.order_by("-pk").first()
    table = Event.objects.get(season__club=club).rounds.get().sittings.get()
    play(table, [place.entrant.player.name for place in table.seated])
    return phone, club


def start_another(phone):
    asked = {"text": "E, F, G", "ruleset": "mien-nam", "games": "4", "stake": "0"}
    phone.post("/clubs/~tonight/", asked | {"seed": "8", "do": "start"})


@made_once
def first():
    phone, club = started()
    return phone.cookies, club


@pytest.fixture
def held(first):
    """A phone that has started a night of four, and its club."""
    phone = Client()
    phone.cookies, club = first
    return phone, club


def signs_in(phone, user):
    phone.post(reverse("account_login"), {"login": user.email, "password": "s3cret-word"})


def test_only_the_phone_that_started_the_club_opens_it(held):
    phone, club = held
    assert club.is_public is False
    assert phone.get(path_of(club, "club")).status_code == 200
    assert Client().get(path_of(club, "club")).status_code == 404
    assert browser_of(make_user()).get(path_of(club, "club")).status_code == 404
    forged = Client()
    forged.cookies[COOKIE] = phone.cookies[COOKIE].value[:-1] + "x"
    assert forged.get(path_of(club, "club")).status_code == 404


def test_the_phone_is_nobody_in_other_clubs_and_outside_of_clubs(held):
    phone, club = held
    assert phone.get(path_of(make_club(is_public=False), "club")).status_code == 404
    _other, second = started(Client())
    assert phone.get(path_of(second, "club")).status_code == 404
    for name in ("me", "my_news", "offers", "accounts:devices"):
        assert phone.get(reverse(name)).status_code == 302  # To sign in.
    assert phone.get(f"/api/v1/clubs/{club.slug}/").status_code in (401, 403, 404)


def test_a_phone_that_starts_two_clubs_acts_as_one_in_both(held):
    phone, _club = held
    start_another(phone)
    assert Club.objects.count() == 2
    assert User.objects.filter(is_active=False).count() == 1
    for each in Club.objects.all():
        assert phone.get(path_of(each, "club")).status_code == 200


def test_the_stand_in_cannot_sign_in_and_is_in_no_list(held):
    _phone, club = held
    stand_in = club.memberships.get().user
    assert not stand_in.has_usable_password()
    owner = browser_of(make_user("boss@club.example", is_superuser=True))
    assert stand_in.email not in owner.get(reverse("accounts:people")).content.decode()


def test_the_club_is_in_no_list_no_search_and_not_on_the_first_page(held):
    _phone, club = held
    Club.objects.filter(pk=club.pk).update(name="Hội bí mật")
    for who in (Client(), browser_of(make_user())):
        for page in ("/", "/clubs/", "/search/?q=bí mật", "/sitemap-clubs.xml"):
            found = who.get(page).content.decode()
            assert "Hội bí mật" not in found
            assert club.slug not in found


@pytest.mark.parametrize(
    "name",
    ["webhooks", "members", "invitations", "club_tables", "own_bots", "import_players", "calendar"],
)
def test_pages_that_send_or_work_beyond_the_night_ask_to_keep_the_club_first(held, name):
    phone, club = held
    assert phone.get(path_of(club, name))["Location"] == path_of(club, "keep")


def test_what_needs_an_account_is_refused_by_the_acts_too(held):
    _phone, club = held
    by, player = club.memberships.get().user, club.players.first()
    for act in (
        lambda: clubs.set_public(club=club, by=by, is_public=True),
        lambda: invitations.invite(club=club, role="organiser", by=by),
        lambda: invitations.invite_player(player=player, by=by),
        lambda: members.offer_role(club=club, email=EMAIL, role="organiser", by=by),
        lambda: members.offer_player(player=player, email=EMAIL, by=by),
    ):
        with pytest.raises(ValidationError, match="Keep this club first"):
            act()


def test_the_database_holds_no_public_club_without_an_account(held):
    _phone, club = held
    with pytest.raises(IntegrityError), transaction.atomic():
        Club.objects.filter(pk=club.pk).update(is_public=True)


def test_the_club_sends_no_news(held):
    event = Event.objects.get()
    reader = confirmed(make_user("reader@club.example"))
    assert outbox.tell("night_result:1", event, [reader]) == []
    assert not NewsItem.objects.exists()


def test_the_pages_say_where_the_club_is_held_and_until_when(held):
    phone, club = held
    page = phone.get(path_of(club, "club")).content.decode()
    assert "Only this browser can run this club, until" in page
    at_table = path_of(club, "table", Event.objects.get().pk, 1, 1)
    assert "Only this browser" not in phone.get(at_table).content.decode()  # Four tiles fit there.
    assert "If its data is cleared, nobody can get back in." in (
        phone.get(path_of(club, "keep")).content.decode()
    )


def test_an_email_and_a_password_keep_the_club_and_use_up_the_secret(held):
    phone, club = held
    answer = phone.post(path_of(club, "keep"), {"email": EMAIL})
    assert answer["Location"] == (
        f"/accounts/signup/?email=me%40club.example&next=%2Fclubs%2F{club.slug}%2F"
    )
    assert f'value="{EMAIL}"' in phone.get(answer["Location"]).content.decode()
    phone.post(reverse("account_signup"), {"email": EMAIL, "password1": WORD})
    club.refresh_from_db()
    owner = Membership.objects.get(club=club)
    assert (owner.user.email, owner.role) == (EMAIL, "owner")
    assert (club.held_by, club.held_until) == ("", None)
    page = phone.get(path_of(club, "club")).content.decode()
    assert "is kept: it is yours now." in page
    assert "Only this browser" not in page
    phone.post(reverse("account_logout"))
    assert phone.get(path_of(club, "club")).status_code == 404  # Its secret opens nothing any more.
    assert Audit.objects.filter(club=club, action="club.kept").exists()


def test_an_account_that_exists_keeps_the_club_by_signing_in(held):
    phone, club = held
    me = make_user(EMAIL)
    phone.post(path_of(club, "keep"), {"email": EMAIL.upper()})
    signs_in(phone, me)
    assert stored(club).held_until is None


def test_an_account_that_signed_in_before_keeps_the_club_with_one_tap(held):
    phone, club = held
    phone.force_login(make_user(EMAIL))
    assert f"Keep it as {EMAIL}" in phone.get(path_of(club, "keep")).content.decode()
    phone.post(path_of(club, "keep"))
    club.refresh_from_db()
    assert club.held_until is None
    assert phone.get(path_of(club, "club")).status_code == 200


def test_signing_in_with_another_email_keeps_nothing(held):
    phone, club = held
    phone.post(path_of(club, "keep"), {"email": EMAIL})
    signs_in(phone, make_user("else@club.example"))
    assert "_auth_user_id" in phone.session
    assert stored(club).held_until is not None


def test_the_owner_of_the_email_keeps_the_club_from_another_device_too(held):
    phone, club = held
    me = make_user(EMAIL)
    phone.post(path_of(club, "keep"), {"email": EMAIL})
    browser = sign_in(me)
    club.refresh_from_db()
    assert club.held_until is not None  # Nobody gets a club without a word of theirs.
    offer = club.role_offers.get()
    browser.post(reverse("offer_answer", args=[offer.pk]), {"act": "accept"})
    club.refresh_from_db()
    assert (club.held_until, club.memberships.get().user) == (None, me)


def test_where_mail_is_sent_the_email_is_confirmed_first(held, settings):
    phone, club = held
    settings.HAS_MAIL, secret = True, phone.cookies[COOKIE].value
    me = make_user(EMAIL)
    me.last_login = timezone.now()
    me.save()
    phone.post(path_of(club, "keep"), {"email": EMAIL})
    signs_in(phone, me)
    assert "_auth_user_id" in phone.session
    club.refresh_from_db()
    assert club.held_until is not None
    EmailAddress.objects.filter(user=me).delete()
    EmailAddress.objects.create(user=me, email=EMAIL, verified=True, primary=True)
    phone.logout()
    phone.cookies[COOKIE] = secret
    signs_in(phone, me)
    assert stored(club).held_until is None


@pytest.mark.parametrize("email", ["", "me", "me@", "a" * 260 + "@club.example"])
def test_a_wrong_email_is_told_and_offers_nothing(held, email):
    phone, club = held
    answer = phone.post(path_of(club, "keep"), {"email": email})
    assert (answer.status_code, club.role_offers.exists()) == (422, False)


def test_a_second_email_replaces_the_first(held):
    phone, club = held
    for email in ("mee@club.example", EMAIL):
        phone.post(path_of(club, "keep"), {"email": email})
    assert club.role_offers.get().email == EMAIL
    assert f"Waiting for {EMAIL} to sign up." in phone.get(path_of(club, "keep")).content.decode()


KEEP_FIRST = """
arena bot bot_check bot_games bot_league bot_test bot_try bot_withdraw bots_create calendar
club_archive club_calendar club_sprint club_table club_tables debt_remind event_create
import_players import_results invitation_revoke invitations ladder league_create leave
member_remove members night_calendar night_create offer_withdraw online online_bot online_table
own_bots schedule_change schedule_create schedule_edit schedules season_calendar sign_up_ask tried
webhook_change webhooks
"""
"""The pages of a club that work, send or stay beyond the night."""


def keep_first():
    """The names of all addresses whose view asks a phone to keep its club first."""
    found = set()
    todo = list(get_resolver().url_patterns)
    while todo:
        one = todo.pop()
        todo += getattr(one, "url_patterns", [])
        if getattr(getattr(one, "callback", None), "keep_first", False):
            found.add(one.name)
    return found


def test_the_pages_that_need_an_account_are_these(held):
    assert sorted(keep_first()) == KEEP_FIRST.split()


def test_a_kept_club_has_nothing_to_keep_and_is_never_deleted(held):
    phone, club = held
    phone.force_login(make_user(EMAIL))
    phone.post(path_of(club, "keep"))
    assert phone.get(path_of(club, "keep"))["Location"] == path_of(club, "club")
    assert holding.sweep(in_days(400)) == 0
    assert Result.objects.exists()


def lived(club):
    """Correct a game, answer, claim, pay and close, so that everything refers to everything."""
    by, event = club.memberships.get().user, Event.objects.get(season__club=club)
    result = Result.objects.get()
    one, two = club.players.all()[:2]
    correct(result)
    claims.claim(event=event, player_id=one.pk, phone="f" * 64)
    paid = make_payment(event.season, one, two, 10, event=event, by=by)
    postings.reverse(posting=paid, by=by, client_id=uuid4())
    make_adjustment(event.season, one.name, event=event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    season_cache.prepare_behind()


def in_days(days):
    return timezone.now() + timedelta(days=days)


def ended(club):
    Club.objects.filter(pk=club.pk).update(held_until=timezone.now() - timedelta(seconds=1))


def test_a_club_that_nobody_kept_is_deleted_after_30_days_with_all_it_made(held):
    phone, club = held
    other = make_club()
    assert holding.sweep(in_days(29)) == 0
    lived(club)
    ended(club)
    assert phone.get(path_of(club, "club")).status_code == 404
    assert Transfer.objects.exists()
    tasks.sweep_held_clubs()
    assert list(Club.everything.all()) == [other]
    for model in (Event, Season, Result, Transfer, Posting, Player):
        assert not model._base_manager.exists()
    assert not User.objects.filter(is_active=False).exists()
    assert not Audit.objects.filter(club=club.pk).exists()


def test_money_of_a_club_that_is_not_over_still_only_grows(held):
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.all().delete()


def test_a_stand_in_stays_for_the_other_clubs_of_its_phone(held):
    phone, club = held
    start_another(phone)
    second = Club.objects.order_by("-pk").first()
    ended(club)
    assert holding.sweep(timezone.now()) == 1
    assert phone.get(path_of(second, "club")).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_of_keeping_and_sweeping_at_the_same_moment_one_happens_whole():
    """Either the club is kept with its night, or the keeper hears that it is gone."""
    for _turn in range(4):
        _phone, club = started()
        me, stand_in = make_user(), club.memberships.get().user
        ended(club)
        offer = holding.offer_to_keep(club=club, email=me.email, by=stand_in)
        kept, swept = race(
            lambda: members.accept_offer(offer=offer, user=me),  # noqa: B023
            lambda: holding.sweep(timezone.now()),
            refused=(ValidationError,),
        )
        if swept:
            assert isinstance(kept, ValidationError)
            assert not Club.everything.filter(pk=club.pk).exists()
        else:
            assert Club.objects.get(pk=club.pk).held_until is None
            assert Result.objects.filter(sitting__round__event__season__club=club).exists()


def second_of(club, name="Bình"):
    """Another phone that has a name at the club's night, and its claim."""
    phone, night = Client(), Event.objects.get(season__club=club)
    player = club.players.get(name=name)
    phone.post(night_link(night), {"me": player.pk})
    return phone, Claim.objects.get(event=night, player=player)


def test_a_second_phone_runs_the_club_once_the_first_names_it(held):
    phone, club = held
    second, claim = second_of(club)
    other, _claim = second_of(club, "Chi")
    assert second.get(path_of(club, "club")).status_code == 404
    page = phone.get(path_of(club, "keep")).content.decode()
    assert f'name="second" value="{claim.pk}"' in page
    phone.post(path_of(club, "keep"), {"second": claim.pk})
    assert second.get(path_of(club, "club")).status_code == 200
    assert other.get(path_of(club, "club")).status_code == 404
    assert "Two phones can run this club." in second.get(path_of(club, "club")).content.decode()
    night = Event.objects.get(season__club=club)
    second.post(path_of(club, "event_status", night.pk), {"status": "closed", "anyway": "1"})
    assert not stored(night).is_open, "the evening ends without the first phone"


def test_a_second_phone_that_is_taken_back_or_forgotten_runs_nothing(held):
    phone, club = held
    second, claim = second_of(club)
    phone.post(path_of(club, "keep"), {"second": claim.pk})
    phone.post(path_of(club, "keep"), {"second": ""})
    assert second.get(path_of(club, "club")).status_code == 404
    phone.post(path_of(club, "keep"), {"second": claim.pk})
    claims.forget_everywhere(phone=phone_hash(second))
    club.refresh_from_db()
    assert club.second_by == ""
    assert phone.get(path_of(club, "club")).status_code == 200


def test_only_a_phone_with_a_name_at_the_clubs_open_night_is_named(held):
    phone, club = held
    _foreign, other_club = started()
    _second, claim = second_of(other_club)
    for sent in (claim.pk, "x", 0):
        page = phone.post(path_of(club, "keep"), {"second": sent}, follow=True).content.decode()
        assert "This phone no longer has a name. Choose another one." in page
    assert stored(club).second_by == ""


def test_a_kept_club_has_no_second_phone(held):
    phone, club = held
    second, claim = second_of(club)
    phone.post(path_of(club, "keep"), {"second": claim.pk})
    user = make_user()
    holding.keep(club=club, user=user, by=holding.stand_in_of(phone_hash(phone)))
    club.refresh_from_db()
    assert (club.held_by, club.second_by) == ("", "")
    assert second.get(path_of(club, "club")).status_code == 404


def phone_hash(client):
    request = RequestFactory().get("/")
    request.COOKIES[COOKIE] = client.cookies[COOKIE].value
    return phones.phone_of(request)

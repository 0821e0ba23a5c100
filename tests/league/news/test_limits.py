"""How much a club may send to one reader, and how the reader ends it."""

import datetime
import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.clubs.acts import clubs, members, merges, players
from league.me.pages.clubs import clubs_that_know
from league.models import Channel, NewsItem
from league.news.acts import outbox, sending, wishes
from league.news.facts import words
from league.nights.acts import claims, disputes
from tests.factories import (
    browser_of,
    give_role,
    make_club,
    make_member,
    make_night,
    make_prize,
    make_round,
    make_season,
    make_user,
    owner_of,
    path_of,
    play,
)
from tests.league.news.test_news import confirmed, send, told, world
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(world.__name__)]


@made_once
def club():
    """A club with a member who gets its mail."""
    club = make_club()
    club.an = confirmed(make_user("a@club.example"))
    club.an.language = "en"
    club.an.save()
    give_role(club, club.an, "organiser")
    return club


def fail(club, number):
    """Something of which the club tells at once."""
    key, data = f"schedule_failed:{club.pk}-{number}", {"schedule": f"S{number}", "day": ""}
    outbox.tell(key, club, [club.an], data=data)


def test_one_reader_gets_twenty_mails_a_day_and_one_with_the_rest(club):
    for number in range(25):
        fail(club, number)
    send()
    assert len(told()) == outbox.A_DAY
    (rest,) = NewsItem.objects.filter(kind="collected")
    send(rest.due_at - datetime.timedelta(minutes=1))
    assert told() == []
    send(rest.due_at)
    (found,) = mail.outbox
    assert found.subject == f"{club}: what else there was yesterday"
    assert re.findall(r"S\d+ was not created", found.body) == [
        f"S{number} was not created" for number in range(20, 25)
    ]
    other = make_club()
    other.an = club.an
    fail(other, 1)  # Another club is not held up by it.
    send()
    assert len(told()) == 2


def test_my_table_reaches_a_device_however_often(club):
    push = {"kind": "push", "address": "https://push.example/1", "lane": "push.example"}
    Channel.objects.create(user=club.an, **push)
    for number in range(25):
        outbox.tell(f"round_drawn:{number}", club, [club.an])
    waiting = NewsItem.objects.filter(state="waiting", kind="round_drawn")
    assert waiting.filter(user=None).count() == 25
    assert waiting.filter(user=club.an).count() == outbox.A_DAY


def test_the_rest_of_a_phones_messages_leads_to_its_night(club):
    night = make_night(4, season=make_season(club))
    channel = Channel.objects.create(phone="a" * 64, kind="push", address="https://push.example/p")
    for number in range(25):
        key, player = f"night_soon:{number}", night.entrants.first().player_id
        outbox.tell(key, night, (), phones=[(channel, player)])
    (rest,) = NewsItem.objects.filter(kind="collected")
    assert words.address_of(rest).endswith(reverse("league:my_night", args=[night.pk]))
    assert night.name in words.message_of(rest).lines[0]


def test_what_waits_for_a_phone_ends_with_its_name(club):
    """Such as the money that a player owes: another phone may have the name by then."""
    night, phone = make_night(4, season=make_season(club)), "a" * 64
    an, binh = (one.player for one in night.entrants.order_by("pk")[:2])
    Channel.objects.create(phone=phone, kind="push", address="https://push.example/p")
    Channel.objects.create(phone="b" * 64, kind="push", address="https://push.example/b")
    claims.claim(event=night, player_id=an.pk, phone=phone)
    claims.claim(event=night, player_id=binh.pk, phone="b" * 64)
    due_at = timezone.now() + outbox.AFTER_NAMES
    outbox.tell_players("entered:1", night, club.players.all(), due_at)
    claims.forget(event=night, player_id=an.pk, by=owner_of(club))
    assert [item.data["reader"] for item in NewsItem.objects.exclude(data={})] == [binh.pk]


def off_link(club):
    fail(club, 1)
    send()
    (sent,) = mail.outbox
    mail.outbox.clear()
    return re.search(r"https?://[^/]+(/\S+~news/\S+)", sent.body).group(1)


def test_a_mail_leads_to_nothing_more_from_this_club(club):
    other = make_club()
    other.an = club.an
    link, phone = off_link(club), Client()
    assert f"Nothing more from {club}" in phone.get(link).content.decode()
    fail(club, 2)
    phone.post(link, {"List-Unsubscribe": "One-Click"})  # As mail programs do.
    fail(club, 3)
    fail(other, 1)
    send()
    assert len(told()) == 1
    wishes.silence(user=club.an, club=club, is_silent=False)
    fail(club, 4)
    send()
    assert len(told()) == 1


def test_the_link_still_ends_all_mail(club):
    link = off_link(club)
    Client().post(link, {"all": "1"})
    other = make_club()
    other.an = club.an
    fail(other, 1)
    send()
    assert told() == []


def test_a_silent_club_offers_nothing(club):
    wishes.silence(user=club.an, club=make_club())
    asking = make_club()
    members.offer_role(club=asking, email=club.an.email, role="player", by=owner_of(asking))
    browser = browser_of(club.an)
    assert browser.get(reverse("offers")).context["offers"]
    browser.post(reverse("my_clubs"), {"club": asking.pk, "silent": "1"})
    assert not browser.get(reverse("offers")).context["offers"]
    page = browser.get(reverse("my_clubs")).content.decode()
    assert "News and offers again" in page
    browser.post(reverse("my_clubs"), {"club": asking.pk, "silent": "0"})
    assert browser.get(reverse("offers")).context["offers"]


def test_disputes_of_a_night_are_one_message_and_then_one_for_ten_minutes(club):
    night = make_night(4, season=make_season(club), games_per_round=9)
    sitting = make_round(night).sittings.first()
    by = owner_of(club)
    for game in range(1, 7):
        play(sitting, game_no=game)

    def dispute(game):
        disputes.open_dispute(sitting_id=sitting.pk, game_no=game, by=None, device="x")

    for game in range(1, 6):
        dispute(game)
    send()
    (first,) = [one for one in mail.outbox if one.to[0] == "a@club.example"]
    assert "disputed" in first.subject
    mail.outbox.clear()
    disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="right")
    dispute(6)
    send(timezone.now() + outbox.DISPUTES)
    (rest,) = [one for one in mail.outbox if one.to[0] == "a@club.example"]
    assert "5 games are disputed" in rest.subject
    assert NewsItem.objects.filter(kind="dispute", user=club.an).count() == 2


def test_members_are_told_that_their_club_became_public(club):
    by = owner_of(club)
    clubs.set_public(club=club, by=by, is_public=False)
    clubs.set_public(club=club, by=by, is_public=True)
    clubs.set_public(club=club, by=by, is_public=True)
    send()
    assert told() == [("a", f"{club} is public now")]


def test_a_club_counts_the_money_of_a_name_that_was_merged_too(club):
    by, season = owner_of(club), make_season(club)
    anna, annie = (players.add_player(club=club, name=name, by=by) for name in ("Anna", "Annie"))
    make_prize(season, "Annie")
    players.take_player(player=anna, user=club.an)
    merges.merge(alias=annie, into=anna, by=by)
    [known] = clubs_that_know(club.an)
    assert known.entries == 1


def test_the_clubs_that_know_me_are_one_list_with_its_ways_out(club, django_assert_max_num_queries):
    player = players.add_player(club=club, name="Anna", by=owner_of(club))
    players.take_player(player=player, user=club.an)
    browser = browser_of(club.an)
    with django_assert_max_num_queries(22):
        page = browser.get(reverse("my_clubs")).content.decode()
    assert "You play as <b>Anna</b>" in page
    assert path_of(club, "leave") in page
    browser.post(reverse("my_clubs"), {"not_me": player.pk})
    player.refresh_from_db()
    assert player.user is None
    stranger = browser_of(make_member(make_club(), "player"))
    assert stranger.post(reverse("my_clubs"), {"club": club.pk, "silent": "1"}).status_code == 404
    assert stranger.post(reverse("my_clubs"), {"not_me": player.pk}).status_code == 404
    assert sending.reader_of("x") == (None, None)

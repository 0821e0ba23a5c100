"""A sign-up list, from the post in the group to the door."""

import datetime
import re

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from league.clubs.acts import clubs, merges, players
from league.models import Audit, Club, Event, SignUp, SignUpAnswer, WaitingName
from league.nights.acts import attendance, closing, events
from league.nights.domain.night_plans import NightPlan
from league.nights.facts.night import Night
from league.nights.pages import check_in_page
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights
from league.turnout.acts import sign_ups
from league.turnout.pages import sign_ups as pages
from league.turnout.pages.sign_ups import sentences
from tables.refusals import Refusal
from tests.factories import (
    NAMES,
    browser_of,
    change_night,
    make_member,
    make_night,
    make_round,
    make_season,
    make_user,
    night_link,
    night_secret,
    owner_of,
    path_of,
)
from tests.races import race
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)

lived = lived_from("2026-11-20 19:00+07:00")


def make_event():
    """A night next week in a club of sixteen."""
    season = make_season()
    players.add_players(club=season.club, text="\n".join(NAMES), by=owner_of(season))
    return events.create_event(
        season=season,
        by=owner_of(season),
        name="Tối thứ Sáu 3",
        date=season.club.today + datetime.timedelta(days=7),
        starts_at=datetime.time(20),
    )


@made_once
def event():
    return make_event()


def opened(event, **values):
    return sign_ups.open_list(event=event, by=owner_of(event), **values)


def named(event, name):
    return event.season.club.players.get(name=name)


def say(event, name, reply="yes", **values):
    """The organiser writes down what somebody said."""
    by = owner_of(event)
    sign_up = SignUp.objects.get(event=event)
    player = named(event, name)
    return sign_ups.answer(
        sign_up=sign_up, player=player, reply=reply, by=by, organises=True, **values
    )


def who(event, **found):
    answers = SignUpAnswer.objects.filter(sign_up__event=event, **found).order_by("turn", "pk")
    return [answer.player.name for answer in answers]


def test_the_list_is_opened_posted_answered_and_met_at_the_door(event, settings):
    host = browser_of(owner_of(event))
    page = path_of(event, "sign_up")
    host.post(page, {"places": "12", "closes_at": ""})
    posted = host.get(page).content.decode()
    link = night_link(event)
    assert link in posted
    assert "20:00" in posted
    phone = Client()
    shown = phone.get(link).content.decode()
    assert "Nobody has signed up yet" in shown
    an = named(event, "An")
    assert f"?player={an.pk}" in shown
    assert "I'm coming" in phone.get(link, {"player": an.pk}).content.decode()
    phone.post(link, {"player": an.pk, "reply": "yes", "guests": "1"})
    cookie = phone.cookies["phone"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    # The same phone answers for somebody who is new, and next time needs no name.
    phone.post(link, {"name": "Bà ngoại", "reply": "maybe"})
    assert who(event, reply="maybe") == ["Bà ngoại"]
    # A name like a member's, here with a Cyrillic letter, is asked about in one tap.
    twin = {"name": "\u0410n", "reply": "maybe"}
    asked = Client().post(link, twin)
    assert (asked.status_code, asked.context["alike"]) == (409, [an])
    assert host.post(path_of(event, "sign_up_answer"), twin).status_code == 409
    assert not event.season.club.players.filter(name="\u0410n").exists()
    Client().post(link, twin | {"new": "1"})
    assert who(event, reply="maybe") == ["Bà ngoại", "\u0410n"]
    for name in NAMES[1:10]:
        Client().post(link, {"player": named(event, name).pk, "reply": "yes"})
    shown = phone.get(link).content.decode()
    assert "11 people are coming." in shown
    assert "One more makes 3 full tables of 4." in shown
    club = Client().get(path_of(event.season.club, "club")).content.decode()
    assert re.search(r"11\s+coming", club)
    door = host.get(path_of(event, "check_in")).content.decode()
    assert "Everyone who signed up is here" in door
    coming = [e.pk for e in event.season.club.players.filter(answers__is_in=True)]
    host.post(path_of(event, "check_in"), {"presence": "here", "player": coming})
    assert event.entrants.filter(presence="here").count() == 10
    log = host.get(
        path_of(event.season.club, "audit"), {"kind": "sign_up", "page": 2}
    ).content.decode()
    assert "answered for An: coming, guests: 1." in log
    assert "Someone with the night&#x27;s link" in log


def test_one_falls_ill_and_the_waiting_list_moves_up(event):
    opened(event, places=4)
    for name in ("An", "Bình", "Chi", "Dũng"):
        assert say(event, name).is_in
    assert not say(event, "Em", guests=1).is_in
    assert not say(event, "Phúc").is_in
    say(event, "An", "no")
    assert who(event, is_in=True) == ["Bình", "Chi", "Dũng", "Phúc"]  # For two there is no room.
    say(event, "Bình", "no")
    assert who(event, is_in=False, reply="yes") == ["Em"]
    say(event, "Chi", "maybe")
    assert who(event, is_in=True) == ["Dũng", "Em", "Phúc"]
    moved = Audit.objects.filter(action="sign_up.moved_up").values_list("data__player", flat=True)
    assert sorted(moved) == sorted([named(event, "Phúc").pk, named(event, "Em").pk])
    with pytest.raises(Refusal, match="no place left"):
        say(event, "Dũng", guests=2)
    opened(event, places=6)
    assert say(event, "Dũng", guests=2).guests == 2


def test_the_next_weeks_night_asks_who_comes_and_lets_nobody_in(event):
    opened(event, places=12)
    browser_of(owner_of(event)).post(path_of(event, "event_again"))
    made = Event.objects.latest("pk")
    assert (made.name, SignUp.objects.get(event=made).places) == ("Tối thứ Sáu 4", 12)
    shown = Client().get(night_link(made)).content.decode()
    assert "Tap your name" in shown
    assert "Which one are you?" not in shown


def test_without_a_list_the_doors_open_on_the_day_of_the_night(event):
    shown = Client().get(night_link(event)).content.decode()
    assert "Check-in opens on the day of the night." in shown
    # A token of the page's head may have these two letters.
    assert named(event, "An").name not in shown.partition("<main")[2]
    Event.objects.update(date=event.season.club.today, starts_at=datetime.time(23, 59))
    shown = Client().get(night_link(event)).content.decode()
    assert "Which one are you?" in shown


def test_a_night_s_page_counts_guests_and_keeps_who_waits_apart(event):
    opened(event, places=3)
    say(event, "An", guests=1)
    for name in ("Bình", "Chi", "Dũng"):
        say(event, name, guests=2 * (name == "Chi"))
    shown = browser_of(owner_of(event)).get(path_of(event, "event"))
    groups = {key: (n, people) for key, _label, n, people in shown.context["night"].sign_up.groups}
    coming, waiting = groups["yes"], groups["waiting"]
    assert (coming[0], [each.player.name for each in coming[1]]) == (3, ["An", "Bình"])
    assert (waiting[0], [each.player.name for each in waiting[1]]) == (2, ["Chi", "Dũng"])
    html = " ".join(shown.content.decode().split())
    assert 'An <b class="num">+1</b>' in html
    assert "<b>Waiting list</b>" in html
    assert ">Chi +2, Dũng<" in html


def test_who_has_answered_reads_it_on_the_night_s_page_and_may_change_it(event):
    opened(event)
    say(event, "An", reply="maybe")
    page = path_of(event, "event")
    for name, said in (("An", "You: maybe"), ("Bình", "Are you coming?")):
        player, user = named(event, name), make_member(event.season.club, "player")
        type(player).objects.filter(pk=player.pk).update(user=user)
        browser = browser_of(user)
        shown = " ".join(browser.get(page).content.decode().split())
        assert said in shown
        assert "<summary>Change</summary>" not in shown, "the buttons are there, as at home"
        assert "Not drawn yet" not in shown
        form = shown[shown.rindex("<form", 0, shown.index("> Not coming <")) :]
        to, fields = (
            re.search(r'action="([^"]+)"', form)[1],
            re.findall(r'name="(player)" value="([^"]+)"', form),
        )
        browser.post(to, {"reply": "no", **dict(fields)})
        assert SignUpAnswer.objects.get(player=player).reply == "no"
        assert "You: not coming" in " ".join(browser.get(page).content.decode().split())


def test_who_is_no_member_reads_how_to_answer_in_place_of_an_empty_card(event):
    opened(event)
    page, players = path_of(event, "event"), path_of(event.season.club, "players")
    for browser, signs_in in ((Client(), True), (browser_of(make_user()), False)):
        shown = browser.get(page).content.decode()
        assert f"Open the link that {event.season.club.name} sent you" in shown
        assert "No link? Ask a player whom you know." in shown
        assert f'<a href="{players}">' in shown
        assert browser.get(players).status_code == 200
        assert (f'href="/accounts/login/?next={page}">Sign in</a>' in shown) is signs_in
        assert "Not drawn yet" not in shown
        assert shown.index('#calendar"') < shown.index("4 games") < shown.index("Open the link")
        assert "btn-primary" not in shown.split("<main")[1]
    assert "Open the link" not in browser_of(owner_of(event)).get(page).content.decode()
    Event.objects.update(venue="Quán Cô Ba", version=F("version") + 1)
    assert "or the organiser at Quán Cô Ba." in Client().get(page).content.decode()


def test_the_link_begins_with_day_hour_and_place_and_says_them_once(event):
    opened(event)
    Event.objects.update(venue="Quán Cô Ba, Lê Văn Sỹ", starts_at=datetime.time(19, 30))
    shown = " ".join(Client().get(night_link(event)).content.decode().split())
    bar, _main, rest = shown.partition("<main")
    assert "19:30" not in bar[bar.index("<header") :]
    assert (rest.count(", 19:30</b>"), rest.count("19:30")) == (1, 1)
    assert rest.count("Quán Cô Ba, Lê Văn Sỹ") == 1
    assert rest.index("19:30") < rest.index("Quán Cô Ba") < rest.index("Tap your name")
    assert f"<span>{event.ruleset.body['name']} · " in rest, "what is played"


def test_nobody_who_is_here_is_counted_as_silent(event):
    opened(event)
    say(event, "An")
    say(event, "Bình", "maybe")
    here = [named(event, name).pk for name in ("An", "Bình", "Chi")]
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=here, presence="here", by=by)
    night = Night(event)
    note = check_in_page.sign_up_of(night, with_names=True)
    shown = {
        key: {getattr(one, "player", one).name for one in people}
        for key, _label, _n, people in note.groups
    }
    assert shown["here"] == {"An", "Bình", "Chi"}
    assert not shown["yes"] | shown["maybe"] | shown["no"]
    assert shown["silent"] == set(NAMES) - shown["here"]
    assert (night.answers.coming, night.answers.silent) == (3, len(NAMES) - 3)
    everyone = list(event.season.club.players.values_list("pk", flat=True))
    attendance.set_presence(event=event, player_ids=everyone, presence="here", by=by)
    assert Night(event).answers.silent == 0


def test_the_group_is_invited_reminded_by_name_or_sent_the_list(event, monkeypatch):
    """The step of a night to come leads to the reminder; it names who has not answered."""
    opened(event, places=3)
    say(event, "An", guests=1)
    say(event, "Bình")
    say(event, "Chi")
    say(event, "Dũng", "maybe")
    say(event, "Giang", "no")
    browser = browser_of(owner_of(event))
    page = path_of(event, "sign_up")

    def post(**asked):
        shown = browser.get(page, asked).context
        title, *words, address = shown["post"].split("\n")
        assert (event.name in title, address.endswith(night_link(event))) == (True, True)
        return [tab.text for tab in shown["texts"] if tab.is_here], words

    invited = (
        ["Invite"],
        ["3 people are coming. All places are taken. New names go on the waiting list."],
    )
    assert [post(), post(text="poem")] == [invited] * 2
    silent = [name for name in NAMES if name not in ("An", "Bình", "Chi", "Dũng", "Giang")]
    asks, (question,) = post(text="ask")
    assert asks == ["Remind"]
    assert set(question.partition(": are you coming?")[0].split(", ")) == set(silent)
    assert post(text="list") == (
        ["List"],
        ["Coming 3: An +1, Bình", "Waiting list 1: Chi", "Maybe 1: Dũng"],
    )
    monkeypatch.setattr(pages, "ASKED", 2)
    asks, (question,) = post(text="ask")
    assert question.partition(": are you coming?")[0].split(", ")[2:] == [f"+{len(silent) - 2}"]
    shown, reminds = browser.get(page).content.decode(), path_of(event, "sign_up_ask")
    assert "<b>3 people are coming.</b>" not in shown, "the text to post says it"
    assert reminds not in shown, "who is reminded is named beside it"
    assert reminds in browser.get(page, {"text": "ask"}).content.decode()
    faces = shown.split("answered-silent", 1)[1].split("</ul>")[0]
    assert f'<a href="?player=others#answer">+{len(silent) - 2}</a>' in faces
    assert faces.count("?player=") == 3
    assert 'id="answer" open>' in browser.get(page, {"player": "others"}).content.decode()
    step = browser.get(path_of(event, "event"))
    (ask,) = [one for one in step.context["night"].frame.step.actions if "text=ask" in one.address]
    assert ask.text == f"Ask {len(silent)} people"
    for name in silent:
        say(event, name, "no")
    assert post(text="ask") == invited


def test_a_name_of_blanks_is_asked_for_and_a_tap_leads_to_the_answer(event):
    opened(event)
    phone, link, an = Client(), night_link(event), named(event, "An")
    said = phone.post(link, {"reply": "yes", "name": "   ", "guests": "0"}, follow=True)
    assert "Enter a name with at least one letter or digit." in said.content.decode()
    assert not SignUpAnswer.objects.exists()
    assert f'href="?player={an.pk}#player-{an.pk}"' in phone.get(link).content.decode()
    assert f'id="player-{an.pk}"' in phone.get(link, {"player": an.pk}).content.decode()


def test_the_tapped_name_has_three_answers_and_is_no_one_else(event):
    opened(event)
    phone, link, an = Client(), night_link(event), named(event, "An")
    page = phone.get(link, {"player": an.pk}).content.decode().split("<main")[1]
    own, others = page.split("Answer for someone else")
    assert own.index('value="no"') < own.index('name="guests"')
    looks = re.findall(r'class="(btn[^"]*)"\s+name="reply"\s+value="(\w+)"', own)
    assert looks == [("btn btn-primary btn-block", "yes"), ("btn", "maybe"), ("btn", "no")]
    assert f"?player={an.pk}#" not in others
    phone.post(link, {"player": an.pk, "reply": "maybe"})
    chosen = r'class="btn btn-primary"\s+name="reply"\s+value="(\w+)"'
    assert re.findall(chosen, phone.get(link).content.decode()) == ["maybe"]


def test_the_link_of_a_closed_night_asks_for_each_who_came_once(event):
    """Also for one who came to another night too."""
    by = owner_of(event)
    make_night(4, season=event.season)
    here = [named(event, name).pk for name in ("An", "Bình")]
    attendance.set_presence(event=event, player_ids=here, presence="here", by=by)
    closing.close_event(event=event, by=by)
    found = Client().get(night_link(event)).context["page"].findable
    assert [one.player.name for one in found] == ["An", "Bình"]


def test_a_tap_on_a_face_answers_for_that_person(event):
    opened(event)
    browser = browser_of(owner_of(event))
    page = path_of(event, "sign_up")
    an = named(event, "An")
    assert f'href="?player={an.pk}#answer"' in browser.get(page).content.decode()
    assert 'value="An"' in browser.get(page, {"player": an.pk}).content.decode()
    say(event, "An")
    for odd in (an.pk, "x", ""):  # Who has answered is asked nothing more.
        shown = browser.get(page, {"player": odd})
        assert (shown.status_code, shown.context["asked"]) == (200, None)


def test_a_name_belongs_to_the_phone_that_answered_until_an_organiser_frees_it(event):
    opened(event)
    link, an = night_link(event), named(event, "An")
    mine, other = Client(), Client()
    mine.post(link, {"player": an.pk, "reply": "yes"})
    other.post(link, {"player": an.pk, "reply": "no"})
    assert who(event, is_in=True) == ["An"]
    assert "another phone" in other.get(link, {"player": an.pk}).content.decode()
    user = make_user()
    players.take_player(player=an, user=user)
    browser_of(user).post(link, {"player": an.pk, "reply": "maybe"})
    assert who(event, reply="maybe") == ["An"]
    page = path_of(event, "sign_up_answer")
    browser_of(make_member(event.season.club, "organiser")).post(page, {"free": an.pk})
    other.post(link, {"player": an.pk, "reply": "no"})
    assert who(event, reply="no") == ["An"]


def test_after_the_deadline_people_cancel_but_sign_up_no_more(event):
    opened(event)
    link, an, em = night_link(event), named(event, "An"), named(event, "Em")
    phone = Client()
    phone.post(link, {"player": an.pk, "reply": "yes", "guests": "2"})
    opened(event, closes_at=timezone.now() - datetime.timedelta(minutes=1))
    late = phone.post(link, {"player": em.pk, "reply": "yes"}, follow=True)
    assert "Sign-up is over." in late.content.decode()
    phone.post(link, {"player": an.pk, "reply": "yes", "guests": "0"})
    assert SignUpAnswer.objects.get().guests == 0
    phone.post(link, {"player": an.pk, "reply": "no"})
    assert who(event, reply="no") == ["An"]
    assert say(event, "Em").is_in  # An organiser still may.


@pytest.mark.parametrize(
    ("zone", "days", "hour", "closes"),
    [
        ("Asia/Ho_Chi_Minh", 1, 19, "28 17:00"),
        ("Asia/Ho_Chi_Minh", 7, None, "04 18:00"),
        ("Europe/Berlin", -35, 20, "23 18:00"),
    ],
)
def test_the_deadline_moves_with_the_night(event, zone, days, hour, closes):
    """By the night's clock, also back over the hour that autumn gives."""
    Club.objects.filter(pk=event.season.club_id).update(time_zone=zone)
    event = Event.objects.get(pk=event.pk)
    closes_at = event.begins - datetime.timedelta(hours=2)
    opened(event, closes_at=closes_at)
    by, starts_at = owner_of(event), None if hour is None else datetime.time(hour)
    for name, date in (("Chung kết", event.date), ("Chung kết", event.date + DAY * days)):
        starts = event.starts_at if date == event.date else starts_at
        change_night(event, by=by, name=name, date=date, starts_at=starts)
        if date == event.date:
            assert SignUp.objects.get(event=event).closes_at == closes_at
    found = SignUp.objects.get(event=event).closes_at
    assert f"{found.astimezone(event.zone):%d %H:%M}" == closes


def test_a_deadline_that_was_set_for_the_new_day_does_not_move_again(event):
    later = event.begins + 6 * DAY
    opened(event, closes_at=later)
    change_night(event, date=event.date + 7 * DAY, starts_at=event.starts_at)
    assert SignUp.objects.get(event=event).closes_at == later


def test_a_deadline_at_the_end_of_the_calendar_stays(event):
    last = datetime.datetime(9999, 12, 31, 23, 59, tzinfo=datetime.UTC)
    opened(event)
    SignUp.objects.filter(event=event).update(closes_at=last)  # As 1.1 kept it.
    sign_ups.move_deadline(event=event, later=DAY, by=owner_of(event))
    assert SignUp.objects.get(event=event).closes_at == last


@pytest.mark.parametrize("hour", [16, 23])
def test_a_club_moves_though_a_list_closes_at_the_end_of_the_calendar(event, hour):
    """The hour would be of the year 10000: west of the club, or by the club's own clock."""
    last = datetime.datetime(9999, 12, 31, hour, 59, tzinfo=datetime.UTC)
    opened(event)
    SignUp.objects.filter(event=event).update(closes_at=last)  # As 1.1 kept it.
    club = event.season.club
    moved = clubs.change_club(
        club=club, by=owner_of(club), name=club.name, time_zone="America/Lima", unit=club.unit
    )
    assert moved.time_zone == "America/Lima"
    assert SignUp.objects.get(event=event).closes_at == last


@pytest.mark.parametrize("typed", ["9999-12-31T23:59", "3000-01-01T00:00", "0001-01-01T00:00"])
def test_a_deadline_at_the_ends_of_the_calendar_is_refused_beside_its_field(event, typed):
    """Stored, it could not be read any more: all pages of the night would fail."""
    club = event.season.club
    club.time_zone = "America/Lima"
    club.save()
    opened(event)
    address = path_of(event, "sign_up")
    answer = browser_of(owner_of(club)).post(address, {"places": "", "closes_at": typed})
    assert answer.context["form"].errors == {"closes_at": ["Write a year from 1900 to 2999."]}
    assert SignUp.objects.get(event=event).closes_at is None


def test_who_comes_after_the_draw_is_sent_to_the_door():
    event = make_night(4)
    opened(event)
    make_round(event)
    late = Client().post(
        night_link(event), {"player": named(event, "An").pk, "reply": "yes"}, follow=True
    )
    assert "The night has begun." in late.content.decode()


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"player": "x", "reply": "yes"},
        {"player": "9" * 30, "reply": "yes"},
        {"name": "An", "reply": "perhaps"},
        {"name": "An", "reply": "yes", "guests": "-1"},
        {"name": "An", "reply": "yes", "guests": "99"},
        {"name": "\u202e", "reply": "yes"},
        {"name": "x" * 300, "reply": "yes"},
    ],
)
def test_odd_answers_change_nothing(event, odd):
    opened(event)
    assert Client().post(night_link(event), odd).status_code == 302
    assert not SignUpAnswer.objects.exists()


def test_a_phone_answers_for_few(event):
    opened(event)
    phone = Client()
    for name in NAMES:
        phone.post(night_link(event), {"player": named(event, name).pk, "reply": "yes"})
    assert len(who(event)) == sign_ups.MOST_PER_PHONE


def test_two_names_merged_have_one_answer(event):
    opened(event, places=2)
    for name in ("An", "Bình", "Chi"):
        say(event, name)
    merges.merge(alias=named(event, "Bình"), into=named(event, "An"), by=owner_of(event))
    assert who(event, is_in=True) == ["An", "Chi"]


def test_nights_of_a_schedule_open_their_own_list():
    season = make_season()
    day = season.club.today + datetime.timedelta(days=3)
    rule = Recurrence(day, datetime.time(19, 30), season.club.time_zone, "week")
    ahead = Ahead(opens_sign_up=True, sign_up_places=16, sign_up_hours=2)
    nights = Nights("Đêm 1", NightPlan(), rule, ahead)
    schedules.create_schedule(season=season, by=owner_of(season), repeated=nights)
    schedules.tick(timezone.now())
    sign_up = SignUp.objects.get(event__season=season)
    assert sign_up.places == 16
    assert sign_up.event.starts_at == datetime.time(19, 30)
    assert f"{sign_up.closes_at:%H:%M}" == "10:30"  # 17:30 in Saigon.
    assert night_secret(sign_up.event)


def test_the_api_opens_a_list_and_notes_answers(event):
    client = browser_of(make_member(event.season.club, "organiser"))
    path = path_of(event, "api:sign_up")
    assert client.get(path).status_code == 404
    long_ago = {"closes_at": "0001-01-01T00:00:00Z"}  # No zone of that time has whole minutes.
    assert client.put(path, long_ago, content_type="application/json").status_code == 400
    client.put(path, {"places": 2}, content_type="application/json")
    answers = path_of(event, "api:sign_up_answers")
    for name, is_in in (("An", True), ("Bình", True), ("Chi", False)):
        said = {"player": named(event, name).pk, "reply": "yes"}
        made = client.post(answers, said, content_type="application/json").json()
        assert made["is_in"] is is_in
    found = client.get(path).json()
    assert (found["coming"], len(found["answers"])) == (2, 3)


def test_a_bot_takes_nobodys_place_through_the_api(event):
    club, sign_up = event.season.club, opened(event, places=2)
    bot = players.add_player(club=club, name="greedy", by=None, bot="greedy")
    client = browser_of(make_member(club, "organiser"))
    answers = path_of(event, "api:sign_up_answers")
    said = {"player": bot.pk, "reply": "yes"}
    assert client.post(answers, said, content_type="application/json").status_code == 400
    assert not sign_up.answers.exists()


@pytest.mark.parametrize(
    ("coming", "places", "told"),
    [
        (0, None, "Nobody has signed up yet. Be the first."),
        (1, None, "1 person is coming. 3 more make one full table of 4."),
        (11, None, "11 people are coming. One more makes 3 full tables of 4."),
        (8, 16, "8 people are coming. That makes 2 tables of 4."),
        (9, 10, "9 people are coming."),
        (10, 10, "10 people are coming. All places are taken. New names go on the waiting list."),
    ],
)
def test_a_sentence_says_how_few_are_missing(coming, places, told):
    assert " ".join(sentences(coming, places)) == told


@pytest.mark.django_db(transaction=True)
def test_two_phones_want_the_last_place():
    event = make_event()
    sign_up = opened(event, places=5)
    for name in ("An", "Bình", "Chi", "Dũng"):
        say(event, name)
    wanted = [named(event, name) for name in ("Em", "Phúc", "Giang", "Hà")]
    calls = [
        lambda player=player: sign_ups.answer(
            sign_up=sign_up, player=player, reply="yes", device=str(player.pk)
        )
        for player in wanted
    ]
    race(*calls, refused=())
    assert len(who(event, is_in=True)) == 5
    assert len(who(event, is_in=False, reply="yes")) == 3
    an = named(event, "An")
    race(
        lambda: sign_ups.answer(sign_up=sign_up, player=an, reply="no", organises=True),
        lambda: say(event, "Bình", "no"),
        refused=(),
    )
    assert len(who(event, is_in=True)) == 5
    moved = Audit.objects.filter(action="sign_up.moved_up")
    assert moved.count() == len(set(moved.values_list("data__player", flat=True))) == 2


def test_a_chat_shows_what_a_link_to_a_public_club_leads_to_and_nothing_of_another(event):
    opened(event)
    say(event, "An")
    club = event.season.club
    shown = Client().get(night_link(event)).content.decode()
    assert '<meta property="og:title" content="Tối thứ Sáu 3">' in shown
    assert "1 person is coming. 3 more make one full table of 4." in shown
    for page in (
        path_of(club, "club"),
        path_of(event.season, "season"),
        path_of(event, "event"),
    ):
        assert 'property="og:title"' in Client().get(page).content.decode()
    club.is_public = False
    club.save()
    assert "og:" not in Client().get(night_link(event)).content.decode()


def test_regulars_are_in_until_they_say_no(event, client):
    by = owner_of(event)
    for name in ("An", "Bình", "Chi"):
        path = path_of(named(event, name), "player_edit")
        browser_of(by).post(path, {"act": "regular"})
    sign_up = opened(event, places=2)
    said = {answer.player.name: answer.is_in for answer in sign_up.answers.all()}
    assert said == {"An": True, "Bình": True, "Chi": False}
    # Nobody holds the answer yet: An's own phone says no, and Chi moves up.
    client.post(night_link(event), {"player": named(event, "An").pk, "reply": "no"})
    assert [a.player.name for a in sign_up.answers.filter(is_in=True)] == ["Bình", "Chi"]
    merges.merge(alias=named(event, "Chi"), into=named(event, "Dũng"), by=by)
    assert named(event, "Dũng").is_regular


def test_who_had_the_name_removed_takes_no_place_on_the_lists_to_come(event):
    by = owner_of(event)
    for name in ("An", "Bình"):
        players.set_regular(player=named(event, name), is_regular=True, by=by)
    players.anonymise_player(player=named(event, "An"), by=by)
    opened(event, places=2)
    assert who(event) == ["Bình"]


def test_a_player_whom_two_organisers_make_a_regular_is_one(event):
    club, an = event.season.club, named(event, "An")
    path = path_of(an, "player_edit")
    for organiser in (owner_of(club), make_member(club, "organiser")):
        browser_of(organiser).post(path, {"act": "regular", "regular": "1"})
    assert named(event, "An").is_regular


def test_sixty_phones_behind_one_network_answer_for_their_own_names(event):
    club = event.season.club
    text = "\n".join(f"Người {number}" for number in range(60))
    added = players.add_players(club=club, text=text, by=owner_of(club)).players
    opened(event)
    for player in added:
        phone = Client(REMOTE_ADDR="203.0.113.7")
        answer = phone.post(night_link(event), {"player": player.pk, "reply": "yes"})
        assert answer.status_code == 302
    came = SignUpAnswer.objects.filter(sign_up__event=event, reply="yes")
    assert came.values("device").distinct().count() == len(added) == 60


def new_phones(event, count, first=0):
    """Phones that answer under names which they make up."""
    for number in range(first, first + count):
        answer = Client().post(
            night_link(event), {"name": f"Lạ {number}", "reply": "yes", "new": "1"}
        )
        assert answer.status_code == 302


def test_twelve_new_names_stand_and_from_then_on_an_organiser_takes_all_in_one_tap(event):
    opened(event)
    club, host = event.season.club, browser_of(owner_of(event))
    before = club.players.count()
    new_phones(event, 20)
    assert club.players.count() == before + sign_ups.NEW_NAMES
    page = path_of(event, "sign_up")
    assert "8 new names wait" in host.get(page).content.decode()
    host.post(path_of(event, "sign_up_answer"), {"waiting": "take"})
    assert len(who(event, reply="yes")) == 20
    assert not SignUpAnswer.objects.filter(sign_up__event=event, device="").exists()
    assert "new names wait" not in host.get(page).content.decode()


def test_a_name_that_waits_does_not_overrule_what_its_player_answered_since(event):
    opened(event)
    club, by = event.season.club, owner_of(event)
    new_phones(event, 13)
    waits = WaitingName.objects.get()
    player = players.add_player(club=club, name=waits.name, by=by)
    say(event, player.name, "no")
    sign_ups.settle_waiting(sign_up=event.sign_up, by=by, takes=True)
    assert player.name in who(event, reply="no")
    assert not WaitingName.objects.exists()


def test_the_rest_is_thrown_away_in_one_tap_and_known_names_never_wait(event):
    opened(event)
    host, phone = browser_of(owner_of(event)), Client()
    new_phones(event, 20)
    phone.post(night_link(event), {"player": named(event, "An").pk, "reply": "yes"})
    assert "An" in who(event, reply="yes")
    host.post(path_of(event, "sign_up_answer"), {"waiting": "drop"})
    assert len(who(event, reply="yes")) == sign_ups.NEW_NAMES + 1
    assert not WaitingName.objects.exists()


def test_one_phone_lets_twelve_names_wait(event):
    sign_up = opened(event)
    new_phones(event, sign_ups.NEW_NAMES)
    shared = {"sign_up": sign_up, "reply": "yes", "guests": 0, "by": None, "device": "one",
              "organises": False}  # fmt: skip
    for number in range(sign_ups.MOST_PER_PHONE):
        assert sign_ups.answer_as(name=f"Bạn {number}", **shared) is None
    with pytest.raises(Refusal, match="Too many new names"):
        sign_ups.answer_as(name="Bạn thêm", **shared)


def test_a_night_that_was_called_off_still_lists_who_was_coming_to_those_who_belong(event):
    opened(event)
    say(event, NAMES[0], guests=1)
    say(event, NAMES[1], "maybe")
    closing.call_off(event=event, by=owner_of(event))
    page = path_of(event, "event")
    shown = browser_of(owner_of(event)).get(page)
    groups = {key: n for key, _words, n, people in shown.context["night"].sign_up.groups if people}
    assert (groups["yes"], groups["maybe"]) == (2, 1)
    assert NAMES[0] in shown.content.decode()
    assert Client().get(page).context["night"].sign_up.groups == []


def test_a_link_needs_the_same_queries_for_every_number_of_people(django_assert_num_queries):
    to_come = make_event()
    opened(to_come)
    link = night_link(to_come)
    Client().get(link)  # What the club keeps for all its pages is read once.
    for answered in (NAMES[:2], NAMES[2:12]):
        for name in answered:
            say(to_come, name)
        with django_assert_num_queries(8):
            Client().get(link)
    for people in (4, 16):
        running = make_night(people)
        make_round(running)
        link = night_link(running)
        with django_assert_num_queries(10):
            Client().get(link)

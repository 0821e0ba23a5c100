"""A club's week, lived: the list, thirteen phones, an illness, reminders, the night, its recap.

A mail server, a push service and a webhook's program on this machine stand for the world. Each of
them fails once, workers run twice: nothing is lost, nothing arrives twice.
"""

import datetime
import io
import json
import zoneinfo

import icalendar
import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from league.clubs.acts import players
from league.models import NewsItem, SignUpAnswer
from league.news.acts import outbox, push, sending, wishes
from league.nights.acts import attendance, closing, disputes, events
from tests.factories import (
    NAMES,
    browser_of,
    confirmed,
    make_round,
    make_season,
    make_user,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
)
from tests.league.news.browser import Browser
from tests.league.news.mailbox import mailbox
from tests.league.news.receiver import receiver
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-16 19:00+07:00")

HOUR = datetime.timedelta(hours=1)
MINUTE = datetime.timedelta(minutes=1)


def work(now):
    """All that is due, by two workers one after the other, with a sweep between."""
    for _worker in range(2):
        for name in sending.due_lanes(now):
            sending.send_lane(name, now)
        sending.sweep(now)


def test_a_week_is_lived(settings, client):
    season = make_season()
    club, by = season.club, owner_of(season)
    host = browser_of(by)
    with mailbox() as mails, receiver() as service, receiver() as program:
        settings.HAS_MAIL = settings.WEBHOOKS_IN_LAN = True
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mails.port
        players.add_players(club=club, text="\n".join(NAMES), by=by)
        people = {player.name: player for player in club.players.all()}
        phones = {name: Browser() for name in ("Chi", "Inh", "Nga")}
        for number, name in enumerate(("An", "Chi", "Inh", "Nga")):
            user = make_user(f"{'acin'[number]}@club.example")
            players.take_player(player=people[name], user=user)
            if name in ("An", "Inh"):
                confirmed(user)
            if name in phones:
                keys = phones[name].keys()
                push.add_browser(user=user, address=f"{service.address}&{name}", **keys)
        hook = wishes.add_webhook(club=club, address=program.address, by=by)

        # Monday: a night on Friday, its list, and the link in the group.
        day = club.today + datetime.timedelta(days=4)
        night = events.create_event(
            season=season, by=by, name="Đêm 7", date=day, starts_at=datetime.time(20)
        )
        host.post(path_of(club, "sign_up", night.pk), {"places": "12"})
        link = night_link(night)
        answered = {name: Client() for name in NAMES[:13]}
        for name, phone in answered.items():
            for _twice in range(2):  # The first answer got lost on the way back.
                phone.post(link, {"player": people[name].pk, "reply": "yes"})
        answers = SignUpAnswer.objects.filter(sign_up__event=night)
        assert (answers.count(), answers.filter(is_in=True).count()) == (13, 12)
        assert not answers.get(player=people["Nga"]).is_in

        # Wednesday: Chi is ill. Nga moves up; her phone is told, at the second attempt.
        service.answers, program.answers = [503], [500]
        answered["Chi"].post(link, {"player": people["Chi"].pk, "reply": "no"})
        assert answers.get(player=people["Nga"]).is_in
        now = timezone.now()
        work(now)
        work(now + MINUTE)
        assert mails.told() == []
        assert [phones["Nga"].opened(body)["title"] for _h, body in service.got] == [
            "Nga có chỗ rồi"
        ] * 2
        assert len({headers["topic"] for headers, _body in service.got}) == 1
        service.got.clear()

        # Thursday: two ticks. One mail server asks for patience; a worker dies with a message.
        mails.refusals["i@club.example"] = ["450 later, please"]
        before = outbox.begins_at(night) - 20 * HOUR
        for tick in range(2):
            outbox.remind(before + tick * MINUTE)
        held = NewsItem.objects.get(kind="night_soon", channel__address__endswith="&Inh")
        NewsItem.objects.filter(pk=held.pk).update(state="sending", lease_until=before, attempts=1)
        work(before + 2 * MINUTE)
        subject = f"{club}: Đêm 7"
        assert mails.told() == [("a", subject)]
        work(before + 10 * MINUTE)
        work(before + 20 * MINUTE)
        assert mails.told() == [("i", subject)]
        # Who is ill is not reminded.
        told = {headers["topic"]: body for headers, body in service.got}
        assert len(service.got) == len(told) == 2
        assert {phones[name].opened(body)["title"] for name, (_h, body) in zip(
            ("Inh", "Nga"), sorted(service.got, key=lambda one: one[0]["topic"] != held.ref.hex),
            strict=True,
        )} == {subject}  # fmt: skip
        service.got.clear()

        # Friday: they come, three tables play, a game is disputed and settled.
        coming = answers.filter(is_in=True).values_list("player", flat=True)
        attendance.set_presence(event=night, player_ids=list(coming), presence="here", by=by)
        tables = list(make_round(night).sittings.all())
        assert len(tables) == 3
        work(timezone.now())
        drawn = mails.told()
        assert [who for who, _subject in drawn] == ["a", "i"]
        assert all(subject.startswith("Vòng đấu 1 bạn ngồi bàn ") for _who, subject in drawn)
        assert len(service.got) == 2
        service.got.clear()
        for table in tables:
            names = names_at(table)
            play(table, names)
            play(table, names)
        first = names_at(tables[0])[0]
        disputes.open_dispute(sitting_id=tables[0].pk, game_no=1, by=None, device="x")
        disputes.dismiss(sitting_id=tables[0].pk, game_no=1, by=by, reason="đúng rồi")
        closing.close_event(event=night, by=by, despite_unfinished=True)
        closing.reopen_event(event=night, by=by)
        closing.close_event(event=night, by=by, despite_unfinished=True)
        work(timezone.now())
        assert mails.told() == []  # The result waits a while, in case the night is reopened.
        work(timezone.now() + HOUR)
        assert mails.told() == [("a", "Đêm 7: kết quả"), ("i", "Đêm 7: kết quả")]
        assert len(service.got) == 2

        # What the club's own program got: each once, signed, the failed one again by its id.
        assert program.is_signed(hook.secret)
        kinds = {h["webhook-id"]: json.loads(body)["type"] for h, body in program.got}
        assert list(kinds.values()) == [
            "moved.up", "night.soon", "round.drawn", "dispute", "night.result",
        ]  # fmt: skip
        assert len(program.got) == len(kinds) + 1
        assert not NewsItem.objects.exclude(state="sent").exists()

    # Afterwards: the recap, its pictures, the calendar, the feed and the log of deliveries.
    assert first in client.get(path_of(club, "recap", night.pk)).content.decode()
    for shape, size in (("wide", (1200, 630)), ("square", (1080, 1080))):
        picture = client.get(path_of(club, "night_picture", night.pk, shape))
        assert Image.open(io.BytesIO(picture.content)).size == size
    calendar = client.get(path_of(club, "club_calendar")).content
    (entry,) = icalendar.Calendar.from_ical(calendar).walk("VEVENT")
    assert entry["dtstart"].dt == datetime.datetime.combine(
        day, datetime.time(20), tzinfo=zoneinfo.ZoneInfo(club.time_zone)
    )
    feed = client.get(path_of(club, "feed", "json")).json()["items"]
    assert [item["url"].endswith("/recap/") for item in feed] == [True]
    log = host.get(path_of(club, "webhooks")).content.decode()
    assert log.count("night_result") == 1

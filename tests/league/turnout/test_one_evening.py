"""One evening on several phones: one link from the answer to the debts."""

import datetime
import html
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.clubs.acts import clubs, players
from league.models import Channel, Claim, Club, Event, Link, NewsItem, SignUpAnswer
from league.news.facts import words
from league.nights.acts import attendance, bins, claims, closing, events
from league.nights.domain.night_plans import NightPlan
from league.turnout.acts import sign_ups
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    game_form,
    make_club,
    make_member,
    make_round,
    make_season,
    names_at,
    night_link,
    night_secret,
    owner_of,
    path_of,
    play,
    table_link,
)
from tests.league.nights.test_phone_keys import plain_hash
from tests.races import race
from tests.scripts import SCRIPT
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 19:00+07:00")

PEOPLE = ["An", "Bình", "Chi", "Dũng", "Em"]


class Evening:
    """A night of a private club with its one link, and a table's for the cards."""

    def __init__(self, club: Club | None = None) -> None:
        cache.clear()
        self.club = club or make_club(is_public=False)
        self.by = owner_of(self.club)
        if club is None:
            players.add_players(club=self.club, text="\n".join(PEOPLE), by=self.by)
        self.event = events.create_event(
            season=make_season(self.club),
            by=self.by,
            name="Tối thứ Sáu",
            date=self.club.today,
            plan=NightPlan(stake=10),
        )
        sign_ups.open_list(event=self.event, by=self.by)
        self.link = night_link(self.event)
        self.my_night = reverse("league:my_night", args=[self.event.pk])

    def key(self, name: str) -> int:
        return self.club.players.get(name=name).pk

    def say(self, phone: Client, name: str, reply: str = "yes"):
        return phone.post(self.link, {"player": self.key(name), "reply": reply}, follow=True)

    def whose(self) -> dict[str, str]:
        """The phones of the night by name."""
        held = Claim.objects.filter(event=self.event, ended_at=None)
        return dict(held.values_list("player__name", "phone_hash"))

    def present(self) -> set[str]:
        here = self.event.entrants.filter(presence="here")
        return set(here.values_list("player__name", flat=True))

    def seat(self, *names: str):
        """Seats those people, and returns the table and its link."""
        keys = [self.key(name) for name in names]
        attendance.set_presence(event=self.event, player_ids=keys, presence="here", by=self.by)
        self.event.refresh_from_db()
        sitting = make_round(self.event).sittings.get()
        self.table = table_link(sitting)
        return sitting

    def close(self) -> None:
        closing.close_event(event=self.event, by=self.by, despite_unfinished=True)

    def all_links(self) -> list[str]:
        """The night's link, the addresses that it had before, and a table's."""
        secret = night_secret(self.event)
        old = [reverse(f"league:link_{name}", args=[secret]) for name in ("sign_up", "check_in")]
        return [self.link, *old, self.table]


@made_once
def evening() -> Evening:
    return Evening()


def page(phone: Client, path: str, status: int = 200) -> str:
    answer = phone.get(path, follow=True)
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def test_one_phone_lives_the_night_by_one_link(evening):
    """Coming, here, my table, a game, its check, the result and what is owed."""
    phone = Client()
    Event.objects.update(date=evening.club.today + datetime.timedelta(days=3))
    assert "I'm here" not in page(phone, evening.link)
    evening.say(phone, "An")
    assert list(evening.whose()) == ["An"]
    before = page(phone, evening.link)
    assert "An's night" in before
    assert "An's night" in page(phone, "/")  # The first page leads a phone with a name to it.
    assert "1 person is coming." in before
    assert 'value="here"' not in before
    assert "Rank" not in before  # Nothing is said that no game has made true.
    Event.objects.update(date=evening.club.today)
    assert 'name="presence"' in page(phone, evening.link)
    phone.post(evening.link, {"presence": "here"})
    assert evening.present() == {"An"}
    arrived = page(phone, evening.link)
    assert "Your table appears here once the round is drawn." in arrived
    # Whoever is here is not asked any more.
    assert f'name="player" value="{evening.key("An")}"' not in arrived
    assert "Answer for someone else" in arrived
    sitting = evening.seat(*PEOPLE[:4])
    during = page(phone, "/")
    assert "Table 1" in during
    assert evening.table in during
    assert "Rank" not in during
    for path in evening.all_links()[:3]:
        assert page(phone, path) == page(phone, evening.link) or "Table 1" in page(phone, path)
    play(sitting, ["Bình", "Chi", "Dũng", "An"])
    after = page(phone, evening.link)
    assert "Round 1, game 1" in after
    assert "4 / 4" in " ".join(after.split())
    evening.close()
    for path in evening.all_links():
        shown = page(phone, path)
        assert "you pay <strong>Bình</strong>" in shown
        assert "Result" in shown
        assert "has expired" not in shown
        assert "Check in someone else" not in shown
    assert "you pay <strong>Bình</strong>" in page(phone, "/")
    Event.objects.update(date=evening.club.today - datetime.timedelta(days=2))
    assert "An's night" not in page(phone, "/")
    assert Claim.objects.count() == 1


def test_what_the_page_asked_for_anew_leads_to_the_whole_page(evening):
    phone = Client()
    for _time in range(2):
        part = phone.get(evening.link, {"others": "1", "version": "0"})
        assert "<h1" not in part.content.decode()
        assert part.context["page"].here == f"{evening.link}?others=1"
        assert part.context["page"].news_at.count("version=") == 1
        evening.say(phone, "An")
    sent = phone.post(f"{evening.link}?version=0", {"gone": "1"})
    assert sent["Location"] == evening.link


def test_a_second_phone_asks_the_first_whether_it_is_the_same_person(evening):
    first, second, third = Client(), Client(), Client()
    evening.say(first, "An")
    ask = {"me": evening.key("An")}
    for _again in range(2):  # Who asks twice has not been refused.
        second.post(evening.link, ask)
    assert "An's other phone is asked." in page(second, evening.link)
    assert "An's night" not in page(second, evening.link)
    asked = page(first, evening.link)
    assert "Another phone says that it is An's. Is it yours?" in asked
    old = token(asked)
    third.post(evening.link, ask)  # The latest waits; an answer to the one before says nothing.
    told = first.post(evening.link, {"asking": old, "own": 1}, follow=True)
    assert "Nobody waits for this answer any more." in told.content.decode()
    assert "An's night" in page(first, evening.link)
    first.post(evening.link, {"asking": token(page(first, evening.link)), "own": 0})
    assert "An's other phone said no." in page(third, evening.link)
    told = third.post(evening.link, ask, follow=True)
    assert "said no. Ask an organiser to free it." in html.unescape(told.content.decode())
    second.post(evening.link, ask)
    yes = token(page(first, evening.link))
    for _twice in range(2):
        first.post(evening.link, {"asking": yes, "own": 1})
    assert "An's night" in page(second, evening.link)
    assert "An's night" not in page(first, evening.link)
    assert len(evening.whose()) == 1
    evening.say(second, "An", "no")
    assert SignUpAnswer.objects.get().reply == "no"


def test_a_taken_name_is_asked_for_by_a_second_tap_and_then_waits(evening):
    """By night and once it is over."""
    evening.seat(*PEOPLE)
    first, second = Client(), Client()
    first.post(evening.link, {"me": evening.key("An")})
    tap = rf'name="me"\s+value="{evening.key("An")}"'

    def tile() -> str:
        """What the name says on the second phone, and whether its panel asks the first one."""
        shown = page(second, evening.link)
        said = [word for word in ("taken", "waiting") if f'<span class="small">{word}<' in shown]
        return " ".join([*said, "asks"] if re.search(tap, shown) else said)

    assert tile() == "taken asks"
    second.post(evening.link, {"me": evening.key("An")})
    assert tile() == "waiting"
    evening.close()
    assert tile() == "waiting"
    first.post(evening.link, {"asking": token(page(first, evening.link)), "own": 0})
    assert tile() == "taken asks"


def test_a_taken_name_comes_last_and_says_who_frees_it(evening):
    evening.seat(*PEOPLE[1:])
    Client().post(evening.link, {"me": evening.key("Bình")})

    def names() -> list[str]:
        door = Client().get(evening.link).context["page"].door
        return [one.player.name for one in door.whose]

    assert names() == [*PEOPLE[2:], "An", "Bình"]
    assert "Not your phone? Ask an organiser to free it." in page(Client(), evening.link)
    evening.club.players.filter(name="Chi").update(user=evening.by)
    assert "Not your phone? Ask Chi to free it." in page(Client(), evening.link)


def test_an_organiser_decides_for_a_phone_that_is_lost(evening):
    first, second, host = Client(), Client(), browser_of(evening.by)
    evening.say(first, "An")
    second.post(evening.link, {"me": evening.key("An")})
    at = [evening.club.slug, evening.event.pk]
    asked = page(host, reverse("league:check_in", args=at))
    assert "Another phone asks for this name." in asked
    sent = {"player": evening.key("An"), "asking": token(asked), "own": 1}
    phones = reverse("league:free_phone", args=at)
    host.post(phones, sent | {"asking": "x"})
    assert "An's night" in page(first, evening.link)
    host.post(phones, sent)
    assert "An's night" in page(second, evening.link)
    for odd in ({"asking": ""}, {"asking": "x", "own": 1}, {"me": "x"}, {"reply": "yes"}):
        assert second.post(evening.link, odd).status_code == 302
    assert "An's night" in page(second, evening.link)


def test_a_name_that_two_phones_want_is_what_an_organiser_reads_first(evening):
    first, second, host = Client(), Client(), browser_of(evening.by)
    evening.seat(*PEOPLE[:4])
    night, people = path_of(evening.event, "event"), path_of(evening.event, "check_in")
    first.post(evening.link, {"me": evening.key("An")})

    def told() -> list[str]:
        """What needs the organiser on the night's page, and whether its step names it."""
        frame = host.get(night).context["night"].frame
        step = [one for one in frame.step.sentences if "phones" in one]
        return [f"{one.text}: {one.badge.text}." for one in frame.listed] + step

    version = Event.objects.get().version
    assert told() == []
    second.post(evening.link, {"me": evening.key("An")})
    assert Event.objects.get().version > version  # The pages that are open are drawn anew.
    assert told() == ["An: claimed by two phones."] * 2
    assert host.get(night).context["night"].frame.listed[0].address == people
    asked = page(host, people)
    assert asked.index("Another phone asks for this name.") < asked.index('id="who"')
    for reader in (browser_of(make_member(evening.club, role)) for role in ("player", "scorer")):
        assert "claimed by two phones" not in page(reader, night)
    host.post(
        path_of(evening.event, "free_phone"),
        {"player": evening.key("An"), "asking": token(asked), "own": 0},
    )
    assert told() == []
    assert "Another phone asks" not in page(host, people)


def test_who_waits_for_a_place_and_who_comes_late_are_told_at_the_next_look(evening):
    sign_ups.open_list(event=evening.event, by=evening.by, places=2)
    first, waiting = Client(), Client()
    evening.say(first, "An")
    evening.say(Client(), "Bình")
    evening.say(waiting, "Chi")
    waits = '<span class="badge badge-gold">on the waiting list</span>'
    assert waits in page(waiting, evening.link)
    evening.say(first, "An", "no")
    assert waits not in page(waiting, evening.link)
    evening.seat("Bình", "Chi", "Dũng", "Em")
    assert "Chi's night" in page(waiting, evening.link)
    assert "Table 1" in page(waiting, evening.link)
    first.post(evening.link, {"presence": "here"})  # Who said no comes anyway, after the draw.
    assert "You have no table in round 1." in page(first, evening.link)


def test_a_game_entered_without_network_arrives_after_the_next_draw(evening):
    phone = Client()
    sitting = evening.seat(*PEOPLE[:4])
    phone.post(evening.link, {"me": evening.key("An")})
    old = f"{evening.table}rounds/1/"
    kept = game_form(sitting)
    make_round(evening.event)
    script = {"HTTP_ACCEPT": "application/json"}
    assert phone.post(old, kept, **script).status_code == 200
    assert "Round 1, game 1" in page(phone, evening.link)
    evening.close()
    assert phone.post(old, kept | {"game_no": 2}, **script).json()["code"] == "closed"


def test_the_phone_that_owes_pays_by_the_number_that_a_friend_or_an_organiser_gave(evening):
    sitting = evening.seat(*PEOPLE[:4])
    winner, loser = Client(), Client()
    winner.post(evening.link, {"me": evening.key("Bình")})
    loser.post(evening.link, {"me": evening.key("An")})
    bank = reverse("league:my_phone_bank", args=[evening.event.pk])
    number = {"bank": "970436", "number": "0123456789", "holder": "BINH", "words": ""}
    assert winner.post(bank, number | {"number": "1"}).status_code == 422
    assert winner.post(bank, number)["Location"] == evening.my_night
    play(sitting, ["Bình", "Chi", "Dũng", "An"])
    evening.close()
    owes = page(loser, evening.link)
    assert 'class="qr"' in owes
    assert "0123456789" in owes
    assert "0123456789" not in page(Client(), evening.link)
    assert Client().get(bank).status_code == 404
    host = path_of(evening.club, "player_bank", evening.key("Bình"))
    browser_of(evening.by).post(host, number | {"number": "9999988888"})
    assert "An organiser wrote this." in winner.post(bank, number).content.decode()
    assert "9999988888" in page(loser, evening.link)


def test_a_phone_without_an_account_gets_news_of_its_place_its_table_and_the_result(evening):
    phone, stranger = Client(), Client()
    browser = reverse("league:phone_browser", args=[evening.event.pk])
    assert stranger.post(browser, {"remove": 1}).status_code == 404
    sign_ups.open_list(event=evening.event, by=evening.by, places=2)
    for other in ("Bình", "Chi"):
        evening.say(Client(), other)
    evening.say(phone, "An")
    assert phone.post(browser, {"address": "http://x", "auth": "", "p256dh": ""}).status_code == 422
    channel = Channel.objects.create(
        kind="push", phone=plain_hash(phone), address="https://push.example/1", lane="push"
    )
    sign_ups.answer(
        sign_up=evening.event.sign_up,
        player=evening.club.players.get(name="Chi"),
        reply="no",
        organises=True,
    )
    play(evening.seat(*PEOPLE[:4]), ["Bình", "Chi", "Dũng", "An"])
    mine = NewsItem.objects.filter(channel=channel).order_by("pk")
    assert [one.kind for one in mine] == ["moved_up", "round_drawn"]
    told = [words.message_of(one).all_lines for one in mine]
    assert all(lines[-1] == evening.club.name for lines in told)
    assert "1" in told[1][-2], "the number of the table"
    assert words.address_of(mine[0]).endswith(evening.my_night)
    evening.close()
    assert mine.last().kind == "night_result"
    phone.post(browser, {"address": channel.address, "remove": 1})
    assert not Channel.objects.exists()


def token(shown: str) -> str:
    """What names the phone that asks, in the form that answers it."""
    found = re.search(r'name="asking"\s+value="(\w+)"', shown)
    assert found is not None
    return found[1]


def test_a_phone_that_answers_for_a_friend_stays_its_owners(evening):
    phone = Client()
    evening.say(phone, "An")
    evening.say(phone, "Bình")
    assert list(evening.whose()) == ["An"]
    # Last week's phone of An that answers for a friend first is not the friend's either.
    later = Evening(evening.club)
    later.say(phone, "Bình")
    assert later.whose() == {}
    later.say(phone, "An")
    assert list(later.whose()) == ["An"]


def test_a_phone_of_who_runs_the_night_is_nobodys(evening):
    evening.say(browser_of(make_member(evening.club, "scorer")), "An")
    assert evening.whose() == {}


def test_the_door_asks_nobody_to_tap_a_name_once_everyone_is_here(evening):
    evening.seat(*PEOPLE)
    phone = Client()
    asked = page(phone, evening.link)
    assert asked.count("Which one are you?") == 1
    phone.post(evening.link, {"me": evening.key("An")})
    told = page(phone, f"{evening.link}?others=1")
    assert told.count("Everyone on the list is here.") == 1
    for shown in (asked, told):
        assert "tap your name" not in shown.lower()


def test_a_fresh_phone_says_at_the_door_who_it_is_and_that_it_is_here(evening):
    phone = Client()
    evening.seat(*PEOPLE[1:5])
    shown = page(phone, evening.link)
    assert shown.count("Which one are you?") == 1
    taps = re.findall(r'<button[^>]*name="(me|player)"\s+value="(\d+)"', shown)
    seated = [("me", str(evening.key(name))) for name in PEOPLE[1:5]]
    assert taps == [*seated, ("player", str(evening.key("An")))]
    assert "not here yet" in shown.split(f'id="whose-{evening.key("An")}"')[-1]
    assert shown.count("This also checks you in.") == 1
    assert shown.count("not here yet") == 1
    answer = phone.post(evening.link, {"player": evening.key("An")})
    assert answer["Location"] == evening.link
    assert "An" in evening.present()
    assert list(evening.whose()) == ["An"]


def test_a_phone_at_another_table_is_led_to_its_own(evening):
    players.add_players(club=evening.club, text="Giang\nHà\nKhoa", by=evening.by)
    keys = [player.pk for player in evening.club.players.all()]
    attendance.set_presence(event=evening.event, player_ids=keys, presence="here", by=evening.by)
    first, second = make_round(evening.event).sittings.order_by("table_no")
    name = names_at(first)[0]
    phone = Client()
    phone.post(evening.link, {"me": evening.key(name)})
    other = page(phone, table_link(second))
    to_my_night = re.compile(rf'btn-primary" href="[^"]*">\s*{name}: my night')
    assert to_my_night.search(other)
    own = page(phone, table_link(first))
    assert not to_my_night.search(own)
    assert "Which one are you?" not in other + own


def test_a_name_answered_or_claimed_elsewhere_is_told_of(evening):
    mine, other = Client(), Client()
    evening.say(mine, "An")
    assert "answered from another phone" in evening.say(other, "An", "no").content.decode()
    shown, to_an = page(Client(), evening.link), f"?player={evening.key('An')}"
    answered = shown.split('id="answered"')[1].split("</div>")[0]
    assert re.findall(r'href="(\?[^"]*)#', answered) == [to_an]
    assert "That's me: ask my other phone" in page(Client(), evening.link + to_an)
    mine.post(evening.link, {"me": evening.key("Bình")})
    claims.claim(event=evening.event, player_id=evening.key("Chi"), phone="c" * 64)
    assert "Another phone has the name Chi" in evening.say(other, "Chi", "no").content.decode()
    assert not SignUpAnswer.objects.filter(player__name="Chi").exists()


def test_giving_a_name_back_gives_it_back_on_every_link(evening):
    first, second = Client(), Client()
    evening.say(first, "An")
    first.post(evening.link, {"free": 1})
    assert evening.whose() == {}
    evening.say(second, "An", "no")
    assert SignUpAnswer.objects.get().reply == "no"
    assert list(evening.whose()) == ["An"]
    answers = path_of(evening.club, "sign_up_answer", evening.event.pk)
    browser_of(evening.by).post(answers, {"free": evening.key("An")})
    assert evening.whose() == {}


@pytest.mark.django_db(transaction=True)
def test_of_two_phones_that_answer_for_one_name_at_once_one_has_it():
    evening = Evening()

    def by_answer():
        return evening.say(Client(), "An").status_code

    def by_door():
        return Client().post(evening.link, {"me": evening.key("An")}).status_code

    race(by_answer, by_answer, by_door, by_door, refused=(Refusal,))
    assert list(evening.whose()) == ["An"]
    assert Claim.objects.count() == 1


def test_after_closing_a_fresh_phone_reads_the_result_and_finds_its_debts(evening):
    play(evening.seat(*PEOPLE[:4]), ["Bình", "Chi", "Dũng", "An"])
    evening.close()
    for path, name in zip(evening.all_links(), PEOPLE[:4], strict=True):
        phone = Client()
        shown = page(phone, path)
        assert "Which one are you?" in shown
        assert "Bình" in shown
        assert "you pay" not in shown
        assert f"/clubs/{evening.club.slug}/" not in shown
        phone.post(evening.link, {"me": evening.key(name)})
        assert f"{name}'s night" in page(phone, path)
    assert set(evening.whose()) == set(PEOPLE[:4])
    late = Client()
    taken = late.post(evening.link, {"me": evening.key("An")}, follow=True)
    assert "An's other phone is asked." in html.unescape(taken.content.decode())
    assert late.post(evening.link, {"player": evening.key("Em")}).status_code == 302
    assert "Em" not in evening.present()


def test_links_from_before_work_after_closing_too(evening):
    sitting = evening.seat(*PEOPLE[:4])
    Link.objects.filter(purpose="table").update(event=None, table_no=None, sitting=sitting)
    evening.close()
    assert "Which one are you?" in page(Client(), evening.table)


def test_a_night_called_off_says_so(evening):
    evening.seat(*PEOPLE[:4])
    now = timezone.now()
    Event.objects.update(status="closed", closed_at=now, called_off_at=now)
    for path in evening.all_links():
        assert "was called off" in page(Client(), path)


def test_a_replaced_link_says_so_and_leads_on_the_phones_that_have_a_name(evening):
    sitting, phone = evening.seat(*PEOPLE[:4]), Client()
    phone.post(evening.link, {"me": evening.key("An")})
    old = evening.all_links()
    links.renew_for_night(event=evening.event, by=evening.by)
    links.renew_for_table(sitting=sitting, by=evening.by)
    for closes in (False, True):
        for path in old:
            assert "An organiser has replaced this link." in page(Client(), path, 404)
            assert "An's night" in page(phone, path)
        if not closes:
            evening.close()


def test_a_link_of_a_list_as_nights_had_leads_to_the_one_page(evening):
    link = links.new(club=evening.club, purpose="sign_up", event=evening.event, by=evening.by)
    link.save()
    old = reverse("league:link_sign_up", args=[link.secret])
    phone = Client()
    assert phone.get(old)["Location"] == evening.link
    sent = phone.post(old, {"player": evening.key("An"), "reply": "yes"})
    assert (sent.status_code, sent["Location"]) == (307, evening.link)


def test_a_link_of_a_closed_club_or_of_a_night_in_the_bin_says_so(evening):
    evening.close()
    bins.bin_event(event=evening.event, by=evening.by)
    assert "An organiser has deleted this night." in page(Client(), evening.link, 404)
    clubs.close_club(club=evening.club, by=evening.by)
    assert "This club is closed." in page(Client(), evening.link, 404)


def test_an_unknown_link_does_not_claim_to_have_existed():
    cache.clear()
    for name in ("sign_up", "check_in", "table"):
        shown = page(Client(), reverse(f"league:link_{name}", args=["a" * 26]), 404)
        assert "There is no such link." in shown


def test_a_script_hears_that_the_night_is_closed(evening):
    evening.seat(*PEOPLE[:4])
    evening.close()
    script = Client(headers=SCRIPT)
    here = f"{evening.table}rounds/1/"
    told = script.get(here).json()
    assert told.pop("moved") == evening.table
    assert [*told] == ["stopped"]
    assert "closed the night" in told["stopped"]
    refused = script.post(here, {"game_no": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "closed")
    assert "closed the night" in refused.json()["message"]


def test_who_said_no_and_came_anyway_is_counted_while_present(evening):
    for name, reply in (("An", "yes"), ("Bình", "yes"), ("Chi", "no"), ("Dũng", "maybe")):
        evening.say(Client(), name, reply)
    phone = Client()
    assert "2 people are coming." in page(phone, evening.link)
    attendance.set_presence(
        event=evening.event,
        player_ids=[evening.key(name) for name in ("An", "Chi", "Em")],
        presence="here",
        by=evening.by,
    )
    shown = page(phone, evening.link)
    assert "4 people are coming." in shown
    assert "answered-no" not in shown
    attendance.set_presence(
        event=evening.event, player_ids=[evening.key("Chi")], presence="expected", by=evening.by
    )
    shown = page(phone, evening.link)
    assert "3 people are coming." in shown
    row = shown.split('class="answered-no"')[1].split("</li>")[0]
    assert '<b>Not coming</b> <span class="muted">1</span>' in row
    assert "Chi" in row


def test_after_the_first_draw_nothing_is_answered(evening):
    phone = Client()
    evening.say(phone, "An")
    evening.seat("Bình", "Chi", "Dũng", "Em")
    for shown in (page(phone, evening.link), page(Client(), evening.link)):
        assert 'name="reply"' not in shown


def test_after_the_deadline_only_cancelling_and_fewer_guests_are_offered(evening):
    phone, fresh = Client(), Client()
    evening.say(phone, "An")
    late = timezone.now() - datetime.timedelta(minutes=1)
    sign_ups.open_list(event=evening.event, by=evening.by, closes_at=late)
    shown = page(phone, evening.link)
    assert "I can't come" in shown
    assert "I'm coming" not in shown
    assert "Save guests" not in shown
    assert 'name="reply"' not in page(fresh, evening.link)
    SignUpAnswer.objects.update(guests=2)
    shown = page(phone, evening.link)
    assert "Save guests" in shown
    assert '<option value="2" selected>' in shown
    assert '<option value="3"' not in shown

"""An evening of 17 without an account: one link, a late-comer, money, and the club is kept."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club, Event, Place, Player, Result, Transfer
from league.nights.facts.final_places import event_places, podium

pytestmark = pytest.mark.django_db
CHAT = """Danh sách tối nay:
1/ Cô Ba
2/ Khánh
3/ Bác Sáu
4. Thảo
5. Chị Hoa
@Tý
@Long
- Út Lan
- Dũng
Hải “Heo”, Phượng, Chú Năm
Anh Tuấn; Minh Béo
Dung
Vinh
Ngọc"""


def text_of(answer):
    return answer.content.decode()


def fields_of(answer):
    """Return the fields of the form that starts the night, as the page sends them."""
    form = text_of(answer).partition('id="start"')[2].partition("</form>")[0]
    found: dict[str, list[str]] = {}
    for tag in re.findall(r'<input type="hidden"[^>]*>', form):
        name = re.search(r'name="([^"]*)"', tag)
        value = re.search(r'value="([^"]*)"', tag)
        found.setdefault(name[1], []).append(value[1] if value else "")
    return found


class Evening:
    """The organiser's phone, and the phone of each player by the one link."""

    def __init__(self, organiser, event, link):
        self.organiser, self.event, self.link = organiser, event, link
        self.phones: dict[str, Client] = {}

    def at(self, name, *more):
        return reverse(f"league:{name}", args=[self.event.season.club.slug, self.event.pk, *more])

    def claims(self, name):
        """Open the link on a phone of its own and tap the name."""
        phone = self.phones[name] = Client()
        player = Player.objects.get(name=name)
        assert name in text_of(phone.get(self.link))
        phone.post(self.link, {"player": player.pk, "me": "1"})
        return phone

    def plays(self, table, orders):
        """Enter games at a table by the organiser's phone."""
        here = reverse(
            "league:table",
            args=[self.event.season.club.slug, self.event.pk, table.round.number, table.table_no],
        )
        for game, order in enumerate(orders, start=1):
            sent = {"order": ",".join(map(str, order))}
            answer = self.organiser.post(
                here, sent | {"game_no": game, "client_id": str(uuid.uuid4())}
            )
            assert answer.status_code == 302, text_of(answer)


def test_an_evening_of_17_from_a_pasted_chat_to_a_kept_club():
    organiser = Client()
    # Names, from the chat: one line is no name, and is asked about.
    names = {"text": CHAT, "ruleset": "mien-nam", "games": "4", "stake": "10k", "do": "draw"}
    asked = organiser.post("/clubs/~tonight/", names)
    assert asked.context["read"].asked == ["Danh sách tối nay:"]
    tables = organiser.post("/clubs/~tonight/", names | {"asked": "Danh sách tối nay:"})
    assert text_of(tables).count('class="oval"') == 5
    assert not Club.objects.exists()
    # Start: one link for all phones.
    code = organiser.post("/clubs/~tonight/", fields_of(tables) | {"do": "start"}, follow=True)
    event = Event.objects.get()
    link = re.search(r"http://testserver(/clubs/~night/[a-z0-9]+/)", text_of(code))[1]
    evening = Evening(organiser, event, link)
    players = list(Player.objects.order_by("pk"))
    assert len(players) == 17
    for player in players:
        evening.claims(player.name)
    assert "17 of 17 have found their name" in text_of(organiser.get(evening.at("night_qr")))
    # A phone of a player has a player's rights, not those of the phone that started.
    home = reverse("league:club", args=[event.season.club.slug])
    assert evening.phones["Ngọc"].get(home).status_code == 404
    mine = reverse("league:my_night", args=[event.pk])
    assert "Ngọc" in text_of(evening.phones["Ngọc"].get(mine, follow=True))
    # Round 1: every table enters its games.
    first = event.rounds.get()
    for table in first.sittings.all():
        seats = list(
            Place.objects.filter(sitting=table).order_by("seat").values_list("entrant", flat=True)
        )
        evening.plays(table, [seats] * 4)
    assert Result.objects.count() == 20
    # A late-comer is added and sits in round 2.
    organiser.post(evening.at("guest"), {"name": "Chú Tám"})
    assert event.entrants.filter(player__name="Chú Tám", presence="here").exists()
    organiser.post(evening.at("draw"), {"round": "2"})
    second = event.rounds.get(number=2)
    organiser.post(evening.at("release", 2), {"version": second.version})
    assert Place.objects.filter(round=second).count() == 18
    for table in second.sittings.all():
        seats = list(
            Place.objects.filter(sitting=table).order_by("seat").values_list("entrant", flat=True)
        )
        evening.plays(table, [seats[::-1]] * 4)
    # The end: a podium, and who pays whom.
    organiser.post(evening.at("event_status"), {"status": "closed", "anyway": "1"})
    event.refresh_from_db()
    assert event.status == "closed"
    assert podium(event_places(event))
    assert Transfer.objects.exists()
    money = text_of(organiser.get(evening.at("event_money")))
    assert "Chú Tám" in money
    after = text_of(evening.phones["Ngọc"].get(link))
    assert event.name in after
    assert Client().get(evening.at("event_money")).status_code == 404
    # Kept by an email: the season is there afterwards, on every device.
    email = {"email": "ba@club.example"}
    keep = reverse("league:keep", args=[event.season.club.slug])
    sign_up = organiser.post(keep, email)["Location"]
    organiser.post(sign_up, email | {"password1": "nhà mình đánh bài"})
    club = Club.objects.get()
    assert (club.held_until, club.memberships.get().user.email) == (None, email["email"])
    elsewhere = Client()
    elsewhere.force_login(club.memberships.get().user)
    season = elsewhere.get(reverse("league:season", args=[club.slug, event.season_id]))
    assert all(name in text_of(season) for name in ("Chú Tám", "Ngọc", "Cô Ba"))
    assert text_of(elsewhere.get("/")).count(club.name) >= 1

"""Two organisers at one night: an older page of one never undoes the other's act unseen."""

import datetime
import json
import re
import uuid

import pytest
import time_machine
from django.utils import timezone

from league.clubs.acts import merges, players
from league.models import Adjustment, Event, Place, Round
from league.nights.acts import attendance, closing, draws
from league.nights.facts import sittings
from league.nights.facts.last_changes import NEWS
from league.nights.facts.night import Night
from league.nights.pages import check_in_page
from league.seasons.facts.standings import event_standings
from tests.factories import (
    browser_of,
    change_night,
    game_form,
    make_club,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    stored,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


class Organiser:
    """A browser of an organiser, with the night's addresses."""

    def __init__(self, event: Event, user) -> None:
        self.event, self.user, self.client = event, user, browser_of(user)
        self.name = user.name

    def at(self, name, /, *more):
        return path_of(self.event, name, *more)

    def get(self, name, /, *more, **asked):
        return self.client.get(self.at(name, *more), asked)

    def post(self, name, /, *more, headers=None, **sent):
        return self.client.post(self.at(name, *more), sent, headers=headers)

    def tell(self, name, /, *more, **sent):
        """Post the form and return what the next page says."""
        answer = self.client.post(self.at(name, *more), sent, follow=True)
        return " ".join(str(message) for message in answer.context["messages"])


@made_once
def night():
    return make_night(8, games_per_round=4)


@pytest.fixture
def two(night):
    """Two organisers, Khánh and Thảo, at the night."""
    return organisers_of(night)


def organisers_of(event):
    owner, second = owner_of(event), make_member(event.season.club, "organiser")
    owner.name, second.name = "Khánh", "Thảo"
    owner.save()
    second.save()
    return Organiser(event, owner), Organiser(event, second)


def hidden(answer, form_of=""):
    """The hidden fields of the first form of the page after the text `form_of`."""
    text = answer.content.decode()
    text = text[text.index(form_of) :].split("<form", 1)[-1].split("</form>")[0]
    found = re.findall(r'<input type="hidden"\s+name="(\w+)"\s+value="([^"]*)"', text)
    return {name: value.replace("&quot;", '"') for name, value in found}


# --- Settings (W3) ----------------------------------------------------------------------------


def settings_page(one):
    """What the settings' form shows, as a browser would send it unchanged."""
    form, data = one.get("event_settings").context["form"], {}
    for name in form.fields:
        data[name] = form.sent(name)
    return {k: v for k, v in data.items() if v} | {"seen": form.seen}


def test_an_older_page_of_the_settings_changes_only_what_its_person_changed(two):
    a, b = two
    shown_to_a = settings_page(a)
    b.post("event_settings", **settings_page(b) | {
        "rounds_planned": "4", "confirmed_by": "player", "round_minutes": "25", "stake": "20000",
    })  # fmt: skip
    answer = a.post("event_settings", **shown_to_a | {"name": "Tất niên"})
    assert answer.status_code == 302
    event = Event.objects.get(pk=a.event.pk)
    assert (event.name, event.rounds_planned, event.confirmed_by) == ("Tất niên", 4, "player")
    assert (event.round_minutes, event.stake) == (25, 20_000)
    last = event.season.club.audit.first()
    assert (last.by, list(last.data["changed"])) == (a.user, ["name"])


def test_a_setting_that_both_changed_is_asked_about_with_both_values_and_names(two):
    a, b = two
    shown_to_a = settings_page(a)
    b.post("event_settings", **settings_page(b) | {"stake": "15000", "rounds_planned": "4"})
    asked = a.post("event_settings", **shown_to_a | {"stake": "20000", "name": "Tất niên"})
    assert asked.status_code == 409
    [stake] = asked.context["page"].crossed
    assert [(said.words, said.name) for said in stake.values] == [
        ("20,000 kẹo a game", ""), ("15,000 kẹo a game", b.name),
    ]  # fmt: skip
    kept = {(one.label, one.words, one.name) for one in asked.context["page"].kept}
    assert kept == {("Rounds", "4", b.name), ("Name", "Tất niên", "")}
    assert b.name in asked.content.decode().split("Choose here")[0]
    assert Event.objects.get(pk=a.event.pk).stake == 15_000
    sent = dict(asked.context["page"].hidden)
    a.post("event_settings", **{k: v for k, v in sent.items() if v}, stake=stake.values[0].sent)
    event = Event.objects.get(pk=a.event.pk)
    assert (event.stake, event.rounds_planned, event.name) == (20_000, 4, "Tất niên")


def test_what_a_crossed_setting_was_is_said_as_what_it_is():
    club = make_club()
    club.unit = "¤USD"
    club.save()
    event = make_night(season=make_season(club), stake=500, starts_at=datetime.time(20))
    a, b = organisers_of(event)
    shown_to_a = settings_page(a)
    b.post("event_settings", **settings_page(b) | {"stake": "10.00", "starts_at": "21:00"})
    asked = a.post("event_settings", **shown_to_a | {"stake": "20.00", "starts_at": "19:00"})
    stake, start = sorted(asked.context["page"].crossed, key=lambda one: one.field != "stake")
    assert (stake.was, stake.values[1].words) == ("$5.00 a game", "$10.00 a game")
    assert (start.was, start.values[1].words) == ("20:00", "21:00")


def test_the_same_change_by_both_is_not_asked_about(two):
    a, b = two
    shown_to_a = settings_page(a)
    b.post("event_settings", **settings_page(b) | {"stake": "15000"})
    assert a.post("event_settings", **shown_to_a | {"stake": "15000"}).status_code == 302


def test_once_games_are_played_their_stake_is_chosen_first(two):
    a, b = two
    make_table(a.event)
    shown_to_a = settings_page(a)
    change_night(a.event, by=b.user, stake=15_000)
    play(a.event.rounds.get().sittings.first())
    asked = a.post("event_settings", **shown_to_a | {"stake": "20000"})
    [stake] = asked.context["page"].crossed
    assert stake.chosen == stake.values[1].sent


# --- A draw while people come and go (W4) -----------------------------------------------------


def test_a_release_names_who_came_and_who_left_since_the_draw(two):
    a, b = two
    first, second = a.event.entrants.order_by("pk")[:2]
    second.presence = "expected"
    second.save()
    drawn = draws.draw_round(event=a.event, by=b.user, seed=1)
    seen_by_b = hidden(b.get("round", drawn.number), '/draw/"')
    assert seen_by_b["since"] == ""
    a.post("check_in", presence="here", player=second.player_id)
    a.post("check_in", presence="left", player=first.player_id)
    said = b.tell("release", drawn.number, **seen_by_b)
    assert f"here and without a table: {second.player.name}." in said
    assert f"no longer here: {first.player.name}." in said
    assert Round.objects.get(pk=drawn.pk).status == "draft"
    again = b.get("round", drawn.number)
    assert f"without a table: {second.player.name}." in again.content.decode()
    b.post("release", drawn.number, **hidden(again, '/draw/"'))
    assert Round.objects.get(pk=drawn.pk).status == "released"


# --- Seats (W5) -------------------------------------------------------------------------------


def seats_form(one, sitting):
    answer = one.get("table", sitting.round.number, sitting.table_no)
    return hidden(answer, "Players leave or join")


def test_a_late_seat_form_seats_nobody_again(two):
    a, b = two
    sitting = make_table(a.event)
    seen_by_a = seats_form(a, sitting)
    place = sitting.places.first()
    free = make_extra(a.event, "Sơn")
    at = ("chairs", sitting.round.number, sitting.table_no)
    b.post(*at, leaves=place.entrant_id, comes=free.pk, **seats_form(b, sitting))
    said = a.tell(*at, leaves=sitting.places.last().entrant_id, comes=place.entrant_id, **seen_by_a)
    assert f"{b.name} changed the seats at table {sitting.table_no}" in said
    assert "Nothing was changed" in said
    number = sittings.next_number(sitting)
    assert place.entrant_id not in {p.entrant_id for p in sittings.places_at(sitting, number)}


def make_extra(event, name):
    """One more entrant who is here and has no table."""
    club = event.season.club
    player = players.add_player(club=club, name=name, by=owner_of(club))
    return event.entrants.create(player=player, presence="here")


def test_who_sits_already_is_named_with_the_table(two):
    a, _b = two
    sitting = make_table(a.event)
    other = a.event.rounds.get().sittings.last()
    there = other.places.first()
    said = a.tell("chairs", 1, sitting.table_no, comes=there.entrant_id, **seats_form(a, sitting))
    assert f"{there.entrant.player.name} already sits at table {other.table_no}." in said


# --- Undo (W6) --------------------------------------------------------------------------------


def undo_of(answer):
    fields = {}
    for name, value in answer.context["done"].fields:
        fields.setdefault(name, []).append(str(value))
    return fields


def test_undo_takes_back_only_the_tap_that_it_was_offered_for(two):
    a, b = two
    entrant = a.event.entrants.first()
    entrant.presence = "expected"
    entrant.save()
    tapped = a.post("check_in", headers=HTMX, presence="here", player=entrant.player_id)
    b.post("check_in", presence="left", player=entrant.player_id)
    undone = a.post("check_in", headers=HTMX, **undo_of(tapped))
    said = " ".join(str(message) for message in undone.context["messages"])
    assert f"{b.name} marked {entrant.player.name} as left" in said
    assert "Nothing was undone" in said
    assert stored(entrant).presence == "left"


def test_an_old_undo_of_a_closing_does_not_reopen_anothers_closing(two):
    a, b = two
    make_table(a.event)
    closed = a.client.post(a.at("event_status"), {"status": "closed", "anyway": "1"}, follow=True)
    [message] = closed.context["messages"]
    undo = dict(pair.split("=") for pair in message.extra_tags.split("?")[1].split("&"))
    b.post("event_status", status="open")
    b.post("event_status", status="closed", anyway="1")
    assert f"{b.name} closed the night" in a.tell("event_status", **undo)
    assert not Event.objects.get(pk=a.event.pk).is_open


# --- Two names of one person (W8) -------------------------------------------------------------


def merged(a):
    """Merge the first name of the list into one that is not on it; return both."""
    guest = a.event.entrants.order_by("pk")[0].player
    phuc = players.add_player(club=a.event.season.club, name="Ông Phúc", by=a.user)
    merges.merge(alias=guest, into=phuc, by=a.user)
    return guest, phuc


def presence_apart(a, guest):
    """Separate the two names, and return where both are."""
    guest.refresh_from_db()
    merges.unmerge(alias=guest, by=a.user)
    presence = dict(a.event.entrants.values_list("player__name", "presence"))
    return presence[guest.name], presence["Ông Phúc"]


def test_after_a_separation_both_are_as_present_as_they_were(two):
    a, _b = two
    make_table(a.event)
    guest, _phuc = merged(a)
    sitting = Place.objects.get(entrant__player=guest).sitting
    play(sitting)
    assert presence_apart(a, guest) == ("here", "expected")
    assert [one.row.games for one in event_standings(a.event) if one.player == guest] == [1]
    number = sittings.next_number(sitting)
    assert guest in {p.entrant.player for p in sittings.places_at(sitting, number)}


def test_whoever_left_while_merged_has_left_and_the_other_is_as_before(two):
    a, _b = two
    guest, phuc = merged(a)
    a.post("check_in", presence="left", player=phuc.pk)
    assert presence_apart(a, guest) == ("left", "expected")


# --- The clock (W9) ---------------------------------------------------------------------------


def test_an_older_page_neither_restarts_the_clock_nor_lengthens_it_twice(two):
    a, b = two
    round_ = make_round(a.event)
    seen_before = hidden(b.get("event"), "clock-mark")
    assert seen_before["seen"] == "0"
    a.post("round_clock", round_.number, do="start", minutes=40, seen=0)
    said = b.tell("round_clock", round_.number, do="start", minutes=30, seen=seen_before["seen"])
    assert f"{a.name} started the clock" in said
    assert "40 minutes. Nothing was changed." in said
    both = {"do": "add", "minutes": 5, "seen": 40}
    a.post("round_clock", round_.number, **both)
    assert f"{a.name} set the clock to 45 minutes" in b.tell("round_clock", round_.number, **both)
    assert stored(round_).clock_minutes == 45


# --- The rest (W10) ---------------------------------------------------------------------------


def test_an_open_check_in_and_the_nights_head_hear_of_the_other(two):
    a, b = two
    news_at = a.get("check_in").context["news_at"]
    assert a.client.get(news_at, headers=HTMX).status_code == 204
    gone = a.event.entrants.first()
    b.post("check_in", presence="left", player=gone.player_id)
    heard = a.client.get(news_at, headers=HTMX)
    assert heard.status_code == 200
    assert f"{b.name} marked {gone.player.name} as left" in heard.content.decode()
    live = a.client.get(a.at("event_live"), {"version": 0}, headers=HTMX).content.decode()
    counts = live.split('id="night-segments"')[1].split("</nav>")[0]
    assert 'hx-swap-oob="true"' in counts
    assert '<small class="num">7</small>' in counts


def test_an_open_night_hears_of_the_others_settings_clock_and_seats(two):
    a, b = two
    sitting = make_table(a.event)

    def heard():
        return a.client.get(a.at("event_live"), {"version": version}, headers=HTMX)

    version = a.get("event").context["event"].version
    assert heard().status_code == 204
    b.post("event_settings", **settings_page(b) | {"rounds_planned": 6})
    live = heard().content.decode()
    assert "round 1/6" in live.split('id="night-facts" hx-swap-oob="true"')[1].split("<")[0]
    version = a.get("event").context["event"].version
    b.post("round_clock", sitting.round.number, do="start", minutes=40)
    live = heard().content.decode()
    assert "data-ends" in live.split('id="night-clock" hx-swap-oob="true"')[1].split("</div>")[0]
    version = a.get("event").context["event"].version
    extra = make_extra(a.event, "Sơn")
    place = sitting.places.first()
    at = ("chairs", sitting.round.number, sitting.table_no)
    b.post(*at, leaves=place.entrant_id, comes=extra.pk, **seats_form(b, sitting))
    tiles = heard().content.decode().split('id="tables"')[1]
    assert "Sơn" in tiles.split('class="night-side"')[0]


def test_who_did_what_last_stands_on_the_nights_page(two):
    a, b = two
    b.post("round_clock", make_round(a.event).number, do="start", minutes=40)
    said = f"{b.name} started the clock"
    assert said in a.get("event").content.decode()
    assert said not in b.get("event").content.decode()
    with time_machine.travel(timezone.now() + NEWS):
        assert said not in a.get("event").content.decode()


def test_a_page_that_stays_open_offers_an_early_draw_once_the_clock_is_over(two):
    host, _other = two
    sitting = make_table(host.event, games=1)
    host.post("round_clock", sitting.round.number, do="start", minutes=20)
    page = host.get("event")

    def step(answer):
        return answer.content.decode().split('class="panel next-step"')[1].split("</section>")[0]

    def asked(by, minutes):
        with time_machine.travel(timezone.now() + datetime.timedelta(minutes=minutes)):
            return host.client.get(by.context["night"].frame.news_at, headers=HTMX)

    assert "Draw round 2" not in step(page)
    assert asked(page, 19).status_code == 204
    over = asked(page, 21)
    assert "Draw round 2" in step(over)
    assert asked(over, 22).status_code == 204, "once"


def test_of_two_new_names_the_second_is_asked_with_the_first(two):
    a, b = two
    player = a.event.entrants.first().player
    at = path_of(a.event.season.club, "player_edit", player.pk)
    was = player.name
    b.client.post(at, {"act": "rename", "name": "Mỹ", "was": was})
    answer = a.client.post(at, {"act": "rename", "name": "Mai", "was": was})
    assert f"{b.name} has just renamed this player to Mỹ" in answer.content.decode()
    assert stored(player).name == "Mỹ"


def penalty(one, event, **more):
    name = event.entrants.order_by("pk")[0].player.name
    sent = {"player": name, "points": "-2", "reason": "late", "event": event.pk}
    return one.client.post(path_of(event.season, "adjustments"), sent | more)


def test_a_penalty_previewed_before_a_closing_is_shown_again(two):
    a, b = two
    make_table(a.event, games=1)
    seen = penalty(a, a.event).context["preview"]
    closing.close_event(event=a.event, by=b.user, despite_unfinished=True)
    again = penalty(a, a.event, confirmed=seen.key)
    assert "The night is closed: its result changes." in again.content.decode()
    assert not Adjustment.objects.exists()
    penalty(a, a.event, confirmed=again.context["preview"].key)
    assert Adjustment.objects.count() == 1


def test_the_same_penalty_by_both_is_asked_about(two):
    a, b = two
    seen_by_a = penalty(a, a.event).context["preview"].key
    penalty(b, b.event, confirmed=penalty(b, b.event).context["preview"].key)
    asked = penalty(a, a.event, confirmed=seen_by_a)
    assert f"for the same reason, by {b.name}" in " ".join(asked.content.decode().split())
    assert Adjustment.objects.count() == 1


def test_a_late_reveal_of_everything_does_not_end_the_ceremony():
    event = make_night(4, games_per_round=1, rounds_planned=1, format={"ceremony": 1})
    a, b = organisers_of(event)
    make_table(event, games=1)
    late = hidden(a.get("ceremony"), "Without a ceremony")
    b.post("ceremony", told=0)
    assert "The ceremony has already begun" in a.tell("ceremony", all=1, **late)
    event.refresh_from_db()
    assert (event.told, event.told_at) == (1, None)


def correction(one, sitting, order, client_id):
    sent = game_form(sitting, order, version=1, client_id=client_id)
    return one.tell("game", sitting.round.number, sitting.table_no, 1, **sent)


def test_of_two_corrections_the_second_learns_whose_the_first_was(two):
    a, b = two
    sitting = make_table(a.event)
    order = names_at(sitting)
    play(sitting, order)
    form = uuid.uuid4()
    assert "Game 1 corrected." in correction(b, sitting, order[::-1], form)
    assert f"{b.name} corrected game 1 at" in correction(a, sitting, order, uuid.uuid4())
    assert "was corrected by this form before" in correction(b, sitting, order[::-1], form)


RAISED = {"stake": "10000", "stake_from": "played-5000"}


def test_a_correction_of_the_stake_is_asked_again_after_a_payment():
    event = make_night(4, stake=5_000)
    a = Organiser(event, owner_of(event))
    make_table(event, games=1)
    first = a.post("event_settings", **settings_page(a) | RAISED)
    mark = first.content.decode().split('name="stake-sure"')[1].split('value="')[1].split('"')[0]
    debt = a.get("event_money").context["payments"][0]
    a.client.post(path_of(event.season, "settle"), {
        "event": event.pk, "payer": debt.payer.player_id, "payee": debt.payee.player_id,
        "amount": debt.amount, "client_id": uuid.uuid4(),
    })  # fmt: skip
    sent = settings_page(a) | RAISED | {"stake-sure": mark}
    assert a.post("event_settings", **sent).status_code == 422
    assert json.loads(settings_page(a)["seen"])["stake"] == 5_000


def test_a_tap_on_a_name_brings_the_number_on_the_segment_along():
    event = make_night(4)
    host = browser_of(owner_of(event))
    chi = event.season.club.players.get(name="Chi")
    page = path_of(event, "check_in")
    answer = host.post(page, {"presence": "left", "player": chi.pk}, headers=HTMX)
    segments = answer.content.decode().split('id="night-segments"')[1]
    assert 'hx-swap-oob="true"' in segments
    assert '<small class="num">3</small>' in segments
    assert host.get(page).content.decode().count('id="night-segments"') == 1


def test_a_name_that_was_merged_is_no_name_to_tap():
    event = make_night(4)
    by, club = owner_of(event), event.season.club
    again = attendance.add_guest(event=event, name="Anh An", by=by).player
    merges.merge(alias=again, into=club.players.get(name="An"), by=by)
    groups = check_in_page.names_to_tap(check_in_page.check_in_page(Night(event)), set())
    named = [one.player.name for group in groups for one in group.names]
    assert sorted(named) == ["An", "Bình", "Chi", "Dũng"]

"""A night: who is here, guests, closing and reopening."""

import datetime
import re
from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from league.clubs.acts import players
from league.models import Event
from league.nights.acts import attendance, closing, draws, events, night_settings
from league.seasons.acts import seasons
from tests.factories import (
    browser_of,
    change_night,
    make_night,
    make_round,
    make_season,
    make_table,
    owner_of,
    path_of,
    play,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def here(event):
    return sorted(e.player.name for e in event.entrants.filter(presence="here"))


def test_a_night_expects_every_player_of_the_club():
    season = make_season()
    by = owner_of(season)
    players.add_players(club=season.club, text="Lan\nMai", by=by)
    event = events.create_event(season=season, by=by, name="Đêm", date=season.club.today)
    assert sorted(e.player.name for e in event.entrants.all()) == ["Lan", "Mai"]
    assert here(event) == []


def test_a_guest_with_a_known_name_is_that_player():
    event = make_night(2)
    by = owner_of(event)
    attendance.add_guest(event=event, name="khách mới", by=by)
    attendance.add_guest(event=event, name="KHÁCH MỚI", by=by)
    assert here(event) == ["An", "Bình", "khách mới"]


def test_a_player_of_another_club_cannot_be_checked_in():
    event, other = make_night(2), make_night(2)
    stranger = other.entrants.first().player_id
    with pytest.raises(ValidationError):
        attendance.set_presence(
            event=event, player_ids=[stranger], presence="here", by=owner_of(event)
        )


def test_a_night_with_open_tables_closes_only_when_asked_twice():
    event = make_table(make_night(games_per_round=2), games=1).round.event
    by = owner_of(event)
    with pytest.raises(ValidationError) as refused:
        closing.close_event(event=event, by=by)
    assert refused.value.messages == [
        "Unfinished: round 1, table 1. Enter the missing games, or close anyway."
    ]
    assert closing.close_event(event=event, by=by, despite_unfinished=True).status == "closed"


def test_a_night_with_a_draft_cannot_be_closed():
    event = make_night()
    by = owner_of(event)
    draws.draw_round(event=event, by=by)
    with refuses("draft"):
        closing.close_event(event=event, by=by, despite_unfinished=True)


def test_a_closed_night_can_be_reopened_and_goes_on():
    event = make_night()
    by = owner_of(event)
    closing.close_event(event=event, by=by)
    with pytest.raises(ValidationError):
        draws.draw_round(event=event, by=by)
    closing.reopen_event(event=event, by=by)
    assert make_round(event).number == 1


def test_a_season_closes_after_its_nights():
    event = make_night()
    by = owner_of(event)
    with pytest.raises(ValidationError, match=f"Open: {event.name}."):
        seasons.set_status(season=event.season, status="closed", by=by)
    closing.close_event(event=event, by=by)
    assert seasons.set_status(season=event.season, status="closed", by=by).status == "closed"
    with pytest.raises(ValidationError):
        closing.reopen_event(event=event, by=by)


def test_a_season_cannot_end_before_it_starts():
    season = make_season()
    season.ends_on = season.starts_on - datetime.timedelta(days=1)
    with pytest.raises(ValidationError):
        season.full_clean()


def test_every_change_raises_the_version_that_pages_compare():
    event = make_night()
    before = Event.objects.get(pk=event.pk).version
    make_round(event)
    assert Event.objects.get(pk=event.pk).version == before + 2


class TestAgain:
    """The button "again next week"."""

    @pytest.fixture
    def event(self):
        event = make_night(
            rounds_planned=5, counting="average", stake=2, confirmed_by="player", round_minutes=35
        )
        event.name = "Đêm 9"
        event.save()
        return event

    def again(self, event):
        return events.repeat_event(event=event, by=owner_of(event))

    def test_it_is_a_week_later_with_the_next_number_and_the_same_settings(self, event):
        made = self.again(event)
        assert (made.name, made.date) == ("Đêm 10", event.date + datetime.timedelta(days=7))
        names = ("rounds_planned", "stake", "confirmed_by", "round_minutes", "scoring", "season_id")
        assert [getattr(made, n) for n in names] == [getattr(event, n) for n in names]
        assert set(made.entrants.values_list("presence", flat=True)) == {"expected"}

    def test_it_is_made_once(self, event):
        self.again(event)
        with refuses("repeated"):
            self.again(event)
        assert Event.objects.count() == 2

    def test_a_night_of_that_name_on_another_day_is_another_night(self, event):
        Event.objects.filter(pk=self.again(event).pk).update(date=event.date)
        assert self.again(event).name == "Đêm 10"

    @pytest.mark.parametrize("name", ["Giải mùa xuân 2026", "Cúp 2025-26", "Hội '26", "1/4"])
    def test_a_year_counts_nothing(self, event, name):
        Event.objects.filter(pk=event.pk).update(name=name, date="2025-11-20")
        event.refresh_from_db()
        made = self.again(event)
        assert (made.name, made.date) == (name, datetime.date(2025, 11, 27))
        with refuses("repeated"):
            self.again(event)

    @pytest.mark.parametrize(
        ("name", "following"),
        [
            ("Đêm 28/11", "Đêm 5/12"),
            ("Đêm 9, 28/11", "Đêm 10, 5/12"),
            ("Đêm 2026 số 9", "Đêm 2026 số 10"),
            ("Giải 1899", "Giải 1900"),
            ("K2026", "K2027"),
        ],
    )
    def test_a_day_moves_on_and_a_number_counts(self, event, name, following):
        Event.objects.filter(pk=event.pk).update(name=name, date="2025-11-28")
        event.refresh_from_db()
        assert self.again(event).name == following

    def test_a_closed_night_can_be_repeated(self, event):
        closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
        assert self.again(event).status == "open"


@pytest.mark.parametrize("year", [1, 1899, 3000, 9999])
def test_a_night_at_the_ends_of_the_calendar_is_refused(year):
    """By another clock its hour has no date: the club's page and the front page would fail."""
    event, day = make_night(), datetime.date(year, 12, 31)
    with pytest.raises(ValidationError, match="year") as refused:
        change_night(event, date=day)
    assert list(refused.value.message_dict) == ["date"]
    with pytest.raises(ValidationError, match="year"):
        make_night(season=event.season, date=day)


def test_settings_change_while_the_night_is_open():
    event = make_night()
    by = owner_of(event)
    plan = replace(event.plan, rounds_planned=7, confirmed_by="organiser", round_minutes=30)
    values = {"name": "Chung kết", "date": event.date, "plan": plan}
    night_settings.change_settings(event=event, by=by, **values)
    changed = Event.objects.get()
    assert {name: getattr(changed, name) for name in values} == values
    closing.close_event(event=event, by=by, despite_unfinished=True)
    with refuses("closed"):
        night_settings.change_settings(event=event, by=by, **values)


def test_no_fewer_rounds_can_be_planned_than_are_drawn():
    event = make_night(rounds_planned=3)
    make_round(event)
    make_round(event)
    client, address, fields = settings_of(event)
    page = client.post(address, fields | {"rounds_planned": 1})
    assert page.context["form"].errors == {
        "rounds_planned": ["Round 2 is already drawn. Plan at least 2 rounds."]
    }
    assert client.post(address, fields | {"rounds_planned": 2}).status_code == 302
    make_round(event)
    change_night(event, name="More rounds than planned")


def saves(page):
    """Return whether the form can be saved, or discarded: both at once."""
    dock = page.split('class="dock')[1].split("</form>")[0]
    found = ["disabled" not in dock, ">Discard<" in dock]
    assert found[0] == found[1]
    return found[0]


def test_settings_say_what_is_not_saved_and_offer_to_save_it_only_then():
    event = make_night(rounds_planned=3, games_per_round=4)
    client, address, fields = settings_of(event)

    def looked_at(**changes):
        page = client.post(address, fields | changes | {"preview": "1"})
        assert page.status_code == 200
        said = [(one.was, one.words) for one in page.context["form"].changes]
        return said, saves(page.content.decode())

    first = client.get(address).content.decode()
    assert not saves(first)
    assert ('class="menu chip unset"' in first, "which place?" in first) == (True, True)
    signs = re.findall(
        r"3 rounds × 4 games</summary>.*?</details>\s*(.)\s*</span>", first, re.DOTALL
    )
    assert signs == [","], "beside what is tapped, and never alone on a line"
    filled = re.findall(
        r'<button class="btn btn-primary[^>]*>([^<]*)', first.split('class="plan"')[1]
    )
    assert {*map(str.strip, filled)} == {"Done", "Save"}
    assert looked_at() == ([], False)
    assert looked_at(rounds_planned=5) == ([("3 rounds × 4 games", "5 rounds × 4 games")], True)
    assert looked_at(table_size=6) == ([("Rounds", "Rounds")], True), "a row says not all"
    changed = client.post(address, fields | {"round_minutes": 25, "preview": "1"})
    card = changed.content.decode().split('id="not-saved"')[1]
    assert card.index("Minutes per round") < card.index("without a clock → 25 minutes")
    change_night(event, venue="Quán Cô Ba")
    assert looked_at() == ([], False), "somebody else's change is saved"
    assert "chip unset" not in client.get(address).content.decode(), "the place is set"
    wrong = client.post(address, fields | {"date": "nonsense", "preview": "1"})
    assert saves(wrong.content.decode())
    assert event.rounds_planned == Event.objects.get().rounds_planned


def test_rounds_with_a_clock_say_about_when_the_night_ends():
    event = make_night(rounds_planned=3, starts_at=datetime.time(19, 30), round_minutes=25)
    client, address, fields = settings_of(event)

    def said(**changes):
        page = client.post(address, fields | {"preview": "1"} | changes).content.decode()
        return re.findall(r"ends about (\S+)\.", page)

    assert said() == ["20:45"]
    assert said(rounds_planned=12) == ["00:30"]
    assert said(round_minutes="") == said(starts_at="") == said(format="knockout") == []
    assert said(rounds_planned="x") == [], "a typing error has no end"


def test_how_games_count_is_behind_a_row_of_how_much_is_played():
    event = make_night()
    client, address, fields = settings_of(event)
    page = client.post(address, fields | {"counting": "average", "preview": "1"})
    (topic,) = [one for one in page.context["form"].topics if one.fold]
    assert [field.name for field in topic.fields] == ["rounds_planned", "games_per_round"]
    assert [field.name for field in topic.fold.fields] == ["counting"]
    assert topic.was == "3 rounds × 4 games", "its change is one of how much is played"
    draws.draw_round(event=event, by=owner_of(event))
    drawn = [one for one in client.get(address).context["form"].topics if one.fold]
    assert drawn == [], "once drawn it is fixed"


def test_a_sheet_has_one_title_and_offers_the_likely_values(client):
    event = make_night(rules="killa", stake=5_000)
    client.force_login(owner_of(event))
    page = client.get(path_of(event, "event_settings"))
    assert re.search(
        r'Another number\s*<span class="visually-hidden">Minutes per round', page.content.decode()
    )
    likely = {one.title: one.likely for one in page.context["form"].topics if one.likely}
    assert likely == {
        "Minutes per round": [
            ("20", "20 minutes"),
            ("25", "25 minutes"),
            ("30", "30 minutes"),
            ("", "without a clock"),
        ],
        "What does a game cost?": [
            ("2,500", "2,500 kẹo"),
            ("5,000", "5,000 kẹo"),
            ("10,000", "10,000 kẹo"),
            ("25,000", "25,000 kẹo"),
            ("0", "for points only"),
        ],
    }


def test_a_seldom_setting_says_what_it_is_before_it_is_opened(client):
    event = make_night()
    client.force_login(owner_of(event))
    page = client.get(path_of(event, "event_settings")).content.decode()
    assert re.findall(r"<small>(.+?)</small>", page) == [
        "You are compared with those who held the same cards, so luck counts less",
        "Only organisers see results until you reveal the places one by one on the big screen",
        "So that every table is full",
        "Weaker players start with points",
        "Players record what one owes another besides the games",
    ]


def patch_event(client, event, **data):
    path = f"/api/v1/clubs/{event.season.club.slug}/events/{event.pk}/"
    return client.patch(path, data, content_type="application/json")


def test_stake_and_number_of_games_can_be_mended_until_a_game_is_played():
    sitting = make_table(make_night(rules="killa"))
    event = sitting.round.event
    client, address, fields = settings_of(event)
    assert client.post(address, fields | {"stake": 10_000}).status_code == 302
    assert patch_event(client, event, games_per_round=2).status_code == 200
    event.refresh_from_db()
    assert (event.stake, event.games_per_round) == (10_000, 2)
    play(sitting)
    assert event.transfers.get().amount == 10_000
    assert "games_per_round" not in client.get(address).context["form"].fields
    for change in ({"stake": 9}, {"games_per_round": 3}):
        refused = patch_event(client, event, **change)
        assert refused.status_code == 400
        assert "A game has already been played" in refused.content.decode()
    assert patch_event(client, event, stake=10_000, name="Tối vui").status_code == 200


def test_rules_and_counting_are_chosen_until_the_first_draw():
    event = make_night(rules="killa", stake=10_000)
    client, address, sent = settings_of(event)
    others = sent | {"ruleset": "thirteen", "counting": "average"}
    looked_at = client.post(address, others | {"preview": "1"})
    said = {topic.title: (topic.was, topic.words) for topic in looked_at.context["form"].changes}
    assert said["Which rules?"] == ("Killa of Honolulu", "Thirteen, 2 to 8 players")
    assert said["What does a game cost?"] == ("10,000 kẹo a game", "for points only")
    assert event.rules.key == "killa"
    assert client.post(address, others).status_code == 302
    event = Event.objects.get()
    assert (event.rules.key, event.stake) == ("thirteen", 0)
    assert event.rules_of_scoring.counting == "average"
    log = client.get(reverse("league:audit", args=[event.season.club.slug])).content.decode()
    assert "Rules" in log
    assert "Thirteen" in log
    assert "How games count:" in log

    _client, _address, sent = settings_of(event)
    draws.draw_round(event=event, by=owner_of(event))
    for name, other in (("ruleset", "killa"), ("counting", "fixed"), ("format", "open")):
        refused = client.post(address, sent | {name: other})
        assert (refused.status_code, [*refused.context["form"].errors]) == (422, [name])
    assert client.post(address, sent | {"name": "Tối vui"}).status_code == 302
    assert Event.objects.get().rules.key == "thirteen"
    page = client.get(address)
    assert "its rules, its format and how games count stay" in page.content.decode()
    inputs = re.findall(r'name="(\w+)"', page.content.decode())
    assert not {"ruleset", "counting", "same_deals"} & set(inputs)
    kinds = re.findall(
        r'name="format"\s+value="(\w+)"( checked)?\s*(disabled)?', page.content.decode()
    )
    assert kinds == [("rounds", " checked", "disabled")], "no other is offered"


def test_games_are_paid_and_repeated_by_the_rules_chosen_last():
    event = make_night(rules="killa", stake=10_000)
    client, address, sent = settings_of(event)
    assert client.post(address, sent | {"ruleset": "penguin"}).status_code == 302
    event = Event.objects.get()
    play(make_table(event))
    paid = event.transfers.values_list("payer__player__name", "amount")
    assert len({name for name, _amount in paid}) == 1, "by these the last one pays everybody"
    assert [amount for _name, amount in paid] == [10_000] * 3
    assert events.repeat_event(event=event, by=owner_of(event)).rules.key == "penguin"


def test_rules_that_one_changed_and_a_stake_that_another_did_are_told():
    client, address, sent = settings_of(make_night(rules="killa", stake=10_000))
    assert client.post(address, sent | {"ruleset": "mien-nam"}).status_code == 302
    crossed = client.post(address, sent | {"ruleset": "thirteen", "stake": ""})
    assert crossed.status_code == 409
    [asked] = [one for one in crossed.context["page"].crossed if one.field == "ruleset"]
    assert [one.words for one in asked.values] == ["Thirteen, 2 to 8 players", "Miền Nam"]
    assert asked.was == "Killa"
    assert Event.objects.get().rules.key == "mien-nam"


def settings_of(event):
    """An organiser's browser, the address of the settings, and what they send unchanged."""
    client, address = browser_of(owner_of(event)), path_of(event, "event_settings")
    form = client.get(address).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    return client, address, sent | {"seen": form.seen}


def test_a_change_of_what_cannot_change_is_refused_aloud(client):
    event = make_night()
    client.force_login(owner_of(event))
    assert patch_event(client, event, counting="average").json()["counting"] == "average"
    draws.draw_round(event=event, by=owner_of(event))
    refused = patch_event(client, event, name="Other", counting="fixed")
    [error] = refused.json()["errors"]
    assert (refused.status_code, error["pointer"]) == (400, "#/counting")
    event.refresh_from_db()
    assert event.name != "Other"


def test_a_new_night_starts_with_the_last_ones_values(client):
    event = make_night(rules="killa", stake=10_000, games_per_round=2)
    client.force_login(owner_of(event))
    form = client.get(path_of(event.season, "event_create")).context["form"]
    assert [form[name].value() for name in ("stake", "games_per_round")] == [10_000, 2]
    assert form["name"].value() != event.name

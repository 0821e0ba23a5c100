"""Two people at one form: an older page saves what its person changed, and nothing else."""

import json
from dataclasses import replace
from datetime import date, time
from html.parser import HTMLParser

import pytest

from engine.rules import ruleset
from league.clubs.acts import clubs, players
from league.models import Club, LivePlan, Schedule, SignUp
from league.models.shown_names import NameStyle
from league.nights.domain.night_plans import NightPlan
from league.schedules.acts import leagues, schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Nights, TournamentPlan, Tournaments
from tables.base import rulesets
from tables.models import Ladder
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_night,
    make_rules,
    make_schedule,
    make_season,
    owner_of,
    path_of,
    stored,
)

pytestmark = pytest.mark.django_db


class Fields(HTMLParser):
    """What a browser sends of the page's untouched form that has `seen`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms, self.select, self.area = [], "", ""
        self.feed(page)
        [self.found] = [form for form in self.forms if "seen" in form]

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        name, kind = of.get("name") or "", of.get("type")
        if tag == "form":
            self.forms.append({})
        elif tag == "textarea":
            self.area, self.forms[-1][name] = name, [""]
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            chosen = self.forms[-1].get(self.select)
            if "selected" in of or chosen is None:
                self.forms[-1][self.select] = [of.get("value")]
        elif tag == "input" and name and self.forms:
            box = kind in ("checkbox", "radio")
            if not box or "checked" in of:
                self.forms[-1].setdefault(name, []).append(of.get("value", "on" if box else ""))

    def handle_endtag(self, tag):
        self.select = "" if tag == "select" else self.select
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data):
        if self.area:
            self.forms[-1][self.area][0] += data.removeprefix("\n").replace("\n", "\r\n")


class Page:
    """A browser's page with the form, as it is when it is opened."""

    def __init__(self, user, address, to="") -> None:
        self.client, self.to = browser_of(user), to or address
        self.read(self.client.get(address))

    def read(self, answer) -> None:
        self.fields = Fields(answer.content.decode()).found
        seen = json.loads(self.fields["seen"][0])
        sent = {name: [v.strip().replace("\r\n", "\n") for v in values if v.strip()]
                for name, values in self.fields.items()}  # fmt: skip
        if answer.status_code == 200:
            assert {name: sorted(sent.get(name, [])) for name in seen} == seen

    def save(self, **changed):
        answer = self.client.post(self.to, self.fields | changed)
        if answer.status_code == 409:
            self.read(answer)
        return answer


def two_pages(club, name, *more, role="organiser", to=""):
    """The same page, opened by an owner and by someone else."""
    address = path_of(club, name, *more)
    to = to and path_of(club, to, *more)
    return [Page(user, address, to) for user in (owner_of(club), make_member(club, role))]


def asked(answer):
    """The sentences of a crossed form."""
    assert answer.status_code == 409
    return " ".join(answer.content.decode().split())


# --- The club ---------------------------------------------------------------------------------


def test_an_older_page_of_a_clubs_settings_moves_no_club_back():
    club = make_night(4).season.club
    a, b = two_pages(club, "club_settings", role="owner")
    moved = b.save(time_zone="Paris", moves_to="Europe/Paris", unit="kẹo")
    assert moved.status_code == 302
    assert a.save(name="Nhà mình").status_code == 302
    club = Club.objects.get()
    assert (club.name, club.time_zone, club.unit) == ("Nhà mình", "Europe/Paris", "kẹo")
    assert club.clock.name == "Paris"


def test_two_new_names_of_a_club_are_asked_about_and_a_second_save_decides():
    club = make_club()
    a, b = two_pages(club, "club_settings", role="owner")
    b.save(name="Nhà Hoa", unit="kẹo")
    said = asked(a.save(name="Nhà Lan", embed_hosts="https://a.example"))
    assert "changed this to “Nhà Hoa”; you chose “Nhà Lan”. Check it and save again." in said
    assert Club.objects.get().name == "Nhà Hoa"
    assert a.fields["name"] == ["Nhà Lan"]
    assert a.save().status_code == 302
    club = Club.objects.get()
    assert (club.name, club.unit, club.embed_hosts) == ("Nhà Lan", "kẹo", "https://a.example")


def test_the_same_change_by_both_is_no_question():
    a, b = two_pages(make_club(), "club_settings", role="owner")
    b.save(name="Nhà Hoa")
    assert a.save(name="Nhà Hoa").status_code == 302


def test_a_change_between_the_form_and_its_act_is_refused():
    club = make_club()
    Club.objects.update(unit="chips")
    with pytest.raises(Refusal, match="changed since you opened it"):
        clubs.change_club(
            club=club, by=owner_of(club), name="x", time_zone=club.time_zone, unit=club.unit
        )


def test_an_older_form_of_names_does_not_publish_a_club_again():
    club = make_club(is_public=True)
    owner, address = browser_of(owner_of(club)), path_of(club, "publish")
    names = owner.get(address).content.decode().split("<form")[1:]
    [form] = [form for form in names if 'name="names"' in form]
    assert 'name="public"' not in form.split("</form>")[0]
    owner.post(address, {"public": "0"})
    owner.post(address, {"names": NameStyle.FULL})
    club = Club.objects.get()
    assert (club.is_public, club.shows_names) == (False, NameStyle.FULL)


# --- A season, its schedules and nights -------------------------------------------------------


def test_an_older_page_of_a_seasons_scoring_keeps_the_others_tie_breaks():
    season = make_season()
    a, b = two_pages(season.club, "season_settings", season.pk)
    assert b.save(tie_break_2="games", ranks_bots="on", best_of="3").status_code == 302
    assert a.save(points="own", row="9 4 2 0").status_code == 302
    season.refresh_from_db()
    assert (season.tie_breaks[1], season.ranks_bots, season.scoring["best_of"]) == (
        "games",
        True,
        3,
    )
    assert season.scoring["points_table"]["row"] == ["9", "4", "2", "0"]


def test_two_new_numbers_of_best_nights_are_asked_about():
    season = make_season()
    a, b = two_pages(season.club, "season_settings", season.pk)
    b.save(best_of="3")
    assert "to “3”; you chose “5”." in asked(a.save(best_of="5"))
    assert a.save().status_code == 302
    assert stored(season).scoring["best_of"] == 5


def make_recipe(season=None) -> Schedule:
    """Nights every Friday."""
    season = season or make_season()
    rule = Recurrence(date(2199, 1, 4), time(20), season.club.time_zone)
    night = Nights("Buổi 1", NightPlan(), rule)
    return schedules.create_schedule(season=season, by=owner_of(season), repeated=night)


def test_an_older_page_of_a_recipe_keeps_the_name_that_counted_up():
    schedule = make_recipe()
    a, b = two_pages(schedule.season.club, "schedule_edit", schedule.season_id, schedule.pk)
    Schedule.objects.update(name="Buổi 2")
    assert b.save(every="two_weeks").status_code == 302
    assert a.save(rounds_planned="7").status_code == 302
    schedule.refresh_from_db()
    assert (schedule.name, schedule.rule["interval"]) == ("Buổi 2", 2)
    assert schedule.plan["rounds_planned"] == 7


def test_an_older_page_of_a_recipe_keeps_rules_and_the_stake_that_they_brought():
    season = make_season(rules="thirteen")
    schedule = make_recipe(season)
    a, b = two_pages(season.club, "schedule_edit", season.pk, schedule.pk)
    assert "stake" not in a.fields
    page = b.client.post(b.to, b.fields | {"ruleset": "mien-nam", "preview": "1"})
    b.fields = Fields(page.content.decode()).found
    assert b.save(stake="5000").status_code == 302
    assert a.save(rounds_planned="7").status_code == 302
    schedule.refresh_from_db()
    assert (schedule.plan["stake"], schedule.plan["rounds_planned"]) == (5_000, 7)
    assert schedule.ruleset.key == "mien-nam"


def test_two_new_rhythms_are_asked_about_in_words():
    schedule = make_recipe()
    a, b = two_pages(schedule.season.club, "schedule_edit", schedule.season_id, schedule.pk)
    b.save(every="two_weeks")
    assert "to “every two weeks”; you chose “does not repeat”." in asked(a.save(every=""))
    assert stored(schedule).rule["interval"] == 2


@pytest.mark.parametrize(
    "rhythm",
    [
        {"weekdays": (1, 4)},
        {"interval": 3},
        {"every": "day"},
        {"every": "once"},
        {"every": "month"},
        {"every": "month", "interval": 2, "nth": 1},
    ],
    ids=str,
)
def test_a_rhythm_that_the_form_can_not_say_stays_where_only_the_name_and_hour_change(rhythm):
    """Programs may ask for two days a week: they became one, and every day became never."""
    schedule = make_recipe()
    rule = Recurrence.from_json(schedule.rule)
    schedule.rule = replace(rule, **rhythm).to_json()
    schedule.save()
    [page, _other] = two_pages(
        schedule.season.club, "schedule_edit", schedule.season_id, schedule.pk
    )
    assert page.save(name="Buổi vui", starts_at="19:30").status_code == 302
    schedule.refresh_from_db()
    assert schedule.name == "Buổi vui"
    assert Recurrence.from_json(schedule.rule) == replace(rule, **rhythm, at=time(19, 30))


def test_an_older_page_of_a_tournaments_schedule_keeps_the_others_bots():
    schedule = make_schedule(make_season())
    a, b = two_pages(schedule.season.club, "schedule_edit", schedule.season_id, schedule.pk)
    assert b.save(bot_2="lowest").status_code == 302
    assert a.save(deals="9").status_code == 302
    schedule.refresh_from_db()
    assert (schedule.plan["bots"], schedule.plan["deals"]) == (["greedy", "lowest"], 9)


def test_an_older_page_of_a_bot_league_keeps_the_others_size():
    season = make_season()
    rule = Recurrence(date(2199, 1, 4), time(20), season.club.time_zone)
    cup = Tournaments("Cúp", TournamentPlan(deals=2), rule, ruleset.preset("tien-len"))
    made = leagues.create_league(season=season, by=owner_of(season), repeated=cup, size=3, moves=1)
    a, b = two_pages(season.club, "schedule_edit", season.pk, made.schedule_id)
    assert b.save(size="5").status_code == 302
    assert "changed this to “5”; you chose “4”." in asked(a.save(size="4", deals="9"))
    a.save(size="5")
    made.refresh_from_db()
    assert (made.size, made.schedule.plan["deals"]) == (5, 9)


def test_an_older_page_of_online_play_keeps_the_others_clock():
    event = make_night(4)
    a, b = two_pages(event.season.club, "online", event.pk)
    assert b.save(played="live", move_seconds="90").status_code == 302
    assert a.save(abandoned="void").status_code == 302
    plan = LivePlan.objects.get()
    assert (plan.played, plan.move_seconds, plan.abandoned) == ("live", 90, "void")


def test_an_older_page_of_a_sign_up_list_keeps_the_others_deadline():
    event = make_night(4)
    a, b = two_pages(event.season.club, "sign_up", event.pk)
    assert b.save(closes_at="2199-01-04T18:00", places="9").status_code == 302
    assert "to “9”; you chose “8”." in asked(a.save(places="8"))
    assert a.save().status_code == 302
    found = SignUp.objects.get()
    assert (found.places, found.closes_at.year) == (8, 2199)


def test_an_older_page_of_teams_keeps_the_others_way_of_counting():
    season = make_season()
    a, b = two_pages(season.club, "rosters", season.pk, to="team_rule")
    assert b.save(average="1").status_code == 302
    assert a.save(best="3").status_code == 302
    season.refresh_from_db()
    assert (season.team_average, season.team_best) == (True, 3)
    assert "to “3”; you chose “4”." in asked(b.save(best="4"))
    assert stored(season).team_best == 3


# --- The rest of a club -----------------------------------------------------------------------


def test_an_older_page_of_a_players_wishes_keeps_the_others_table():
    club = make_club()
    player = players.add_player(club=club, name="Mai", by=owner_of(club))
    a, b = two_pages(club, "player_edit", player.pk)
    assert b.save(fixed_table="2", group="nhà").status_code == 302
    assert a.save(together="cô").status_code == 302
    player.refresh_from_db()
    assert (player.fixed_table, player.group, player.together) == (2, "nhà", "cô")
    assert "to “nhà”; you chose “phố”." in asked(a.save(group="phố"))


def test_an_older_page_of_house_rules_keeps_the_others_change():
    own = make_rules()
    a, b = two_pages(own.club, "rules_edit", own.pk)
    assert b.save(most_paid="40").status_code == 302
    assert a.save(forfeit="rửa bát").status_code == 302
    own.refresh_from_db()
    rules = rulesets.thaw(own.frozen)
    assert (own.version, rules.most_paid, rules.forfeit) == (3, 40, "rửa bát")
    assert "to “40”; you chose “50”." in asked(a.save(most_paid="50"))


def test_an_older_page_of_the_ladder_starts_no_stopped_one():
    a, b = two_pages(make_club(), "arena", role="owner", to="ladder")
    assert b.save(is_on=[]).status_code == 302
    assert a.save(ruleset="thirteen").status_code == 302
    assert not Ladder.objects.filter(is_on=True).exists()

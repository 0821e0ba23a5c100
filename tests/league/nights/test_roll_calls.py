"""A call with a time limit, and what the season says about a missed night and a late arrival."""

import datetime

import pytest
from django.utils import timezone

from league.log.pages import entries as log
from league.models import Event
from league.nights.acts import attendance, closing, draws, roll_calls, seat_changes
from league.online.acts import results_in
from league.seasons.acts import adjustments
from league.seasons.facts.standings import season_standings
from tests.factories import make_night, make_round, make_season, owner_of, path_of, play, stored
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def night():
    """Six of the club are expected, four of them are here; missing costs 2, coming late a half."""
    season = make_season(absence="-2", lateness="-1/2")
    make_night(6, season=season)
    event = make_night(0, season=season, games_per_round=1)
    come(event, "An", "Bình", "Chi", "Dũng")
    return event


def come(event, *names, presence="here"):
    keys = event.season.club.players.filter(name__in=names).values_list("pk", flat=True)
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=list(keys), presence=presence, by=by)


def call(event, minutes=10):
    roll_calls.start(event=event, minutes=minutes, by=owner_of(event))


def run_out(event):
    over = timezone.now() - datetime.timedelta(seconds=1)
    Event.objects.filter(pk=event.pk).update(call_ends_at=over)


def presence(event):
    found = event.entrants.order_by("player__sort_key")
    return dict(found.values_list("player__name", "presence"))


def play_through(event):
    for sitting in make_round(event).sittings.all():
        play(sitting, [p.entrant.player.name for p in sitting.places.order_by("seat")])
    closing.close_event(event=event, by=owner_of(event))


def given(event):
    found = event.adjustment_set.in_force().order_by("player__sort_key")
    return [(a.player.name, float(a.points), a.cause) for a in found]


def test_who_is_not_here_when_the_call_ends_is_absent_and_the_draw_goes_on(night):
    call(night)
    draws.draw_round(event=night, by=owner_of(night))
    assert presence(night)["Em"] == "expected"  # the time is not up
    run_out(night)
    drawn = draws.draw_round(event=night, by=owner_of(night))
    assert (presence(night)["Em"], presence(night)["Phúc"]) == ("absent", "absent")
    assert len(drawn.settings["here"]) == 4
    assert "Em" in next(line.sentence for line in lines(night) if "Absent" in line.sentence)


def lines(event):
    return log.log_page(event.season.club, log.Asked(), None).lines


def test_a_missed_night_and_coming_late_cost_what_the_season_says_once(night):
    call(night)
    run_out(night)
    come(night, "Em")  # a second too late
    play_through(night)
    assert given(night) == [("Em", -0.5, "lateness"), ("Phúc", -2.0, "absence")]
    points = {s.player.name: s.row.points for s in season_standings(night.season)}
    assert points["Phúc"] == -2
    by = owner_of(night)
    excused = night.adjustment_set.get(player__name="Phúc")
    adjustments.revoke(adjustment=excused, by=by)
    closing.reopen_event(event=night, by=by)
    closing.close_event(event=night, by=by)
    assert given(night) == [("Em", -0.5, "lateness")]


def test_an_excuse_that_was_a_mistake_leaves_what_the_night_costs(night):
    by = owner_of(night)
    call(night)
    run_out(night)
    play_through(night)
    missed = [("Em", -2.0, "absence"), ("Phúc", -2.0, "absence")]
    assert given(night) == missed
    for presence, left in (("expected", missed[:1]), ("absent", missed)):
        closing.reopen_event(event=night, by=by)
        night.refresh_from_db()
        come(night, "Phúc", presence=presence)
        closing.close_event(event=night, by=by, despite_unfinished=True)
        assert given(night) == left


def test_who_is_excused_while_the_night_is_open_loses_nothing(night):
    call(night)
    run_out(night)
    come(night, "Phúc", presence="expected")
    play_through(night)
    assert given(night) == [("Em", -2.0, "absence")]


def test_who_played_and_is_absent_at_a_later_call_has_not_missed_the_night(night):
    for sitting in make_round(night).sittings.all():
        play(sitting, [p.entrant.player.name for p in sitting.places.order_by("seat")])
    come(night, "Dũng", presence="expected")
    call(night)
    run_out(night)
    closing.close_event(event=night, by=owner_of(night))
    assert presence(night)["Dũng"] == "absent"
    assert [name for name, *_points in given(night)] == ["Em", "Phúc"]


def test_a_bot_that_is_absent_loses_nothing(night):
    bot = results_in.add_bot(event=night, bot="greedy", by=owner_of(night)).player.name
    night.entrants.filter(player__name=bot).update(presence="absent")
    call(night)
    run_out(night)
    play_through(night)
    assert presence(night)[bot] == "absent"
    assert given(night) == [("Em", -2.0, "absence"), ("Phúc", -2.0, "absence")]


def test_leaving_and_coming_back_is_not_late_and_a_stopped_call_makes_nobody_absent(night):
    call(night)
    roll_calls.stop(event=night, by=owner_of(night))
    make_round(night)
    come(night, "An", presence="expected")
    come(night, "An")
    assert not night.entrants.get(player__name="An").late
    assert set(presence(night).values()) == {"here", "expected"}
    come(night, "Em")
    assert night.entrants.get(player__name="Em").late


@pytest.mark.parametrize("replaces", [False, True])
def test_who_is_seated_at_a_table_straight_away_came_late_too(night, replaces):
    by, [sitting] = owner_of(night), make_round(night).sittings.all()
    leaves, late = sitting.places.first().entrant_id, night.entrants.get(player__name="Em").pk
    substitute = late if replaces else None
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=leaves, substitute_id=substitute, by=by)
    if not replaces:
        seat_changes.join(sitting_id=sitting.pk, entrant_id=late, by=by)
    closing.close_event(event=night, by=by, despite_unfinished=True)
    assert given(night) == [("Em", -0.5, "lateness")]


def test_a_call_ends_with_a_night_that_is_called_off(night):
    by = owner_of(night)
    come(night, "An", "Bình", "Chi", "Dũng", presence="expected")
    call(night)
    run_out(night)
    closing.call_off(event=night, by=by)
    closing.reopen_event(event=night, by=by)
    come(night, "Phúc")
    assert presence(night)["Em"] == "expected"


def test_nobody_is_called_where_everyone_is_here(night):
    come(night, "Em", "Phúc")
    with refuses("nobody"):
        call(night)


def test_pages_show_the_call_and_an_organiser_starts_and_stops_it(client, night):
    client.force_login(owner_of(night.season.club))
    client.post(path_of(night, "roll_call"), {"minutes": "5"})
    shown = client.get(path_of(night, "check_in")).content.decode()
    assert "Missing: Em, Phúc" in " ".join(shown.split())
    assert "Last call" in client.get(path_of(night, "wall")).content.decode()
    client.post(path_of(night, "roll_call"), {"do": "stop"})
    assert stored(night).call_ends_at is None

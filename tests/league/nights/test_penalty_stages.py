"""A penalty counts in the stage that it names, and is seen before it is saved."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from league.base.acts import tokens
from league.exchange.acts import archives
from league.models import Adjustment
from league.nights.acts import closing
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import event_places
from league.nights.facts.stages import Played, begun, groups, pools_of
from league.proof.facts import verify
from league.seasons.acts import adjustments, seasons
from league.seasons.facts.standings import season_standings
from tests.factories import (
    browser_of,
    make_adjustment,
    make_member,
    make_night,
    make_user,
    owner_of,
    path_of,
)
from tests.league.nights.test_final_places import cup_of_eight, places
from tests.league.nights.test_stages import knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def penalise(event, name, points="-4", **details):
    player = event.entrants.get(player__name=name).player
    return make_adjustment(event.season, player.name, points, event=event, **details)


def group_rows(event):
    rounds = rounds_of(event, with_drafts=False)
    return [(part.no, [(row.entrant, row.rank, row.points) for row in part.rows])
            for part in groups(rounds, Played(event))]  # fmt: skip


def in_final(event):
    return {one.player.name for one in event_places(event) if one.stage == "final"}


def page_of(event):
    return path_of(event.season, "adjustments")


def form_of(event, name, **more):
    return {"player": name, "points": "-4", "event": event.pk, "reason": "late"} | more


@made_once
def cup():
    """A cup of eight whose final ended F B A E."""
    return cup_of_eight(rounds_planned=2)


def test_a_penalty_after_the_final_takes_the_place_in_the_final_alone(cup):
    event, (a, b, _c, _d, e, f, *_rest) = cup
    before, shown = group_rows(event), places(event)
    given = penalise(event, f)
    assert (given.stage, given.stage_round) == ("final", None)
    assert places(event)[:4] == [f"1 {b}", f"2 {a}", f"3 {e}", f"4 {f}"]
    assert places(event)[4:] == shown[4:]
    assert group_rows(event) == before
    adjustments.revoke(adjustment=given, by=owner_of(event))
    assert places(event) == shown


def test_a_penalty_for_the_groups_leaves_the_final_to_those_who_sat_in_it(cup):
    event, (_a, _b, _c, _d, _e, f, *_rest) = cup
    sat, podium = in_final(event), places(event)[:4]
    penalise(event, f, stage="group")
    last = dict(group_rows(event))[2][-1]
    assert (last[0], last[1]) == (event.entrants.get(player__name=f).pk, 4)
    assert (in_final(event), places(event)[:4]) == (sat, podium)


def test_who_was_eliminated_is_penalised_where_they_played(cup):
    event, (_a, _b, c, *_rest) = cup
    assert penalise(event, c).stage == "group"
    with pytest.raises(ValidationError) as refused:
        penalise(event, c, stage="final")
    assert refused.value.message_dict == {
        "stage": [f"{c} does not play in this stage. Choose another."]
    }


def test_a_penalty_given_before_stages_had_names_goes_on_counting_in_the_group(cup):
    event, (*_others, f, _g, _h) = cup
    given = penalise(event, f, stage="group")
    named = group_rows(event)
    Adjustment.objects.filter(pk=given.pk).update(stage="")
    assert group_rows(event) == named


def test_in_a_knock_out_a_penalty_counts_at_the_table_of_its_round():
    event = knockout_night(8)
    order = play_all(open_floor(event))[1]
    given = penalise(event, order[0], "-9")
    assert (given.stage, given.stage_round) == ("table", 1)
    player = given.player_id
    [first] = begun(event)
    assert (first.kind, first.round, first.ranks[player]) == ("table", 1, 4)
    final = open_floor(event)
    assert {stage.kind for stage in begun(event)} == {"table", "final"}
    through = next(pool["members"] for pool in pools_of(final) if pool["kind"] == "final")
    assert event.entrants.get(player=player).pk not in through


def test_a_night_without_stages_and_the_season_know_none():
    event = make_night(4)
    name = event.entrants.first().player.name
    assert penalise(event, name).stage == ""
    with pytest.raises(ValidationError):
        penalise(event, name, stage="final")
    with pytest.raises(IntegrityError), transaction.atomic():
        Adjustment.objects.update(stage="table")


def test_the_form_shows_what_changes_before_it_is_saved(cup):
    event, (a, b, _c, _d, _e, f, *_rest) = cup
    client = browser_of(make_member(event.season.club, "organiser"))
    seen = client.post(page_of(event), form_of(event, f))
    assert not Adjustment.objects.exists()
    text = " ".join(seen.content.decode().split())
    for name, change in ((f, "place 1 → 4"), (b, "place 2 → 1"), (a, "place 3 → 2")):
        assert f'{name}</b> <span class="rows-main"> Final: {change} </span>' in text
    assert "Groups: place" not in text
    assert seen.context["sent"]["stage"] == "final"
    group = client.post(page_of(event), form_of(event, f, stage="group"))
    text = " ".join(group.content.decode().split())
    assert f'{f}</b> <span class="rows-main"> Groups: place 2 → 4 </span>' in text
    assert "Final: place" not in text
    assert "The stages after it stay as they were drawn, with the same players." in text
    assert client.post(page_of(event), seen.context["sent"]).status_code == 302
    assert Adjustment.objects.get().stage == "final"
    assert "· Final" in client.get(page_of(event)).content.decode()


def test_of_two_organisers_the_second_sees_what_the_first_has_changed(cup):
    event, (_a, _b, _c, _d, _e, f, *_rest) = cup
    clients = [Client(), Client()]
    for client in clients:
        client.force_login(make_member(event.season.club, "organiser"))
    seen = [client.post(page_of(event), form_of(event, f)).context["sent"] for client in clients]
    assert clients[0].post(page_of(event), seen[0]).status_code == 302
    late = clients[1].post(page_of(event), seen[1])
    assert late.status_code == 200
    assert "Nothing was saved: it would change something else by now." in late.content.decode()
    assert Adjustment.objects.count() == 1


def test_the_api_names_the_stage(cup):
    event, (_a, _b, c, _d, _e, f, *_rest) = cup
    club, keys = event.season.club, dict(event.entrants.values_list("player__name", "player_id"))
    _token, secret = tokens.create_token(user=make_member(club, "organiser"), name="cup")
    headers = {"Authorization": f"Bearer {secret}"}
    path = path_of(event.season, "api:adjustments")
    sent = {"player": keys[f], "event": event.pk, "points": "-4", "reason": "late"}

    def answer(**more):
        found = Client().post(path, sent | more, content_type="application/json", headers=headers)
        return found.status_code, found.json()

    status, made = answer()
    assert (status, made["stage"], made["round"]) == (201, "final", None)
    status, made = answer(stage="group")
    assert (status, made["stage"]) == (201, "group")
    status, refused = answer(player=keys[c], stage="final")
    assert (status, refused["stage"]) == (
        400,
        [f"{c} does not play in this stage. Choose another."],
    )
    assert answer(stage="table", round=1)[0] == 400


def test_places_points_proof_and_archive_follow(cup):
    event, (_a, _b, _c, _d, _e, f, *_rest) = cup
    season, by = event.season, owner_of(event)
    seasons.set_worth(event=event, by=by, gives="places")
    closing.close_event(event=event, by=by, despite_unfinished=True)
    [row] = [one for one in season_standings(season) if one.player.name == f]
    assert row.row.rank == 1
    penalise(event, f)
    [row] = [one for one in season_standings(season) if one.player.name == f]
    assert row.row.rank == 4
    assert list(verify.everything()) == []
    data = archives.write_archive(club=season.club, by=by)
    copy = archives.read_archive(data=data, by=make_user())
    night = copy.seasons.get().events.get()
    assert Adjustment.objects.get(event=night).stage == "final"
    assert places(night) == places(event)

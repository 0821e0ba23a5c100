"""How a season counts, changed in the browser; penalties and bonuses; the sum behind a row."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from engine.rules.ruleset import preset
from league.clubs.acts import merges, players
from league.models import Adjustment, Audit, Event
from league.nights.acts import closing
from league.seasons.acts import adjustments, seasons
from league.seasons.domain.scoring import Scoring, read_exact
from league.seasons.facts import standings
from league.seasons.forms.settings import ScoringForm
from tests.factories import (
    make_adjustment,
    make_member,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.refusals import refuses
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def points(season):
    return {s.player.name: s.row.points for s in standings.season_standings(season)}


def played_night(season=None, **details):
    """A night with one game, and the names from first to last."""
    sitting = make_table(make_night(season=season or make_season(), **details))
    order = names_at(sitting)
    play(sitting, order)
    return sitting.round.event, order


@made_once
def event():
    return played_night()[0]


@pytest.fixture
def order(event):
    return names_at(event.rounds.get().sittings.get())


def change(season, *, recount_all=False, tie_breaks=("points", "firsts"), **scoring):
    return seasons.change_scoring(
        season=season,
        scoring=Scoring().to_json() | scoring,
        tie_breaks=tie_breaks,
        recount_all=recount_all,
        by=owner_of(season),
    )


def test_new_points_hold_for_later_nights_only(event, order):
    change(event.season, points_table="10-5-minus")
    event.season.refresh_from_db()
    assert points(event.season)[order[0]] == 3
    later, order = played_night(event.season)
    assert standings.event_standings(later)[0].row.points == 10


def test_recounting_all_gives_earlier_nights_the_new_points_and_leaves_their_weight():
    event, order = played_night(season=make_season(weight=2), games_per_round=2)
    change(event.season, points_table="10-5-minus", weight=1, games_per_round=7, recount_all=True)
    event.refresh_from_db()
    assert points(event.season) == dict(zip(order, (20, 10, -10, -20), strict=True))
    assert event.games_per_round == 2
    entry = Audit.objects.get(action="season.scoring")
    assert (entry.data["recount_all"], entry.data["old"]["scoring"]["points_table"]) == (
        True,
        "3-2-1-0",
    )


def test_a_duplicate_night_never_gives_the_points_of_its_games(client):
    """Its hands are compared with each other: what a table's places are worth says nothing."""
    night = make_night(format={"same_deals": True})
    by = owner_of(night)
    change(night.season, recount_all=True)
    assert Event.objects.get(pk=night.pk).rules_of_scoring.gives == "places"
    assert seasons.set_worth(event=night, by=by, gives="games").rules_of_scoring.gives == "places"
    client.force_login(by)
    page = path_of(night.season, "season_settings")
    of_night = client.get(page).content.decode().rpartition("<select")[2]
    assert "points for its final places" in of_night
    assert "the points of its games" not in of_night


def test_the_games_that_a_rank_needs_are_asked_of_no_night():
    season = make_season(minimum_games=2)
    night, order = played_night(season=season)
    ranks = {row.player.name: row.row.rank for row in standings.event_standings(night)}
    assert [ranks[name] for name in order] == [1, 2, 3, 4]
    assert {row.row.rank for row in standings.season_standings(season)} == {None}


def test_best_nights_and_tie_breaks_hold_for_the_season_at_once(event):
    played_night(event.season)
    change(event.season, best_of=1)
    event.season.refresh_from_db()
    counted = [s.row.nights for s in standings.season_standings(event.season)]
    assert [sum(night.counted for night in nights) for nights in counted] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("scoring", "field"),
    [
        ({"points_table": {"row": ["3", "2", "1"]}}, "points_table.row"),
        ({"best_of": 9, "nights": 4}, "best_of"),
        ({"weight": "0"}, "weight"),
    ],
)
def test_a_wrong_scoring_is_refused_by_field_and_changes_nothing(season, scoring, field):
    with pytest.raises(ValidationError) as refused:
        change(season, **scoring)
    assert list(refused.value.message_dict) == [field]
    season.refresh_from_db()
    assert season.scoring == Scoring().to_json()


def test_a_night_that_cannot_be_recounted_stops_the_whole_change_and_is_named():
    event, _order = played_night(counting="average")
    with pytest.raises(ValidationError) as refused:
        change(event.season, points_table="stake_result", recount_all=True)
    assert event.name in refused.value.messages[0]
    event.season.refresh_from_db()
    assert event.season.scoring == Scoring().to_json()


def test_a_closed_season_takes_no_change(event, order):
    by = owner_of(event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    seasons.set_status(season=event.season, status="closed", by=by)
    for act in (
        lambda: change(event.season),
        lambda: make_adjustment(event.season, order[0]),
        lambda: seasons.set_worth(event=event, weight="2", by=by),
    ):
        with refuses("closed"):
            act()


def test_a_new_season_is_offered_a_free_name_and_a_taken_one_is_refused_in_words(client):
    club = make_season().club
    begun = [seasons.begin_season(club=club, by=owner_of(club), ruleset=preset("killa"))]
    seasons.set_status(season=begun[0], status="closed", by=owner_of(club))
    client.force_login(owner_of(club))
    page = path_of(club, "season_create")
    form = client.get(page).context["form"]
    fields = {name: form[name].value() or "" for name in form.fields}
    assert fields["name"] == f"{begun[0].name} (2)"
    refused = client.post(page, fields | {"name": begun[0].name})
    assert refused.context["form"].errors["name"] == [
        "The club has a season of this name. Choose another."
    ]
    chosen = fields | {"ruleset": "killa", "points": "3-2-1-0"}
    for far in ({"starts_on": "0001-01-01"}, {"ends_on": "9999-12-31"}):
        errors = client.post(page, chosen | far).context["form"].errors
        assert errors == {next(iter(far)): ["Write a year from 1900 to 2999."]}
    assert client.post(page, chosen).status_code == 302
    with pytest.raises(ValidationError, match="season of this name"):
        seasons.create_season(
            club=club, by=owner_of(club), name=begun[0].name, ruleset=preset("killa"),
            scoring=Scoring().to_json(), tie_breaks=["points"], starts_on=club.today,
        )  # fmt: skip


# --- The page ---------------------------------------------------------------------------------


def settings_form(season, **changed):
    rules = Scoring.from_json(season.scoring)
    shown = ScoringForm.initial_of(rules, season.tie_breaks)
    return {key: "" if value is None else value for key, value in (shown | changed).items()}


def send(client, season, **changed):
    client.force_login(owner_of(season))
    return client.post(path_of(season, "season_settings"), settings_form(season, **changed))


def test_the_page_saves_own_rows_and_shows_them_again(season, client):
    own = {"points": "own", "row": "5, 3 3/2 0", "rows": "4 4/3 0\n1 0", "best_of": "2"}
    assert send(client, season, **own).status_code == 302
    season.refresh_from_db()
    rules = Scoring.from_json(season.scoring)
    assert rules.points_table.row == (5, 3, Fraction(3, 2), 0)
    assert rules.points_table.for_size(3) == (4, Fraction(4, 3), 0)
    assert rules.best_of == 2
    shown = client.get(path_of(season, "season_settings")).context["form"].initial
    assert (shown["row"], shown["rows"]) == ("5 3 1.5 0", "1 0\n4 4/3 0")


def test_the_page_says_which_nights_count_as_it_was_saved(season, client):
    def said(**changed):
        answer = send(client, season, **changed)
        shown = client.get(answer["Location"]) if answer.status_code == 302 else answer
        return shown.content.decode()

    later = "Nights that were played keep their points; new ones count this way."
    own = {"points": "own", "row": "5 3 1 0"}
    assert later in said(**own)
    season.refresh_from_db()
    assert "The standings below now count this way." in said(best_of="3")
    assert "how nights add up already counts." in said(**own | {"row": "7 3 1 0"}, best_of="2")
    assert "The standings below now count this way." in said(
        **own | {"row": "6 3 1 0"}, recount_all="on"
    )
    assert "is too large: at most 1000000000." in said(**own | {"row": "100000000000 3 1 0"})


@pytest.mark.parametrize(
    ("row", "numbers"),
    [
        ("4,5 3 1,5 0", ["9/2", "3", "3/2", "0"]),
        ("4,5; 3; 1,5; 0", ["9/2", "3", "3/2", "0"]),
        ("4.5, 3, 1.5, 0", ["9/2", "3", "3/2", "0"]),
        ("5,3,1,0", ["5", "3", "1", "0"]),
    ],
)
def test_own_points_are_read_with_points_or_commas(season, client, row, numbers):
    assert send(client, season, points="own", row=row, weight="1,5").status_code == 302
    season.refresh_from_db()
    rules = Scoring.from_json(season.scoring)
    assert rules.points_table.row == tuple(map(Fraction, numbers))
    assert rules.weight == Fraction(3, 2)


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_penalty_is_typed_with_a_point_or_a_comma_in_every_language(
    event, order, client, language
):
    client.force_login(owner_of(event))
    path = path_of(event.season, "adjustments")
    for points in ("-1,5", "-1.25"):
        form = {"player": order[0], "points": points, "reason": "late"}
        for _ in range(2):  # It is seen before it is saved.
            sent = client.post(path, form, headers={"accept-language": language})
            form = sent.context["sent"] if sent.context else {}
        assert sent.status_code == 302
    given = Adjustment.objects.order_by("id").values_list("points", flat=True)
    assert list(given) == [Decimal("-1.5"), Decimal("-1.25")]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"points": "own", "row": "3 2 1"}, "row"),
        ({"points": "own", "row": "3 2 x 0"}, "row"),
        ({"points": "own", "row": "3 2 1 0", "rows": "2 1 0\n3 1 0"}, "rows"),
        ({"points": "own", "row": "3 2 1 0", "rows": "0 1 2"}, "rows"),
        ({"best_of": "9", "nights": "4"}, "best_of"),
        ({"weight": "heavy"}, "weight"),
        ({"tie_break_1": "", "tie_break_2": "firsts"}, "tie_break_1"),
        ({"tie_break_2": "points"}, "tie_break_1"),
    ],
)
def test_a_wrong_value_stands_beside_its_field(client, changed, field):
    response = send(client, make_season(), **changed)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]


def test_a_wrong_order_is_told_by_the_names_that_the_page_has(client):
    response = send(client, make_season(), tie_break_2="firsts", tie_break_3="firsts")
    assert "“more first places” is listed twice." in response.content.decode()


def test_the_weight_of_a_night_is_set_on_the_page(event, order, client):
    client.force_login(owner_of(event))
    client.post(path_of(event, "event_worth"),
                {"weight": "3/2"})  # fmt: skip
    assert points(event.season)[order[0]] == Fraction(9, 2)


# --- Penalties and bonuses --------------------------------------------------------------------


def test_a_penalty_counts_in_its_night_and_in_the_season_whenever_it_comes(event, order):
    make_adjustment(event.season, order[0], "-2.5", event=event)
    make_adjustment(event.season, order[0], "1")
    rows = {s.player.name: s.row for s in standings.event_standings(event)}
    assert rows[order[0]].points == Fraction(1, 2)
    assert points(event.season)[order[0]] == Fraction(3, 2)


def test_a_penalty_survives_recounts_and_merges_and_ends_when_it_is_revoked(event, order):
    penalty = make_adjustment(event.season, order[0], "-2")
    change(event.season, points_table="4-3-2-1", recount_all=True)
    by = owner_of(event)
    into = players.add_player(club=event.season.club, name="Somebody", by=by)
    merges.merge(alias=penalty.player, into=into, by=by)
    assert points(event.season)["Somebody"] == 2
    adjustments.revoke(adjustment=penalty, by=by)
    assert points(event.season)["Somebody"] == 4
    assert Adjustment.objects.get().reason == "late"


def test_what_a_rule_gives_again_is_told_to_programs_as_changed(event, order, client):
    season, by = event.season, owner_of(event)
    given = lambda: make_adjustment(season, order[0], event=event, cause="lateness")  # noqa: E731
    adjustments.revoke(adjustment=given(), by=by, by_rule=True)
    since = timezone.now().isoformat().replace("+00:00", "Z")
    again = given()
    path = path_of(season, "api:adjustments")
    found = client.get(path, {"updated_since": since}).json()["results"]
    assert [(one["id"], one["revoked_at"]) for one in found] == [(again.pk, None)]


def test_revoking_twice_is_refused(event, order):
    penalty = make_adjustment(event.season, order[0])
    by = owner_of(event)
    adjustments.revoke(adjustment=penalty, by=by)
    with refuses("stale"):
        adjustments.revoke(adjustment=penalty, by=by)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"points": "0"}, "points"), ({"points": "2000000"}, "points"), ({"reason": " "}, "reason")],
)
def test_an_empty_or_endless_adjustment_is_refused(event, order, wrong, field):
    with pytest.raises(ValidationError) as refused:
        make_adjustment(event.season, order[0], **wrong)
    assert list(refused.value.message_dict) == [field]


def test_somebody_who_only_has_a_penalty_stands_in_the_table_without_games(season):
    players.add_player(club=season.club, name="Lan", by=owner_of(season))
    make_adjustment(season, "Lan", "-3")
    [row] = standings.season_standings(season)
    assert (row.player.name, row.row.points, row.row.games) == ("Lan", -3, 0)


def test_the_page_of_penalties_takes_names_and_tells_an_unknown_one(event, order, client):
    path = path_of(event.season, "adjustments")
    client.force_login(make_member(event.season.club, "organiser"))
    form = {"player": order[0].upper(), "points": "-1", "reason": "late", "event": ""}
    seen = client.post(path, form)
    assert client.post(path, seen.context["sent"]).status_code == 302
    response = client.post(path, form | {"player": "Nobody"})
    assert response.context["form"].errors["player"] == [
        "Nobody is called “Nobody”. Write the name as in the club's list."
    ]


def test_the_explaining_page_shows_what_counts_and_the_sum(client):
    event, order = played_night(season=make_season(best_of=1))
    played_night(event.season)
    make_adjustment(event.season, order[0], "-2", reason="late again")
    key = event.entrants.get(player__name=order[0]).player_id
    text = client.get(path_of(event.season, "season_explain", key)).content.decode()
    assert ("does not count" in text, "late again" in text, event.name in text) == (True,) * 3


@pytest.mark.parametrize("count", share([1, 3], 1, of=2))
def test_the_page_of_penalties_takes_three_queries(
    event, order, client, count, django_assert_num_queries
):
    for name in order[:count]:
        make_adjustment(event.season, name, event=event)
    with django_assert_num_queries(3):
        client.get(path_of(event.season, "adjustments"))


# --- Numbers with two readings --------------------------------------------------------------------


def penalty(event, client, player, points):
    client.force_login(owner_of(event))
    path = path_of(event.season, "adjustments")
    return client.post(path, {"player": player, "points": points, "reason": "late", "event": ""})


@pytest.mark.parametrize("typed", ["-15.000", "-15,000", "−15.000", "15.000"])
def test_points_with_two_readings_are_asked_about_in_the_form_and_the_api(
    event, order, client, typed
):
    answer = penalty(event, client, order[0], typed)
    one, other = ("15", "15000") if typed[0] == "1" else ("-15", "-15000")
    assert f"“{typed}” can mean {one} or {other}." in answer.content.decode()
    player = event.entrants.get(player__name=order[0]).player_id
    path = path_of(event.season, "api:adjustments")
    sent = {"player": player, "points": typed, "reason": "late"}
    refused = client.post(path, sent, content_type="application/json")
    assert (refused.status_code, "can mean" in refused.content.decode()) == (400, True)
    assert Adjustment.objects.count() == 0
    made = client.post(path, sent | {"points": -15}, content_type="application/json")
    assert (made.status_code, made.json()["points"]) == (201, "-15")


@pytest.mark.parametrize(("typed", "read"), [("-1,5", "−1.5"), ("1.5", "+1.5"), ("-15", "−15")])
def test_the_preview_repeats_the_points_that_it_read(event, order, client, typed, read):
    assert f"<b>{order[0]}: {read}</b>" in penalty(event, client, order[0], typed).content.decode()


@pytest.mark.parametrize(
    "typed",
    [{"row": "10.000 5.000 1 0"}, {"row": "5,000"}, {"participation_bonus": "10,000"},
     {"place_points": "10.000 5.000"}, {"weight": "1.500"}],
)  # fmt: skip
def test_a_scoring_with_two_readings_is_asked_about(season, client, typed):
    answer = send(client, season, **({"points": "own", "row": "5 3 1 0"} | typed))
    assert "can mean" in answer.content.decode()


@pytest.mark.parametrize(
    ("text", "exact"),
    [("1.5", "3/2"), ("1,5", "3/2"), ("3/2", "3/2"), ("0.125", "1/8"), ("1.2345", "2469/2000"),
     (10.0, "10"), (1.125, "9/8"), ("1000000000", "1000000000"), ("0000000001", "1")],
)  # fmt: skip
def test_other_numbers_are_read_as_before(text, exact):
    assert str(read_exact(text, "x")) == exact

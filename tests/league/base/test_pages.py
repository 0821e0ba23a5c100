"""Pages: a fixed number of queries, taps without script, live parts that stay silent."""

import pytest
from django.test import Client
from django.urls import reverse

from league.clubs.acts import players
from league.models import Result
from league.nights.acts import attendance, draws
from tests.factories import (
    correct,
    make_member,
    make_night,
    make_round,
    make_rules,
    make_season,
    make_table,
    owner_of,
    path_of,
    play,
    secret_of,
    table_link,
)
from tests.shares import share

pytestmark = pytest.mark.django_db


def url(name, sitting_or_event, **more):
    event = getattr(sitting_or_event, "round", None)
    event = event.event if event else sitting_or_event
    return reverse(
        f"league:{name}", kwargs={"slug": event.season.club.slug, "pk": event.pk, **more}
    )


def queries(client, path, django_assert_num_queries, expected):
    with django_assert_num_queries(expected):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize("players", share([4, 12], 1, of=2))
def test_a_night_takes_seventeen_queries_when_drawn_anew_and_six_when_ready(
    client, players, django_assert_num_queries
):
    event = make_night(players)
    for sitting in make_round(event).sittings.all():
        play(sitting)
    queries(client, url("event", event), django_assert_num_queries, 17)
    queries(client, url("event", event), django_assert_num_queries, 6)


@pytest.mark.parametrize("nights", share([1, 3], 1, of=2))
def test_a_season_takes_eight_queries_once_it_is_counted_and_its_chart_drawn(
    client, nights, django_assert_num_queries
):
    season = make_season()
    for _ in range(nights):
        make_table(make_night(4, season=season), games=1)
    path = path_of(season, "season")
    queries(client, path, django_assert_num_queries, 37 if nights < 3 else 48)
    queries(client, path, django_assert_num_queries, 8)


@pytest.mark.parametrize("games", share([1, 3], 1, of=2))
def test_a_table_takes_the_same_queries_with_one_game_or_three(
    sitting, client, games, django_assert_num_queries
):
    for _ in range(games):
        play(sitting)
    path = url("table", sitting, number=1, table_no=1)
    queries(client, path, django_assert_num_queries, 8)


def test_a_correction_is_offered_to_scorers_and_of_a_void_game_only_to_play_it(sitting, client):
    game = play(sitting)
    path = url("game", sitting, number=1, table_no=1, game_no=1)

    def offered():
        page = client.get(path).content.decode()
        words = ("Save correction", "This game was not played", "js/entry.js")
        return [each in page for each in words]

    assert offered() == [False, False, False]
    client.force_login(make_member(sitting.round.event.season.club, "scorer"))
    assert offered() == [True, True, True]
    correct(game, [], void=True)
    assert offered() == [True, False, True]


def test_taps_without_script_fill_in_the_last(sitting, client):
    client.force_login(make_member(sitting.round.event.season.club, "scorer"))
    path = url("table", sitting, number=1, table_no=1)
    order = ""
    keys = [p.entrant_id for p in sitting.places.all()]
    for key in keys[:3]:
        page = client.get(path, {"order": order, "tap": key})
        order = page.context["entry"].order
    assert order == ",".join(map(str, keys))
    assert page.context["entry"].complete is True
    form = {"game_no": 1, "order": order, "client_id": page.context["entry"].client_id}
    assert client.post(path, form).status_code == 302
    assert client.post(path, form).status_code == 302
    assert Result.objects.count() == 1


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"game_no": "x", "order": "", "client_id": ""},
        {"game_no": "1", "order": "1,2,3,4", "client_id": "not-a-uuid"},
        {"game_no": "9" * 40, "order": "-1", "client_id": "0" * 32},
    ],
)
def test_a_broken_form_is_answered_with_a_sentence(sitting, client, form):
    client.force_login(owner_of(sitting))
    answer = client.post(url("table", sitting, number=1, table_no=1), form)
    assert answer.status_code == 409
    assert Result.objects.count() == 0


def test_the_live_part_is_silent_until_something_changes(client):
    event = make_night()
    sitting = make_table(event)
    event.refresh_from_db()
    path = url("event_live", event)
    assert client.get(path, {"version": event.version}).status_code == 204
    play(sitting)
    assert client.get(path, {"version": event.version}).status_code == 200


def test_who_only_looks_at_a_night_has_it_drawn_once_for_a_version_and_language(
    client, django_assert_num_queries, django_capture_on_commit_callbacks
):
    event = make_night(8)
    sitting = make_round(event).sittings.order_by("table_no")[0]
    by, seated = owner_of(event), sitting.seated[0].entrant.player
    path, here = url("event_live", event), table_link(sitting)

    def told(at: str, who: Client, **more: str) -> str:
        return "".join(who.get(at, **more).content.decode().split())

    phone, organiser = Client(), Client()
    phone.post(reverse("league:link_me", args=[secret_of(sitting), 1]), {"player": seated.pk})
    organiser.force_login(by)
    play(sitting)
    assert here in told(path, phone)  # Whose own table is kept for nobody else.
    told(path, Client())  # Strangers may see other names than a phone with one.
    with django_assert_num_queries(6):
        shown = told(path, client)
    assert here not in shown
    whole = told(url("event", event), client)
    assert shown in whole
    assert url("wall", event) in whole  # The tabs around it are there.
    kept = told(path, organiser)
    assert url("draw", event) in kept  # What to do next is not kept, nor is it for all.
    assert url("draw", event) not in shown
    assert "Xếphạng" in told(path, client, headers={"accept-language": "vi"})
    draws.draw_round(event=event, by=by, anyway=True)
    assert "draft" in told(path, organiser)
    assert "draft" not in (after := told(path, client))
    play(sitting)
    assert told(path, client) not in (shown, after)
    wall = url("wall", event)
    assert all(seated.name in told(at, client) for at in (path, wall))
    with django_capture_on_commit_callbacks(execute=True):
        erased = players.anonymise_player(player=seated, by=by)
    for at in (path, wall):
        assert f">{seated.name}<" not in told(at, client)
        assert "".join(erased.name.split()) in told(at, client)


def test_a_draft_is_for_organisers_only(client):
    event = make_night()
    by = owner_of(event)
    draws.draw_round(event=event, by=by)
    path = url("round", event, number=1)
    assert client.get(path).status_code == 404
    client.force_login(make_member(event.season.club, "scorer"))
    assert client.get(path).status_code == 404
    client.force_login(by)
    assert client.get(path).status_code == 200


def test_closing_with_open_tables_asks_first(sitting, client):
    client.force_login(owner_of(sitting))
    path = url("event_status", sitting)
    asked = client.post(path, {"status": "closed"})
    assert asked.status_code == 409
    assert "Close anyway" in asked.content.decode()
    assert client.post(path, {"status": "closed", "anyway": "1"}).status_code == 302
    sitting.round.event.refresh_from_db()
    assert sitting.round.event.status == "closed"


def test_names_cannot_smuggle_markup_into_pages(club, client):
    event = make_night(1, season=make_season(club))
    attendance.add_guest(event=event, name="<script>alert(1)</script>", by=owner_of(club))
    body = client.get(path_of(club, "players")).content.decode()
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body


def test_lines_of_a_list_that_were_refused_stay_in_the_box_to_be_put_right(club, client):
    client.force_login(owner_of(club))
    path = path_of(club, "players")
    page = client.post(path, {"text": f"Lan\n{'x' * 70}\nlan\nMai"})
    assert page.status_code == 422
    assert page.context["form"].initial["text"] == "x" * 70
    assert 'players-add" open' in page.content.decode()
    assert list(club.players.values_list("name", flat=True)) == ["Lan", "Mai"]
    assert client.post(path, {"text": "Hoa\nhoa"}).status_code == 302


def test_a_new_club_is_led_from_its_players_to_its_first_night(club, client):
    client.force_login(owner_of(club))
    path = path_of(club, "players")
    night = path_of(club, "night_create")
    assert night not in client.get(path).content.decode()
    client.post(path, {"text": "Lan"})
    assert night in client.get(path).content.decode()
    make_season(club)
    assert night not in client.get(path).content.decode()


def test_wishes_for_draws_are_saved_on_the_players_page(client):
    event = make_night(1)
    player = event.entrants.get().player
    client.force_login(owner_of(event))
    path = path_of(event.season.club, "player_edit", player.pk)
    form = {"act": "wishes", "group": " nhà  Lan ", "fixed_table": "2"}
    assert client.post(path, form).status_code == 302
    player.refresh_from_db()
    assert (player.group, player.fixed_table) == ("nhà Lan", 2)
    assert client.post(path, form | {"fixed_table": "0"}).status_code == 422


def test_a_list_of_nothing_but_commas_is_told_to_have_no_name(club, client):
    client.force_login(owner_of(club))
    page = client.post(path_of(club, "players"), {"text": ", ;\n,"}, follow=True)
    assert "This list has no names." in page.content.decode()
    assert not club.players.exists()


def test_a_season_is_offered_a_name_and_the_clubs_own_rules(club, client):
    client.force_login(owner_of(club))
    own = make_rules(club)
    form = client.get(path_of(club, "season_create")).context["form"]
    assert str(form["name"].value()).startswith("Season 2")
    assert form["ruleset"].value() == own.frozen_id

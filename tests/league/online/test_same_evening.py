"""An evening of 16 whose tables all play the same deals: from the recipe to the season."""

import csv
import json

import pytest
from django.test import Client
from django.urls import reverse

from league.exchange.acts import archives
from league.models import LiveTable, Result, Season
from league.nights.acts import closing, draws
from league.nights.facts.final_places import event_places, podium
from league.online.acts import results_in
from league.proof.facts import verify
from league.schedules.domain.repeated import PRESETS
from league.seasons.facts.standings import season_standings
from league.seating.comparing import comparisons
from tables.models import SharedDeals, Table
from tables.play.acts import games
from tests.factories import (
    browser_of,
    make_night,
    make_user,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
    table_link,
)
from tests.league.online.helpers import make_online_night, play_game, release
from tests.league.online.test_check_deals import read_with
from tests.league.online.test_same_deals import Chained, everyone_gives, tables_of
from tests.races import race


def text_of(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def read_everywhere(event, organiser):
    """The places of a closed night of 16 at four tables, wherever the product shows them."""
    club = event.season.club
    about = {"slug": club.slug, "pk": event.pk}
    places = event_places(event)
    assert podium(places)
    names = [place.player.name for place in places]
    assert sum(place.row.points for place in places) == 50 * 16
    walls = [
        text_of(organiser.get(reverse("league:wall", kwargs=about), {"screen": screen}))
        for screen in range(6)
    ]
    assert any("podium" in wall for wall in walls)
    [traveller] = [wall for wall in walls if "table by table" in wall]
    assert all(name in traveller for name in names)
    [boards] = [wall for wall in walls if "Who did best with each hand" in wall]
    assert boards.count('<th scope="row">') == 8
    for what in ("standings", "places", "results", "money", "transfers"):
        address = reverse("league:event_csv", kwargs=about | {"what": what})
        rows = list(csv.reader(text_of(organiser.get(address)).lstrip("\ufeff").splitlines()))
        # Who came out even has no row of money and pays nothing.
        about_money = what in ("money", "transfers")
        assert len(rows) > (8 if what == "money" else 16), what
        assert about_money or all(any(name in row for row in rows) for name in names)
    money = reverse("league:event_money", kwargs=about)
    assert names[0] in text_of(organiser.get(money, {"show": "all"}))
    told = organiser.get(reverse("api:event_places", kwargs=about)).json()
    assert [row["player"] for row in told["results"]] == [place.player.pk for place in places]
    for name in ("results", "event_standings", "event_now"):
        assert organiser.get(reverse(f"api:{name}", kwargs=about)).status_code == 200
    assert names[0] in text_of(Client().get(night_link(event)))
    assert list(verify.everything(club)) == []


@pytest.mark.django_db
def test_an_evening_of_16_with_real_cards():
    """From the recipe to the season: slips, a phone at each table, results, places and money."""
    _name, _words, plan = PRESETS["same"]
    evening = plan.to_json() | {"rounds_planned": 2, "games_per_round": 4, "stake": 1000}
    event = make_night(16, rules="killa", **evening)
    by = owner_of(event)
    organiser = browser_of(by)
    sheets = path_of(event, "deal_sheets")
    assert text_of(organiser.post(sheets, follow=True)).count('class="deal-sheet"') == 8
    for _round in (1, 2):
        round_ = release(event)
        sittings = list(round_.sittings.order_by("table_no"))
        assert len(sittings) == 4
        for game in (1, 2, 3, 4):
            for at, sitting in enumerate(sittings):
                phone = table_link(sitting)
                assert f"Deal {game} of this round" in text_of(Client().get(phone))
                names = names_at(sitting)
                play(sitting, names[(game + at) % 4 :] + names[: (game + at) % 4])
    tables = [draws.tables_of(round_) for round_ in event.rounds.order_by("number")]
    assert set(comparisons(tables).values()) == {1}
    closing.close_event(event=event, by=by)
    read_everywhere(event, organiser)
    first = event_places(event)[0].player
    assert season_standings(Season.objects.get(pk=event.season_id))[0].player == first


@pytest.mark.django_db
def test_an_evening_of_16():
    _name, _words, plan = PRESETS["same"]
    evening = plan.to_json() | {"rounds_planned": 2, "games_per_round": 4, "stake": 1000}
    event = make_online_night(16, rules="killa", **evening)
    club, by = event.season.club, owner_of(event)
    organiser = browser_of(by)

    def at(name, *more):
        return path_of(club, name, event.pk, *more)

    # The recipe says what it is good for.
    new = path_of(event.season, "event_create")
    assert "Up to four tables" in text_of(organiser.get(new, {"like": "same"}))

    # Two rounds at four tables; in each the parts of all sixteen come first.
    for number in (1, 2):
        release(event)
        everyone_gives(event)
        for deal in range(1, 5):
            for one in tables_of(event):
                play_game(one)
            results_in.sweep()
            assert Result.objects.filter(
                sitting__round__number=number, game_no=deal, current=True
            ).count() == 4  # fmt: skip
    assert not LiveTable.objects.filter(ended_at=None).exists()

    # The records of all tables lead to their cards, by the document alone.
    lines = Client().get(at("deal_records")).content.decode().splitlines()
    told = read_with(lines, *(link for one in lines for link in json.loads(one)["deal"]["links"]))
    assert told.stdout.count("4 tables, 16 parts, true") == 8
    assert told.returncode == 0

    # The results: sixteen rows whose percents are 50 on average, and the reader's own deals.
    assert text_of(organiser.get(at("deals"))).count('class="interval"') == 16
    places = event_places(event)
    assert sum(place.row.points for place in places) == 50 * 16
    player = places[0].player
    user = make_user("first@club.example")
    player.user = user
    player.save()
    member = browser_of(user)
    own = text_of(member.get(at("deals"), {"deal": 6}))
    assert own.count('class="deal-dots"') == 8
    assert "Deal 6," in own
    board = text_of(member.get(at("deal", 2, 2)))
    assert board.count("card-index") == 52
    assert "Deal 6 of 8" in board

    # Closed: what phones, wall, money, exports and programs show.
    closing.close_event(event=event, by=by)
    read_everywhere(event, organiser)
    [best, *_others] = season_standings(Season.objects.get(pk=event.season_id))
    assert best.player == player

    # A copy of the club has the same results, and the same order of players.
    copy = archives.read_archive(data=archives.write_archive(club=club, by=by), by=make_user())
    again = event_places(copy.seasons.get().events.get())
    assert [one.player.name for one in again] == [one.player.name for one in places]


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_all_tables_list_give_and_deal_one_list_of_parts():
    event = make_online_night(8, format={"same_deals": True}, games_per_round=2, rounds_planned=1)
    release(event)
    phones = [Chained(one.table) for one in tables_of(event)]
    race(*(phone.say for phone in phones), refused=())
    for phone in phones:
        phone.say()
    race(*(phone.give for phone in phones), refused=())
    deal = [lambda pk=one.table_id: games.deal_next(table_id=pk) for one in tables_of(event)]
    race(*deal, *deal, refused=(Exception,))
    first, second = [one.table.games.get(no=1) for one in tables_of(event)]
    assert first.dealt == second.dealt
    assert first.parts == second.parts == SharedDeals.objects.get().parts
    assert len(first.parts) == 8
    assert all(first.parts)


@pytest.mark.django_db(transaction=True)
def test_a_kill_between_freezing_the_parts_and_the_cards_leaves_neither(monkeypatch):
    event = make_online_night(8, format={"same_deals": True}, games_per_round=2, rounds_planned=1)
    release(event)
    everyone_gives(event)
    one, two = tables_of(event)
    monkeypatch.setattr(games, "_deal", lambda *_args: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        games.deal_next(table_id=one.table_id)
    assert SharedDeals.objects.get().dealt_at is None
    assert Table.objects.get(pk=one.table_id).status == Table.Status.WAITING
    monkeypatch.undo()
    for each in (two, one):
        games.deal_next(table_id=each.table_id)
    assert one.table.games.get(no=1).dealt == two.table.games.get(no=1).dealt

"""A stake changes for the games to come, or is corrected for those that were played for it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.base.forms import mark_of
from league.exchange.acts import archives
from league.models import Audit, Event, Result, Season, Transfer
from league.money.facts import open_debts
from league.money.pages import night_sheet
from league.proof.facts import verify
from tests.factories import (
    browser_of,
    change_night,
    correct,
    make_member,
    make_night,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    stored,
)
from tests.league.money.test_settling import keys, tap
from tests.league.online.helpers import make_online_night, release
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

MISTYPED = {"stake": "20.000", "stake_from": "played-20"}


@made_once
def night():
    """Two games for 20 instead of 20,000, and a debt that was paid."""
    sitting = make_table(make_night(rules="killa", stake=20))
    event = sitting.round.event
    first, second, third, last = names_at(sitting)
    play(sitting, [first, second, third, last])
    play(sitting, [second, first, third, last])
    event.names = [first, second, third, last]
    [debt] = [debt for debt in open_debts.of_night(event) if str(debt.payee) == first]
    tap(event, keys(debt), debt.amount)
    return event


def page_of(event) -> str:
    return path_of(event, "event_settings")


def fields_of(client, event) -> dict[str, object]:
    form = client.get(page_of(event)).context["form"]
    return {name: form[name].value() or "" for name in form.fields}


def confirmed(answer) -> dict[str, str]:
    return {"stake-sure": mark_of(answer.context["form"].fields["stake"].widget.question)}


def won(event) -> dict[str, int]:
    return {row.name: row.games for row in night_sheet.of_night(event, even=False).rows}


def test_the_consequences_are_shown_before_anything_is_posted(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    posted = Transfer.objects.count()
    answer = client.post(page_of(night), fields_of(client, night) | MISTYPED)
    first, second, _third, last = night.names
    assert {row.name: (row.now, row.then, row.due) for row in answer.context["change"].rows} == {
        first: (20, 20_000, 19_980),
        second: (20, 20_000, 20_000),
        last: (-40, -40_000, -39_980),
    }
    page = answer.content.decode()
    assert "2 games were played for 20 kẹo. Correct them to 20,000 kẹo?" in page
    assert "−40,000" in page
    assert (stored(night).stake, Transfer.objects.count()) == (20, posted)


def test_all_games_are_posted_again_and_payments_stay(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | MISTYPED
    sent |= confirmed(client.post(page_of(night), sent))
    assert client.post(page_of(night), sent).status_code == 302
    first, second, _third, last = night.names
    assert won(night) == {first: 20_000, second: 20_000, last: -40_000}
    assert sum(row.paid for row in night_sheet.of_night(night, even=False).rows) == 0
    assert sum(debt.amount for debt in open_debts.of_night(night)) == 39_980
    assert list(verify.everything(night.season.club)) == []
    log = Audit.objects.get(action="event.stake")
    assert (log.data["old"], log.data["new"], log.data["games"]) == (20, 20_000, 2)
    client.force_login(owner_of(night))
    told = client.get(path_of(night.season.club, "audit")).content.decode()
    assert "corrected the stake of 2 games, which were posted again" in told


def test_games_that_are_corrected_afterwards_are_worth_the_new_stake(night):
    change_night(night, stake=500, corrects=20)
    sitting = night.rounds.get().sittings.get()
    first, second, third, last = night.names
    correct(sitting.results.get(game_no=1, current=True), [last, second, third, first])
    assert won(night) == {last: 0, second: 500, first: -500}
    assert list(verify.everything(night.season.club)) == []


def test_a_program_that_asks_for_news_gets_games_whose_stake_was_corrected(client, night):
    client.force_login(owner_of(night))
    since = (timezone.now() + timedelta(microseconds=1)).isoformat().replace("+00:00", "Z")
    api = path_of(night, "api:results")
    assert client.get(api, {"updated_since": since}).json()["results"] == []
    change_night(night, stake=500, corrects=20)
    found = client.get(api, {"updated_since": since}).json()["results"]
    assert [(one["game"], one["stake"]) for one in found] == [(1, 500), (2, 500)]


def test_one_confirmation_is_for_one_stake(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | MISTYPED
    sure = confirmed(client.post(page_of(night), sent))
    assert client.post(page_of(night), sent | sure | {"stake": "2.000"}).status_code == 422
    assert stored(night).stake == 20


def test_a_closed_season_is_refused_in_a_sentence(client, night):
    Season.objects.filter(pk=night.season_id).update(status=Season.Status.CLOSED)
    client.force_login(owner_of(night))
    answer = client.post(page_of(night), fields_of(client, night) | MISTYPED)
    assert "This season is closed. Reopen it to correct the stake." in answer.content.decode()
    assert stored(night).stake == 20


def test_other_settings_are_saved_without_a_question(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | {"name": "Tối vui"}
    assert client.post(page_of(night), sent).status_code == 302
    night.refresh_from_db()
    assert (night.name, night.stake) == ("Tối vui", 20)


def to_settings(event, **changes):
    """Send the settings page as its form is, with these fields otherwise."""
    client = browser_of(owner_of(event))
    sent = fields_of(client, event) | changes
    answer = client.post(page_of(event), sent)
    if answer.status_code == 422:
        answer = client.post(page_of(event), sent | confirmed(answer))
    assert answer.status_code == 302
    event.refresh_from_db()


def games_of(event):
    return Result.objects.filter(sitting__round__event=event).order_by("pk")


def moved_by(event, game_no: int) -> int:
    """Return what the winner of the first table's game has from it."""
    games = games_of(event).filter(game_no=game_no, current=True)
    found = Transfer.objects.filter(result__in=games, reverses=None, transfer=None)
    return sum(one.amount for one in found)


def test_a_stake_rises_from_the_next_game_on_and_games_played_keep_theirs(night):
    sitting = night.rounds.get().sittings.get()
    to_settings(night, stake="50")
    play(sitting, night.names)
    assert [moved_by(night, number) for number in (1, 2, 3)] == [20, 20, 50]
    correct(sitting.results.get(game_no=1, current=True))
    assert moved_by(night, 1) == 20
    assert list(verify.everything(night.season.club)) == []
    log = Audit.objects.get(action="event.stake_next")
    assert (log.data["old"], log.data["new"]) == (20, 50)


def test_from_the_next_round_on_the_tables_of_this_one_play_on_for_the_old_stake(night):
    to_settings(night, stake="50", stake_from="round")
    play(night.rounds.get().sittings.get(), night.names)
    play(make_table(night), night.names)
    stakes = [one.played_for for one in games_of(night)]
    assert (stakes, night.stake) == ([20, 20, 20, 50], 50)
    assert list(verify.everything(night.season.club)) == []


def test_each_of_two_stakes_is_corrected_alone(night):
    sitting = night.rounds.get().sittings.get()
    to_settings(night, stake="50")
    play(sitting, night.names)
    to_settings(night, stake="30", stake_from="played-20")
    assert ([moved_by(night, number) for number in (1, 2, 3)], night.stake) == ([30, 30, 50], 50)
    to_settings(night, stake="60", stake_from="played-50")
    assert ([moved_by(night, number) for number in (1, 2, 3)], night.stake) == ([30, 30, 60], 60)
    to_settings(night, stake="60", stake_from="played-30")
    assert [moved_by(night, number) for number in (1, 2, 3)] == [60, 60, 60]
    assert list(verify.everything(night.season.club)) == []


def test_no_money_cannot_follow_games_for_money(client, night):
    client.force_login(owner_of(night))
    answer = client.post(page_of(night), fields_of(client, night) | {"stake": "0"})
    assert "Enter a stake above 0." in answer.content.decode()


def test_games_for_points_are_followed_by_games_for_money():
    sitting = make_table(make_night(rules="killa"), games=1)
    event = sitting.round.event
    to_settings(event, stake="20")
    play(sitting)
    assert [one.played_for for one in games_of(event)] == [0, 20]
    assert Transfer.objects.get(event=event).result.game_no == 2
    assert list(verify.everything(event.season.club)) == []


def test_an_archive_keeps_what_each_game_was_played_for(night):
    to_settings(night, stake="50")
    play(night.rounds.get().sittings.get(), night.names)
    data = archives.write_archive(club=night.season.club, by=owner_of(night))
    arrived = archives.read_archive(data=data, by=make_user())
    arrived_games = games_of(Event.objects.get(season__club=arrived))
    assert [one.played_for for one in arrived_games] == [20, 20, 50]
    assert list(verify.everything(arrived)) == []


def test_a_program_changes_the_stake_from_the_next_game_on(night):
    api = browser_of(owner_of(night))
    path = path_of(night, "api:event")
    refused = api.patch(path, {"stake": 50}, content_type="application/json")
    assert refused.status_code == 400
    changed = api.patch(path, {"stake": 50, "stake_from": "game"}, content_type="application/json")
    assert changed.json()["stake"] == 50
    games = api.get(path_of(night, "api:results")).json()
    assert [game["stake"] for game in games["results"]] == [20, 20]


@pytest.mark.parametrize("when", ["game", "round"])
def test_before_the_first_result_a_table_online_keeps_what_it_is_played_for(when):
    night = make_online_night(stake=20)
    release(night)
    api = browser_of(owner_of(night))
    asked = {"stake": 50, "stake_from": when}
    refused = api.patch(path_of(night, "api:event"), asked, content_type="application/json")
    assert (refused.status_code, Event.objects.get(pk=night.pk).stake) == (400, 20)

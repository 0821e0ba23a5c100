"""A stake that was mistyped is corrected after games were played for it, payments left as paid."""

from dataclasses import replace

import pytest
from django.urls import reverse

from league.base.forms import mark_of
from league.models import Audit, Season, Transfer
from league.money.facts import open_debts
from league.money.pages import night_sheet
from league.nights.acts import night_settings, results
from league.proof.facts import verify
from tests.factories import (
    make_member,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    play,
)
from tests.league.money.test_settling import keys, tap
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def night():
    """Two games for 20 instead of 20,000, and a debt that was paid."""
    sitting = make_table(make_night(season=make_season(rules="killa"), stake=20))
    event = sitting.round.event
    first, second, third, last = names_at(sitting)
    play(sitting, [first, second, third, last])
    play(sitting, [second, first, third, last])
    event.names = [first, second, third, last]
    [debt] = [debt for debt in open_debts.of_night(event) if str(debt.payee) == first]
    tap(event, keys(debt), debt.amount)
    return event


def page_of(event) -> str:
    return reverse("league:event_settings", args=[event.season.club.slug, event.pk])


def fields_of(client, event) -> dict[str, object]:
    form = client.get(page_of(event)).context["form"]
    return {name: form[name].value() or "" for name in form.fields}


def confirmed(answer) -> dict[str, str]:
    return {"stake-sure": mark_of(answer.context["form"].fields["stake"].widget.question)}


def won(event) -> dict[str, int]:
    return {row.name: row.games for row in night_sheet.of_night(event).rows}


def test_the_consequences_are_shown_before_anything_is_posted(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    posted = Transfer.objects.count()
    answer = client.post(page_of(night), fields_of(client, night) | {"stake": "20.000"})
    first, second, _third, last = night.names
    assert {row.name: (row.now, row.then, row.due) for row in answer.context["change"].rows} == {
        first: (20, 20_000, 19_980),
        second: (20, 20_000, 20_000),
        last: (-40, -40_000, -39_980),
    }
    page = answer.content.decode()
    assert "2 games were played for 20 kẹo. Correct them to 20,000 kẹo?" in page
    assert "−40,000" in page
    night.refresh_from_db()
    assert (night.stake, Transfer.objects.count()) == (20, posted)


def test_all_games_are_posted_again_and_payments_stay(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | {"stake": "20.000"}
    sent |= confirmed(client.post(page_of(night), sent))
    assert client.post(page_of(night), sent).status_code == 302
    first, second, _third, last = night.names
    assert won(night) == {first: 20_000, second: 20_000, last: -40_000}
    assert sum(row.paid for row in night_sheet.of_night(night).rows) == 0
    assert sum(debt.amount for debt in open_debts.of_night(night)) == 39_980
    assert list(verify.everything(night.season.club)) == []
    log = Audit.objects.get(action="event.stake")
    assert (log.data["old"], log.data["new"], log.data["games"]) == (20, 20_000, 2)
    client.force_login(owner_of(night.season.club))
    told = client.get(reverse("league:audit", args=[night.season.club.slug])).content.decode()
    assert "corrected the stake of 2 games, which were posted again" in told


def test_games_that_are_corrected_afterwards_are_worth_the_new_stake(night):
    by = owner_of(night.season.club)
    night_settings.change_settings(
        event=night, by=by, name=night.name, date=night.date,
        plan=replace(night.plan, stake=500), corrects_stake=True,
    )  # fmt: skip
    sitting = night.rounds.get().sittings.get()
    first, second, third, last = night.names
    game = sitting.results.get(game_no=1, current=True)
    keys_of = {p.entrant.player.name: p.entrant_id for p in game.placings.all()}
    results.correct(
        sitting_id=sitting.pk,
        game_no=1,
        version=game.version,
        groups=[[keys_of[name]] for name in (last, second, third, first)],
        client_id="7e3a0f0e-1111-4222-8333-444455556666",
        by=by,
    )
    assert won(night) == {last: 0, second: 500, first: -500}
    assert list(verify.everything(night.season.club)) == []


def test_one_confirmation_is_for_one_stake(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | {"stake": "20.000"}
    sure = confirmed(client.post(page_of(night), sent))
    assert client.post(page_of(night), sent | sure | {"stake": "2.000"}).status_code == 422
    night.refresh_from_db()
    assert night.stake == 20


def test_a_closed_season_is_refused_in_a_sentence(client, night):
    by = owner_of(night.season.club)
    Season.objects.filter(pk=night.season_id).update(status=Season.Status.CLOSED)
    client.force_login(by)
    answer = client.post(page_of(night), fields_of(client, night) | {"stake": "20.000"})
    assert "This season is closed. Reopen it to correct the stake." in answer.content.decode()
    night.refresh_from_db()
    assert night.stake == 20


def test_other_settings_are_saved_without_a_question(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    sent = fields_of(client, night) | {"name": "Tối vui"}
    assert client.post(page_of(night), sent).status_code == 302
    night.refresh_from_db()
    assert (night.name, night.stake) == ("Tối vui", 20)

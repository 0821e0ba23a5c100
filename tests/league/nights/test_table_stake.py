"""A table plays for another stake from its next game, unless one of its players says no."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Result, StakeOffer
from league.nights.acts import results, stakes
from league.proof.facts import verify
from tests.factories import (
    browser_of,
    change_night,
    make_member,
    make_night,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    stored,
    table_link,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def sitting():
    """A table that has played a game for 10."""
    return make_table(make_night(rules="mien-nam", stake=10), games=1)


class Phone:
    """A phone at the table, of the player in this seat."""

    def __init__(self, sitting, seat: int) -> None:
        self.client, self.sitting = Client(), sitting
        self.here = table_link(sitting, 1)
        player = sitting.seated[seat].entrant.player
        self.name = player.name
        self.client.post(f"{self.here}me/", {"player": player.pk})

    def read(self, more: str = "") -> str:
        return " ".join(self.client.get(self.here + more).content.decode().split())

    def propose(self, stake: int) -> None:
        assert self.client.post(f"{self.here}stake/", {"stake": stake}).status_code == 302

    def answer(self, do: str) -> str:
        key = re.search(r'name="offer" value="(\d+)"', self.read())
        offer = key[1] if key else StakeOffer.objects.last().pk
        sent = {"offer": offer, "do": do}
        answer = self.client.post(f"{self.here}stake/", sent, follow=True)
        return " ".join(answer.content.decode().split())


@pytest.fixture
def phones(sitting):
    return [Phone(sitting, seat) for seat in range(4)]


def played_for(sitting) -> list[int]:
    found = Result.objects.filter(sitting=sitting).order_by("pk")
    return [one.played_for for one in found]


def change_stake(event, stake: int, **how):
    """Change the night's own stake in its settings."""
    plan = event.plan.from_json(event.plan.to_json() | {"stake": stake})
    change_night(event, plan=plan, **how)


def test_the_table_agrees_on_its_phones_and_silence_is_a_yes(sitting, phones):
    a, b, c, _d = phones
    assert "+40 / −40" in a.read("stake/?stake=20")
    a.propose(20)
    assert f"{a.name} proposes" in b.read()
    assert "From game 2 for 20 kẹo?" in b.read()
    assert "Game 1 stays at 10 kẹo." in b.read()
    b.answer("agree")
    assert f"Agreed: {b.name}." in c.read()
    assert f"{a.name} changed 10 kẹo to 20 kẹo" in a.read()
    play(sitting)
    assert played_for(sitting) == [10, 20]
    assert "proposes" not in c.read()
    assert "This proposal is over" in c.answer("no")
    assert played_for(sitting) == [10, 20]
    assert "last 40 kẹo · third 20 kẹo" in a.read()
    assert list(verify.everything(sitting.round.event.season.club)) == []


def test_one_no_puts_the_stake_back_and_everyone_reads_whose_it_was(sitting, phones):
    a, b, c, _d = phones
    a.propose(20)
    a.propose(50)
    c.answer("no")
    assert f"{c.name} said no. 10 kẹo stays." in a.read()
    assert "This proposal is over" in b.answer("agree")
    play(sitting)
    assert played_for(sitting) == [10, 10]


def test_the_proposer_undoes_it_until_the_game_is_saved(sitting, phones):
    a, b, _c, _d = phones
    a.propose(20)
    a.answer("undo")
    assert "last 20 kẹo · third 10 kẹo" in b.read()
    assert "proposes" not in b.read()


def test_other_tables_and_later_rounds_keep_the_nights_stake(phones, sitting):
    phones[0].propose(20)
    play(sitting)
    other = make_table(sitting.round.event, games=1)
    assert (played_for(sitting), played_for(other)) == ([10, 20], [10])


def test_a_table_with_a_stake_of_its_own_keeps_it_when_the_nights_rises(phones, sitting):
    event = sitting.round.event
    phones[0].propose(20)
    change_stake(event, 30, stake_from="game")
    play(sitting)
    assert played_for(sitting) == [10, 20]
    assert list(verify.everything(event.season.club)) == []


def test_a_no_puts_back_the_stake_that_the_round_keeps(phones, sitting):
    """The night's stake rises from the next round on while a table is asked for another."""
    phones[0].propose(20)
    change_stake(sitting.round.event, 30, stake_from="round")
    phones[1].answer("no")
    play(sitting)
    assert played_for(sitting) == [10, 10]


def test_a_no_puts_back_a_stake_as_it_was_corrected_since(phones, sitting):
    event = sitting.round.event
    stakes.offer(sitting_id=sitting.pk, stake=20, by=owner_of(event), entrant_id=None)
    play(sitting)
    phones[0].propose(40)
    change_stake(event, 25, corrects=20)
    phones[1].answer("no")
    play(sitting)
    assert played_for(sitting) == [10, 25, 25]


def test_a_game_that_waited_on_a_phone_is_for_the_stake_at_which_it_was_played(phones, sitting):
    event, names, waited = sitting.round.event, names_at(sitting), results.Tapped(3600, None)
    phones[0].propose(20)
    play(sitting, names, tapped=waited)
    play(sitting, names)
    change_stake(event, 50, stake_from="game")
    play(sitting, names, tapped=waited)
    assert played_for(sitting) == [10, 10, 20, 10]
    assert list(verify.everything(event.season.club)) == []


def test_a_game_that_waited_is_for_the_nights_stake_as_it_was_and_was_corrected(sitting):
    event, names, waited = sitting.round.event, names_at(sitting), results.Tapped(3600, None)
    change_stake(event, 30, stake_from="game")
    play(sitting, names, tapped=waited)
    change_stake(event, 15, corrects=10)
    change_stake(event, 40, corrects=30)
    play(sitting, names, tapped=waited)
    play(sitting, names)
    assert played_for(sitting) == [15, 15, 15, 40]
    assert list(verify.everything(event.season.club)) == []


def test_a_night_that_is_for_points_after_all_takes_its_tables_along():
    table = make_table(make_night(rules="mien-nam", stake=10))
    Phone(table, 0).propose(20)
    change_stake(table.round.event, 0)
    play(table)
    assert played_for(table) == [0]


@pytest.mark.parametrize("is_played", [True, False])
def test_a_night_that_is_corrected_to_points_takes_its_tables_along(phones, sitting, is_played):
    event, names = sitting.round.event, names_at(sitting)
    phones[0].propose(20)
    if is_played:
        play(sitting, names)
        phones[0].propose(40)
    change_stake(event, 0, corrects=10)
    event.refresh_from_db()
    sitting.refresh_from_db()
    assert (event.stake_of(sitting), sitting.stake) == (0, None)
    change_stake(event, 30, stake_from="game")
    assert "proposes" not in phones[1].read()
    play(sitting, names)
    assert played_for(sitting) == ([0, 20, 30] if is_played else [0, 30])
    assert list(verify.everything(event.season.club)) == []


def test_nobody_from_elsewhere_reads_or_answers_it(phones, sitting, client):
    phones[0].propose(20)
    table = path_of(sitting.round.event, "table", 1, 1)
    assert client.get(f"{table}stake/").status_code in (302, 404)
    assert "proposes" not in client.get(table).content.decode()
    offer = StakeOffer.objects.get(sitting=sitting, ended_at=None)
    client.post(f"{table}stake/", {"offer": offer.pk, "do": "no"})
    assert stored(offer).ended_at is None


def test_a_players_own_night_asks_too(sitting, phones):
    phones[0].propose(20)
    found = phones[1].client.get(
        reverse("league:my_night", args=[sitting.round.event.pk]), follow=True
    )
    assert "proposes" in found.content.decode()


def test_nobody_answers_the_proposal_of_another_table(sitting, phones):
    """The offer's key comes from the page: it must be one of the table at which it is sent."""
    phones[0].propose(20)
    offer = StakeOffer.objects.get()
    other = make_table(make_night(rules="mien-nam", stake=10))
    stranger = browser_of(owner_of(other))
    keys = [other.round.event.season.club.slug, other.round.event_id, 1, other.table_no]
    for key in (offer.pk, offer.pk + 1):
        answer = stranger.post(
            reverse("league:stake", args=keys), {"offer": key, "do": "no"}, follow=True
        )
        assert "This proposal is over" in answer.content.decode()
    assert (stored(offer).ended_at, stored(sitting).stake) == (None, 20)


def test_a_program_raises_one_tables_stake_and_its_phones_say_no(phones, sitting):
    event = sitting.round.event
    scorer = browser_of(make_member(event.season.club, "scorer"))
    path = path_of(event, "api:table_stake")
    asked = {"round": 1, "table": sitting.table_no, "stake": 20}
    answer = scorer.post(path, asked, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json() == {"round": 1, "table": sitting.table_no, "game": 2, "stake": 20}
    assert "An organiser proposes" in phones[0].read()
    play(sitting)
    assert scorer.post(path, asked, content_type="application/json").status_code == 400
    again = scorer.post(path, asked | {"stake": 30}, content_type="application/json")
    assert again.json()["game"] == 3
    phones[1].answer("no")
    play(sitting)
    assert played_for(sitting) == [10, 20, 20]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        *((big, "Enter 1,000,000,000 or less.") for big in ("3000000000", "4294977296", "3 tỷ")),
        *((small, "Enter 1 or more.") for small in ("0", "-1")),
    ],
)
def test_no_other_sum_is_proposed_than_the_one_typed(sitting, phones, typed, said):
    a, *_others = phones
    page = a.client.get(f"{a.here}stake/", {"stake": typed})
    assert page.context["page"].chosen == 20, "twice the stake, as without an answer"
    assert said in page.content.decode()
    a.propose(4_294_977_296)
    a.propose(3_000_000_000)
    assert not StakeOffer.objects.exists()
    assert "Choose another amount" in a.read()


@pytest.mark.parametrize(
    ("rules", "people", "told"),
    [
        ("mien-nam", 4, "last 20k · third 10k"),
        ("mien-nam", 3, "last 20k"),
        ("killa", 4, "last 10k"),
        ("penguin", 4, "last 30k"),
    ],
)
def test_a_table_reads_what_each_losing_place_pays_where_places_pay(rules, people, told):
    sitting = make_table(make_night(people, rules=rules, stake=10_000))
    page = browser_of(owner_of(sitting.round.event)).get(path_of(sitting, "table")).content
    assert f'<span class="small">· {told}</span>' in page.decode()

"""Tables for members only: who sits down, no bots, and what happens when somebody leaves."""

import pytest
from django.utils import timezone

from engine.rules import ruleset
from tables import hosts
from tables.bots.acts import challenges
from tables.chairs.acts import arrangements, seats
from tables.chairs.facts import seated
from tables.chat.acts import chat
from tables.models import Seat, Table
from tables.play.acts import games
from tables.refusals import TableRefusal
from tests.factories import make_user, stored
from tests.tables import live

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    """Whoever may sit, by account, and the seats that were told of."""
    members: dict[object, str] = {}
    told: list[str] = []

    class Club(hosts.Host):
        def name_of_member(self, table, user):
            return members.get(user, "")

        def note_player(self, seat):
            told.append(seat.name)

    before = hosts.host()
    hosts.register(Club())
    yield members, told
    hosts.register(before)


def open_table(players: int = 2) -> Table:
    return arrangements.open_for_members(
        ruleset=ruleset.preset("killa"),
        players=players,
        move_seconds=40,
        stake=5,
        unit="kẹo",
    )


def sit(table: Table, no: int, user: object, name: str = "x") -> Seat:
    return seats.sit(table_id=table.pk, no=no, name=name, user=user)[0]


def full_table(club) -> tuple[Table, list[object]]:
    table, users = open_table(), [make_user(), make_user()]
    for no, user in enumerate(users):
        club[0][user] = f"Member {no}"
        sit(table, no, user)
    table.refresh_from_db()
    return table, users


def refused(call) -> str:
    with pytest.raises(TableRefusal) as error:
        call()
    return error.value.code


def test_only_those_who_may_sit_do_so_and_under_the_name_that_they_have_there(club):
    table, (member, stranger, programmer) = open_table(), (make_user() for _ in range(3))
    club[0].update({member: "Lan", programmer: "Máy"})
    challenges.register_bot(user=programmer, name="my-bot")
    assert refused(lambda: sit(table, 0, None)) == "sign_in"
    assert refused(lambda: sit(table, 0, stranger)) == "members_only"
    assert refused(lambda: sit(table, 0, programmer)) == "no_bots"
    assert sit(table, 0, member, name="Somebody else").name == "Lan"
    assert club[1] == ["Lan"]


def test_no_bot_takes_a_chair_in_any_way(club):
    table, member = open_table(), make_user()
    club[0][member] = "Lan"
    seat = sit(table, 0, member)
    challenges.register_bot(user=make_user(), name="my-bot")
    ask = lambda: challenges.challenge(table_id=table.pk, seat_id=seat.pk, name="my-bot")  # noqa: E731
    assert refused(lambda: seats.fill_with_bots(table_id=table.pk)) == "no_bots"
    assert refused(ask) == "no_bots"
    assert refused(lambda: games.deal_next(table_id=table.pk)) == "empty_chairs"
    assert not Seat.objects.exclude(bot="").exists()


def test_cards_are_dealt_soon_after_the_last_chair_was_taken(club):
    table, _users = full_table(club)
    assert timezone.now() < table.due_at <= timezone.now() + seats.SOON
    live.hurry(table)
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    assert table.games.get(dealt_at__isnull=False).dealer in (0, 1)


def test_who_leaves_after_the_game_frees_the_chair_and_the_match_waits_for_another(club):
    table, _users = full_table(club)
    live.deal(table)
    seats.leave(seat_id=live.chair(table, 1).pk)
    live.play_quickly(table)
    table.refresh_from_db()
    assert (table.status, seated.empty_chairs(table)) == (Table.Status.WAITING, [1])
    assert table.due_at > timezone.now() + seats.SOON
    heir = make_user()
    club[0][heir] = "Heir"
    sit(table, 1, heir)
    live.hurry(table)
    assert live.current(table).previous["gone"] == [1]
    assert live.current(table).no == 2


def test_who_gets_up_between_games_stops_the_next_deal(club):
    table, _users = full_table(club)
    live.play_game(table)
    seats.leave(seat_id=live.chair(table, 0).pk)
    table.refresh_from_db()
    assert table.status == Table.Status.WAITING
    live.hurry(table)
    assert stored(table).status == Table.Status.CLOSED


def test_a_chair_freed_before_the_first_deal_stops_it(club):
    table, _users = full_table(club)
    seats.leave(seat_id=live.chair(table, 0).pk)
    assert stored(table).due_at > timezone.now() + seats.SOON


def test_the_first_to_sit_looks_after_the_talk(club):
    table, users = full_table(club)
    found = [chat.is_host(table, seat=live.chair(table, no), user=users[no]) for no in (0, 1)]
    assert found == [True, False]


def test_one_tap_deals_without_waiting_for_a_word_of_the_others(club):
    table, _users = full_table(club)
    assert arrangements.say_ready(seat_id=live.chair(table, 0).pk)
    assert table.arrangement.ready == []

"""Tables whose chairs change hands after each game: who is waited for, how long, and who deals."""

import datetime

import pytest
from django.test import Client
from django.utils import timezone

from engine.records import deals
from engine.rules import ruleset
from tables.chairs.acts import arrangements, rotation
from tables.chairs.acts.arrangements import Holder
from tables.chairs.facts import seated
from tables.models import Game, Seat, Table
from tables.play.acts import games
from tables.play.facts import archive, positions, proof
from tables.play.pages import boards, said
from tables.refusals import TableRefusal
from tests.tables import live

pytestmark = pytest.mark.django_db


def guests(names: str) -> list[Holder]:
    """Holders of these names, each with a secret; small letters are bots."""
    return [
        Holder(name, bot="greedy") if name.islower() else Holder(name, secret=f"secret of {name}")
        for name in names.split()
    ]


def arrange(names: str = "An Bình Chi Dũng", rules: str = "penguin") -> Table:
    table = arrangements.arrange_table(
        ruleset=ruleset.preset(rules), holders=guests(names), move_seconds=40, rotates=True
    )
    return fresh(table)


def fresh(table: Table) -> Table:
    return Table.objects.select_related("arrangement").get(pk=table.pk)


def change(table: Table, names: str) -> Table:
    rotation.change_chairs(table_id=table.pk, holders=guests(names))
    return fresh(table)


def play(table: Table) -> Game:
    """A game from its deal to its end."""
    games.deal_next(table_id=table.pk)
    return live.play_quickly(table)


def around(table: Table) -> str:
    here = table.seats.filter(left_at=None).order_by("no")
    return " ".join(here.values_list("name", flat=True))


def due_in(table: Table) -> datetime.timedelta:
    return table.due_at - timezone.now()


def test_after_a_game_nobody_deals_until_it_is_said_who_sits_there():
    table = arrange()
    play(table)
    with pytest.raises(TableRefusal) as refused:
        games.deal_next(table_id=table.pk)
    assert refused.value.code == "held"
    assert arrangements.say_ready(seat_id=table.seats.first().pk) is False
    assert fresh(table).arrangement.ready == []


def test_where_the_same_sit_there_the_next_game_is_dealt_as_everywhere():
    table = arrange()
    play(table)
    table = change(table, "An Bình Chi Dũng")
    assert table.status == Table.Status.BETWEEN
    assert due_in(table) <= games.PAUSE
    live.hurry(table)
    assert live.current(table).no == 2


def test_who_sits_down_new_is_waited_for_and_nobody_else():
    table = arrange()
    play(table)
    table = change(table, "An Bình Chi Em")
    assert (around(table), table.status) == ("An Bình Chi Em", Table.Status.WAITING)
    assert table.arrangement.ready == [0, 1, 2]
    assert due_in(table) <= rotation.COME
    assert arrangements.say_ready(seat_id=live.chair(table, 3).pk)


def test_who_does_not_come_in_a_minute_is_dealt_in_and_played_for():
    table = arrange()
    play(table)
    live.hurry(change(table, "An Bình Chi Em"))
    assert fresh(table).status == Table.Status.PLAYING
    assert len(live.current(table).holders) == 4


def test_the_wait_is_not_longer_because_somebody_asks_again():
    table = arrange()
    play(table)
    before = change(table, "An Bình Chi Em")
    after = change(table, "An Bình Chi Em")
    assert (after.version, after.due_at) == (before.version, before.due_at)


def test_who_comes_back_has_his_seat_his_line_and_his_link_again():
    table = arrange()
    play(table)
    change(table, "An Bình Chi Em")
    play(table)
    table = change(table, "An Bình Chi Dũng")
    assert positions.of(table).find(token="secret of Dũng").no == 3
    rows = {row.name: row.games for row in positions.of(table).standings}
    assert rows == {"An": 2, "Bình": 2, "Chi": 2, "Dũng": 1, "Em": 1}
    assert Seat.objects.filter(table=table).count() == 5


def test_people_keep_their_seats_when_the_chairs_move_up():
    table = arrange()
    play(table)
    kept = live.chair(table, 3).pk
    table = change(table, "Bình Chi Dũng")
    assert (table.players, around(table), live.chair(table, 2).pk) == (3, "Bình Chi Dũng", kept)
    assert fresh(table).status == Table.Status.BETWEEN


@pytest.mark.parametrize(("before", "after"), [("An Bình Chi Dũng", "An Bình Chi"),
                                               ("An Bình Chi", "An Bình Chi Dũng")])  # fmt: skip
def test_with_more_or_fewer_people_the_loser_deals_and_the_lowest_card_leads(before, after):
    table = arrange(before)
    first = play(table)
    last = first.outcome["placings"][-1][0]
    names = [seat.name for seat in table.seats.order_by("no")]
    table = change(table, after)
    game = play(table)
    assert (len(first.dealt), len(game.dealt)) == (len(before.split()), len(after.split()))
    loser = after.split().index(names[last]) if names[last] in after.split() else 0
    assert (game.dealer, game.previous) == (loser, None)
    for one in (first, game):
        one.table = fresh(table)
        assert archive.proof(one).facts["players"] == len(one.holders)
        assert list(proof.replayed(one)) == []
        assert deals.wrong_deal(archive.record(one)) == []


def test_too_few_wait_for_somebody_and_not_for_ever():
    table = arrange("An Bình Chi Dũng", rules="family")
    play(table)
    table = change(table, "An Bình Chi")
    assert (table.status, table.players) == (Table.Status.WAITING, 4)
    with pytest.raises(TableRefusal) as refused:
        games.deal_next(table_id=table.pk)
    assert refused.value.code == "empty_chairs"
    table = change(table, "An Bình Chi Em")
    assert table.arrangement.ready == [0, 1, 2]
    table = change(table, "An")
    live.hurry(table)
    assert fresh(table).status == Table.Status.CLOSED


def test_bots_need_not_say_that_they_are_here_and_play_on_alone_where_chairs_change():
    table = arrange("An Bình Chi Dũng")
    play(table)
    table = change(table, "a b c d")
    assert table.status == Table.Status.BETWEEN
    live.hurry(table)
    assert fresh(table).status == Table.Status.PLAYING
    live.play_quickly(table)
    assert (fresh(table).status, fresh(table).arrangement.held) == (Table.Status.WAITING, True)


def test_a_table_that_everybody_has_left_ends_whoever_might_come():
    table = arrange()
    games.deal_next(table_id=table.pk)
    table.seats.update(autopilot=True)
    live.play_quickly(table)
    assert fresh(table).status == Table.Status.CLOSED
    assert fresh(table).arrangement.abandoned_game == 1


def test_nobody_changes_chairs_during_a_game_at_a_closed_table_or_where_chairs_stay():
    table = arrange()
    games.deal_next(table_id=table.pk)
    codes = []
    for _ in range(2):
        with pytest.raises(TableRefusal) as refused:
            change(table, "An Bình Chi Em")
        codes.append(refused.value.code)
        arrangements.end(table_id=table.pk, now=True)
    stays = arrangements.arrange_table(
        ruleset=ruleset.preset("penguin"), holders=guests("Em Giang"), move_seconds=40
    )
    with pytest.raises(TableRefusal) as refused:
        change(stays, "Em Hà")
    assert [*codes, refused.value.code] == ["game_is_on", "closed", "reserved"]


def test_more_than_the_rules_allow_are_refused_and_nothing_changes():
    table = arrange(rules="family")
    play(table)
    with pytest.raises(TableRefusal) as refused:
        change(table, "An Bình Chi Dũng Em Giang Hà Khoa Lan")
    assert (refused.value.code, around(table)) == ("players", "An Bình Chi Dũng")
    assert fresh(table).arrangement.held


def test_nobody_says_that_somebody_else_is_here():
    table = arrange()
    play(table)
    gone = live.chair(table, 3).pk
    change(table, "An Bình Chi Em")
    with pytest.raises(TableRefusal) as refused:
        arrangements.say_ready(seat_id=gone)
    assert refused.value.code == "not_seated"
    assert seated.empty_chairs(fresh(table)) == []


def test_the_last_result_stays_in_sight_where_fewer_play_on_in_other_chairs():
    table = arrange()
    placings = play(table).outcome["placings"]
    third = table.seats.get(no=placings[2][0]).name
    others = [seat.name for seat in table.seats.order_by("-no") if seat.no != placings[3][0]]
    table = change(table, " ".join([*others[1:], others[0]]))
    position = positions.of(positions.rows().get(pk=table.pk))
    found = boards.board(position)
    assert len(found.plates) == 3
    assert [plate and plate.name for _place, plate, _face in found.lines][3] is None
    for look in ("felt", "plain"):
        page = Client().get(f"/tables/{table.key}/?look={look}")
        assert third in page.content.decode()
    seat = next(seat for seat in position.seats.values() if seat.name == third)
    assert "You: third" in said.result(found, seat.no)
    assert [place.partition(":")[0] for place, _more in said.places(found, seat.no)] == [
        "First", "Second", "Third", "Last",
    ]  # fmt: skip


def links_of(table: Table) -> list[str] | None:
    """The links of the next deal, as everyone's browser asks for them and names its own."""
    for seat in table.seats.filter(left_at=None).order_by("no"):
        link = deals.fingerprint(f"{seat.pk:064x}")
        found = games.take_part(table_id=table.pk, seat_id=seat.pk, link=link)
        assert found.link == link
    return found.links


def test_links_are_listed_once_it_is_said_who_sits_there():
    table = arrange("An Bình Chi")
    play(table)
    assert links_of(table) is None
    table = change(table, "An Bình Chi Dũng")
    assert len(links_of(table) or ()) == 4


def test_who_joins_when_the_links_are_listed_is_ready_without_a_part():
    table = arrange("An Bình Chi")
    assert len(links_of(table) or ()) == 3
    table = change(table, "An Bình Chi Dũng")
    assert len(links_of(table) or ()) == 3
    for seat in table.seats.order_by("no"):
        arrangements.say_ready(seat_id=seat.pk)
    games.deal_asked(table_id=table.pk)
    live.hurry(table)
    assert len(live.play_quickly(table).holders) == 4
    assert list(proof.replayed(table.games.get(no=1))) == []

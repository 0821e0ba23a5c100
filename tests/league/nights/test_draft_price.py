"""What a draft costs is said before its release, with who came and left since."""

import pytest

from league.clubs.acts import players
from league.models import Round
from league.nights.acts import attendance, draws, swaps
from league.nights.facts.events import rounds_of
from league.nights.pages.draft_price import draft_price
from tests.factories import browser_of, make_night, make_round, names_at, owner_of, path_of, play

pytestmark = pytest.mark.django_db


def price_of(event):
    return draft_price(rounds_of(event, with_drafts=True))


def come_or_go(event, name, presence):
    by = owner_of(event)
    player = players.find_by_name(club=event.season.club, name=name)
    attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=by)


def draft(event, **details):
    return draws.draw_round(event=event, by=owner_of(event), anyway=True, **details)


def test_the_price_of_a_first_round_is_nothing():
    event = make_night(8)
    draft(event)
    price = price_of(event)
    assert (price.turn, price.title, price.again, price.changes) == (
        1, "Nobody meets again", [], [],
    )  # fmt: skip


def test_pairs_that_meet_again_are_named_with_round_and_table():
    event = make_night(8)
    make_round(event)
    draft(event)
    price = price_of(event)
    assert price.title == "4 pairs meet again, the fewest there can be"
    assert {named.note for named in price.again} == {"met in round 1"}
    assert sorted(named.table for named in price.again) == [1, 1, 2, 2]
    html = browser_of(owner_of(event)).get(path_of(event, "round", 2)).content.decode()
    assert html.count("ringed") == len(price.meeting) == 8


def test_the_fewest_are_said_to_be_found_where_nothing_proves_them():
    event = make_night(16, rounds_planned=7)
    for _ in range(6):
        make_round(event)
    drawn = draft(event)
    drawn.quality["bound"] = 0
    drawn.save()
    assert price_of(event).title.endswith("pairs meet again, the fewest found")
    one, other, *_more = draws.tables_of(drawn)
    swaps.swap(round_=drawn, a=one[0], b=other[0], by=owner_of(event))
    drawn.refresh_from_db()
    drawn.quality["bound"] = 0
    drawn.save()
    assert price_of(event).title.endswith("pairs meet again")


def test_who_came_left_and_is_back_since_the_round_before_is_named():
    event = make_night(13)
    sitting = make_round(event).sittings.first()
    gone = names_at(sitting)[0]
    play(sitting)
    come_or_go(event, gone, "left")
    draft(event)
    assert [(n.players[0].name, n.note) for n in price_of(event).changes] == [
        (gone, "left: 1 game stays")
    ]
    make_round(event)
    come_or_go(event, gone, "here")
    draws.draw_round(event=event, by=owner_of(event), anyway=True)
    assert [(n.players[0].name, n.note) for n in price_of(event).changes] == [(gone, "is back")]


def test_a_draw_by_points_counts_the_last_four_rounds_and_says_why_some_meet_again():
    event = make_night(8, rounds_planned=8)
    for _ in range(2):
        make_round(event)
    draft(event, method="swiss")
    price = price_of(event)
    assert price.title == f"{len(price.again) + price.more} pairs meet again within four rounds"
    assert price.note.startswith("By points, no draw without this was found")


@pytest.mark.parametrize(("here", "badge"), [(9, "kept"), (4, "not kept")])
def test_wishes_are_said_with_whether_they_hold(here, badge):
    event = make_night(here)
    by = owner_of(event)
    for name in ("An", "Bình"):
        player = players.find_by_name(club=event.season.club, name=name)
        players.set_wishes(player=player, group="nhà", together="", fixed_table=None, by=by)
    draft(event)
    (wish,) = price_of(event).wishes
    assert ({p.name for p in wish.players}, wish.badge.text) == ({"An", "Bình"}, badge)
    assert wish.note == ("asked for different tables" if here == 9 else "there is only one table")


def test_a_pair_that_asked_to_share_a_table_meets_again_by_its_wish():
    event = make_night(13)
    by = owner_of(event)
    for name in ("An", "Bình"):
        player = players.find_by_name(club=event.season.club, name=name)
        players.set_wishes(player=player, group="", together="nhà", fixed_table=None, by=by)
    make_round(event)
    draft(event)
    (named,) = [n for n in price_of(event).again if {p.name for p in n.players} == {"An", "Bình"}]
    assert named.note == "asked to share a table"


def test_a_second_draft_leads_back_to_the_first():
    event = make_night(16, rounds_planned=5)
    make_round(event)
    first = draws.tables_of(draft(event))
    draft(event)
    draft(event)
    page = browser_of(owner_of(event.season.club))
    address = path_of(event, "round", 2)
    assert "Draft 3" in page.get(address).content.decode()
    version = Round.objects.get(number=2).version
    page.post(
        path_of(event, "draw"),
        {"method": "few_repeats", "round": 2, "version": version, "back": "1", "anyway": "1"},
    )
    back = Round.objects.get(number=2)
    assert draws.tables_of(back) == first
    assert (back.settings["turn"], "first" in back.settings) == (0, False)
    assert "Draft 1" in page.get(address).content.decode()


def test_more_pairs_than_a_page_names_are_counted():
    event = make_night(8, rounds_planned=6)
    for _ in range(5):
        make_round(event)
    drawn = draft(event)
    price = price_of(event)
    assert (len(price.again), price.more) == (8, drawn.quality["repeats"] - 8)
    assert price.more > 0

"""Nights with the same deals and real cards: the sheets that packs are sorted by."""

import html
import random
import re
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError

from engine.rules.cards import parse_cards
from league.clubs.acts import players
from league.models import Audit, LivePlan, NightDeals, Placing, Player
from league.nights.acts import closing, draws, seat_changes
from league.nights.acts.same_deals import prepare
from league.nights.domain.check_words import check_word
from league.nights.facts.same_deals import hands
from league.nights.pages.deal_sheets import deal_sheets_page
from league.nights.pages.same_deals import HAND_NAMES
from league.seasons.acts import rosters
from league.seasons.domain.same_deals import hand_of
from league.seasons.facts.rosters import tables_of
from league.seasons.facts.standings import event_standings
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_round,
    make_season,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def paper_night():
    """Sixteen people, two rounds of four deals."""
    return make_night(
        16, rules="tien-len", format={"same_deals": True}, rounds_planned=2, games_per_round=4
    )


def test_a_check_word_finds_every_exchange_of_one_card():
    rng = random.Random(1)
    for _ in range(20):
        deck = rng.sample(range(52), 52)
        hand, others = deck[:13], deck[13:]
        word = check_word(hand)
        assert re.fullmatch("([BCDGHKLMNPRSTVX][AEIOU]){3}", word)
        assert word == check_word(reversed(hand))
        wrong = [
            check_word([*hand[:at], other, *hand[at + 1 :]]) for at in range(13) for other in others
        ]
        assert word not in wrong


def test_the_sheets_hold_every_deal_of_the_night_once(client):
    event = paper_night()
    owner = owner_of(event)
    prepare(event=event, by=owner)
    sheets = deal_sheets_page(event, owner.pk).sheets
    assert [(s.round_no, s.game_no) for s in sheets] == [
        (r, g) for r in (1, 2) for g in (1, 2, 3, 4)
    ]
    for sheet in sheets:
        dealt = hands(event, sheet.round_no, sheet.game_no)
        assert len({card for text in dealt for card in parse_cards(text)}) == 52
        for at, slip in enumerate(sheet.slips):
            assert [suit.symbol for suit in slip.suits] == ["♠", "♣", "♦", "♥"]
            assert sum(len(suit.ranks.split()) for suit in slip.suits) == 13
            assert hand_of(slip.seat - 1, sheet.game_no) == at
            assert slip.word == check_word(parse_cards(dealt[at]))


def test_only_an_organiser_who_does_not_play_sees_them_and_the_log_says_so(client):
    event = paper_night()
    club = event.season.club
    owner = owner_of(club)
    address = path_of(event, "deal_sheets")
    assert client.get(address).status_code in (302, 403, 404)
    client.force_login(owner)
    assert b'deal-sheet"' not in client.get(address).content
    assert not NightDeals.objects.exists()
    assert client.post(address, follow=True).content.count(b'deal-sheet"') == 8
    assert Audit.objects.filter(action="deals.seen", by=owner).count() == 1
    client.post(address)
    assert Audit.objects.filter(action="deals.seen").count() == 1

    client.force_login(make_member(club, "organiser"))
    assert b'deal-sheet"' not in client.get(address).content


def test_who_has_seen_the_cards_is_not_drawn_and_who_plays_does_not_see_them():
    event = paper_night()
    owner = owner_of(event.season.club)
    entrant = event.entrants.first()
    prepare(event=event, by=owner)
    entrant.player.user = owner
    entrant.player.save()
    with pytest.raises(ValidationError, match=re.escape(entrant.player.name)):
        draws.draw_round(event=event, by=owner)
    assert deal_sheets_page(event, owner.pk).sheets == []
    with pytest.raises(ValidationError, match="does not play"):
        prepare(event=event, by=owner)


def test_who_has_seen_the_cards_takes_no_seat_in_the_middle_of_the_round():
    event = paper_night()
    owner = owner_of(event)
    prepare(event=event, by=owner)
    sitting = make_round(event).sittings.first()
    own = players.add_player(club=event.season.club, name="Zoe", by=owner)
    Player.objects.filter(pk=own.pk).update(user=owner)
    seen, leaves = event.entrants.create(player=own), sitting.places.first()
    with refuses("saw_cards"):
        seat_changes.leave(
            sitting_id=sitting.pk,
            entrant_id=leaves.entrant_id,
            substitute_id=seen.pk,
            by=owner,
        )


def test_an_online_night_deals_for_itself():
    event = paper_night()
    LivePlan.objects.create(event=event, played=LivePlan.Played.LIVE)
    with pytest.raises(ValidationError, match="online"):
        prepare(event=event, by=owner_of(event))


def test_the_word_of_ticked_cards_is_shown_to_everyone(client):
    event = paper_night()
    address = path_of(event, "check_hand")
    client.force_login(owner_of(event))
    cards = list(range(0, 52, 4))
    assert check_word(cards) in client.get(address, {"c": cards}).content.decode()
    assert check_word(cards) not in client.get(address, {"c": cards[:12]}).content.decode()
    assert client.get(address, {"c": ["x", "-1", "999", "9" * 50]}).status_code == 200


def test_two_teams_at_two_tables_play_a_match_of_all_deals(client):
    """Each hand is held once by either team: what one wins, the other loses, and 50 is a draw."""
    season = make_season(rules="tien-len")
    event = make_night(
        8, season=season, format={"same_deals": True}, rounds_planned=2, games_per_round=4
    )
    club, by = season.club, owner_of(season)
    people = [entrant.player for entrant in event.entrants.order_by("pk")]
    teams = {"North side": people[:4], "South side": people[4:]}
    for name, members in teams.items():
        rosters.save_roster(season=season, kind="team", name=name, members=members, by=by)
    at_home = {player.name for player in people[:4]}
    for _round in (1, 2):
        round_ = draws.release_round(round_=draws.draw_round(event=event, by=by), by=by)
        for sitting in round_.sittings.all():
            names = names_at(sitting)
            assert len(at_home & set(names)) == 2
            for _game in range(4):
                play(sitting, sorted(names, key=lambda name: name not in at_home))
    first, second = tables_of(season, event).teams
    assert (first.roster.name, second.roster.name) == ("North side", "South side")
    assert first.points > 50 > second.points
    assert first.points + second.points == 100
    client.force_login(by)
    page = client.get(path_of(club, "deals", event.pk)).content.decode()
    assert page.index("North side") < page.index("South side")
    assert f"{float(first.points):.1f}%" in page
    closing.close_event(event=event, by=by)
    whole = tables_of(season).teams
    assert [team.roster.name for team in whole] == ["North side", "South side"]


def read(client, event, name, *more):
    path = path_of(event, name, *more)
    return " ".join(client.get(path).content.decode().split("<main")[1].split())


def test_a_night_of_16_leads_to_its_cards_names_the_seats_and_says_what_results_are():
    event = paper_night()
    owner = owner_of(event)
    client = browser_of(owner)
    assert "An organiser who doesn't play sorts the cards." in html.unescape(
        read(client, event, "event")
    )
    assert path_of(event, "deal_sheets") in read(client, event, "event")
    prepare(event=event, by=owner)
    round_ = make_round(event)
    table = read(client, event, "table", 1, 1)
    sitting = round_.sittings.get(table_no=1)
    hands_of_deal = [str(HAND_NAMES[hand_of(place.seat, 1)]) for place in sitting.seated]
    assert sorted(hands_of_deal) == ["East", "North", "South", "West"]
    for place, hand in zip(sitting.seated, hands_of_deal, strict=True):
        assert f"<b>{place.entrant.player.name}</b> {hand}" in table
        assert f"Seat {place.seat + 1}" in table
    for number in range(1, 5):
        for one in round_.sittings.order_by("table_no"):
            names = names_at(one)
            turn = (number + one.table_no) % 4
            play(one, names[turn:] + names[:turn])
    assert "percent of the others with the same cards" in read(client, event, "event")
    shares = expected_shares(event)
    shown = {one.player.name: one.row.points for one in event_standings(event)}
    assert shown == {name: 100 * share for name, share in shares.items()}
    assert sum(shares.values()) == 8


def expected_shares(event) -> dict[str, Fraction]:
    """Return each player's part of the others with the same cards that were beaten, by hand."""
    held: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for one in Placing.objects.filter(result__sitting__round__event=event, result__current=True):
        key = one.result.game_no, hand_of(one.seat, one.result.game_no)
        held.setdefault(key, []).append((one.entrant.player.name, one.rank))
    points: dict[str, Fraction] = {}
    for hand in held.values():
        for name, rank in hand:
            others = [other for who, other in hand if who != name]
            beaten = sum(Fraction(rank < other) + Fraction(rank == other, 2) for other in others)
            points[name] = points.get(name, Fraction(0)) + beaten / len(others) / 4
    return points

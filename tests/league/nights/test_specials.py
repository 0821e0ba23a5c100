"""Specials entered at a table: stored as what happened, paid as the engine says."""

import re
import uuid
from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from engine.rules import ruleset
from engine.rules.specials import Special
from league.clubs.acts import merges, players
from league.models import Event, Placing, Result, Transfer
from league.nights.domain.entry import write_specials
from league.nights.pages import night_specials, wall_round
from league.proof.facts import verify
from league.recap.pages import tonight
from league.seasons.acts import season_cache
from league.seasons.facts.standings import event_standings
from tests.factories import (
    correct,
    game_form,
    keys_at,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.ledger import moved
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def money_table(stake=1, rules="mien-nam", players=4):
    return make_table(make_night(players, rules=rules, stake=stake))


@made_once
def sitting():
    return money_table()


def test_a_chain_and_a_two_left_are_paid_with_the_places():
    sitting = money_table(stake=10)
    a, b, c, d = names_at(sitting)
    key = keys_at(sitting)
    specials = [
        Special("chop", key[b], key[a], "R"),
        Special("chop", key[c], key[b], "PR3", True),
        Special("left", of=key[b], what="B"),
    ]
    result = play(sitting, [c, a, d, b], specials=specials)
    assert moved(sitting.round.event) == {a: 10, b: -70, c: 70, d: -10}
    assert result.specials == [
        {"kind": "chop", "by": key[b], "of": key[a], "what": "R"},
        {"kind": "chop", "by": key[c], "of": key[b], "what": "PR3", "chained": True},
        {"kind": "left", "of": key[b], "what": "B"},
    ]


def test_an_instant_win_ends_the_game_and_the_others_share(sitting):
    win, *others = keys_at(sitting).values()
    result = play(sitting, [], groups=[[win], others], specials=[Special("instant_win", win)])
    places = Placing.objects.filter(result=result).values_list("entrant_id", "rank", "tied")
    assert sorted(places) == sorted([(win, 1, 1), *((other, 2, 3) for other in others)])
    assert sorted(moved(sitting.round.event).values()) == [-4, -4, -4, 12]


def test_a_correction_takes_the_specials_money_back(sitting):
    order = names_at(sitting)
    key = keys_at(sitting)
    chop = Special("chop", key[order[0]], key[order[1]], "R")
    correct(play(sitting, order, specials=[chop]), order)
    assert moved(sitting.round.event) == dict(zip(order, (2, 1, -1, -2), strict=True))


def test_a_correction_of_an_older_game_is_not_the_last_chop(sitting):
    """On the night's page, the wall and *Tonight*."""
    order, event = names_at(sitting), sitting.round.event
    key = keys_at(sitting)
    a, b, c, d = order
    old, last = Special("chop", key[a], key[b], "R"), Special("chop", key[c], key[d], "R")
    first = play(sitting, order, specials=[old])
    play(sitting, order, specials=[last])
    correct(first, [b, a, c, d], specials=[old])
    chop = night_specials.chop_of(event)
    assert chop is not None
    assert str(chop.by) == c
    told = tonight.latest_chops(Event.objects.filter(pk=event.pk))
    assert [str(one.by) for one in told] == [c, a]


def test_a_chop_of_a_merged_name_is_told_of_its_player(sitting):
    event, key, names = sitting.round.event, keys_at(sitting), names_at(sitting)
    play(sitting, names, specials=[Special("chop", key[names[0]], key[names[1]], "R")])
    club = event.season.club
    person = players.add_player(club=club, name="Zed", by=owner_of(club))
    merges.merge(alias=club.players.get(name=names[0]), into=person, by=owner_of(club))
    [told], chop = tonight.latest_chops(Event.objects.all()), night_specials.chop_of(event)
    assert (told.by, chop.by) == (person, person)
    assert told.text == chop.text
    assert names[0] not in told.text


@pytest.mark.parametrize(
    ("rules", "special", "code"),
    [
        ("mien-nam", ("chop", 0, 0, "R"), "self"),
        ("mien-nam", ("left", None, 0, "R"), "not_last"),
        ("mien-nam", ("chop", 0, None, "R"), "players"),
        ("penguin", ("chop", 0, 1, "R"), "not_offered"),
        ("killa", ("cong", None, 1, ""), "not_offered"),
    ],
)
def test_specials_that_cannot_be_are_refused_and_nothing_is_saved(rules, special, code):
    sitting = money_table(rules=rules)
    keys = list(keys_at(sitting).values())
    kind, by, of, what = special
    wrong = Special(kind, *(None if seat is None else keys[seat] for seat in (by, of)), what)
    with refuses(code):
        play(sitting, specials=[wrong])
    assert (Result.objects.count(), Transfer.objects.count()) == (0, 0)


def test_a_player_of_another_table_cannot_be_chopped():
    first, second = make_table(make_night(8)).round.sittings.all()
    stranger = next(iter(keys_at(second).values()))
    mine = next(iter(keys_at(first).values()))
    with refuses("players"):
        play(first, specials=[Special("chop", mine, stranger, "R")])


def test_places_are_not_shared_without_a_reason(sitting):
    a, b, c, d = keys_at(sitting).values()
    with refuses("shared"):
        play(sitting, [], groups=[[a], [b, c], [d]])


def chain_of(sitting, *whats):
    """Seats beat one another in turn."""
    keys = list(keys_at(sitting).values())
    return [Special("chop", keys[n + 1], keys[n], what, n > 0) for n, what in enumerate(whats)]


@pytest.mark.parametrize(
    ("whats", "sentence"),
    [
        (
            ["PR4", "PR3"],
            ("Three pairs in a row do not beat four consecutive pairs under these rules."),
        ),
        (["RR", "PR3"], "Three pairs in a row do not beat two red 2s under these rules."),
        (
            ["BRR", "Q"],
            "Four of a kind does not beat a black 2 and two red ones under these",
        ),
        (["R", "Q", "PR3"], "Three pairs in a row do not beat four of a kind under these rules."),
    ],
)
def test_what_the_rules_forbid_is_refused_with_a_sentence(sitting, client, whats, sentence):
    event = sitting.round.event
    specials = chain_of(sitting, *whats)
    with pytest.raises(ValidationError) as refused:
        play(sitting, specials=specials)
    assert sentence in " ".join(refused.value.messages)
    assert refused.value.code == "does_not_beat"
    client.force_login(owner_of(event))
    address = path_of(event, "table", 1, 1)
    sent = game_form(sitting, specials=write_specials(specials))
    assert sentence in client.get(f"{address}preview/", sent).content.decode()
    assert sentence in client.post(address, sent).content.decode()
    api = {
        "round": 1, "table": 1, "game": 1, "groups": [[k] for k in keys_at(sitting).values()],
        "specials": [special._asdict() for special in specials], "client_id": str(uuid.uuid4()),
    }  # fmt: skip
    path = f"/api/v1/clubs/{event.season.club.slug}/events/{event.pk}/results/"
    answer = client.post(path, api, content_type="application/json")
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Result.objects.exists()


def test_chops_stored_before_the_check_stay_and_are_proven():
    sitting = money_table(stake=10)
    result = play(sitting, specials=chain_of(sitting, "PR4", "PR4"))
    stored = [*result.specials[:1], result.specials[1] | {"what": "PR3"}]
    Result.objects.filter(pk=result.pk).update(specials=stored)
    assert list(verify.paid_games(sitting.round.event.season)) == []


def test_games_in_which_one_of_several_firsts_was_paid_are_counted_and_no_difference():
    """Until 1.2 who went out on 2s paid only one of those who share first place."""
    options = {"last_play": "twos_lose", "game_ends": "first_out"}
    rules = ruleset.with_options(ruleset.preset("killa"), options)
    event = make_night(4, rules=rules, stake=10, games_per_round=1)
    sitting = make_round(event).sittings.get()
    *others, loser = keys_at(sitting).values()
    lost = Special("finish", by=loser, what="2")
    play(sitting, [], groups=[others, [loser]], specials=[lost])
    event.refresh_from_db()
    checked = Counter()
    assert list(verify.everything(event.season.club, checked=checked)) == []
    assert checked[verify.EARLIER] == 0
    moved = Transfer.objects.order_by("pk")
    assert moved.count() == 3
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # No trigger fires.
        Transfer.objects.exclude(pk=moved[0].pk).delete()
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert list(verify.paid_games(event.season, checked=checked)) == []
    assert checked[verify.EARLIER] == 1
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Transfer.objects.update(amount=9)
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert len(list(verify.paid_games(event.season))) == 1


def test_the_form_offers_only_what_these_rules_make_possible(client):
    for rules, kinds, rare in (
        ("killa", ["chop", "chain"], []),
        ("mien-nam", ["chop", "left", "cong", "win", "chain"], ["BB", "BR", "RR", "BBR", "BRR"]),
    ):
        sitting = money_table(rules=rules)
        event = sitting.round.event
        client.force_login(owner_of(event))
        address = path_of(event, "table", 1, 1)
        a, b, c, d = keys_at(sitting).values()
        page = client.get(address, {"order": f"{a},{b},{c},{d}", "specials": f"chop.{b}.{a}.2"})
        assert re.findall(r'name="kind"\s+value="(\w+)"', page.content.decode()) == kinds
        entry = page.context["page"].entry
        assert [what.key for what in entry.whats if "rare" in what.marks.split()] == rare
        cannot = [marks for _place, marks in entry.people]
        assert cannot == ["no-left no-cong", "no-left", "no-left", ""]


@pytest.mark.parametrize(
    ("rules", "stake", "prices"),
    [
        ("mien-nam", 10_000, {"B": "+10k", "R": "+20k", "Q": "+20k", "BR": "+30k"}),
        ("killa", 5, {"2": "+5 kẹo", "22": "+5 kẹo", "bomb": "+5 kẹo"}),
        ("mien-nam", 0, {"R": "", "Q": ""}),
        ("family", 5, {"2": "", "bomb": ""}),
    ],
)
def test_a_chip_of_a_chop_says_what_the_chop_gives(client, rules, stake, prices):
    """Where chops cost no money, or only cards are owed for them, it says nothing more."""
    event = money_table(stake=stake, rules=rules).round.event
    client.force_login(owner_of(event))
    page = client.get(path_of(event, "table", 1, 1)).content.decode()
    shown = re.findall(r'name="what" value="(\w+)">(.*?)</label>', page, re.S)
    found = {key: re.findall(r"<small>(.*?)</small>", label) for key, label in shown}
    assert {key: found[key] for key in prices} == {
        key: [price] if price else [] for key, price in prices.items()
    }


def test_all_that_a_player_is_caught_with_is_one_sentence(client):
    sitting = money_table(stake=10)
    event, (a, b, c, d) = sitting.round.event, names_at(sitting)
    key = keys_at(sitting)
    left = [Special("left", of=key[d], what=what) for what in ("B", "B", "Q")]
    play(sitting, [a, b, c, d], specials=[left[0], Special("chop", key[a], key[d], "R"), *left[1:]])
    client.force_login(owner_of(event))
    [game] = client.get(path_of(event, "game", 1, 1, 1)).context["page"].versions
    caught = f"{d} is caught with black 2, black 2, four of a kind (thối)"
    assert game.sentences == [caught, f"{a} chops {d}: red 2"]


def test_a_correction_of_the_order_asks_whether_cong_still_holds(client):
    sitting = money_table(stake=10)
    event, (a, b, c, d) = sitting.round.event, names_at(sitting)
    key = keys_at(sitting)
    play(sitting, [a, b, c, d], specials=[Special("cong", of=key[d])])
    client.force_login(owner_of(event))
    at = path_of(event, "game", 1, 1, 1)
    specials = write_specials([Special("cong", of=key[d])])
    sent = game_form(sitting, [a, b, d, c], version=1, specials=specials)
    asked = client.post(at, sent)
    text = asked.content.decode()
    assert asked.status_code == 409
    assert f"{d} moves from place 4 to 3 and stays cóng. Is that right?" in text
    assert f'value="{sent["order"]}"' in text  # The taps are kept.
    assert Result.objects.filter(sitting=sitting).count() == 1
    mark = text.split('name="sure" value="')[1].split('"')[0]
    assert client.post(at, sent | {"sure": mark}).status_code == 302
    assert Result.objects.get(sitting=sitting, current=True).specials == [
        {"kind": "cong", "of": key[d]}
    ]


def test_a_correction_that_moves_the_cong_along_is_not_asked_about(client):
    sitting = money_table(stake=10)
    event, (a, b, c, d) = sitting.round.event, names_at(sitting)
    key = keys_at(sitting)
    play(sitting, [a, b, c, d], specials=[Special("cong", of=key[d])])
    client.force_login(owner_of(event))
    specials = write_specials([Special("cong", of=key[c])])
    sent = game_form(sitting, [a, b, d, c], version=1, specials=specials)
    assert client.post(path_of(event, "game", 1, 1, 1), sent).status_code == 302


def test_a_bot_that_fills_a_chair_takes_no_title_from_a_person():
    season = make_season(rules="mien-nam")
    night = make_night(3, season=season, format={"kind": "rounds", "bot": "greedy"})
    sitting = make_table(night)
    key = keys_at(sitting)
    [bot] = [name for name in key if name.endswith("(bot)")]
    best, *_others = names = [name for name in key if name != bot]
    for by, of in ((bot, best), (bot, best), (best, bot)):
        play(sitting, [*names, bot], specials=[Special("chop", key[by], key[of], "R")])
    rows = season_cache.standings_of(season=season).rows
    [titles] = [
        group for group in wall_round.titles_of(night, event_standings(night))
        if group[0].key == "chops"
    ]  # fmt: skip
    for held in (titles, [one for one in rows.honours() if one.key == "chops"]):
        assert [(one.name, one.count) for one in held] == [(best, 1)]

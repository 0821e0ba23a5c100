"""A person's night on a phone without an account: found by name once, until it is undone."""

import datetime
import html
import re
import threading

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from engine.rules.specials import Special
from league.clubs.acts import merges, players
from league.log.pages import entries as log
from league.models import Audit, Claim, Confirmation, Dispute, Event, Place
from league.nights.acts import claims, clock, closing
from league.nights.facts import claims as phones
from league.seasons.acts import rosters
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    game_form,
    make_club,
    make_cost,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
    secret_of,
    table_link,
)
from tests.worlds import made_once


@made_once
def sitting():
    season = make_season(make_club(is_public=False))
    return make_table(make_night(8, season=season, stake=5, confirmed_by="player"))


def player_at(sitting, chair=0):
    return sitting.seated[chair].entrant.player


def known(phone, path):
    return phone.get(path).content.decode()


def at_table(sitting, name="link_table", **more):
    names = {"secret": secret_of(sitting), "number": 1}
    return reverse(f"league:{name}", kwargs=names | more)


def my_page(sitting):
    return night_link(sitting.round.event)


def is_own(phone, sitting, chair=0):
    return f"{player_at(sitting, chair).name}'s night" in html.unescape(
        known(phone, my_page(sitting))
    )


def found(sitting, chair=0):
    """A phone whose holder tapped the name in that chair."""
    phone = Client()
    phone.post(at_table(sitting, "link_me"), {"player": player_at(sitting, chair).pk})
    return phone


def test_a_game_is_entered_as_its_own_seat_sees_the_table(sitting):
    """The own seat first, which is drawn below; then those in order of play."""
    seats = [place.entrant_id for place in sitting.seated]

    def tiles(phone):
        page = known(phone, at_table(sitting))
        return [int(key) for key in re.findall(r'name="tap"\s+value="(\d+)"', page)]

    assert tiles(Client()) == seats
    for chair in range(len(seats)):
        assert tiles(found(sitting, chair)) == seats[chair:] + seats[:chair]


@pytest.mark.parametrize("is_public", [False, True])
def test_the_arrow_leads_to_the_night_for_who_may_see_the_club(sitting, is_public):
    club = sitting.round.event.season.club
    club.is_public = is_public
    club.save()
    member = make_member(club, "player")
    players.take_player(player=player_at(sitting), user=member)
    arrow = f'<a class="frame-icon" href="{path_of(sitting.round.event, "event")}">'
    readers = (browser_of(member), found(sitting, 1))
    assert [arrow in known(one, my_page(sitting)) for one in readers] == [True, is_public]
    watches = f'<a href="{path_of(sitting.round.event, "event")}">Just watching'
    pages = [known(one, my_page(sitting)) for one in (Client(), *readers)]
    assert [watches in page for page in pages] == [is_public, False, False]


def test_a_tap_at_the_table_shows_the_whole_night_and_nothing_that_is_the_members(sitting):
    play(sitting, device="elsewhere")
    stranger = Client()
    old = reverse("league:my_night", args=[sitting.round.event_id])
    assert stranger.get(old).status_code == 404
    assert not is_own(stranger, sitting)
    phone = found(sitting)
    assert phone.get(old)["Location"] == my_page(sitting)
    answer = phone.get(my_page(sitting))
    page = answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"
    assert table_link(sitting) in page
    assert all(name in page for name in names_at(sitting))
    assert "is this right?" in page
    club = sitting.round.event.season.club
    assert f"/clubs/{club.slug}/" not in page
    line = page.split("</h1>")[1].split("</p>")[0]
    assert line.split("<p>")[1].strip() == sitting.round.event.name, "of two clubs both are named"
    version = page.split("?version=")[1].split('"')[0]
    assert phone.get(my_page(sitting), {"version": version}).status_code == 204


@pytest.mark.parametrize(
    ("presence", "said"),
    [("left", "You have left for tonight."), ("expected", "You are sitting out.")],
)
def test_who_goes_while_a_round_is_played_keeps_the_table_until_the_next_draw(
    sitting, presence, said
):
    phone = found(sitting)
    phone.post(my_page(sitting), {"presence": presence})
    page = html.unescape(known(phone, my_page(sitting)))
    assert f"{said} Applies from the next draw. If you can't finish this round" in page
    entry = table_link(sitting)
    assert entry in page
    assert page.index(said) < page.index("I'm here") < page.index(entry)
    filled = re.findall(r'class="btn [^"]*btn-(?:primary|gold)[^"]*"[^>]*>\s*([^<]*\w)', page)
    assert (filled[0], "I'm here" in filled) == ("Enter game 1", False)
    make_round(sitting.round.event)
    page = html.unescape(known(phone, my_page(sitting)))
    assert entry not in page
    assert "Applies from" not in page


def test_ones_own_games_are_confirmed_and_disputed_and_no_others(sitting):
    mine = play(sitting, device="elsewhere")
    other = play(sitting.round.sittings.get(table_no=2), device="elsewhere")
    phone = found(sitting)
    phone.post(my_page(sitting), {"game": other.pk, "confirm": 1})
    assert Confirmation.objects.count() == 0
    phone.post(my_page(sitting), {"game": mine.pk, "confirm": 1})
    assert Confirmation.objects.get().result == mine
    phone.post(my_page(sitting), {"game": mine.pk, "dispute": 1, "note": "I was first"})
    assert Dispute.objects.get().note == "I was first"
    late = phone.post(my_page(sitting), {"report": 1, "do": "withdraw"}, follow=True)
    assert "This was already answered. Reload the page." in late.content.decode(), "all is paid"
    for odd in ({}, {"game": "x", "confirm": 1}, {"game": mine.pk}, {"presence": "gone"}):
        assert phone.post(my_page(sitting), odd).status_code == 302


def test_who_entered_a_game_is_not_asked_whether_it_is_right(sitting):
    phone = found(sitting)
    phone.post(at_table(sitting), game_form(sitting))
    assert "is this right?" not in phone.get(my_page(sitting)).content.decode()
    assert "is this right?" in found(sitting, 1).get(my_page(sitting)).content.decode()


def test_a_phone_that_took_a_name_reads_it_once_and_has_the_way_back_in_the_bar(sitting):
    phone, name = Client(), player_at(sitting).name
    page = phone.post(my_page(sitting), {"me": player_at(sitting).pk}, follow=True)
    [said] = page.context["messages"]
    assert str(said) == f"This phone is {name}'s."
    again = phone.post(my_page(sitting), {"me": player_at(sitting).pk}, follow=True)
    assert not list(again.context["messages"])
    for shown in (page, again, phone.get(my_page(sitting), follow=True)):
        bar = shown.content.decode().split("<main")[0]
        assert 'name="free" value="1">Not me<' in bar


def test_one_name_has_one_phone_and_one_phone_one_name(sitting):
    phone, second = found(sitting), found(sitting)
    assert not is_own(second, sitting)
    phone.post(at_table(sitting, "link_me"), {"player": player_at(sitting, 1).pk})
    assert Claim.objects.get().player == player_at(sitting)
    phone.post(my_page(sitting), {"free": 1})
    assert not is_own(phone, sitting)
    second.post(at_table(sitting, "link_me"), {"player": player_at(sitting).pk})
    assert is_own(second, sitting)


def test_an_organiser_sees_the_phones_and_frees_a_name_with_one_tap(sitting):
    phone, event = found(sitting), sitting.round.event
    organiser = browser_of(owner_of(event))
    page = organiser.get(path_of(event, "check_in")).content.decode()
    free = path_of(event, "free_phone")
    assert free in page
    organiser.post(free, {"player": player_at(sitting).pk})
    assert not is_own(phone, sitting)
    told = Audit.objects.filter(action__startswith="phone").values_list("action", flat=True)
    assert sorted(told) == ["phone.claimed", "phone.freed"]
    log = organiser.get(path_of(event.season.club, "audit")).content.decode()
    assert "claimed their name on a phone" in log


def test_who_the_organiser_checked_in_finds_the_name_by_the_nights_link(sitting):
    event, path = sitting.round.event, my_page(sitting)
    phone, tablet = Client(), Client()
    assert "Yes, I am" in phone.get(path).content.decode()
    assert "Yes, I am" not in tablet.get(path, {"door": 1}).content.decode()
    tablet.post(f"{path}?door=1", {"player": player_at(sitting, 1).pk})
    assert Claim.objects.count() == 0
    answer = phone.post(path, {"me": player_at(sitting).pk})
    assert answer["Location"] == my_page(sitting)
    phone.post(my_page(sitting), {"presence": "left"})
    assert event.entrants.get(player=player_at(sitting)).presence == "left"
    phone.post(my_page(sitting), {"presence": "here"})
    assert event.entrants.get(player=player_at(sitting)).presence == "here"


def test_a_tablet_on_the_table_claims_nobody_until_it_is_somebodys(sitting):
    event, path = sitting.round.event, my_page(sitting)
    tablet = Client()
    assert tablet.post(path, {"lies": 99})["Location"] == path, "there is no such table"
    assert "Yes, I am" in tablet.get(path).text
    there = tablet.post(path, {"lies": sitting.table_no})["Location"]
    assert there == table_link(sitting)
    page = tablet.get(there).text
    assert "This device lies on the table" in page
    assert "Which one are you?" not in page
    assert "Yes, I am" not in tablet.get(path).text
    tablet.post(path, {"player": player_at(sitting, 1).pk})
    assert not event.claims.exists()
    assert "This device lies" not in Client().get(there).text
    assert tablet.post(path, {"lies": ""})["Location"] == path
    assert "Which one are you?" in tablet.get(there).text


def test_a_phone_reads_which_round_comes_after_this_one(sitting):
    event, phone = sitting.round.event, found(sitting)

    def then():
        return phone.get(my_page(sitting)).context["page"].own.table.then

    assert then() == "Then round 2 of 3"
    clock.start(round_=sitting.round, minutes=40, by=owner_of(event))
    assert re.fullmatch(r"Then round 2 of 3 · round ends at \d\d:\d\d", then())
    Event.objects.update(rounds_planned=1)
    assert then().startswith("This is the last round · ")
    Event.objects.update(format={"kind": "knockout"})
    assert then() == ""


def test_a_game_of_my_night_names_the_others_where_there_is_room(sitting):
    phone = found(sitting)
    play(sitting)
    (game,) = phone.get(my_page(sitting)).context["page"].own.games
    names = ", ".join(player.name for player in game.others)
    assert f'<span class="small wide-only" aria-hidden="true">{names}</span>' in known(
        phone, my_page(sitting)
    )


def test_next_weeks_link_knows_the_phone_and_still_asks(sitting):
    phone, event = found(sitting), sitting.round.event
    later = make_night(0, season=event.season)
    path = night_link(later)
    offered = re.findall(r'id="whose-(\d+)"[^>]*checked', known(phone, path))
    assert offered == [str(player_at(sitting).pk)]
    cancelled = re.findall(r'href="([^"]*)">Cancel<', known(phone, path))
    page = known(phone, path + cancelled[0])
    assert not re.search(r'id="whose-\d+"[^>]*checked', page)
    assert f'action="{path}{cancelled[0]}"' in page
    assert f'id="whose-{offered[0]}"' in page
    assert phone.get(reverse("league:my_night", args=[later.pk])).status_code == 404
    phone.post(path, {"player": player_at(sitting).pk})
    assert phone.get(reverse("league:my_night", args=[later.pk]))["Location"] == path


def test_a_phone_follows_its_person_when_two_names_are_merged_in_the_middle(sitting):
    event, nickname = sitting.round.event, player_at(sitting)
    play(sitting, device="elsewhere")
    phone = found(sitting)
    into = players.add_player(club=nickname.club, name="Zwei", by=None)
    merges.merge(alias=nickname, into=into, by=owner_of(nickname))
    assert Claim.objects.get(ended_at=None).player == into
    page = known(phone, my_page(sitting))
    assert "Table 1" in page
    assert "is this right?" in page
    taken = Client().post(at_table(sitting, "link_me"), {"player": into.pk}, follow=True)
    assert "Zwei's other phone is asked." in html.unescape(taken.content.decode())
    later = make_night(0, season=event.season)
    assert phones.known_player(later, Claim.objects.get().phone_hash) == into.pk


def test_of_two_merged_names_with_a_phone_each_one_keeps_it(sitting):
    one, other = player_at(sitting), player_at(sitting.round.sittings.get(table_no=2))
    Place.objects.filter(entrant__player=other).delete()
    first, second = found(sitting), Client()
    event = sitting.round.event
    claims.claim(event=event, player_id=other.pk, phone="b" * 64)
    merges.merge(alias=other, into=one, by=owner_of(one))
    assert is_own(first, sitting)
    assert [claim.player for claim in phones.holders(event)] == [one]
    assert not is_own(second, sitting)


def test_a_phone_gives_up_a_name_that_was_merged_after_the_night(sitting):
    phone, event, nickname = found(sitting), sitting.round.event, player_at(sitting)
    by = owner_of(event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    into = players.add_player(club=nickname.club, name="Zwei", by=by)
    merges.merge(alias=nickname, into=into, by=by)
    assert "Zwei" in known(phone, my_page(sitting))
    phone.post(my_page(sitting), {"free": 1})
    assert not phones.holders(event)
    assert "Zwei" not in known(phone, my_page(sitting))


def test_after_the_night_the_phone_is_led_to_the_next_one(sitting):
    phone, event = found(sitting), sitting.round.event
    later = make_night(0, season=event.season)
    type(event).objects.filter(pk=later.pk).update(date=event.date + datetime.timedelta(days=1))
    there = night_link(later)
    assert there not in known(phone, my_page(sitting))
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    assert there in known(phone, my_page(sitting))


@pytest.mark.django_db
@pytest.mark.parametrize("stake", [5, 0])
def test_a_game_of_ones_own_opens_with_its_places_its_chops_and_then_the_report(stake):
    sitting = make_table(make_night(4, rules="mien-nam", stake=stake))
    names, keys = names_at(sitting), [place.entrant_id for place in sitting.seated]
    chop = Special("chop", keys[2], keys[1], "R")
    play(sitting, names, specials=[chop])
    phone = found(sitting, 1)

    def opened():
        page = html.unescape(known(phone, my_page(sitting)))
        row = page.split('<ol class="rows rows-tight my-games"')[1].split("</details>")[0]
        return " ".join(re.sub(r"<[^>]*>", " ", row.partition("<summary>")[2]).split())

    told = opened()
    sums = r"([+−]?\d+\S*)" if stake else r"(Points: \d)"
    places = [f"\\d {re.escape(name)} {sums}" for name in (names[0], "You", *names[2:])]
    won = re.search(" ".join(f".*{one}" for one in places), told)
    assert won, told
    assert len(set(won.groups())) == 4
    sentence = f"{names[2]} chops {names[1]}: "
    assert told.index(sentence) < told.index("Report a mistake")
    below = f'</details>\n<small class="muted">{html.escape(sentence)}'
    for reader, is_own in ((phone, True), (found(sitting), False)):
        page = re.sub(r">\s+<", ">\n<", known(reader, my_page(sitting)))
        assert (below in page, html.escape(sentence) in page) == (is_own, True)
    phone.post(my_page(sitting), {"game": sitting.results.get().pk, "dispute": "order"})
    assert sentence in opened()
    assert "Report a mistake" not in opened()
    closing.close_event(event=sitting.round.event, by=owner_of(sitting), despite_unfinished=True)
    assert sentence in opened()


def test_the_page_takes_as_many_queries_after_thirty_games_as_after_one(
    sitting, django_assert_max_num_queries
):
    event = sitting.round.event
    type(event).objects.update(scoring=event.scoring | {"games_per_round": 40})
    sitting.refresh_from_db()
    sitting.round.event.refresh_from_db()
    phone = found(sitting)
    for _ in range(12):
        play(sitting)
    with django_assert_max_num_queries(40):
        phone.get(my_page(sitting))


def test_who_confirms_is_asked_for_every_game_though_the_latest_alone_are_listed(sitting):
    event = sitting.round.event
    type(event).objects.update(scoring=event.scoring | {"games_per_round": 40})
    sitting.refresh_from_db()
    sitting.round.event.refresh_from_db()
    phone = found(sitting)
    for games, listed in ((7, 7), (8, 6)):
        while sitting.results.count() < games:
            play(sitting, device="elsewhere")
        page = known(phone, my_page(sitting))
        assert page.count("is this right?") == 6, "a few at a time"
        faces = page.partition('aria-labelledby="games"')[2].count('<span class="faces"')
        assert faces == listed
        assert ("2 more games" in page) is (games > listed), "one alone is listed"
    for left in (6, 6, 6, 5):
        assert known(phone, my_page(sitting)).count("is this right?") == left
        latest = sitting.results.filter(confirmation=None).latest("game_no")
        phone.post(my_page(sitting), {"game": latest.pk, "confirm": 1})


@pytest.mark.django_db(transaction=True)
def test_of_two_phones_at_once_one_gets_the_name():
    sitting = make_table()
    event, player = sitting.round.event, player_at(sitting)
    got, start = [], threading.Barrier(2)

    def tap(phone):
        start.wait()
        try:
            got.append(claims.claim(event=event, player_id=player.pk, phone=phone).pk)
        except Refusal as error:
            got.append(error.code)
        finally:
            connections.close_all()

    phones = [threading.Thread(target=tap, args=(letter * 32,)) for letter in "ab"]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert sorted(map(str, got)) == sorted([str(Claim.objects.get().pk), "taken"])


def test_a_captain_says_on_the_phone_who_of_the_team_sits_in_or_out(sitting):
    event = sitting.round.event
    season, by = event.season, owner_of(event)
    captain, mate, other = (player_at(sitting, chair) for chair in range(3))
    absent = players.add_player(club=season.club, name="Vắng", by=by)
    rosters.save_roster(
        season=season, kind="team", name="Bắc", members=[captain, mate, absent], by=by
    )

    def presence(player):
        return event.entrants.filter(player=player).values_list("presence", flat=True).first()

    def say(phone, player, presence):
        return phone.post(my_page(sitting), {"mate": player.pk, "presence": presence}, follow=True)

    phone = found(sitting)
    assert "You are the captain" in known(phone, my_page(sitting))
    say(phone, mate, "expected")
    say(phone, absent, "here")
    assert (presence(mate), presence(absent)) == ("expected", "here")
    lines = log.log_page(season.club, log.Asked(), None).lines[:2]
    assert [(line.entry.by, line.sentence) for line in lines] == [
        (None, f"{captain}, captain of Bắc, had Vắng sit in."),
        (None, f"{captain}, captain of Bắc, had {mate} sit out."),
    ]
    refused = "Only a team's captain can say who in the team sits in or out."
    second = found(sitting, 1)
    assert "You are the captain" not in known(second, my_page(sitting))
    # Neither someone of no team, nor oneself this way, nor a captain by a mate; nobody is sent off.
    for who, whom in ((phone, other), (phone, captain), (second, absent)):
        assert refused in html.unescape(say(who, whom, "expected").content.decode())
    assert "who sits in or out" in say(phone, absent, "left").content.decode()
    assert [presence(one) for one in (other, captain, absent)] == ["here"] * 3

    api, program = path_of(event, "api:event_team"), Client()
    program.force_login(user := make_member(season.club, "player"))
    body = {"players": [absent.pk], "presence": "expected"}
    assert program.post(api, body, content_type="application/json").status_code == 403
    players.take_player(player=captain, user=user)
    team = program.post(api, body, content_type="application/json").json()
    assert team["name"] == "Bắc"
    assert {one["name"]: one["here"] for one in team["mates"]} == {"Vắng": False, mate.name: False}
    body["players"] = [other.pk]
    assert program.post(api, body, content_type="application/json").status_code == 403
    assert (presence(absent), presence(other)) == ("expected", "here")


@pytest.mark.django_db
def test_who_shares_a_cost_reads_it_on_the_own_page_of_a_night_without_a_stake():
    """The coffee of an evening for points is money, too."""
    sitting = make_table(make_night(season=make_season(make_club(is_public=False))))
    event, by = sitting.round.event, owner_of(sitting)
    phone, payer = found(sitting), player_at(sitting, 1)
    play(sitting)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert "you pay" not in known(phone, my_page(sitting))
    people = [player_at(sitting, chair) for chair in range(4)]
    make_cost(event.season, people, 40, event=event, paid_by=payer)
    shown = " ".join(html.unescape(known(phone, my_page(sitting))).split())
    assert f"you pay <strong>{payer.name}</strong>" in shown

"""Two clubs on one evening: what a person of both is told always says of which club it is."""

import html
import re
from datetime import date, timedelta
from itertools import product

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.clubs.acts import players
from league.models import Audit, Entrant, Event, NewsItem, Place, Season, Sitting
from league.money.facts import open_debts
from league.news.acts import outbox
from league.news.facts import words
from league.nights.acts import attendance, clock, closing, disputes, draws, events, qualifiers
from league.nights.facts.final_places import event_places
from league.recap.pages.tonight import tonight_page
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    confirmed,
    give_role,
    make_club,
    make_cost,
    make_member,
    make_night,
    make_payment,
    make_round,
    make_season,
    make_user,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
    table_link,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db
CLUBS = ("Hội Sông Hồng", "Hội Bến Nghé")


@made_once
def two_clubs():
    """Two private clubs of one organiser, a night of each with one name, and Mai, in both."""
    organiser, mai = make_user("host@club.example"), make_user("mai@club.example")
    for name in CLUBS:
        club = make_club(owner=organiser, is_public=False, name=name)
        night = make_night(8, season=make_season(club, rules="killa"))
        Event.objects.filter(pk=night.pk).update(name="Buổi 1")
        club.players.filter(name="An").update(user=mai, name="Mai")
    return organiser, mai


@pytest.fixture
def organiser(two_clubs):
    return two_clubs[0]


@pytest.fixture
def mai(two_clubs):
    return two_clubs[1]


@pytest.fixture
def nights(two_clubs):
    """The night of each club."""
    return list(Event.objects.select_related("season__club").order_by("pk"))


def test_each_message_names_its_club_once(settings, mai, nights):
    settings.HAS_MAIL = True
    confirmed(mai)
    for night in nights:
        make_round(night)
        outbox.tell(f"night_soon:{night.pk}", night, [mai])
    clubs = (CLUBS[0], CLUBS[0], CLUBS[1], CLUBS[1])
    for news, club in zip(NewsItem.objects.filter(user=mai).order_by("pk"), clubs, strict=True):
        assert "\n".join(words.message_of(news).all_lines).count(club) == 1


@pytest.fixture
def drawn(nights):
    """The night of each club, with a round at its tables."""
    for night in nights:
        make_round(night)
    return nights


def read(client, name, night, *more, **query):
    return html.unescape(client.get(path_of(night, name, *more), query).content.decode())


def call(night, number=1, note="ai đi trước?"):
    """Have the first table of a night's round call the organiser; return the table."""
    table = Sitting.objects.get(round__event=night, round__number=number, table_no=1)
    clock.call_director(sitting=table, by=None, note=note)
    return table


def test_a_call_is_heard_on_the_pages_of_the_other_clubs_night(organiser, drawn):
    here, there = drawn
    host, said = browser_of(organiser), f"Buổi 1 · {CLUBS[1]}: Table 1 needs an organiser."
    pages = (("event", []), ("check_in", []), ("round", [1]))
    for name, more in (("needs", []), *pages):
        assert said not in read(host, name, here, *more)
    table = call(there)
    for name, more in pages:
        assert said in read(host, name, here, *more), "with the page: nothing moves below it"
    for asked in ({}, {"others": 1}, {"known": "0", "others": 1}):
        assert said in read(host, "needs", here, **asked)
    assert said not in read(host, "needs", there), "its own night says so without its name"
    assert "Table 1 needs an organiser." in read(host, "needs", there)
    people = read(host, "check_in", there)
    assert ("Table 1 needs an organiser." in people, "next-step" in people) == (True, False)
    assert "Table 1: calls the organiser" not in people, "the line above says it"
    assert "Table 1: calls the organiser" in read(host, "event", there)
    assert "Table 1 needs an organiser." not in read(host, "needs", there, others=1)
    assert "The organiser is called: table 1." in host.get("/").content.decode()
    clock.come_to_call(sitting=table, by=organiser)
    assert said not in read(host, "needs", here)
    assert "The organiser is called" not in host.get("/").content.decode()
    beside = make_night(0, season=here.season)
    people = here.entrants.values_list("player", flat=True)
    attendance.set_presence(event=beside, player_ids=[*people], presence="here", by=organiser)
    make_round(beside)
    call(beside)
    own = f">{beside.name}: Table 1 needs an organiser.<"
    assert own in read(host, "needs", here), "of the same club: its name is said on the page"


def test_what_a_page_knows_of_other_nights_is_not_sent_again(organiser, drawn):
    call(drawn[1])
    address = path_of(drawn[0], "needs")
    host = browser_of(organiser)
    known = re.search(r"known=([\d-]+)", host.get(address).content.decode())[1]
    assert host.get(address, {"known": known}).status_code == 204
    call(drawn[0])
    assert host.get(address, {"known": known}).status_code == 200


def test_a_dispute_and_a_draw_that_nobody_released_are_heard_too(organiser, nights):
    here, there = nights
    (played,) = [make_round(night) for night in nights][1:]
    tables = list(played.sittings.all())
    play(tables[0])
    disputes.open_dispute(sitting_id=tables[0].pk, game_no=1, by=None, device="a" * 16)
    host = browser_of(organiser)
    assert f"{CLUBS[1]}: Table {tables[0].table_no} needs" in read(host, "needs", here)
    disputes.dismiss(sitting_id=tables[0].pk, game_no=1, by=organiser, reason="đúng")
    draws.draw_round(event=there, by=organiser, anyway=True)
    said = "Round 2 is drawn, not released yet."
    assert said not in read(host, "needs", here), "while games are played"
    for table, game in product(tables, range(1, 5)):
        if (table, game) != (tables[0], 1):
            play(table, game_no=game)
    assert f"Buổi 1 · {CLUBS[1]}: {said}" in read(host, "needs", here)
    assert said in host.get("/").content.decode()


def test_only_the_organisers_of_a_club_hear_its_calls(settings, mai, drawn):
    settings.HAS_MAIL = True
    here, there = drawn
    scorer, foreign = (
        make_member(there.season.club, "scorer"),
        make_member(here.season.club, "organiser"),
    )
    for user in (mai, scorer, foreign, owner_of(there)):
        confirmed(user)
    table = call(there)
    told = NewsItem.objects.filter(kind="called")
    assert {news.user for news in told} == {owner_of(there)}
    assert words.message_of(told.get()).all_lines == [
        "Buổi 1: có bàn gọi ban tổ chức", "Vòng đấu 1, bàn 1", "ai đi trước?", CLUBS[1],
    ]  # fmt: skip
    assert CLUBS[1] not in read(browser_of(foreign), "needs", here)
    clock.answer_call(sitting=table, by=None)
    assert words.message_of(told.get()) is None
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        call(there)
    assert told.all().count() == 2, "each call is told"


def line_of(page):
    """The line below the title in the frame of a page."""
    (frame,) = re.findall(r'<header class="frame">.*?</header>', page, re.S)
    return " ".join(re.search(r"<p>(.*?)</p>", frame, re.S)[1].split())


@pytest.mark.parametrize(
    ("name", "more"),
    [("event", []), ("check_in", []), ("round", [1]), ("table", [1, 1]), ("event_money", [])],
)
def test_a_nights_pages_begin_their_line_with_the_club_for_whom_knows_two(
    organiser, nights, name, more
):
    here = nights[0]
    Event.objects.filter(pk=here.pk).update(stake=10)
    make_round(here)
    one = make_member(here.season.club, "organiser")
    assert line_of(read(browser_of(organiser), name, here, *more)).startswith(f"{CLUBS[0]} · ")
    assert CLUBS[0] not in line_of(read(browser_of(one), name, here, *more))
    make_club(name="Hội Ba", owner=one)
    assert line_of(read(browser_of(one), name, here, *more)).startswith(f"{CLUBS[0]} · ")


def test_a_phone_with_names_in_two_clubs_reads_the_club_at_its_table(drawn):
    phone = Client()
    tables = [Sitting.objects.get(round__event=night, table_no=1) for night in drawn]
    here = table_link(tables[0], 1)
    for table in tables:
        phone.post(night_link(table.round.event), {"me": table.seated[0].entrant.player_id})
        named = line_of(phone.get(here).content.decode()).startswith(f"{CLUBS[0]} · ")
        assert named is (table == tables[1]), "once the phone has a name in the other club"


def test_what_is_printed_and_the_code_name_the_club(organiser, nights):
    make_round(nights[0])
    host = browser_of(organiser)
    sheet = f"{CLUBS[0]} · Buổi 1 ·"
    assert sheet in " ".join(read(host, "print", nights[0], 1).split())
    assert f"Buổi 1 · {CLUBS[0]}" in read(host, "night_qr", nights[0])


def test_a_default_name_carries_its_day():
    name = events.default_name(make_season(), date(2015, 11, 28))
    assert name == "Night 1, 28/11"
    assert events.next_name(name, date(2015, 12, 5)) == "Night 2, 5/12"
    assert events.next_name(name) == "Night 2", "as the next of a recipe"
    assert events.next_name("Night 3") == "Night 4"
    repeated = events.dated("Đêm hội", date(2015, 12, 31))
    assert events.next_name(repeated, date(2016, 1, 7), date(2015, 12, 31)) == "Đêm hội 7/1/2016"


def test_an_untouched_name_follows_the_day_that_is_chosen(organiser, nights):
    club = nights[0].season.club
    host, address = browser_of(organiser), path_of(club, "night_create")
    form = host.get(address).context["form"]
    sent = {
        name: form[name].value() for name in form.fields if form[name].value() not in (None, False)
    }
    assert sent["name"] == events.default_name(nights[0].season, sent["date"])
    day = club.today + timedelta(days=3)
    host.post(address, sent | {"date": day.isoformat()})
    assert Event.objects.latest("pk").name == f"Night 2, {day.day}/{day.month}"


def blocks_of(page):
    """The text of each club's block of a page, by the club's name in its heading."""
    parts = re.findall(
        r'<section class="of-club".*?(?=<section class="of-club"|</main>)', page, re.S
    )
    texts = [" ".join(re.sub(r"<[^>]+>", " ", part).split()) for part in parts]
    return {club: text for text in texts for club in CLUBS if text.startswith(club)}


def won_and_lost(mai, nights):
    """Play one game at Mai's tables: she loses 10 in the first club and wins 20 in the other."""
    tables = []
    for night, stake in zip(nights, (10, 20), strict=True):
        Event.objects.filter(pk=night.pk).update(stake=stake)
        give_role(night.season.club, mai, "player")
        make_round(Event.objects.get(pk=night.pk))
        seat = Place.objects.get(sitting__round__event=night, entrant__player__user=mai)
        others = [name for name in names_at(seat.sitting) if name != "Mai"]
        play(seat.sitting, ["Mai", *others] if stake == 20 else [*others, "Mai"])
        tables.append(seat.sitting.table_no)
    return tables


def test_tonight_and_me_have_a_block_for_each_club(mai, nights):
    tables = won_and_lost(mai, nights)
    third = make_night(0, season=nights[1].season)
    third_pair = [nights[1], third]
    attendance.set_presence(
        event=third, player_ids=[p.pk for p in third.season.club.players.all()[:4]],
        presence="here", by=owner_of(third),
    )  # fmt: skip
    make_round(third)
    client = browser_of(mai)
    tonight = blocks_of(html.unescape(client.get("/").content.decode()))
    assert list(tonight) == list(CLUBS)
    for table, club in zip(tables, CLUBS, strict=True):
        assert f"You sit at table {table}" in tonight[club]
    assert all(night.name in tonight[CLUBS[1]] for night in third_pair), "all that runs"
    assert not any("You owe" in block or "owes you" in block for block in tonight.values())
    for night in nights:
        put_to_yesterday(night.season)
    tonight = blocks_of(html.unescape(client.get("/").content.decode()))
    assert "You owe" in tonight[CLUBS[0]]
    assert "You owe" not in tonight[CLUBS[1]]
    assert "owes you" in tonight[CLUBS[1]]
    me = blocks_of(html.unescape(client.get("/people/me/").content.decode()))
    assert "−10" in me[CLUBS[0]]
    assert "+20" in me[CLUBS[1]]
    assert "Buổi 1" in me[CLUBS[0]]
    assert "Buổi 1" in me[CLUBS[1]]


def test_all_debts_stand_on_tonight(nights):
    night = nights[0]
    club, payer = night.season.club, night.season.club.players.get(name="Mai")
    give_role(club, payer.user, "player")
    for payee in club.players.exclude(pk=payer.pk)[:6]:
        make_cost(night.season, [payer, payee], 20, paid_by=payee, note="bia")
    Season.objects.filter(pk=night.season_id).update(status="closed")
    later = make_season(club)
    make_cost(later, [payer, payee], 14, paid_by=payee, note="bia")
    page = tonight_page(payer.user)
    assert sum(debt.amount for debt in page.blocks[0].debts) == -67, "of a closed season too"
    assert {debt.season for debt in page.blocks[0].debts} == {night.season, later}


def test_a_seventh_club_whose_night_runs_is_not_cut_off(mai, nights):
    for number in range(6):
        give_role(make_club(name=f"Hội trước {number}"), mai, "player")
    last = make_night(4)
    give_role(last.season.club, mai, "player")
    make_round(last)
    assert tonight_page(mai).blocks[0].club == last.season.club


def test_a_club_without_a_night_and_debts_has_no_block(mai, nights):
    give_role(make_club(name="Hội Ba"), mai, "player")
    for night in nights:
        give_role(night.season.club, mai, "player")
    page = html.unescape(browser_of(mai).get("/").content.decode())
    assert list(blocks_of(page)) == list(CLUBS)
    assert "Hội Ba" in page, "below, among the clubs"


@pytest.fixture
def phone_of_both(nights):
    """A phone without an account that has a name in both nights, first in the first."""
    phone, links = Client(), []
    for night in nights:
        Event.objects.filter(pk=night.pk).update(stake=10)
        table = make_round(Event.objects.get(pk=night.pk)).sittings.get(table_no=1)
        links.append(night_link(night))
        phone.post(links[-1], {"me": table.seated[0].entrant.player_id})
        phone.get(links[-1])
    return phone, links


def front_of(phone):
    return phone.get("/", follow=True).redirect_chain[-1][0]


def test_a_phone_is_led_to_the_night_it_used_last_which_names_the_other(phone_of_both, nights):
    phone, links = phone_of_both
    for link, other in zip(links, CLUBS[::-1], strict=True):
        assert f"Buổi 1 · {other}" in html.unescape(phone.get(link).content.decode())
        assert front_of(phone) == link
    closing.close_event(event=nights[1], by=owner_of(nights[1]), despite_unfinished=True)
    assert front_of(phone) == links[0], "where something still goes on"


def test_what_an_ended_night_left_open_stays_on_the_phones_pages(phone_of_both, nights):
    phone, links = phone_of_both
    play(Sitting.objects.get(round__event=nights[0], table_no=1))
    owner = owner_of(nights[0])
    closing.close_event(event=nights[0], by=owner, despite_unfinished=True)
    assert f"Buổi 1 · {CLUBS[0]}" in (page := html.unescape(phone.get(links[1]).content.decode()))
    assert "Money is owed to you" in page
    assert "+10" in page
    with time_machine.travel(timezone.now() + timedelta(days=9)):
        page = html.unescape(phone.get("/").content.decode())
        assert f"Buổi 1 · {CLUBS[0]}" in page
        assert CLUBS[1] not in page
    for payment in open_debts.of_night(nights[0]):
        pair = payment.payer.player, payment.payee.player
        make_payment(nights[0].season, *pair, payment.amount, event=nights[0], by=owner)
    assert CLUBS[0] not in html.unescape(phone.get(links[1]).content.decode())


def arrive(phone, nights):
    """Have a phone say at both nights that it is the same person's, who is here at each."""
    people = []
    for night in nights:
        player = night.season.club.players.get(name="Bình")
        phone.post(night_link(night), {"me": player.pk})
        people.append(player)
    return people


def presence_at(night, player):
    entrant = Entrant.objects.get(event=night, player=player)
    return entrant.presence, entrant.leaves_after


QUESTION = "You are also at Buổi 1 · {}. Leave it?"


@pytest.mark.parametrize(
    ("when", "then"),
    [("now", ("left", None)), ("round", ("here", 1)), ("never", ("here", None))],
)
def test_a_phone_at_a_second_night_is_asked_whether_it_leaves_the_first(nights, when, then):
    first, second = nights
    make_round(first)
    phone = Client()
    player, _other = arrive(phone, nights)
    link = night_link(second)
    asked = QUESTION.format(CLUBS[0])
    assert asked in html.unescape(phone.get(link).content.decode())
    assert asked not in html.unescape(Client().get(link).content.decode())
    phone.post(link, {"other": first.pk, "when": when})
    assert presence_at(first, player) == then
    assert "You are also at" not in phone.get(link).content.decode()


def test_a_night_that_is_closed_asks_nobody_to_leave_another(nights):
    phone, second = Client(), nights[1]
    arrive(phone, nights)
    link = night_link(second)
    assert "You are also at" in phone.get(link).content.decode()
    closing.close_event(event=second, by=owner_of(second), despite_unfinished=True)
    assert "You are also at" not in phone.get(link).content.decode()


def test_other_nights_stand_as_closed_lines_below_the_own_table(phone_of_both, nights):
    phone, links = phone_of_both
    page = html.unescape(phone.get(links[1]).content.decode())
    line = page.index(QUESTION.format(CLUBS[0]))
    assert page.index("my-seats-card") < line < page.index('name="when" value="never"')
    assert re.search(r"<details>\s*<summary>\s*You are also at", page)
    later = phone.get(f"{links[1]}?version=0").content.decode()
    assert '<div id="elsewhere" hx-preserve>' in later, "the page keeps its own"


def test_organisers_read_only_after_which_round_somebody_goes(organiser, nights):
    first, second = nights
    make_round(first)
    phone = Client()
    player, _other = arrive(phone, nights)
    phone.post(night_link(second), {"other": first.pk, "when": "round"})
    here = make_member(first.season.club, "organiser")
    page = read(browser_of(here), "check_in", first)
    assert "goes after round 1" in page
    log = html.unescape(browser_of(here).get(path_of(first.season.club, "audit")).content.decode())
    assert "Bình goes after round 1." in log
    assert CLUBS[1] not in page + log
    assert not Audit.objects.filter(event=second, action="event.goes").exists()
    drawn = make_round(first)
    assert presence_at(first, player) == ("left", None)
    assert not Place.objects.filter(round=drawn, entrant__player=player).exists()


def test_who_goes_after_a_round_plays_it_though_its_draw_was_withdrawn(organiser, nights):
    drawn = make_round(nights[0])
    player = drawn.sittings.first().places.first().entrant.player
    attendance.leave(event=nights[0], player_id=player.pk, after_round=True)
    draws.discard_round(round_=drawn, by=organiser, reason="wrong tables")
    again = make_round(nights[0])
    assert presence_at(nights[0], player) == ("here", 1)
    assert Place.objects.filter(round=again, entrant__player=player).exists()
    make_round(nights[0])
    assert presence_at(nights[0], player) == ("left", None)


def test_an_account_that_says_im_here_is_asked_too(mai, nights):
    first, second = nights
    for night in nights:
        give_role(night.season.club, mai, "player")
    at_second = second.season.club.players.get(name="Mai")
    attendance.set_presence(event=second, player_ids=[at_second.pk], presence="expected", by=None)
    client, link = browser_of(mai), night_link(second)
    asked = QUESTION.format(CLUBS[0])
    assert asked not in html.unescape(client.get(link).content.decode())
    client.post(link, {"presence": "here"})
    assert asked in html.unescape(client.get(link).content.decode())
    client.post(link, {"other": first.pk, "when": "round"})
    at_first = first.season.club.players.get(name="Mai")
    assert presence_at(first, at_first) == ("left", None), "no round is played"


@pytest.mark.parametrize("way", ["comes back", "is added at the door"])
def test_whoever_is_here_again_does_not_go_after_the_round(organiser, nights, way):
    make_round(nights[0])
    player, _other = arrive(Client(), nights)
    attendance.leave(event=nights[0], player_id=player.pk, after_round=True)
    here = {"event": nights[0], "by": organiser}
    if way == "comes back":
        attendance.set_presence(player_ids=[player.pk], presence="here", **here)
    else:
        attendance.add_guest(name=player.name, **here)
    assert presence_at(nights[0], player) == ("here", None)


def test_nobody_leaves_a_night_for_another_phone(nights):
    phone, stranger = Client(), Client()
    player, _other = arrive(phone, nights)
    link = night_link(nights[1])
    stranger.post(link, {"me": nights[1].season.club.players.get(name="Chi").pk})
    stranger.post(link, {"other": nights[0].pk, "when": "now"})
    assert presence_at(nights[0], player) == ("here", None)


def play_out(night):
    """Play one game at each table of a night of 16; return its best eight, in order."""
    by = owner_of(night)
    names = [f"{night.season.club.name[4:6]} {number}" for number in range(1, 9)]
    found = players.add_players(club=night.season.club, text="\n".join(names), by=by).players
    attendance.set_presence(
        event=night, player_ids=[one.pk for one in found], presence="here", by=by
    )
    for table in make_round(night).sittings.all():
        play(table, sorted(names_at(table)))
    return [placed.player.name for placed in event_places(night)[:9]]


def cup_of(organiser, nights, **more):
    """Create, by the form of a club's new night, the cup of the best eight of both nights."""
    club = nights[0].season.club
    host = browser_of(organiser)
    address = path_of(club, "night_create") + "?like=cup"
    form = host.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    ticked = {"of-best": "8", "of-nights": [night.pk for night in nights]} | more
    return host, host.post(address, sent | ticked)


def test_a_cup_of_the_best_of_two_nights_needs_no_typing(organiser, nights):
    best = [play_out(night) for night in nights]
    host, answer = cup_of(organiser, nights)
    cup = Event.objects.latest("pk")
    assert answer.url == path_of(cup, "check_in")
    sent = Entrant.objects.filter(event=cup).select_related("player")
    assert len(sent) == 16
    assert {one.player.name for one in sent if one.from_club == CLUBS[0]} == set(best[0][:8])
    assert sorted(one.from_place for one in sent) == sorted([*range(1, 9), *range(1, 9)])
    people = [one.player_id for one in sent]
    host.post(answer.url, {"presence": "here", "player": people})
    drawn = draws.draw_round(event=cup, by=organiser)
    places = {one.pk: (one.from_club, one.from_place) for one in sent}
    for table in drawn.sittings.all():
        seated = [places[place.entrant_id] for place in table.seated]
        assert sorted(club for club, _place in seated) == sorted([*CLUBS, *CLUBS])
        assert sum(place == 1 for _club, place in seated) <= 1, "the winners meet later"


def test_somebody_among_the_best_of_both_nights_plays_once_and_the_next_moves_up(organiser, nights):
    for night in nights:
        make_round(night)
        for table in night.rounds.get().sittings.all():
            play(table, sorted(names_at(table)))
    cup_of(organiser, nights, **{"of-best": "3"})
    cup = Event.objects.latest("pk")
    assert cup.entrants.count() == 6
    assert len(set(cup.entrants.values_list("player__name", flat=True))) == 6


def test_a_cup_asks_for_its_best_in_the_sheet_that_says_who_is_invited(organiser, drawn):
    page = browser_of(organiser).get(path_of(drawn[0].season.club, "night_create") + "?like=cup")
    opened = re.findall(r"<details[^>]* open>", page.content.decode())
    assert opened == [], "choosing a recipe opens nothing"
    _host, answer = cup_of(organiser, drawn[:1], **{"of-best": "3", "preview": "1"})
    assert answer.context["form"].sentence[-1].words == f"the best 3 of {drawn[0].name}"
    _host, answer = cup_of(organiser, drawn, **{"of-best": "0"})
    assert answer.context["form"].wrong == ["Who is asked?"]


def test_only_nights_that_one_organises_give_their_best(organiser, nights):
    foreign = make_night(8)
    for table in make_round(foreign).sittings.all():
        play(table)
    _host, answer = cup_of(organiser, [nights[0], foreign])
    assert answer.status_code in (200, 422)
    assert not Event.objects.filter(pk__gt=foreign.pk).exists()
    with pytest.raises(Refusal):
        qualifiers.invite_best(event=nights[0], nights=[foreign], best=8, by=organiser)

"""Who may confirm a game, and how a dispute is opened and resolved."""

import html
import re
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from league.clubs.acts import players
from league.log.pages import entries as log
from league.models import Confirmation, Dispute, Placing, Result
from league.nights.acts import closing, disputes
from league.nights.facts import events as selector
from league.nights.facts.night import Night
from league.nights.facts.other_places import order_with, other_places
from league.nights.pages.next_step import step_of
from league.seasons.facts.standings import event_standings
from tests.factories import (
    browser_of,
    correct,
    game_form,
    make_member,
    make_night,
    make_table,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
    secret_of,
    stored,
    table_link,
)
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def table_of(confirmed_by):
    return make_table(make_night(confirmed_by=confirmed_by, games_per_round=3))


@made_once
def witnessed():
    """A table whose games another player confirms."""
    return table_of("player")


def club_of(sitting):
    return sitting.round.event.season.club


def confirm(result, **who):
    values = {"by": None, "device": "", "organises": False} | who
    return disputes.confirm(
        sitting_id=result.sitting_id, game_no=result.game_no, version=result.version, **values
    )


def refused(result, **who):
    with pytest.raises(ValidationError) as error:
        confirm(result, **who)
    return error.value.code


def waiting(sitting):
    return [table.waiting for table in selector.unconfirmed(sitting.round.event)]


def test_another_phone_confirms_and_the_same_phone_does_not(witnessed):
    result = play(witnessed, device="aaaa")
    assert refused(result, device="aaaa") == "own"
    assert waiting(witnessed) == [1]
    confirm(result, device="bbbb")
    confirm(result, device="cccc")
    assert waiting(witnessed) == []
    assert Confirmation.objects.get().device == "bbbb"


def test_another_account_confirms_and_the_same_account_does_not(witnessed):
    me, other = (make_member(club_of(witnessed), "player") for _ in range(2))
    result = play(witnessed, by=me)
    assert refused(result, by=me) == "own"
    assert confirm(result, by=other).by == other


def test_nobody_confirms_a_game_that_was_not_played(witnessed):
    void = correct(play(witnessed, device="aaaa"), [], void=True)
    assert refused(void, device="bbbb") == "own"
    assert refused(void, by=owner_of(club_of(witnessed)), organises=True) == "own"


def test_where_organisers_confirm_players_do_not():
    sitting = table_of("organiser")
    result = play(sitting, device="aaaa")
    assert refused(result, device="bbbb") == "own"
    assert confirm(result, by=owner_of(club_of(sitting)), organises=True)


def test_a_correction_has_to_be_confirmed_again(witnessed):
    first = play(witnessed, device="aaaa")
    confirm(first, device="bbbb")
    second = correct(first, names_at(witnessed)[::-1])
    assert waiting(witnessed) == [1]
    assert refused(first, device="bbbb") == "stale"
    witnessed.round.event.status = "closed"  # Nobody can confirm any more, so nothing asks to.
    assert waiting(witnessed) == []
    witnessed.round.event.status = "open"
    confirm(second, device="bbbb")
    assert waiting(witnessed) == []


def dispute(sitting, **details):
    values = {"game_no": 1, "by": None, "device": "aaaa", "note": "Lan was second"} | details
    return disputes.open_dispute(sitting_id=sitting.pk, **values)


def test_a_dispute_is_open_once_per_game_and_organisers_see_it(sitting):
    play(sitting)
    assert dispute(sitting) == dispute(sitting, note="again")
    assert [d.note for d in selector.asked(sitting.round.event)[0]] == ["Lan was second"]


def test_a_correction_resolves_it(sitting):
    first = play(sitting)
    dispute(sitting)
    correct(first, names_at(sitting)[::-1])
    assert Dispute.objects.get().outcome == "corrected"


def test_a_correction_that_changes_and_says_nothing_is_refused(sitting):
    game = play(sitting)
    dispute(sitting)
    with refuses("unchanged"):
        correct(game, names_at(sitting), by=owner_of(club_of(sitting)))
    assert Dispute.objects.get().outcome == Dispute.Outcome.OPEN
    assert Result.objects.get() == game
    void = correct(game, names_at(sitting), void=True)
    with refuses("unchanged"):
        correct(void, names_at(sitting), void=True)
    assert not correct(void, names_at(sitting)).void


def test_it_is_dismissed_with_a_reason_and_can_be_opened_again(sitting):
    play(sitting)
    dispute(sitting)
    by = owner_of(club_of(sitting))
    with pytest.raises(ValidationError):
        disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="  ")
    disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="The sheet says so")
    with pytest.raises(ValidationError, match="has decided this dispute"):
        disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="I saw it")
    dispute(sitting)
    assert sorted(Dispute.objects.values_list("outcome", "reason")) == [
        ("dismissed", "The sheet says so"), ("open", ""),
    ]  # fmt: skip


def test_a_game_that_is_not_entered_cannot_be_disputed():
    with refuses("unknown"):
        dispute(make_table())


def test_a_night_with_an_open_dispute_is_closed_only_on_purpose():
    sitting = make_table(make_night(games_per_round=1, rounds_planned=1), games=1)
    dispute(sitting)
    event, by = sitting.round.event, owner_of(club_of(sitting))
    with pytest.raises(ValidationError) as error:
        closing.close_event(event=event, by=by)
    assert error.value.messages == [
        "Disputed: round 1, table 1, game 1. Decide it, or close anyway."
    ]
    step = step_of(Night(event))
    assert step.title == "Table 1, game 1: disputed"
    assert [action.text for action in step.actions[:2]] == ["View table 1", "Close the night"]
    assert [action.tone for action in step.actions[:2]] == ["primary", ""]
    assert closing.close_event(event=event, by=by, despite_unfinished=True).status == "closed"


def test_the_database_asks_for_the_reason(sitting):
    play(sitting)
    dispute(sitting)
    with pytest.raises(IntegrityError, match="dispute_resolved"), transaction.atomic():
        Dispute.objects.update(outcome="dismissed")


def test_two_phones_at_one_table_enter_and_confirm_by_its_link(witnessed):
    here = table_link(witnessed, 1)
    first, second = Client(), Client()
    first.post(here, game_form(witnessed))
    button = f'action="{here}games/1/confirm/"'
    assert (button in first.get(here).content.decode()) is False
    assert (button in second.get(here).content.decode()) is True
    second.post(f"{here}games/1/confirm/", {"version": 1})
    assert Confirmation.objects.count() == 1
    first.post(f"{here}games/1/dispute/", {"note": "no"})
    assert Dispute.objects.get().note == "no"


def test_a_confirmation_makes_nobody_elses_table_stale():
    here, there = table_of("player"), table_of("player")
    before = there.version
    confirm(play(here, device="aaaa"), device="bbbb")
    assert stored(there).version == before


def test_an_organiser_confirms_all_at_once_but_what_is_disputed(witnessed):
    for game in (1, 2, 3):
        play(witnessed, game_no=game, device="aaaa")
    event, by = witnessed.round.event, owner_of(club_of(witnessed))
    client = browser_of(by)
    path = path_of(event, "confirm_all")
    night = path_of(event, "event")
    assert [path in one.get(night).content.decode() for one in (client, Client())] == [True, False]
    dispute(witnessed, game_no=2)
    assert "2 games confirmed." in client.post(path, follow=True).content.decode()
    confirmed = Confirmation.objects.values_list("result__game_no", flat=True)
    assert sorted(confirmed) == [1, 3]
    assert waiting(witnessed) == [1]
    assert disputes.confirm_all(event=event, by=by) == 0


def test_strangers_do_not_read_what_a_table_complains_about(sitting):
    play(sitting)
    dispute(sitting, note="Lan was second")
    event = sitting.round.event
    path = path_of(event, "event")
    assert "Lan was second" not in Client().get(path).content.decode()
    member = browser_of(make_member(club_of(sitting), "player"))
    assert "Lan was second" in member.get(path).content.decode()
    game = path_of(event, "game", 1, 1, 1)
    assert "Lan was second" in member.get(game).content.decode()
    seen = Client().get(game).content.decode()
    assert "No organiser has looked at it yet." in seen
    assert "Lan was second" not in seen


def test_strangers_do_not_read_why_a_game_was_corrected_or_stands(sitting):
    game = play(sitting)
    path = path_of(sitting.round.event, "game", 1, 1, 1)
    member = browser_of(make_member(club_of(sitting), "player"))
    said = {answer_kept: "The sheet says so", answer_corrected: "Swapped by mistake"}
    for answer, words in said.items():
        dispute(sitting)
        answer(game, owner_of(club_of(sitting)))
        assert [words in read(one, path) for one in (member, Client())] == [True, False]


def phone_of(sitting, chair=0):
    """A phone that said to be the player's in that chair, and the player."""
    player, phone = sitting.seated[chair].entrant.player, Client()
    secret = secret_of(sitting)
    phone.post(reverse("league:link_me", args=[secret, 1]), {"player": player.pk})
    return phone, player


def pages_of(sitting):
    """A player's page of the night, and the table's page by its link."""
    return night_link(sitting.round.event), table_link(sitting, 1)


def read(client, path):
    return html.unescape(client.get(path).content.decode())


def test_a_report_says_who_and_what_to_the_organisers_and_in_the_log():
    sitting = make_table(make_night(stake=5))
    game = play(sitting, device="elsewhere")
    my_night, _table = pages_of(sitting)
    phone, player = phone_of(sitting)
    assert "Report a mistake" in read(phone, my_night)
    phone.post(my_night, {"game": game.pk, "dispute": "order", "note": "I was second"})
    told = Dispute.objects.get()
    assert (told.kind, told.note, told.player) == ("order", "I was second", player)
    event = sitting.round.event
    host = browser_of(owner_of(club_of(sitting)))
    for name, *more in (("event", []), ("game", [1, 1, 1])):
        shown = read(host, path_of(event, name, *more[0]))
        assert f"{player.name}: Wrong order. I was second" in shown
    log = read(host, path_of(event.season.club, "audit"))
    said = f"{player.name} reported game 1 at table 1: Wrong order. “I was second”"
    assert said in log


def test_a_report_from_the_tables_link_names_the_phones_player_or_nobody(sitting):
    play(sitting, game_no=1)
    play(sitting, game_no=2)
    _my_night, table = pages_of(sitting)
    phone, player = phone_of(sitting, 1)
    phone.post(f"{table}games/1/dispute/", {"dispute": "specials"})
    Client().post(f"{table}games/2/dispute/", {})
    found = Dispute.objects.values_list("game_no", "kind", "player").order_by("game_no")
    assert list(found) == [(1, "specials", player.pk), (2, "other", None)]
    assert [d.told for d in selector.asked(sitting.round.event)[0]] == [
        f"{player.name}: Wrong chops or penalties.",
        "A phone at the table: Something else.",
    ]


def test_a_member_who_reports_is_named_by_the_player_or_the_account(sitting):
    play(sitting)
    member = make_member(club_of(sitting), "player")
    path = path_of(club_of(sitting), "dispute", sitting.round.event_id, 1, 1, 1)
    browser_of(member).post(path, {"dispute": "order"})
    assert Dispute.objects.get().told == f"{member}: Wrong order."
    Dispute.objects.all().delete()
    player = sitting.seated[2].entrant.player
    players.take_player(player=player, user=member)
    browser_of(member).post(path, {"dispute": "order"})
    assert Dispute.objects.get().told == f"{player.name}: Wrong order."


def test_a_kind_that_is_none_is_refused(sitting):
    play(sitting)
    with pytest.raises(ValidationError):
        dispute(sitting, kind="theft")
    assert not Dispute.objects.exists()


def answer_kept(game, by):
    disputes.dismiss(sitting_id=game.sitting_id, game_no=1, by=by, reason="The sheet says so")


def answer_corrected(game, by):
    correct(game, names_at(game.sitting)[::-1], by=by, reason="Swapped by mistake")


def answer_unchanged(game, by):
    correct(game, names_at(game.sitting), by=by, reason="Asked everyone")


def answer_void(game, by):
    correct(game, names_at(game.sitting), by=by, void=True, reason="Misdeal")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (answer_kept, "Table 1, game 1 stays as it is: The sheet says so"),
        (answer_unchanged, "Table 1, game 1 stays as it is: Asked everyone"),
        (answer_corrected, "Table 1, game 1 was corrected: Swapped by mistake"),
        (answer_void, "Table 1, game 1 no longer counts: Misdeal"),
    ],
)
def test_the_answer_reaches_the_phone_that_reported_and_stays_for_the_night(sitting, answer, told):
    game = play(sitting, device="elsewhere")
    my_night, table = pages_of(sitting)
    phone, _player = phone_of(sitting)
    other, _other = phone_of(sitting, 1)
    phone.post(my_night, {"game": game.pk, "dispute": "order"})
    before = phone.get(my_night).context["event"].version
    by = owner_of(club_of(sitting))
    answer(game, by)
    assert told in html.unescape(phone.get(my_night, {"version": before}).content.decode())
    assert told in read(phone, table)
    assert told not in read(other, my_night)
    event = sitting.round.event
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert told in read(phone, my_night)
    assert told not in read(Client(), path_of(club_of(sitting), "table", event.pk, 1, 1))


def test_a_disputed_game_asks_its_organiser_two_things_and_keeps_the_rest_in_its_menu(client):
    """What is told comes first; history and a further report stand in the bar.

    A wide screen has room for the history beside it.
    """
    sitting = make_table(make_night(stake=5), games=1)
    event = sitting.round.event
    at = [event.season.club.slug, event.pk, sitting.round.number, sitting.table_no, 1]
    client.force_login(owner_of(event))
    path = reverse("league:game", args=at)
    assert client.get(path).context["page"].asks is None
    dispute = disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, note="An was second")
    page = client.get(path)
    bar, main = html.unescape(page.content.decode()).split('<main id="main"')
    assert page.context["page"].asks.dispute == dispute
    asked, _beside, history = main.partition('<div class="claim-aside">')
    assert ["History" in part for part in (bar, asked, history)] == [True, False, True]
    assert ["Report a mistake" in part for part in (bar, main)] == [True, False]
    assert ['name="void"' in part for part in (bar, main)] == [True, False], "far from Save"
    assert re.search(r"Correct this game\s+<small>the table is told", main)
    assert "An was second" in main
    client.post(reverse("league:dismiss", args=at), {"reason": "The sheet says so"})
    assert "History" in client.get(path).content.decode().split('<main id="main"')[1]


@pytest.mark.parametrize("role", ["organiser", "scorer"])
def test_a_place_that_is_claimed_is_let_stand_or_recorded_in_two_taps(client, role):
    """The button beside both orders records what the player says; specials and money follow."""
    sitting = make_table(make_night(rules="mien-nam", stake=5))
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    event = sitting.round.event
    keys = {place.entrant.player.name: place.entrant for place in sitting.places.all()}
    phone = Client()
    phone.post(night_link(event), {"me": keys[c].player_id})
    my_night = night_link(event)
    shown = phone.get(my_night).content.decode()
    assert [f'name="place" value="{n}"' in shown for n in (1, 2, 3, 4)] == [True, True, False, True]
    (game,) = Result.objects.filter(sitting=sitting)
    for odd in ("3", "5", "0"):  # It is theirs already, or nobody's.
        phone.post(my_night, {"game": game.pk, "place": odd})
        assert not Dispute.objects.exists()
    phone.post(my_night, {"game": game.pk, "place": "2", "note": "Ask Lan"})
    claimed = Dispute.objects.get()
    assert (claimed.place, claimed.kind) == (2, "")
    assert claimed.told == f"{c}: I was second, not third. Ask Lan"
    client.force_login(make_member(event.season.club, role))
    at = [event.season.club.slug, event.pk, sitting.round.number, sitting.table_no, 1]
    path = reverse("league:game", args=at)
    shown = client.get(path)
    claim, text = shown.context["page"].asks.claim, shown.content.decode()
    assert claim.record == f"Record {c} as second"
    assert [(one.rank, one.player.name, one.money) for one in claim.places] == [
        (1, a, 10), (2, c, 5), (3, b, -5), (4, d, -10),
    ]  # fmt: skip
    assert claim.lines == [(1, 1), (3, 2), (2, 3), (4, 4)]
    assert (claim.moved, text.count('<li class="moved">')) == ([2, 3], 4), "in both orders"
    recorded = shown.context["page"].seats
    assert [(one.rank, one.player.name, one.money) for one in recorded] == [
        (1, a, 10), (2, b, 5), (3, c, -5), (4, d, -10),
    ]  # fmt: skip
    assert [(player.name, more) for player, more in claim.changes] == [(c, 10), (b, -10)]
    points = {one.player.name: one.row.points for one in event_standings(event)}
    assert [(player.name, now) for player, now, _then in claim.points] == [
        (b, points[b]), (c, points[c]),
    ]  # fmt: skip
    assert claim.order == ",".join(str(keys[name].pk) for name in (a, c, b, d))
    assert "Ask Lan" in text
    assert re.search(rf"Let it stand\s+<small>\s*{c} is told", text)
    assert re.search(rf"{claim.record}\s+<small>the table is told", text)
    keep = html.unescape(shown.context["page"].asks.dismiss)
    assert keep in text
    client.post(keep, {"reason": "The sheet says so"})
    claimed.refresh_from_db()
    assert (claimed.outcome, claimed.reason) == ("dismissed", "The sheet says so")
    Dispute.objects.update(outcome="open", reason="", resolved_by=None, resolved_at=None)
    form = text[text.rindex("<form", 0, text.index(claim.record)) : text.index(claim.record)]
    client.post(path, dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    ranks = dict(Placing.objects.filter(result__current=True).values_list("entrant", "rank"))
    assert ranks == {keys[name].pk: at for at, name in enumerate((a, c, b, d), start=1)}
    points = {one.player.name: one.row.points for one in event_standings(event)}
    assert [(player.name, then) for player, _now, then in claim.points] == [
        (b, points[b]), (c, points[c]),
    ]  # fmt: skip
    assert stored(claimed).outcome == Dispute.Outcome.CORRECTED


def test_the_others_at_the_table_are_asked_whether_a_claimed_place_is_right():
    """Each phone once, of the claim that is open; the organiser reads it beside both orders."""
    sitting = make_table(make_night(rules="mien-nam", stake=5))
    names = names_at(sitting)
    play(sitting, names)
    event = sitting.round.event
    at = [event.season.club.slug, event.pk, sitting.round.number, sitting.table_no, 1]
    keys = {place.entrant.player.name: place.entrant.player_id for place in sitting.places.all()}
    (game,) = Result.objects.filter(sitting=sitting)
    phones = {}
    for name in names:
        phones[name] = Client()
        phones[name].post(night_link(event), {"me": keys[name]})

    def say(name, **sent):
        answer = phones[name].post(night_link(event), {"game": game.pk} | sent, follow=True)
        return html.unescape(answer.content.decode())

    def asked(name):
        page = phones[name].get(night_link(event)).content.decode()
        return f"was {names[2]} number 2?" in page

    yes, no = f"Yes, as {names[2]} says", "No, as recorded"

    def answered(text):
        found = re.search(r"[^>]*: you answered\s*<b>[^<]*", text)
        return found and " ".join(found[0].replace("<b>", "").split())

    def seen():
        return browser_of(owner_of(event)).get(reverse("league:game", args=at))

    def heard():
        claim = seen().context["page"].asks.claim
        said = {player.name: agrees for player, agrees in claim.recalled}
        return said, [player.name for player in claim.silent]

    def red():
        return re.findall(r'btn-primary">\s*([^<]*?)\s*<small>', seen().content.decode())

    assert not any(asked(name) for name in names)
    say(names[2], place="2")
    assert [asked(name) for name in names] == [True, True, False, True]
    shown = phones[names[0]].get(night_link(event))
    page = shown.content.decode()
    assert page.index("number 2?") < page.index("my-seats-card")
    (claimed,) = shown.context["page"].own.claimed
    both = (claimed.claim.recorded, claimed.claim.places)
    a, b, c, d = names
    assert [[seat.player.name for seat in order] for order in both] == [names, [a, c, b, d]]
    assert f"As {c} says" in page.split("two-orders")[1]
    assert heard() == ({}, [names[0], names[1], names[3]])
    assert red() == [], "no answer is better than the other yet"
    say(names[1], recalls="recorded")
    assert answered(say(names[3], recalls="claimed")) == f"Round 1, game 1: you answered {yes}"
    assert answered(say(names[3], recalls="recorded")) == f"Round 1, game 1: you answered {no}"
    assert answered(say(names[3], recalls="")) is None
    assert asked(names[3])
    assert heard() == ({names[1]: False}, [names[0], names[3]])
    assert red() == ["Let it stand"]
    say(names[3], recalls="claimed")
    assert "This form is incomplete" in say(names[3], recalls="withdraw"), "only the empty word is"
    say(names[2], recalls="claimed")  # One's own word is no second one.
    assert heard() == ({names[1]: False, names[3]: True}, [names[0]])
    assert red() == []
    assert [asked(name) for name in names] == [True, False, False, False]
    lines = [line.sentence for line in log.log_page(event.season.club, log.Asked(), None).lines[:5]]
    where = f"remembers game 1 at table {sitting.table_no} as"
    assert lines == [
        f"{names[3]} {where} the report says.",
        f"{names[3]} withdrew the answer about game 1 at table {sitting.table_no}.",
        f"{names[3]} {where} it was recorded.",
        f"{names[3]} {where} the report says.",
        f"{names[1]} {where} it was recorded.",
    ]
    say(names[1], recalls="claimed")
    assert red() == [f"Record {names[2]} as second"]
    Dispute.objects.update(at=timezone.now() - timedelta(minutes=12))
    assert "for 12\xa0min" in seen().content.decode()

    by = owner_of(event)
    disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="The sheet says so")
    assert "Someone has decided" in say(names[0], recalls="claimed")
    assert not any(asked(name) for name in names)
    assert "you answered" not in phones[names[3]].get(night_link(event)).content.decode()
    say(names[2], place="2")
    assert heard() == ({}, [names[0], names[1], names[3]]), "of another report nobody said a word"


def test_a_claimed_place_is_read_in_the_readers_language():
    event = make_night()
    sitting = make_table(event)
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    player = event.season.club.players.get(name=c)
    with translation.override("vi"):
        found = dispute(sitting, place=2, player=player, note="Hỏi Lan")
    assert found.told == f"{c}: I was second, not third. Hỏi Lan"
    lines = log.log_page(event.season.club, log.Asked(), None).lines
    assert any("I was second, not third. Hỏi Lan" in line.sentence for line in lines)
    with translation.override("vi"):
        assert found.told == f"{c}: Tôi về nhì, không phải ba. Hỏi Lan"


def test_where_places_are_shared_or_nobody_is_known_no_place_is_claimed():
    sitting = make_table(make_night())
    a, b, c, d = names_at(sitting)
    result = play(sitting, [a, b, c, d])
    placings = list(result.placings.select_related("entrant__player"))
    first = next(one.entrant.player for one in placings if one.rank == 1)
    assert other_places(placings, first) == [2, 3, 4]
    assert order_with(placings, first, 1) == order_with(placings, None, 2) == []
    assert other_places(placings, None) == []
    placings[-1].rank = placings[-2].rank
    assert other_places(placings, first) == []
    with pytest.raises(ValidationError):
        dispute(sitting, place=2)
    Result.objects.update(held=True, current=False)  # Whether a place is theirs tells it.
    for place in (1, 2):
        with pytest.raises(ValidationError):
            dispute(sitting, place=place, player=first)
    assert not Dispute.objects.exists()


def undo_of(page):
    """The address and the fields of the message's undo; None without one."""
    message = re.search(r'<div class="message success">.*?</div>', page.content.decode(), re.S)
    form = re.search(r'<form method="post" action="([^"]*)">(.*?)</form>', message[0], re.S)
    return form and (form[1], dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2])))


def told_by(page):
    return " ".join(html.unescape(str(message)) for message in page.context["messages"])


def order_now(sitting):
    placings = Placing.objects.filter(result__sitting=sitting, result__current=True)
    return [one.entrant.player.name for one in placings.select_related("entrant__player")]


@pytest.fixture
def decided():
    """A disputed game, its host's browser, and the fields that turn its order round."""
    sitting = make_table(make_night())
    play(sitting)
    dispute(sitting, player=sitting.seated[0].entrant.player)
    form = game_form(sitting, names_at(sitting)[::-1], version=1)
    return sitting, browser_of(owner_of(sitting)), form


def test_a_correction_says_what_it_decided_and_its_undo_opens_the_dispute_again(decided):
    sitting, host, form = decided
    path = path_of(sitting.round.event, "game", 1, 1, 1)
    a, b, c, d = names_at(sitting)
    page = host.post(path, form, follow=True)
    assert told_by(page) == (
        f"Game 1 corrected. 1. {d}, 2. {c}, 3. {b}, 4. {a}. {a} and the table see it."
    )
    assert Dispute.objects.get().outcome == "corrected"
    where, undo = undo_of(page)
    assert where == path
    page = host.post(where, undo, follow=True)
    assert order_now(sitting) == [a, b, c, d]
    assert Dispute.objects.get().outcome == "open"
    assert "opened the dispute about game 1 at table 1 again" in read(
        host, path_of(club_of(sitting), "audit")
    )
    host.post(where, undo_of(page)[1])
    assert order_now(sitting) == [d, c, b, a]
    assert Dispute.objects.get().outcome == "corrected", "the undone undo decides it again"


def test_an_undo_is_refused_once_somebody_corrected_the_game_since(decided):
    sitting, host, form = decided
    path = path_of(sitting.round.event, "game", 1, 1, 1)
    where, undo = undo_of(host.post(path, form, follow=True))
    correct(Result.objects.get(current=True), by=owner_of(sitting))
    page = host.post(where, undo)
    assert page.status_code == 409
    assert "corrected game 1 at" in told_by(page)
    assert "Nothing was changed: check it again." in told_by(page)
    assert (Result.objects.count(), Dispute.objects.get().outcome) == (3, "corrected")


def test_the_undo_of_a_void_game_plays_it_again_and_the_other_way_round(sitting):
    play(sitting)
    host, path = browser_of(owner_of(sitting)), path_of(sitting.round.event, "game", 1, 1, 1)
    names = names_at(sitting)
    form = {"version": 1, "void": 1, "client_id": uuid.uuid4()}
    page = host.post(path, form, follow=True)
    assert told_by(page) == "Game 1 corrected. This game does not count."
    page = host.post(path, undo_of(page)[1], follow=True)
    assert order_now(sitting) == names
    host.post(path, undo_of(page)[1])
    assert order_now(sitting) == []
    assert Result.objects.get(current=True).void


def test_a_game_that_is_saved_as_it_is_has_nothing_to_undo(decided):
    sitting, host, _form = decided
    same = game_form(sitting, version=1, reason="Asked everyone")
    page = host.post(path_of(sitting.round.event, "game", 1, 1, 1), same, follow=True)
    assert "Game 1 corrected." in told_by(page)
    assert undo_of(page) is None


def test_a_result_that_stands_can_be_disputed_again_by_undo_unless_it_already_is(decided):
    sitting, host, _form = decided
    path = path_of(sitting.round.event, "dismiss", 1, 1, 1)
    page = host.post(path, {"reason": "The sheet says so"}, follow=True)
    name = names_at(sitting)[0]
    assert told_by(page) == f"Game 1 stays as it is. {name} and the table see it."
    where, undo = undo_of(page)
    host.post(where, undo)
    opened = Dispute.objects.get()
    assert (opened.outcome, opened.reason, opened.resolved_by) == ("open", "", None)
    where, undo = undo_of(host.post(path, {"reason": "I saw it"}, follow=True))
    dispute(sitting, note="no")
    assert "A later report of this game is open." in told_by(host.post(where, undo, follow=True))
    assert sorted(Dispute.objects.values_list("note", "outcome")) == [
        ("Lan was second", "dismissed"), ("no", "open"),
    ]  # fmt: skip


def test_an_organiser_of_the_disputed_table_reads_that_another_decides_better(decided):
    sitting, host, _form = decided
    path, words = path_of(sitting.round.event, "game", 1, 1, 1), "Better let another organiser"
    assert words not in read(host, path)
    players.take_player(player=sitting.seated[2].entrant.player, user=owner_of(sitting))
    assert words in read(host, path)

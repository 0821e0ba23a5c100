"""What hangs on a name follows its person through a merge, and comes back when it is undone."""

import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules.specials import Special
from league.clubs.acts import members, merges, players
from league.exchange.acts import notebooks
from league.models import (
    Adjustment,
    Audit,
    Channel,
    Dispute,
    Entrant,
    Event,
    LiveTable,
    NewsItem,
    Notebook,
    PaymentWay,
    Place,
    Player,
    Posting,
    RoleOffer,
    Round,
    Strength,
)
from league.models.shown_names import NameShown
from league.money.acts import payment_ways, postings
from league.money.facts import payment_ways as ways
from league.news.acts import outbox
from league.nights.acts import (
    attendance,
    claims,
    closing,
    disputes,
    draws,
    roll_calls,
    seat_changes,
    stakes,
    swaps,
)
from league.nights.facts import draw_changes, online_tables, persons, stages, waitlist
from league.nights.facts.so_far import so_far
from league.nights.pages import draft_price, night_specials, round_page
from league.online.acts import results_in
from league.proof.facts import verify
from league.seasons.acts import adjustments, season_cache
from league.seasons.facts import standings
from league.templatetags.league import is_doubted_by
from league.turnout.acts import sign_ups
from tables.refusals import Refusal
from tests.factories import (
    browser_of,
    make_club,
    make_cost,
    make_night,
    make_round,
    make_season,
    make_user,
    night_link,
    owner_of,
    path_of,
    play,
    secret_of,
    stored,
)
from tests.league.clubs.test_people import merge
from tests.league.nights.waitlist_helpers import around, check_in, come, go, waiting
from tests.league.online.helpers import make_online_night, play_game, release
from tests.refusals import refuses
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db
lived = lived_from("2026-10-07 19:00+07:00")


@pytest.fixture
def club():
    return make_club()


def add(club, name, **fields):
    player = players.add_player(club=club, name=name, by=owner_of(club))
    Player.objects.filter(pk=player.pk).update(**fields)
    player.refresh_from_db()
    return player


def named(event, name):
    return event.season.club.players.get(name=name)


def as_zoe(event, player):
    """Merge the player into Zoe, who is new; return what she is in the event."""
    zoe = add(event.season.club, "Zoe")
    merge(player, zoe)
    return event.entrants.get(player=zoe)


def part(alias):
    return merges.unmerge(alias=Player.objects.get(pk=alias.pk), by=owner_of(alias))


def fresh(player, *fields):
    player = Player.objects.get(pk=player.pk)
    return [getattr(player, field) for field in fields]


def points_of(event):
    season_cache.standings_of(season=event.season)
    assert list(verify.everything(event.season.club)) == []
    return {s.player.name: s.row.points for s in standings.season_standings(event.season)}


def play_by_name(sitting):
    seats = (place.entrant.player.name for place in sitting.places.all())
    return play(sitting, sorted(seats))


# --- The player's own ---------------------------------------------------------------------------


def test_account_regular_and_whether_ways_are_shown_come_back(club):
    user = make_user()
    alias = add(club, "Lan mới", user=user, is_regular=True, shows_ways=True)
    into = add(club, "Lan")
    own = ("user_id", "is_regular", "shows_ways")
    merge(alias, into)
    assert fresh(into, *own) == [user.pk, True, True]
    part(alias)
    assert fresh(alias, *own) == [user.pk, True, True]
    assert fresh(into, *own) == [None, False, None]


def test_an_account_linked_to_another_name_since_then_stays_there(club):
    alias, into = add(club, "Lan mới", user=make_user()), add(club, "Lan")
    merge(alias, into)
    players.unlink_account(player=Player.objects.get(pk=into.pk), by=owner_of(club))
    other = make_user()
    Player.objects.filter(pk=into.pk).update(user=other)
    part(alias)
    assert fresh(alias, "user_id") + fresh(into, "user_id") == [None, other.pk]


def test_an_account_comes_back_from_whom_it_was_merged_into_later(club):
    user = make_user()
    one, two, three = add(club, "Tư", user=user), add(club, "Anh Tư"), add(club, "Tư Béo")
    merge(one, two)
    merge(Player.objects.get(pk=two.pk), three)
    part(one)
    assert fresh(one, "user_id") + fresh(three, "user_id") == [user.pk, None]


def test_group_table_and_face_are_taken_over_and_given_back(club):
    wishes = {"group": "nhà", "together": "xe", "fixed_table": 2, "animal": "cat"}
    alias, into = add(club, "Lan mới", **wishes), add(club, "Lan", group="lớp")
    merge(alias, into)
    assert fresh(into, *wishes) == ["lớp", "xe", 2, "cat"]
    part(alias)
    assert fresh(into, *wishes) == ["lớp", "", None, ""]
    assert fresh(alias, *wishes) == list(wishes.values())


def test_who_is_hidden_from_strangers_is_hidden_under_both_names_until_parted(club):
    alias, into = add(club, "Lan mới", shown=NameShown.HIDDEN), add(club, "Lan")
    merge(alias, into)
    assert fresh(into, "shown") == [NameShown.HIDDEN]
    part(alias)
    assert fresh(into, "shown") + fresh(alias, "shown") == ["", NameShown.HIDDEN]


def test_aliases_of_an_alias_come_back_with_it(club):
    one, two, three = add(club, "Tư"), add(club, "Anh Tư"), add(club, "Tư Béo")
    merge(one, two)
    merge(Player.objects.get(pk=two.pk), three)
    part(two)
    assert fresh(one, "merged_into_id") + fresh(two, "merged_into_id") == [two.pk, None]


def test_a_merge_of_an_earlier_release_is_undone_as_before(club):
    user = make_user()
    alias, into = add(club, "Lan mới"), add(club, "Lan", user=user, is_regular=True, group="nhà")
    Player.objects.filter(pk=alias.pk).update(merged_into=into)
    Audit.objects.create(
        club=club,
        action="player.merged",
        data={"player": alias.pk, "into": into.pk, "aliases": [], "presence": {}},
    )
    part(alias)
    assert fresh(into, "user_id", "is_regular", "group") == [user.pk, True, "nhà"]
    assert fresh(alias, "merged_into_id", "user_id") == [None, None]


# --- Penalties and handicaps --------------------------------------------------------------------


def rated(player, mu):
    known = {"mu": mu, "sigma": 1, "games": 50, "model": 1, "computed_at": timezone.now()}
    Strength.objects.create(club=player.club, player=player, **known)


def test_a_person_gets_one_handicap():
    event = make_night(8, format={"kind": "rounds", "handicap": 4})
    season, by = event.season, owner_of(event)
    strong, lan = named(event, "An"), add(season.club, "Lan")
    rated(strong, 49)
    rated(lan, 0.7)
    come(event, "Lan mới")
    first = make_round(event)
    for sitting in first.sittings.all():
        play_by_name(sitting)
    given = Adjustment.objects.filter(event=event, cause="handicap")
    assert given.filter(player__name="Lan mới").exists()
    merge(named(event, "Lan mới"), lan)
    draws.release_round(round_=draws.draw_round(event=event, by=by, anyway=True), by=by)
    assert given.filter(player__name__startswith="Lan").count() == 1


def test_of_two_handicaps_the_remaining_names_own_counts_until_they_are_parted():
    event = make_night(8, format={"kind": "rounds", "handicap": 4})
    by = owner_of(event)
    rated(named(event, "An"), 49)
    drawn = draws.draw_round(event=event, by=by)
    come(event, "Zoe")
    draws.release_round(round_=drawn, by=by)
    given = Adjustment.objects.filter(event=event, cause="handicap", revoked_at=None)
    alias, other = named(event, "Zoe"), named(event, "Bình")
    before = set(given.values_list("player", flat=True))
    merge(alias, other)
    assert set(given.values_list("player", flat=True)) == before - {alias.pk}
    part(alias)
    assert set(given.values_list("player", flat=True)) == before


@pytest.fixture
def absent():
    """A closed night at which An missed the call, and played as "An mới"."""
    event = make_night(3, season=make_season(absence="-2"), games_per_round=1, rounds_planned=1)
    add(event.season.club, "Lan")
    event.entrants.create(player=named(event, "Lan"), presence="absent")
    come(event, "Lan mới")
    for sitting in make_round(event).sittings.all():
        play(sitting, ["Lan mới", "An", "Bình", "Chi"])
    closing.close_event(event=event, by=owner_of(event))
    event.refresh_from_db()
    return event


def test_who_played_under_another_name_was_not_absent(absent):
    before = points_of(absent)
    assert before["Lan"] == -2
    alias = named(absent, "Lan mới")
    merge(alias, named(absent, "Lan"))
    assert points_of(absent)["Lan"] == before["Lan mới"]
    by = owner_of(absent)
    closing.reopen_event(event=absent, by=by)
    closing.close_event(event=absent, by=by)
    assert points_of(absent)["Lan"] == before["Lan mới"]
    part(alias)
    assert points_of(absent) == before


def test_the_same_when_the_name_that_played_remains(absent):
    before = points_of(absent)
    alias = named(absent, "Lan")
    merge(alias, named(absent, "Lan mới"))
    assert points_of(absent)["Lan mới"] == before["Lan mới"]
    part(alias)
    assert points_of(absent) == before


def test_two_absent_names_are_absent_once():
    event = make_night(4, season=make_season(absence="-2"), games_per_round=1, rounds_planned=1)
    for name in ("Lan", "Lan mới"):
        event.entrants.create(player=add(event.season.club, name), presence="absent")
    for sitting in make_round(event).sittings.all():
        play_by_name(sitting)
    closing.close_event(event=event, by=owner_of(event))
    merge(named(event, "Lan mới"), named(event, "Lan"))
    assert points_of(event)["Lan"] == -2


def test_a_merge_in_the_night_is_no_lateness_and_no_absence():
    season = make_season(absence="-2", lateness="-1")
    event = make_night(4, season=season, games_per_round=1, rounds_planned=1)
    by = owner_of(season)
    event.entrants.create(player=add(season.club, "Lan"), presence="absent")
    for sitting in make_round(event).sittings.all():
        play_by_name(sitting)
    merge(named(event, "An"), named(event, "Lan"))
    go(event, "Lan")
    check_in(event, "Lan")
    roll_calls.post_points(event, by)
    assert not Adjustment.objects.filter(event=event).exists()
    part(named(event, "An"))
    lan = event.entrants.get(player__name="Lan")
    assert (lan.presence, lan.came_at, lan.late) == ("absent", None, False)


def test_who_goes_after_the_round_goes_under_the_other_name_too():
    event = make_night(4)
    make_round(event)
    an = named(event, "An")
    attendance.leave(event=event, player_id=an.pk, after_round=True)
    lan = add(event.season.club, "Lan")
    merge(an, lan)
    assert event.entrants.get(player=lan).leaves_after == 1


def test_who_has_left_is_not_called_again():
    event = make_night(4)
    event.entrants.create(player=add(event.season.club, "Lan"), presence="expected")
    go(event, "An")
    merge(named(event, "An"), named(event, "Lan"))
    assert event.entrants.get(player__name="Lan").presence == "left"
    part(named(event, "An"))
    assert event.entrants.get(player__name="Lan").presence == "expected"
    assert event.entrants.get(player__name="An").presence == "left"


# --- Draws --------------------------------------------------------------------------------------


def played_round(event):
    drawn = make_round(event)
    for sitting in drawn.sittings.all():
        play_by_name(sitting)
    return drawn


def draw(event):
    return draws.draw_round(event=event, by=owner_of(event), anyway=True)


def test_who_has_rested_does_not_rest_again_under_another_name():
    event = make_night(5, games_per_round=1, rounds_planned=5)
    [bye] = played_round(event).byes.all()
    alias = bye.entrant.player
    merge(alias, add(event.season.club, "Zoe"))
    for _turn in range(4):
        rested = [one.entrant.player.name for one in draw(event).byes.all()]
        assert "Zoe" not in rested


def test_meetings_and_first_deals_of_another_name_count():
    event = make_night(8, games_per_round=1, rounds_planned=4)
    first = played_round(event)
    table = first.sittings.get(table_no=1)
    alias = table.places.get(seat=table.first_dealer).entrant
    mates = {place.entrant_id for place in table.places.all()} - {alias.pk}
    own = as_zoe(event, alias.player)
    assert persons.persons(event) == {alias.pk: own.pk}
    draft = draw(event)
    seated = next(table for table in draws.tables_of(draft) if own.pk in table)
    assert len(mates & set(seated)) == 1
    assert draws._dealt([first], persons.persons(event))[own.pk] == 1
    rounds = [Round.objects.get(pk=each.pk) for each in (first, draft)]
    assert {own.player_id} < set().union(*draft_price.met_in(rounds[:1]))
    assert draft_price.draft_price(rounds).changes == []
    assert round_page.met_map(rounds) is not None
    a = own.pk
    b = next(key for table in draws.tables_of(draft) for key in table if a not in table)
    assert swaps.cost(round_=draft, a=a, b=b).before.repeats == draft.quality["repeats"]


def test_games_of_open_tables_count_for_the_person():
    event = make_night(4, format={"kind": "open", "tables": 1})
    by = owner_of(event)
    draws.release_round(round_=draws.draw_round(event=event, by=by, seed=1, anyway=True), by=by)
    play_by_name(event.rounds.get().sittings.get())
    own = as_zoe(event, named(event, "An"))
    assert sum(own.pk in pair for pair in waitlist.met_in(event)) == 3


def test_the_group_of_a_cup_stays():
    event = make_night(8, format={"kind": "groups", "groups": 2, "group_rounds": 2, "final": 4})
    first = played_round(event)
    alias = event.entrants.get(player__name="An")
    no = next(p["no"] for p in stages.pools_of(first) if alias.pk in p["members"])
    own = as_zoe(event, alias.player)
    drawn = draw(event)
    assert next(p["no"] for p in stages.pools_of(drawn) if own.pk in p["members"]) == no
    draws.release_round(round_=drawn, by=owner_of(event))
    part(alias.player)
    here = list(event.entrants.filter(presence="here").values_list("pk", flat=True))
    assert alias.pk in stages.groups_with(list(event.rounds.all()), here)[no - 1]


def test_a_finalist_stays_in_the_final():
    event = make_night(
        8, rounds_planned=2,
        format={"kind": "groups", "groups": 2, "group_rounds": 1, "final": 8},
    )  # fmt: skip
    played_round(event)
    alias = played_round(event).sittings.first().places.first().entrant
    own = as_zoe(event, alias.player)
    [pool] = stages.pools_of(draw(event))
    assert own.pk in pool["members"]


# --- Answers and phones -------------------------------------------------------------------------


def answers(event):
    return {
        said.player.name: (said.reply, said.guests, said.is_in)
        for said in event.sign_up.answers.order_by("turn")
    }


def say(event, name, reply="yes", guests=0):
    sign_ups.answer(
        sign_up=event.sign_up,
        player=named(event, name),
        reply=reply,
        guests=guests,
        by=owner_of(event),
        device="",
        organises=True,
    )


@pytest.fixture
def listed():
    event = make_night(4)
    for name in ("An", "Bình", "Chi"):
        attendance.set_presence(
            event=event,
            player_ids=[named(event, name).pk],
            presence=Entrant.Presence.EXPECTED,
            by=owner_of(event),
        )
    sign_ups.open_list(event=event, by=owner_of(event), places=6)
    event.refresh_from_db()
    return event


def test_of_two_that_come_the_guests_and_the_earlier_turn_stay_and_both_come_back(listed):
    say(listed, "An", guests=2)
    say(listed, "Chi", guests=1)
    say(listed, "Bình")
    before = answers(listed)
    merge(named(listed, "An"), named(listed, "Bình"))
    assert list(answers(listed).items()) == [("Bình", ("yes", 2, True)), ("Chi", before["Chi"])]
    part(named(listed, "An"))
    assert answers(listed) == before


def test_of_two_words_the_later_counts_and_both_come_back(listed):
    say(listed, "Bình", guests=1)
    with_later = timezone.now() + datetime.timedelta(minutes=1)
    say(listed, "An", reply="no")
    listed.sign_up.answers.filter(player__name="An").update(at=with_later)
    before = answers(listed)
    merge(named(listed, "An"), named(listed, "Bình"))
    assert answers(listed) == {"Bình": ("no", 0, False)}
    part(named(listed, "An"))
    assert answers(listed) == before


def test_an_answer_of_one_name_alone_moves_and_comes_back(listed):
    say(listed, "An", guests=1)
    merge(named(listed, "An"), add(listed.season.club, "Zoe"))
    assert answers(listed) == {"Zoe": ("yes", 1, True)}
    part(named(listed, "An"))
    assert answers(listed) == {"An": ("yes", 1, True)}


def test_an_answer_by_a_name_that_the_night_did_not_have_comes_back(listed):
    ghost = add(listed.season.club, "Ghost")
    say(listed, "Ghost")
    merge(ghost, named(listed, "An"))
    assert answers(listed) == {"An": ("yes", 0, True)}
    part(ghost)
    assert answers(listed) == {"Ghost": ("yes", 0, True)}


def test_an_answer_in_a_night_that_was_called_off_follows_when_it_takes_place_after_all(listed):
    by, zoe = owner_of(listed), add(listed.season.club, "Zoe")
    for name, guests in (("An", 0), ("Bình", 0), ("Chi", 2)):
        say(listed, name, guests=guests)
    closing.call_off(event=listed, by=by)
    merge(named(listed, "An"), named(listed, "Bình"))
    merge(named(listed, "Chi"), zoe)
    closing.reopen_event(event=listed, by=by)
    assert answers(listed) == {"Bình": ("yes", 0, True), "Zoe": ("yes", 2, True)}


def test_what_was_answered_after_a_merge_stays_the_players(listed):
    zoe = add(listed.season.club, "Zoe")
    say(listed, "An", guests=1)
    merge(named(listed, "An"), zoe)
    say(listed, "Zoe", reply="no")
    part(named(listed, "An"))
    assert answers(listed) == {"Zoe": ("no", 0, False)}


@pytest.mark.parametrize(
    ("said", "held", "phone"),
    [
        (["An", "Bình"], ["An", "Bình"], "Bình"),
        (["An", "Bình"], ["An"], "An"),
        (["An"], ["Bình"], "Bình"),
        (["An"], ["An", "Bình"], "Bình"),
        (["Bình"], ["An"], "An"),
        (["An"], [], "An"),
    ],
)
def test_the_phone_that_has_the_name_after_a_merge_changes_its_answer(listed, said, held, phone):
    """Each of the two has a phone, called as its name."""

    def answer(name, device, reply):
        player = named(listed, name)
        sign_ups.answer(sign_up=listed.sign_up, player=player, reply=reply, device=device)

    for name in said:
        answer(name, name, "yes")
    for name in held:
        claims.claim(event=listed, player_id=named(listed, name).pk, phone=name)
    merge(named(listed, "An"), named(listed, "Bình"))
    other = "An" if phone == "Bình" else "Bình"
    with pytest.raises(Refusal):
        answer("Bình", other, "no")
    answer("Bình", phone, "no")
    assert answers(listed) == {"Bình": ("no", 0, False)}


@pytest.mark.parametrize(("own", "other"), [(0, 3), (3, 0)])
def test_a_merge_seats_no_more_guests_than_there_are_places(listed, own, other):
    """One of the two waits with guests for whom there is no place."""
    sign_ups.open_list(event=listed, by=owner_of(listed), places=2)
    listed.refresh_from_db()
    for name, guests in (("An", own), ("Chi", 0), ("Bình", other)):
        say(listed, name, guests=guests)
    before = answers(listed)
    merge(named(listed, "An"), named(listed, "Bình"))
    assert answers(listed) == {"Bình": ("yes", 0, True), "Chi": ("yes", 0, True)}
    part(named(listed, "An"))
    assert answers(listed) == before


def test_the_earlier_of_two_that_came_keeps_the_place_that_is_left(listed):
    sign_ups.open_list(event=listed, by=owner_of(listed), places=2)
    listed.refresh_from_db()
    for name in ("Bình", "An", "Chi"):
        say(listed, name)
    merge(named(listed, "An"), named(listed, "Bình"))
    assert answers(listed)["Chi"] == ("yes", 0, True)
    part(named(listed, "An"))
    assert answers(listed)["Bình"] == ("yes", 0, True)
    assert answers(listed)["An"] == ("yes", 0, False)


def test_a_phone_comes_back_to_its_name(listed):
    alias = named(listed, "An")
    claim = listed.claims.create(player=alias, phone_hash="a" * 64)
    zoe = add(listed.season.club, "Zoe")
    merge(alias, zoe)
    claim.refresh_from_db()
    assert claim.player == zoe
    part(alias)
    assert stored(claim).player == alias


# --- News, money and tables ---------------------------------------------------------------------


def told(user, kind):
    return NewsItem.objects.filter(channel__user=user, kind=kind)


@pytest.fixture
def reader():
    user = make_user()
    Channel.objects.create(user=user, kind="push", address="https://push.example/a", lane="push")
    return user


def test_games_of_the_other_name_are_to_be_confirmed_by_the_person(reader):
    event = make_night(4, confirmed_by="player")
    [sitting] = make_round(event).sittings.all()
    result = play_by_name(sitting)
    merge(named(event, "An"), add(event.season.club, "Zoe", user=reader))
    result.refresh_from_db()
    outbox.ask_to_confirm(result.at + datetime.timedelta(minutes=6))
    assert told(reader, "to_confirm").exists()


def test_the_months_table_reaches_who_played_under_another_name(reader):
    season = make_season()
    event = make_night(4, season=season, date=datetime.date(2026, 9, 20))
    play_by_name(make_round(event).sittings.get())
    closing.close_event(event=event, by=owner_of(season), despite_unfinished=True)
    merge(named(event, "An"), add(season.club, "Zoe", user=reader))
    outbox.tell_month(datetime.datetime(2026, 10, 1, 5, tzinfo=datetime.UTC))
    assert told(reader, "month_table").exists()


def test_tables_are_told_to_who_was_drawn_under_another_name(reader):
    event = make_night(4)
    by = owner_of(event)
    drawn = draws.draw_round(event=event, by=by)
    merge(named(event, "An"), add(event.season.club, "Zoe", user=reader))
    assert draw_changes.since(event, drawn) == ""
    draws.release_round(round_=drawn, by=by)
    assert told(reader, "round_drawn").exists()


def test_what_waits_for_the_phone_of_a_merged_name_is_its_persons(club):
    alias, into = add(club, "Lan mới"), add(club, "Lan")
    merge(alias, into)
    waiting = NewsItem(channel=Channel(phone="a"), data={"reader": alias.pk})
    assert waiting.is_for(into)
    part(alias)
    waiting = NewsItem(channel=Channel(phone="a"), data={"reader": alias.pk})
    assert not waiting.is_for(into)
    assert waiting.is_for(alias)


def test_a_table_adds_up_the_person():
    event = make_night(4, rules="mien-nam", stake=5)
    [sitting] = make_round(event).sittings.all()
    play_by_name(sitting)
    before = {row.player.name: (row.points, row.money) for row in so_far(event, sitting)}
    merge(named(event, "An"), add(event.season.club, "Zoe"))
    rows = {row.player.name: (row.points, row.money) for row in so_far(event, sitting)}
    assert rows == {"Zoe" if name == "An" else name: row for name, row in before.items()}


def test_the_own_seat_at_an_online_table_is_found():
    event = make_online_night(4)
    release(event)
    live = LiveTable.objects.get()
    zoe = add(event.season.club, "Zoe")
    merge(named(event, "An"), zoe)
    [(found, place)] = online_tables.seats_of(event, [zoe.pk])
    assert (found, place.entrant.player.name) == (live, "An")


def test_an_offer_to_another_name_keeps_others_from_writing_how_one_is_paid(club):
    by, user = owner_of(club), make_user()
    alias, into = add(club, "Lan mới"), add(club, "Lan")
    members.offer_player(player=alias, email=user.email, by=by)
    RoleOffer.objects.update(user=user)
    merge(alias, into)
    with refuses("asked"):
        payment_ways.leave_for(player=into, by=by, bank="", number="", holder="", words="thief")
    members.withdraw_player(player=into, by=by)
    assert not RoleOffer.objects.exists()


def test_what_a_phone_left_for_another_name_is_confirmed_for_the_person(club):
    alias, into = add(club, "Lan mới"), add(club, "Lan")
    way = PaymentWay.objects.create(player=alias, words="at the door", at=timezone.now())
    merge(alias, into)
    payment_ways.confirm(player=into, way=way.pk, by=owner_of(club))
    assert ways.of_payee(into) == way


def test_a_doubt_said_under_another_name_is_the_persons():
    event = make_night(4, rules="mien-nam", stake=5)
    club = event.season.club
    posting = make_cost(event.season, list(club.players.all()), 40)
    alias, zoe = named(event, "An"), add(club, "Zoe")
    postings.doubt(posting=posting, player=alias, by=None, is_right=False)
    merge(alias, zoe)
    posting = Posting.objects.get(pk=posting.pk)
    assert is_doubted_by(posting, [zoe.pk])
    postings.doubt(posting=posting, player=zoe, by=None, is_right=False)
    assert posting.doubts.count() == 1
    postings.doubt(posting=posting, player=zoe, by=None, is_right=True)
    assert not posting.doubts.exists()


def test_a_former_way_of_another_name_is_offered_again_to_its_writer(club):
    alias, into, by = add(club, "Lan mới"), add(club, "Lan"), owner_of(club)
    written = {"bank": "", "number": "", "holder": ""}
    payment_ways.leave_for(player=alias, by=by, words="old words", **written)
    payment_ways.leave_for(player=alias, by=by, words="", **written)
    merge(alias, into)
    page = browser_of(by).get(path_of(club, "player_bank", into.pk))
    assert "?again=1" in page.content.decode()


def test_a_dispute_is_told_as_the_persons():
    event = make_night(4)
    [sitting] = make_round(event).sittings.all()
    play_by_name(sitting)
    dispute = disputes.open_dispute(
        sitting_id=sitting.pk, game_no=1, note="", kind="order", by=None, player=named(event, "An")
    )
    merge(named(event, "An"), add(event.season.club, "Zoe"))
    assert Dispute.objects.get(pk=dispute.pk).told.startswith("Zoe: ")


def test_the_drawn_seat_of_a_queue_is_the_persons_when_its_tables_open():
    event = make_night(6, format={"kind": "loser_leaves", "tables": 1})
    by = owner_of(event)
    drawn = draws.draw_round(event=event, by=by)
    seated = [place.entrant.player for place in Place.objects.filter(round=drawn).order_by("seat")]
    waits = [Entrant.objects.get(pk=key).player.name for key in waitlist.drawn_queue(drawn)]
    merge(seated[0], add(event.season.club, "Zoe"))
    merge(named(event, waits[0]), add(event.season.club, "Yến"))
    draws.release_round(round_=drawn, by=by)
    assert around(drawn.sittings.get()) == ["Zoe", *(one.name for one in seated[1:])]
    assert waiting(event) == ["Yến", *waits[1:]]


@pytest.fixture
def merged_at_a_table():
    """The first table of a round, whose first player is Zoe by now."""
    sitting = make_round(make_night(8)).sittings.first()
    event, alias = sitting.round.event, sitting.places.first().entrant
    return sitting, alias, as_zoe(event, alias.player)


def test_who_sits_under_another_name_takes_no_second_seat(merged_at_a_table):
    sitting, _alias, zoe = merged_at_a_table
    event, other = sitting.round.event, sitting.round.sittings.last()
    at = [event.season.club.slug, event.pk, 1, other.table_no]
    page = browser_of(owner_of(event)).get(reverse("league:table", args=at))
    assert zoe not in page.context["page"].seat_changes.free
    with refuses("seated"):
        seat_changes.join(sitting_id=other.pk, entrant_id=zoe.pk, by=owner_of(event))


def test_who_leaves_a_table_under_another_name_leaves_the_night(merged_at_a_table):
    sitting, alias, zoe = merged_at_a_table
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=alias.pk, by=owner_of(sitting))
    assert stored(zoe).presence == "left"


def test_who_changes_tables_under_another_name_is_drawn_once(merged_at_a_table):
    sitting, alias, zoe = merged_at_a_table
    event, other = sitting.round.event, sitting.round.sittings.last()
    by, there = owner_of(event), other.places.first().entrant_id
    seat = {"sitting_id": sitting.pk, "entrant_id": alias.pk, "to_id": other.pk}
    assert seat_changes.move(**seat, with_id=there, by=by).entrant == zoe
    drawn = draws.draw_round(event=event, by=by, anyway=True)
    assert (len(drawn.settings["here"]), alias.pk in drawn.settings["here"]) == (8, False)


def test_a_phone_at_the_table_finds_who_sits_there_under_another_name(merged_at_a_table):
    sitting, _alias, zoe = merged_at_a_table
    door = Client().get(night_link(sitting.round.event))
    assert {one.player.name: one.table for one in door.context["page"].door.here}["Zoe"] == 1
    phone, at = Client(), [secret_of(sitting), 1]
    table = reverse("league:link_table", args=at)
    assert zoe.player in phone.get(table).context["page"].findable
    phone.post(reverse("league:link_me", args=at), {"player": zoe.player_id})
    shown = phone.get(table).context["page"]
    assert (shown.own.player, shown.sits_here) == (zoe.player, True)
    Event.objects.filter(pk=zoe.event_id).update(stake=5)
    offer = stakes.offer(sitting_id=sitting.pk, stake=10, by=None, entrant_id=None)
    assert phone.get(table).context["page"].table.now.offer.asks
    phone.post(reverse("league:link_stake", args=at), {"offer": offer.pk, "do": "agree"})
    assert offer.agreed.exists()


@pytest.mark.parametrize("goes", [False, True])
def test_names_merged_while_a_night_is_closed_are_one_person_when_it_is_reopened(goes):
    event = make_night(8)
    by, alias = owner_of(event), make_round(event).sittings.first().places.first()
    if goes:
        player = alias.entrant.player_id
        attendance.leave(event=event, player_id=player, after_round=True)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    zoe = add(event.season.club, "Zoe")
    merge(alias.entrant.player, zoe)
    closing.reopen_event(event=event, by=by)
    drawn = draws.draw_round(event=event, by=by, anyway=True)
    names = Entrant.objects.filter(pk__in=drawn.settings["here"]).values_list("player", flat=True)
    assert (alias.entrant.player_id in names, zoe.pk in names) == (False, not goes)


def test_a_proposed_stake_is_answered_under_the_other_name():
    event = make_night(
        6, rules="mien-nam", stake=5,
        format={"kind": "loser_leaves", "tables": 1},
    )  # fmt: skip
    by = owner_of(event)
    draws.release_round(round_=draws.draw_round(event=event, by=by), by=by)
    sitting = event.rounds.get().sittings.get()
    alias = sitting.places.first().entrant
    offer = stakes.offer(sitting_id=sitting.pk, stake=10, by=None, entrant_id=alias.pk)
    own = as_zoe(event, alias.player)
    stakes.answer(
        sitting_id=sitting.pk, offer_id=offer.pk, agrees=False, by=None, entrant_id=own.pk
    )
    sitting.refresh_from_db()
    assert event.stake_of(sitting) == 5


def test_chops_of_another_name_are_the_persons():
    event = make_night(4, rules="mien-nam", stake=10)
    [sitting] = make_round(event).sittings.all()
    key = dict(event.entrants.values_list("player__name", "pk"))
    chop = Special("chop", key["Bình"], key["An"], "R")
    play(sitting, ["An", "Bình", "Chi", "Dũng"], specials=[chop])
    zoe = add(event.season.club, "Zoe")
    merge(named(event, "Bình"), zoe)
    _counts, pairs = night_specials.specials_of([event])
    assert pairs == [("Zoe", "An", 1)]
    assert list(verify.everything(event.season.club)) == []


def test_what_the_engine_paid_another_name_is_the_persons():
    event = make_online_night(4, season=make_season(rules="killa"), stake=5, games_per_round=1)
    release(event)
    play_game(LiveTable.objects.get())
    results_in.sweep()
    before = {s.player.name: s.row.money for s in standings.event_standings(event)}
    merge(named(event, "An"), add(event.season.club, "Zoe"))
    after = {s.player.name: s.row.money for s in standings.event_standings(event)}
    assert after["Zoe"] == before["An"]
    assert list(verify.everything(event.season.club)) == []


def test_an_import_whose_players_were_merged_is_undone():
    season = make_season()
    alias, into = add(season.club, "Lan mới"), add(season.club, "Lan")
    book = Notebook.objects.create(club=season.club, season=season, by=owner_of(season))
    book.players.add(alias)
    merge(alias, into)
    assert notebooks.undo(notebook=book, by=owner_of(season)) == []
    assert list(season.club.players.all()) == [into]


def test_a_penalty_that_the_other_name_has_is_told_before_it_is_given_twice():
    season = make_season()
    alias, into = add(season.club, "Lan mới"), add(season.club, "Lan")
    given = {"season": season, "points": Decimal(-2), "reason": "Ồn", "by": owner_of(season)}
    first = adjustments.adjust_points(player=alias, **given)
    merge(alias, into)
    assert adjustments.preview_points(player=into, **given).same == first

"""Money: balances at every level, settling, costs, fees, prizes, reversals, the proof."""

import uuid

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from league.clubs.acts import merges, players
from league.models import Posting, Transfer
from league.money.acts import postings
from league.money.facts import money, money_words, open_debts
from league.money.facts.owed import NOTEBOOK
from league.nights.acts import attendance
from league.proof.facts import verify
from league.seasons.facts import player_rows
from tests.factories import (
    give_role,
    make_member,
    make_night,
    make_paid_night,
    make_prize,
    make_season,
    make_table,
    make_user,
    owner_of,
    path_of,
    play,
)
from tests.refusals import refuses
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def night():
    return make_paid_night(10)


def named(event, place):
    return players.named(club=event.season.club, name=event.order[place])


def balances(transfers):
    """What everybody won over the transfers; the sums that the database keeps say the same."""
    found = [list(money.money_page(moves).balances) for moves in (transfers, sums_of(transfers))]
    assert found[0] == found[1]
    return {str(b.account): b.amount for b in found[0]}


def sums_of(transfers):
    events = {transfer.event_id for transfer in transfers}
    season = transfers.first().event or transfers.first().posting
    sums = money.sums_of_season(season.season)
    return sums.filter(event__in=events) if len(events) == 1 and None not in events else sums


def act(service, night, /, **details):
    """The posting with what every posting needs."""
    values = {"season": night.season, "by": owner_of(night), "client_id": uuid.uuid4()}
    return service(**(values | details))


def test_paying_in_cash_settles_the_night(night):
    act(postings.settle, night, event=night, payer=named(night, 3), payee=named(night, 0),
        amount=10)  # fmt: skip
    page = money.money_page(night.transfers.all())
    assert ({b.amount for b in page.balances}, list(page.payments)) == ({0}, [])


def test_the_loser_pays_the_coffee_that_another_laid_out(night):
    act(postings.share_cost, night, event=night, bearers=[named(night, 3)], amount=7,
        paid_by=named(night, 1))  # fmt: skip
    assert balances(night.transfers.all()) == {
        night.order[0]: 10,
        night.order[1]: 7,
        night.order[3]: -17,
    }


def test_a_cost_that_does_not_divide_is_borne_by_the_first_ones(night):
    bearers = [named(night, place) for place in range(4)]
    posting = act(postings.share_cost, night, bearers=bearers, amount=10)
    assert [t.amount for t in posting.transfers.order_by("pk")] == [3, 3, 2, 2]


def test_who_laid_the_money_out_bears_his_own_share(night):
    bearers = [named(night, place) for place in range(4)]
    posting = act(postings.share_cost, night, bearers=bearers, amount=40, paid_by=named(night, 0))
    assert sorted(str(t.payer) for t in posting.transfers.all()) == sorted(night.order[1:])


def test_fees_go_to_the_club_and_prizes_come_from_it(night):
    act(postings.charge_fee, night, players=[named(night, 1), named(night, 2)], amount=5)
    make_prize(night.season, night.order[1], 8)
    club = night.season.club.name
    assert balances(money.of_season(night.season)) == {
        night.order[0]: 10,
        night.order[1]: 3,
        club: 2,
        night.order[2]: -5,
        night.order[3]: -10,
    }


def test_what_is_posted_beside_the_games_does_not_change_points_or_money_won(night):
    make_prize(night.season, night.order[2], 100, event=night)
    row = player_rows.row_of(named(night, 2), night.season)
    assert row.money == 0


def test_a_form_sent_twice_is_posted_once(night):
    key = uuid.uuid4()
    one, two = (make_prize(night.season, night.order[0], note="x") for _ in range(2))
    assert one != two
    for _ in range(2):
        act(postings.award_prize, night, player=named(night, 0), amount=1, client_id=key)
    assert Posting.objects.count() == 3


@pytest.mark.parametrize(
    ("service", "first", "changed"),
    [
        (postings.award_prize, {"player": 0}, {"amount": 7}),
        (postings.award_prize, {"player": 0}, {"player": 1}),
        (postings.award_prize, {"player": 0}, {"note": "Cúp"}),
        (postings.award_prize, {"player": 0}, {"event": None}),
        (postings.charge_fee, {"players": [0, 1]}, {"players": [0, 1, 2]}),
        (postings.share_cost, {"bearers": [1, 2]}, {"paid_by": 3}),
        (postings.settle, {"payer": 3, "payee": 0}, {"payer": 0, "payee": 3}),
        (postings.post_side, {"payer": 3, "payee": 0}, {"amount": 2}),
    ],
)
def test_a_key_that_comes_again_with_another_entry_is_told(night, service, first, changed):
    sent = {"event": night, "amount": 6, "note": "", "client_id": uuid.uuid4()}

    def post(values):
        people = {
            name: [named(night, at) for at in value] if isinstance(value, list) else value
            for name, value in values.items()
        }
        for name in {"player", "payer", "payee", "paid_by"} & values.keys():
            people[name] = named(night, values[name])
        return act(service, night, **people)

    saved = post(sent | first | {"note": " "})
    with refuses("key_reused"):
        post(sent | first | changed)
    assert post(sent | first) == saved == Posting.objects.get()


def test_a_key_of_a_tap_reverses_and_settles_what_it_did_before_only(night):
    one, two = (make_prize(night.season, name) for name in night.order[:2])
    key, by = uuid.uuid4(), owner_of(night)
    mirror = postings.reverse(posting=one, by=by, client_id=key)
    with refuses("key_reused"):
        postings.reverse(posting=two, by=by, client_id=key)
    assert postings.reverse(posting=one, by=by, client_id=key) == mirror
    (debt,) = open_debts.of_night(night)
    payer, payee = debt.payer.player_id, debt.payee.player_id
    tap = {"event": night, "amount": debt.amount, "client_id": uuid.uuid4()}
    paid = act(postings.settle_open, night, which=open_debts.Which(payer, payee), **tap)
    for which, more in (
        (open_debts.Which(payee, payer), {}),
        (open_debts.Which(payer, payee), {"amount": debt.amount + 1}),
        (open_debts.Which(payer, payee), {"client_id": key}),
    ):
        with refuses("key_reused"):
            act(postings.settle_open, night, which=which, **tap | more)
    for which in (open_debts.Which(payer, payee), open_debts.Which(person=payer)):
        assert act(postings.settle_open, night, which=which, **tap) == paid


def test_a_page_says_that_its_key_was_used_and_sends_the_rest_under_another(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    path = address(night, "posting_create", kind="prize")
    sent = {"player": night.order[0], "amount": "40", "event": night.pk, "note": ""}
    sent |= {"client_id": str(uuid.uuid4())}
    for _ in range(2):
        assert client.post(path, sent).status_code == 302
    said = client.post(path, sent | {"amount": "70"})
    assert said.status_code == 422
    assert "sent before with other content" in said.content.decode()
    form = said.context["form"]
    assert client.post(path, sent | {"amount": form["amount"].value(), "client_id":
                       form["client_id"].value()}).status_code == 302  # fmt: skip
    assert sorted(Transfer.objects.filter(posting__isnull=False).values_list("amount")) == [
        (40,),
        (70,),
    ]


def test_a_form_of_one_season_posts_nothing_in_another(night):
    prize = make_prize(night.season, night.order[0])
    other = make_season(night.season.club)
    values = {"player": named(night, 0), "amount": 1, "client_id": prize.client_id}
    with refuses("form"):
        act(postings.award_prize, night, **(values | {"season": other}))
    mine = make_prize(other, night.order[0])
    with pytest.raises(ValidationError):
        postings.reverse(posting=mine, by=owner_of(other), client_id=prize.client_id)
    assert Posting.objects.count() == 2


def test_a_posting_is_taken_back_once_by_its_mirror_image(night):
    prize = make_prize(night.season, night.order[1])
    act_ = {"posting": prize, "by": owner_of(night)}
    mirror = postings.reverse(client_id=uuid.uuid4(), **act_)
    assert balances(money.of_season(night.season))[night.order[1]] == 0
    for posting in (prize, mirror):
        with pytest.raises(ValidationError):
            postings.reverse(**(act_ | {"posting": posting}), client_id=uuid.uuid4())
    assert Transfer.objects.filter(posting__isnull=False).count() == 2


@pytest.mark.parametrize("change", ["update", "delete"])
def test_the_database_refuses_to_change_a_posting(night, change):
    make_prize(night.season, night.order[0])
    found = Posting.objects.all()
    with pytest.raises(DatabaseError), transaction.atomic():
        found.update(note="else") if change == "update" else found.delete()


@pytest.mark.parametrize(
    ("service", "details", "field"),
    [
        (postings.settle, {"payer": 0, "payee": 0, "amount": 1}, "payee"),
        (postings.settle, {"payer": 0, "payee": 1, "amount": 0}, "amount"),
        (postings.award_prize, {"player": 0, "amount": 10**12 + 1}, "amount"),
        (postings.share_cost, {"bearers": [], "amount": 1}, "bearers"),
        (postings.charge_fee, {"players": [], "amount": 1}, "bearers"),
        (postings.share_cost, {"bearers": [0], "paid_by": 0, "amount": 1}, "bearers"),
    ],
)
def test_a_posting_that_cannot_be_is_refused_by_field(night, service, details, field):
    people = {"payer", "payee", "player", "paid_by"}
    filled = {
        name: named(night, value)
        if name in people
        else [named(night, place) for place in value]
        if isinstance(value, list)
        else value
        for name, value in details.items()
    }
    with pytest.raises(ValidationError) as refused:
        act(service, night, **filled)
    assert list(refused.value.message_dict) == [field]
    assert Posting.objects.count() == 0


def test_a_player_of_another_club_gets_no_prize(night):
    stranger = make_night(1).entrants.first().player
    with pytest.raises(ValidationError):
        act(postings.award_prize, night, player=stranger, amount=1)


def test_money_of_two_names_of_one_person_is_one_balance(night):
    by = owner_of(night)
    into = players.add_player(club=night.season.club, name="Cô Ba", by=by)
    merges.merge(alias=named(night, 0), into=into, by=by)
    make_prize(night.season, "Cô Ba", 5)
    assert balances(money.of_season(night.season))["Cô Ba"] == 15


def test_between_two_people_every_transfer_adds_up(night):
    act(postings.settle, night, payer=named(night, 3), payee=named(night, 0), amount=4)
    rows = money.between(night.season, [named(night, 0).pk], [named(night, 3).pk])
    assert [(r.amount, r.total, r.transfer.words) for r in rows] == [
        (10, 10, "last place"),
        (-4, 6, "paid"),
    ]


def test_a_merged_name_means_the_person_in_old_links_and_requests(client, night):
    club, by = night.season.club, owner_of(night)
    alias, other = named(night, 0), named(night, 3)
    into = players.add_player(club=club, name="Cô Ba", by=by)
    merges.merge(alias=alias, into=into, by=by)
    make_prize(night.season, "Cô Ba", 5)
    postings.post_side(payer=other, payee=into, season=night.season, amount=7, by=by,
                       client_id=uuid.uuid4())  # fmt: skip
    client.force_login(by)
    for one in (into, alias):
        keys = [club.slug, night.season_id, one.pk, other.pk]
        shown = client.get(reverse("league:money_between", args=keys))
        assert [row.total for row in shown.context["rows"]] == [10, 17]
        assert str(shown.context["one"]) == "Cô Ba"
    given = {"player": alias.pk, "points": "-1", "reason": "late"}
    api = path_of(night.season, "api:adjustments")
    answer = client.post(api, given, content_type="application/json")
    assert (answer.status_code, answer.json().get("player")) == (201, into.pk)


def test_a_seasons_transfers_are_found_by_their_nights_and_postings_keys(night):
    """Two joins made PostgreSQL read the transfers of all seasons: 467 ms of two millions."""
    act(postings.settle, night, event=night, payer=named(night, 3), payee=named(night, 0),
        amount=10)  # fmt: skip
    found = money.of_season(night.season)
    assert set(found) == set(Transfer.objects.all()) != set()
    with connection.cursor() as cursor:
        # On a table of one row every way costs the same; without these two only the keys are left.
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off")
    plan = found.explain()
    assert "BitmapOr" in plan
    assert "Join" not in plan


def test_the_proof_shows_every_level_at_zero(night):
    second = make_table(night, games=1)
    make_prize(night.season, night.order[0])
    season = money.of_season(night.season)
    levels = [
        money.proofs(season, "event"),
        money.proofs(night.transfers.all(), "sitting"),
        money.proofs(night.transfers.filter(result__sitting=second), "game"),
        [money.proof_of_all(season)],
    ]
    sums = money.sums_of_season(night.season)
    assert (money.proofs(sums, "event"), [money.proof_of_all(sums)]) == (levels[0], levels[3])
    assert [len(level) for level in levels] == [1, 2, 1, 1]
    assert {proof.difference for level in levels for proof in level} == {0}
    assert min(proof.won for level in levels for proof in level) > 0


def test_sums_that_were_tampered_with_are_found(night):
    assert list(verify.stored_sums()) == []
    night.money_tallies.update(games=7)
    assert len(list(verify.stored_sums())) == 4


def test_a_long_list_of_balances_comes_in_pages_and_adds_up_over_all(client, night):
    season, by = night.season, owner_of(night)
    names = "\n".join(f"Khách {number:03}" for number in range(150))
    added = players.add_players(club=season.club, text=names, by=by).players
    act(postings.charge_fee, night, players=added, amount=2, event=night)
    client.force_login(make_member(night.season.club, "player"))
    first, second = (client.get(address(night), {"page": n, "payment": n}) for n in (1, 2))
    assert [len(page.context["sums"].balances) for page in (first, second)] == [100, 53]
    assert [len(page.context["payments"]) for page in (first, second)] == [100, 51]
    assert first.context["sums"].money.total == 0
    event = client.get(address(night), {"event": night.pk}, follow=True).content.decode()
    assert 'href="?payment=2"' in event


def test_a_reversal_says_what_it_takes_back(night):
    prize = make_prize(night.season, night.order[0], note="the cup")
    postings.reverse(posting=prize, by=owner_of(night), client_id=uuid.uuid4())
    words = [t.words for t in money.listed(Transfer.objects.filter(result=None).order_by("pk"))]
    assert words == ["prize: the cup", "reversed: prize: the cup"]


def test_every_reason_of_the_engine_has_words():
    known = {
        "loser",
        "third",
        "chop",
        "cong",
        "twos_left",
        "bombs_left",
        "cards_left",
        "instant_win",
        "last_two",
        "three_spades",
    }
    beside = set(Posting.Kind.values) - {Posting.Kind.GAME.value}  # A game has the engine's.
    assert known | beside | {NOTEBOOK} == set(money_words.REASONS)


# --- Pages ------------------------------------------------------------------------------------


def address(event, name="season_money", **more):
    club = event.season.club
    return reverse(f"league:{name}", kwargs={"slug": club.slug, "pk": event.season_id, **more})


@pytest.mark.parametrize(
    ("kind", "form", "amounts"),
    [
        ("cost", {"bearers": "last", "paid_by": ""}, {3: -16}),
        ("cost", {"bearers": "all", "amount": "8", "paid_by": ""}, {0: 8, 1: -2, 2: -2, 3: -12}),
        ("cost", {"bearers": "named", "names": "{1}, {2}", "paid_by": "{1}"}, {1: 3, 2: -3}),
        ("cost", {"bearers": "named", "names": "{2}", "paid_by": "{1}"}, {1: 6, 2: -6}),
        ("fee", {"bearers": "named", "names": "{1}, {2}"}, {1: -6, 2: -6}),
        ("fee", {"bearers": "all", "names": "{1}"}, {1: -6, 3: -10}),
        ("fee", {"bearers": "season"}, {0: 4, 1: -6, 2: -6, 3: -16}),
        ("prize", {"player": "{2}"}, {2: 6}),
        ("settlement", {"payer": "{3}", "payee": "{0}", "amount": "10"}, {0: 0, 3: 0}),
    ],
)
def test_organisers_post_by_names(client, night, kind, form, amounts):
    client.force_login(make_member(night.season.club, "organiser"))
    shared = {"amount": "6", "event": night.pk, "note": "", "client_id": uuid.uuid4()}
    filled = shared | {key: value.format(*night.order) for key, value in form.items()}
    path = address(night, "posting_create", kind=kind)
    said = "one who is not gets the whole amount back." in client.get(path).content.decode()
    assert said == (kind == "cost")
    assert client.post(path, filled).status_code == 302
    after = balances(night.transfers.all())
    assert {place: after[night.order[place]] for place in amounts} == amounts


@pytest.mark.parametrize(
    ("kind", "form", "field"),
    [
        ("prize", {"player": "Nobody"}, "player"),
        ("cost", {"bearers": "named", "names": ""}, "names"),
        ("cost", {"bearers": "last", "event": ""}, "event"),
        ("fee", {"bearers": "named", "names": "Nobody"}, "names"),
        ("settlement", {"payer": "", "payee": "x", "amount": "-1"}, "amount"),
    ],
)
def test_a_wrong_posting_is_shown_beside_its_field(client, night, kind, form, field):
    client.force_login(make_member(night.season.club, "organiser"))
    shared = {"amount": "6", "event": night.pk, "note": "", "client_id": uuid.uuid4()}
    response = client.post(address(night, "posting_create", kind=kind), shared | form)
    assert response.status_code == 422
    assert field in response.context["form"].errors


def test_each_level_of_the_money_page_leads_to_the_next(client, night):
    sitting = night.rounds.get().sittings.get()
    client.force_login(make_member(night.season.club, "player"))
    for query, expected in (
        ("", night.name),
        (f"?event={night.pk}", "round 1, table 1"),
        (f"?event={night.pk}&sitting={sitting.pk}", "game 1"),
        (f"?event={night.pk}&sitting={sitting.pk}&game=1", "last place"),
    ):
        assert expected in client.get(address(night) + query, follow=True).content.decode()


@pytest.mark.parametrize("query", ["?event=x", "?event=99999999", "?event={event}&sitting=7777777"])
def test_a_level_that_is_not_there_is_not_found(client, night, query):
    client.force_login(make_member(night.season.club, "player"))
    shown = client.get(address(night) + query.format(event=night.pk), follow=True)
    assert shown.status_code == 404


@pytest.mark.parametrize("count", share([1, 3], 1, of=2))
def test_the_money_page_takes_a_fixed_number_of_queries(
    client, night, count, django_assert_num_queries
):
    for name in night.order[:count]:
        make_prize(night.season, name)
    client.force_login(make_member(night.season.club, "player"))
    with django_assert_num_queries(21):
        client.get(address(night))


def test_the_money_of_a_season_begins_with_what_the_visitor_owes(client, night):
    club, payer = night.season.club, night.order[3]
    user = make_user("payer@club.example")
    give_role(club, user, "player")
    players.take_player(player=club.players.get(name=payer), user=user)
    client.force_login(user)
    page = client.get(address(night))
    short = page.context["short"]
    owed = [(str(one.payee), one.amount) for one in short.pays]
    assert owed
    assert all(str(one.payer) == payer for one in short.pays)
    assert (short.to_pay, short.to_get) == (sum(amount for _name, amount in owed), 0)
    assert "You still owe" in page.content.decode()
    assert [(one.event, one.won, one.left) for one in short.nights] == [
        (night, short.left, short.left)
    ]


def test_a_night_that_is_paid_has_nothing_left_in_the_list_of_nights(night):
    before = money.nights_of(night.season)
    for one in open_debts.of_night(night):
        act(postings.settle, night, event=night, payer=one.payer.player, payee=one.payee.player,
            amount=one.amount)  # fmt: skip
    after = money.nights_of(night.season)
    assert [(one.won, one.left) for one in after] == [(before[0].won, 0)]


def test_a_person_who_won_and_lost_under_two_names_has_nothing_left(night):
    """Who lost the first game lost the second to the same people, under another name."""
    club, by = night.season.club, owner_of(night)
    _first, *others, last = night.order
    again = players.add_player(club=club, name="Em", by=by)
    for person, presence in ((named(night, 0), "left"), (again, "here")):
        keys = [person.pk]
        attendance.set_presence(event=night, player_ids=keys, presence=presence, by=by)
    play(make_table(night), [last, *others, "Em"])
    merges.merge(alias=again, into=named(night, 0), by=by)
    assert [(one.won, one.left) for one in money.nights_of(night.season)] == [(0, 0)]

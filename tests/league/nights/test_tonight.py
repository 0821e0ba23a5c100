"""Score tonight: names, tables, a code; with and without an account."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.domain.names import parse_name_list
from league.base.forms import mark_of
from league.clubs.acts import players
from league.models import Club, Event, Player, Round
from league.nights.pages.first_night import first_names
from tests.factories import browser_of, make_club, make_season, make_user, path_of
from tests.league.nights.test_final_places import step_of
from tests.races import race

pytestmark = pytest.mark.django_db
PAGE = "/clubs/~tonight/"
SEVENTEEN = [f"Người {letter}" for letter in "ABCDEGHIKLMNOPQRS"]


@pytest.fixture
def family():
    """A phone without an account."""
    return Client()


def asked(text, **more):
    form = {"text": text, "ruleset": "mien-nam", "games": "4", "stake": "2.000"}
    return form | {"seed": "7", "do": "start"} | more


def seats(drawn):
    """Return the names of each table in seat order, and of those who wait."""
    tables = [[seat.name for seat in table] for table in drawn.tables]
    return tables, [seat.name for seat in drawn.waiting]


def saved_seats(round_):
    tables = [[p.entrant.player.name for p in table.seated] for table in round_.sittings.all()]
    queue = round_.event.entrants.exclude(ticket=None).order_by("ticket")
    return tables, [entrant.player.name for entrant in queue]


def test_the_first_page_leads_to_the_names_without_an_account(family):
    assert f'href="{PAGE}"' in family.get("/").content.decode()
    page = family.get(PAGE).content.decode()
    assert "Who plays tonight?" in page
    assert "Step 1 of 3" in page
    assert "Play Miền Nam, 4 games a round, no money, Saigon time." in page


@pytest.mark.parametrize("people", [3, 4, 6, 9, 17])
def test_the_tables_that_are_shown_are_those_that_are_started(family, people):
    text = "\n".join(SEVENTEEN[:people])
    shown = family.post(PAGE, asked(text, do="draw"))
    assert "Step 2 of 3" in shown.content.decode()
    assert not Club.objects.exists()
    assert not Player.objects.exists()
    family.post(PAGE, asked(text))
    assert seats(shown.context["drawn"]) == saved_seats(Round.objects.get())


@pytest.mark.parametrize("people", [6, 9])
def test_two_taps_change_two_seats_and_the_start_keeps_them(family, people):
    text = "\n".join(SEVENTEEN[:people])
    before = family.post(PAGE, asked(text, do="draw"))
    first = before.context["drawn"].tables[0][0]
    other = [*before.context["drawn"].waiting, *before.context["drawn"].tables[-1]][0]
    tapped = family.post(PAGE, asked(text, do="", pick=first.number))
    assert tapped.context["picked"] == first.number
    swapped = family.post(PAGE, asked(text, do="", picked=first.number, pick=other.number))
    assert swapped.context["drawn"].tables[0][0].name == other.name
    family.post(PAGE, asked(text, exchanged=swapped.context["exchanged"]))
    assert saved_seats(Round.objects.get()) == seats(swapped.context["drawn"])


def test_the_tables_are_drawn_anew_as_often_as_one_likes(family):
    text = "\n".join(SEVENTEEN)
    one = family.post(PAGE, asked(text, do="draw")).context
    two = family.post(PAGE, asked(text, do="again", exchanged="0-1")).context
    assert seats(one["drawn"]) != seats(two["drawn"])
    assert two["exchanged"] == ""
    assert not Club.objects.exists()


def test_four_names_lead_by_the_code_to_their_table(family):
    answer = family.post(PAGE, asked("Ba, Mẹ, Hùng, Lan"))
    event, club = Event.objects.get(), Club.objects.get()
    assert answer["Location"] == path_of(club, "night_qr", event.pk)
    assert (club.name, club.is_public, event.stake) == ("Our table", False, 2_000)
    table = path_of(club, "table", event.pk, 1, 1)
    code = family.get(answer["Location"]).content.decode()
    assert table in code
    assert "/clubs/~night/" in code
    assert "0 of 4 have found their name" in code
    assert family.get(table).content.decode().count("data-tap") >= 4


def test_six_names_play_at_one_table_with_a_queue(family):
    family.post(PAGE, asked("1. An\n2. Bình\n3. Chi\n4. Dũng\n5. Hà\n6. Lan"))
    event = Event.objects.get()
    assert event.format["kind"] == "loser_leaves"
    assert len(Round.objects.get().sittings.get().seated) == 4
    assert event.entrants.filter(ticket__isnull=False).count() == 2


def test_nine_names_play_rounds(family):
    family.post(PAGE, asked("\n".join(SEVENTEEN[:9]), games="6"))
    event = Event.objects.get()
    assert (event.format["kind"], event.games_per_round) == ("rounds", 6)
    assert Round.objects.get().status == "released"
    night = family.get(path_of(Club.objects.get(), "event", event.pk))
    assert step_of(night).actions[0].text == "QR code"
    assert "Round 1 is being played: 0 of " in night.content.decode()


def test_a_start_that_is_sent_twice_starts_once(family):
    family.post(PAGE, asked("An, Bình, Chi", do="draw"))
    first, second = (family.post(PAGE, asked("An, Bình, Chi")) for _n in range(2))
    assert first["Location"] == second["Location"]
    assert Club.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_the_same_moment_start_once(family):
    family.post(PAGE, asked("An, Bình, Chi", do="draw"))
    tap = lambda: family.post(PAGE, asked("An, Bình, Chi"))["Location"]  # noqa: E731
    one, two = race(tap, tap, refused=())
    assert one == two
    assert Club.objects.count() == 1


def test_after_midnight_the_night_has_the_day_of_the_people_at_the_table(monkeypatch, family):
    late = datetime(2015, 12, 31, 17, 30, tzinfo=UTC)  # Half past midnight in Vietnam.
    monkeypatch.setattr(timezone, "now", lambda: late)
    family.post(PAGE, asked("Ba, Mẹ, Hùng, Lan"))
    event = Event.objects.get()
    new_year = date(2016, 1, 1)
    evening = date(2015, 12, 31)
    assert (event.date, event.season.starts_on) == (new_year, evening)
    assert (event.starts_at, event.day) == (time(0, 30), evening)
    assert event.season.name == "Season 2016"


def test_rules_without_payments_have_no_stake(family):
    family.post(PAGE, asked("An, Bình, Chi, Dũng", ruleset="tien-len"))
    assert Event.objects.get().stake == 0


@pytest.mark.parametrize("do", ["draw", "start"])
@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"text": ""}, "At least three people."),
        ({"text": "1.\n2."}, "At least three people."),
        ({"text": "An, Bình"}, "At least three people."),
        ({"text": "An, Bình, An, Chi"}, "Two people are called “An”. Add a letter"),
        ({"text": "An, Bình, Chi, " + "x" * 300}, "Line 1"),
        ({"text": "\n".join(f"P{n}" for n in range(301))}, "3 to 300 players"),
        ({"games": "0"}, "Enter 1 or more."),
        ({"games": "many"}, "Enter a whole number"),
        ({"ruleset": "chess"}, "is not available"),
        ({"stake": "lots"}, "lots"),
        ({"exchanged": "0-0"}, "Choose two different players"),
    ],
)
def test_wrong_input_is_told_and_makes_nothing(family, do, sent, problem):
    answer = family.post(PAGE, asked("An, Bình, Chi, Dũng") | sent | {"do": do})
    assert answer.status_code == 422
    assert problem in answer.content.decode()
    assert not Club.objects.exists()


@pytest.mark.parametrize("seed", ["", "-1", "x", str(2**40)])
def test_a_seed_that_no_page_sent_is_replaced(family, seed):
    assert family.post(PAGE, asked("An, Bình, Chi, Dũng", seed=seed)).status_code == 302
    assert 0 <= Round.objects.get().seed < 2**31


@pytest.mark.parametrize("sent", ["99-1", "1-99999", "x", "1-", "-1-2"])
def test_exchanges_of_people_that_are_not_there_are_passed_over(family, sent):
    assert family.post(PAGE, asked("An, Bình, Chi, Dũng", exchanged=sent)).status_code == 302


CHAT = "Danh sách tối nay:\nTối nay chơi nhé\n1/ Fay\n@Hoa\n19h30 ở quán cũ\nCô Ái\nMẹ"


def test_lines_of_a_chat_are_asked_about_before_anything_is_drawn(family):
    answer = family.post(PAGE, asked(CHAT, do="draw"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "These lines don't look like names." in page
    assert [chip.name for chip in answer.context["read"].chips] == ["Fay", "Hoa", "Cô Ái", "Mẹ"]
    lines = ["Danh sách tối nay:", "Tối nay chơi nhé", "19h30 ở quán cũ"]
    assert answer.context["read"].asked == lines
    # The same button a second time is an answer, and says so.
    assert "Draw without lines left unticked" in page
    assert "Draw the tables" not in page
    family.post(PAGE, asked(CHAT, asked=lines, plays=lines[2:]))
    people = set(Player.objects.values_list("name", flat=True))
    assert people == {"Fay", "Hoa", "Cô Ái", "Mẹ", "19h30 ở quán cũ"}


@pytest.mark.parametrize(
    "name",
    ["Cô Ba", "Hải “Heo”", "Mẹ", "Nguyễn Thị Minh Khai", "Út Lan (nhà 12)", "Tèo 2", "In",
     "Dạ Thảo", "Nhã", "Thanh Nha", "Anh Chốt", "Em Út", "Vân", "Bé Ha"],
)  # fmt: skip
def test_names_are_not_taken_for_talk(name):
    assert parse_name_list(name).doubtful == []


@pytest.mark.parametrize(
    "line",
    ["ok nhé", "Ok em", "em đi ạ", "vâng", "chốt nhé", "mình chơi", "mai bận rồi", "haha",
     "cho em 1 slot"],
)  # fmt: skip
def test_short_answers_of_a_chat_are_no_names(line):
    assert parse_name_list(line).doubtful == [line]


def test_numbers_with_a_stroke_and_mentions_of_a_chat_are_names():
    assert parse_name_list("1/ Fay\n2/Hoa\n@Lan\n3. @Tý").names == ["Fay", "Hoa", "Lan", "Tý"]


def test_the_names_say_how_many_tables_they_make():
    found = first_names("\n".join(SEVENTEEN))
    assert (found.total, found.sizes) == ("17 people, 5 tables", "2 tables of 4, 3 tables of 3")
    six = first_names("\n".join(SEVENTEEN[:6]))
    assert (six.total, six.sizes) == ("6 people, 1 table", "Last place gives up the seat.")


def test_a_tap_on_a_name_takes_it_back_into_the_field(family):
    page = family.post(PAGE, {"text": ["An", "Bình", ""], "edit": "An"})
    assert [chip.name for chip in page.context["read"].chips] == ["Bình"]
    assert ">An</textarea>" in page.content.decode()


def test_lines_that_may_be_no_names_are_asked_about_until_the_draw(family):
    form = {"text": "An\nBình\nChi\nHùng và Lan", "do": "look"}
    assert family.post(PAGE, form).context["read"].asked == ["Hùng và Lan"]
    form |= {"text": [form["text"], "Dũng"], "asked": "Hùng và Lan"}
    another = family.post(PAGE, form).context["read"]
    assert (another.names, another.asked) == (["An", "Bình", "Chi", "Dũng"], ["Hùng và Lan"])
    ticked = family.post(PAGE, form | {"plays": "Hùng và Lan"}).context["read"]
    assert (len(ticked.names), ticked.asked) == (5, [])
    drawn = family.post(PAGE, asked(form["text"], asked="Hùng và Lan", do="draw"))
    assert len(drawn.context["night"].names) == 4


def test_an_account_starts_in_a_club_of_its_own_with_the_players_it_has():
    me = make_user("me@club.example")
    club = make_club(owner=me)
    season = make_season(club)
    an = players.add_player(club=club, name="An", by=me)
    browser = browser_of(me)
    form = browser.get(PAGE).context["form"]
    assert [name for _key, name in form.fields["club"].choices] == [club.name, "a new club"]
    browser.post(PAGE, asked("An, Bình, Chi", club=club.pk))
    event = Event.objects.get()
    assert (event.season, club.players.count()) == (season, 3)
    assert event.entrants.filter(player=an, presence="here").exists()
    other = make_club()
    assert browser.post(PAGE, asked("An, Bình, Chi", club=other.pk)).status_code == 422


def test_the_big_screen_is_free_of_the_notice_for_who_holds_the_club(family):
    family.post(PAGE, asked("An, Bình, Chi, Dũng"))
    event = Event.objects.get()
    at = event.season.club.slug, event.pk
    assert "Only this browser" in family.get(reverse("league:event", args=at)).content.decode()
    assert "Only this browser" not in family.get(reverse("league:wall", args=at)).content.decode()


def test_an_account_without_a_club_gets_one_that_nobody_else_holds():
    browser_of(make_user("me@club.example")).post(PAGE, asked("An, Bình, Chi"))
    club = Club.objects.get()
    assert (club.held_by, club.held_until, club.memberships.count()) == ("", None, 1)


@pytest.mark.parametrize("who", ["closed", "invitation"])
def test_where_accounts_are_not_open_to_all_one_signs_in_first(settings, family, who):
    settings.SIGN_UP = who
    assert family.get(PAGE)["Location"] == f"/accounts/login/?next={PAGE}"


def test_one_address_starts_so_many_nights_and_no_more(settings, family):
    cache.clear()
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"start": (2, 3600)}
    for seed in (1, 2):
        assert Client().post(PAGE, asked("An, Bình, Chi", seed=seed)).status_code == 302
    answer = family.post(PAGE, asked("An, Bình, Chi", seed=3))
    assert (answer.status_code, Club.objects.count()) == (429, 2)
    assert "Too many requests from your address." in answer.content.decode()


def test_the_first_page_leads_back_to_the_night_that_the_phone_runs(family):
    family.post(PAGE, asked("An, Bình, Chi, Dũng"))
    event = Event.objects.get()
    page = path_of(event, "event")
    assert page in family.get("/").content.decode()
    assert page not in Client().get("/").content.decode()
    Event.objects.update(status="closed", closed_at=event.season.club.created_at)
    assert page not in family.get("/").content.decode()


@pytest.mark.parametrize("typed", ["10.000", "10,000", "10 000", "10k", "10 nghìn", "10.000 đ"])
def test_the_stake_is_read_as_people_write_it(family, typed):
    family.post(PAGE, asked("An, Bình, Chi, Dũng", stake=typed))
    assert Event.objects.get().stake == 10_000


@pytest.mark.parametrize(("typed", "usual"), [("10", "10 đ is very little"), ("10tr", "is a lot")])
def test_a_stake_out_of_scale_is_asked_about_and_taken_once_it_is_confirmed(family, typed, usual):
    answer = family.post(PAGE, asked("An, Bình, Chi, Dũng", stake=typed))
    page = answer.content.decode()
    assert (answer.status_code, Club.objects.exists()) == (422, False)
    assert usual in page
    sure = answer.context["form"].fields["stake"].widget.question
    other = asked("An, Bình, Chi, Dũng", stake="12", **{"stake-sure": mark_of(sure)})
    assert family.post(PAGE, other).status_code == 422  # It was another amount that was confirmed.
    confirmed = asked("An, Bình, Chi, Dũng", stake=typed, **{"stake-sure": mark_of(sure)})
    tables = family.post(PAGE, confirmed | {"do": "draw"})
    assert f'name="stake-sure" value="{mark_of(sure)}"' in tables.content.decode()
    family.post(PAGE, confirmed)
    assert Event.objects.get().stake in (10, 10_000_000)


def test_a_stake_with_two_readings_is_refused_with_both(family):
    page = family.post(PAGE, asked("An, Bình, Chi, Dũng", stake="1.500k")).content.decode()
    assert "1,500 or 1,500,000" in page
    assert 'value="1.500k"' in page
    assert not Club.objects.exists()

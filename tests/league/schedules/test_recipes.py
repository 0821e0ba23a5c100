"""A night in one sentence: recipes kept by the club, presets, and chips that say what is wrong."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client

from league.models import Event, Schedule, Season
from league.nights.acts import closing
from league.schedules.acts import schedules
from league.schedules.domain.repeated import PRESETS
from tests.factories import (
    browser_of,
    change_night,
    make_club,
    make_member,
    make_night,
    make_schedule,
    make_season,
    owner_of,
    path_of,
)
from tests.test_addresses import Reading
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-12-26 07:00+07:00")
FRIDAY = date(2027, 1, 1)
WEEK = timedelta(weeks=1)


def organiser(club) -> Client:
    return browser_of(make_member(club, "organiser"))


def beginning(**rules) -> tuple[Season, Client, str]:
    """A season, an organiser of its club, and where a night of it begins."""
    season = make_season(**rules)
    return season, organiser(season.club), path_of(season, "event_create")


def sent(answer, **changes) -> dict[str, object]:
    """What the browser sends of the form that was shown."""
    form = answer.context["form"]
    values = {name: form[name].value() for name in form.fields}
    shown = {name: value for name, value in values.items() if value not in (None, False)}
    return shown | changes


def start(client: Client, address: str, **changes) -> Event:
    answer = client.post(address, sent(client.get(address), **changes))
    assert answer.status_code == 302, answer.context["form"].errors
    return Event.objects.latest("pk")


def words(answer) -> list[str]:
    return [part.words for part in answer.context["form"].sentence if not isinstance(part, str)]


def sentence_of(answer) -> str:
    """The whole sentence, as it is read."""
    parts = answer.context["form"].sentence
    return " ".join(one if isinstance(one, str) else one.words + one.after for one in parts)


# --- At first sight ---------------------------------------------------------------------------


FIRST_SIGHT = {
    "event_create": 0,
    "night_create": 0,
    "event_settings": 0,
    "schedules": 0,
    "schedule_create": 1,
    "schedule_edit": 1,
    "season_settings": 3,
    "season_create": 6,
    "bots_create": 6,
    "league_create": 6,
}
"""There were 20, 17, 26 for a night, its settings and a schedule, and 30 for scoring."""


@pytest.mark.parametrize(("name", "count"), FIRST_SIGHT.items())
def test_at_most_six_fields_are_seen_at_first(name, count):
    season = make_season(rules="killa")
    night = make_night(season=season, stake=5)
    client = organiser(season.club)
    keys = {"event_settings": [night.pk], "night_create": [], "season_create": []}
    more = keys.get(name, [season.pk])
    if name == "schedule_edit":
        start(client, path_of(season, "event_create"), keep="on")
        more = [season.pk, Schedule.objects.get().pk]
    fields = Reading(client.get(path_of(season.club, name, *more)).content.decode()).fields
    assert len(fields) == count <= 6, fields


# --- The sentence -----------------------------------------------------------------------------


def test_the_sentence_says_what_a_tap_on_a_chip_changed_and_nothing_is_saved_yet():
    _season, client, address = beginning(rules="killa")
    shown = client.get(address)
    assert words(shown)[1:6] == [
        "which place?",
        "Killa of Honolulu",
        "3 rounds × 4 games",
        "without a clock",
        "for points only",
    ]
    changes = {"rounds_planned": "5", "stake": "10", "date": "2027-01-01", "starts_at": "19:30"}
    looked = client.post(address, sent(shown, **changes) | {"preview": "1"})
    assert looked.status_code == 200
    assert words(looked)[0] == "Friday 1 Jan, 19:30"
    assert words(looked)[3:6] == ["5 rounds × 4 games", "without a clock", "10 kẹo a game"]
    assert Event.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "topic"),
    [
        ({"rounds_planned": "0"}, "How much is played?"),
        ({"stake": "no"}, "What does a game cost?"),
        ({"date": "soon"}, "When?"),
        ({"venue": "x" * 81}, "Venue"),
        ({"sign_up_places": "1"}, "Who is asked?"),
        ({"ruleset": "chess"}, "Which rules?"),
        ({"round_minutes": "0"}, "Minutes per round"),
        ({"every": "week", "starts_at": ""}, "When?"),
        ({"format": "groups", "groups": "0"}, "Format"),
    ],
)
def test_a_wrong_chip_says_why_and_the_action_names_it(changes, topic):
    _season, client, address = beginning(rules="killa")
    answer = client.post(address, sent(client.get(address), **changes))
    assert (answer.status_code, answer.context["form"].wrong) == (422, [topic])
    page = answer.content.decode()
    assert f"Correct first: {topic}" in page.replace("&#x27;", "'")
    assert "field-errors" in page
    assert Event.objects.count() == 0


@pytest.mark.parametrize("name", ["event_create", "schedule_create"])
def test_a_round_s_clock_is_said_once_and_of_a_queue_behind_more(name):
    season = make_season(rules="killa")
    client, address = organiser(season.club), path_of(season, name)
    shown, clock = client.get(address), "Minutes per round"

    def said(answer) -> tuple[int, int]:
        form = answer.context["form"]
        sentence = [part.title for part in form.sentence if not isinstance(part, str)]
        return sentence.count(clock), [row.title for row in form.rows].count(clock)

    assert said(shown) == (1, 0)
    assert ", each round 25 minutes, " in sentence_of(
        client.post(address, sent(shown, preview="1", round_minutes="25"))
    )
    queue = client.post(address, sent(shown, preview="1", format="loser_leaves"))
    assert (said(queue), "each round" in sentence_of(queue)) == ((0, 1), False)


def test_the_settings_of_a_night_are_the_same_sentence():
    night = make_night(rules="killa", stake=10)
    client = organiser(night.season.club)
    address = path_of(night, "event_settings")
    shown = client.get(address)
    assert words(shown)[1:] == [
        "which place?",
        "Killa of Honolulu",
        "3 rounds × 4 games",
        "without a clock",
        "10 kẹo a game",
    ]
    assert client.post(address, sent(shown, preview="1", rounds_planned="2")).status_code == 200
    assert Event.objects.get().rounds_planned == 3


def test_a_night_may_have_rules_of_its_own_and_a_stake_where_they_pay():
    season, client, address = beginning(rules="thirteen")
    shown = client.get(address)
    assert "stake" not in shown.context["form"].fields
    own = client.post(address, sent(shown, ruleset="mien-nam", preview="1"))
    assert "stake" in own.context["form"].fields
    answer = client.post(address, sent(own, ruleset="mien-nam", stake="10"))
    assert answer.status_code == 302
    night = Event.objects.get()
    assert (night.rules.key, night.stake, season.ruleset.body["key"]) == (
        "mien-nam",
        10,
        "thirteen",
    )


# --- Recipes ----------------------------------------------------------------------------------


def test_a_club_s_first_night_makes_the_season_that_it_counts_in():
    club = make_club()
    client = organiser(club)
    address = path_of(club, "night_create")
    first, second = start(client, address), start(client, address)
    assert first.season == second.season == club.seasons.get()
    assert second.name != first.name


@pytest.mark.parametrize("key", PRESETS)
def test_what_clubs_play_is_there_to_start_with(key):
    season = make_season(rules="killa")
    client = organiser(season.club)
    night = start(client, path_of(season, "event_create") + f"?like={key}")
    name, _words, plan = PRESETS[key]
    assert (night.name, night.rules_of_format, night.rounds_planned) == (
        name,
        plan.format,
        plan.rounds_planned,
    )


def test_the_recipes_of_a_new_night_say_what_sets_each_apart():
    season = make_season(rules="killa")
    make_night(season=season, rounds_planned=3, games_per_round=4)

    def words():
        page = organiser(season.club).get(path_of(season, "event_create"))
        return [card.words for card in page.context["cards"]]

    assert words()[:2] == ["3 rounds × 4 games", "no clock"]
    assert len({*words()}) == len(PRESETS) + 1
    change_night(season.events.get(), stake=10)
    assert words()[1:3] == ["no clock", "the same deals at every table"]
    chosen = organiser(season.club).get(path_of(season, "event_create") + "?like=fun")
    assert "for points only" in chosen.content.decode().split('class="say"')[1], "read in it"


def test_a_new_night_says_that_it_invites_nobody_by_itself():
    season, said = make_season(), "Once it is created, post its link"
    client = organiser(season.club)
    page = client.get(path_of(season, "event_create")).content.decode()
    assert page.index('class="say"') < page.index(said) < page.index("plan-more"), "above the bar"
    assert said not in client.get(path_of(season, "schedule_create")).content.decode()


def test_another_recipe_keeps_when_and_where_somebody_has_said():
    season = make_season(rules="killa")
    night = make_night(season=season, stake=10)
    client, create = organiser(season.club), path_of(season, "event_create")
    plain = client.get(create)
    assert "venue" not in plain.content.decode().split("recipes")[1].split("</nav>")[0]
    day = night.date + timedelta(days=20)
    said = {"venue": "Nhà Dũng & Tý", "date": day, "preview": "1"}
    page = client.post(create, sent(plain, **said))
    cup = next(card.address for card in page.context["cards"] if "like=cup" in card.address)
    shown = client.get(create + cup)
    form = shown.context["form"]
    assert (form["venue"].value(), form["date"].value()) == ("Nhà Dũng & Tý", day)
    assert form["format"].value() == "knockout"
    again = next(card.address for card in shown.context["cards"] if "like=fun" in card.address)
    assert client.get(create + again).context["form"]["venue"].value() == "Nhà Dũng & Tý"
    wrong = client.get(f"{create}?like=cup&date=never&venue={'x' * 81}").context["form"]
    free = plain.context["form"]["date"].value()
    assert (wrong["date"].value(), wrong["venue"].value()) == (free, "")
    assert client.post(create + cup, sent(shown)).status_code == 302
    assert (season.events.latest("pk").venue, season.events.latest("pk").date) == (
        "Nhà Dũng & Tý",
        day,
    )


def test_a_recipe_is_remembered_used_and_changed_by_name():
    season, client, address = beginning(rules="killa")
    start(client, address, name="Tối vui 1", rounds_planned="2", stake="10", keep="on")
    recipe = Schedule.objects.get()
    assert (recipe.name, recipe.rule, recipe.next_at) == ("Tối vui 2", None, None)
    start(client, address, name="Cup", rounds_planned="6")  # The last night is another one.
    by_recipe = f"{address}?recipe={recipe.pk}"
    cards = client.get(by_recipe).context["cards"]
    [card] = [one for one in cards if one.is_here]
    names = [one.name for one in client.get(address).context["cards"]]
    assert [one.name for one in cards] == names, "what is chosen stays under the finger"
    assert (card.name, card.words) == ("Tối vui 2", "2 rounds × 4 games · 10 kẹo a game")
    night = start(client, by_recipe)
    assert (night.name, night.rounds_planned, night.stake) == ("Tối vui 2", 2, 10)
    start(client, by_recipe, rounds_planned="3")
    recipe.refresh_from_db()
    assert (recipe.name, recipe.plan["rounds_planned"]) == ("Tối vui 4", 2)
    start(client, by_recipe, rounds_planned="3", keep="on")
    recipe.refresh_from_db()
    assert (recipe.name, recipe.plan["rounds_planned"]) == ("Tối vui 5", 3)
    assert "Tối vui 5" in client.get(path_of(season, "schedules")).content.decode()
    other = make_season()
    theirs = f"{path_of(other, 'event_create')}?recipe={recipe.pk}"
    assert organiser(other.club).get(theirs).status_code == 404


def test_a_list_of_guests_is_open_as_soon_as_the_night_is_made():
    season, client, address = beginning()
    changes = {"opens_sign_up": "on", "sign_up_places": "12", "sign_up_hours": "3"}
    form = sent(client.get(address), **changes, date=FRIDAY, starts_at="20:00")
    answer = client.post(address, form)
    night = Event.objects.get()
    assert answer.url == path_of(season.club, "sign_up", night.pk)
    closes_at = datetime(2027, 1, 1, 10, tzinfo=UTC)
    assert (night.sign_up.places, night.sign_up.closes_at) == (12, closes_at)


def test_twelve_nights_of_a_season_come_from_one_recipe():
    season, client, address = beginning(rules="killa")
    changes = {"name": "Đêm 1", "rounds_planned": "2", "every": "week", "date": FRIDAY}
    start(client, address, **changes, starts_at="20:00", stake="10")
    recipe = Schedule.objects.get()
    assert recipe.next_at == datetime(2027, 1, 2, 13, tzinfo=UTC)
    for week in range(1, 12):
        now = datetime(2027, 1, 2, 13, tzinfo=UTC) + (week - 1) * WEEK
        while schedules.tick(now):
            pass
        if week == 5:  # A cup in between, by hand, leaves the rhythm as it is.
            start(client, f"{address}?like=cup", date=FRIDAY + 5 * WEEK + timedelta(days=1))
    nights = season.events.filter(occurrence__schedule=recipe).order_by("date")
    assert [night.name for night in nights] == [f"Đêm {n}" for n in range(1, 13)]
    assert [night.date for night in nights] == [FRIDAY + n * WEEK for n in range(12)]
    assert {(night.rounds_planned, night.stake) for night in nights} == {(2, 10)}
    for night in season.events.all():
        closing.close_event(event=night, by=owner_of(season), despite_unfinished=True)
    assert season.events.filter(status="closed").count() == 13


def test_a_night_of_a_rhythm_made_by_hand_is_not_made_again():
    season, client, address = beginning()
    start(client, address, name="Đêm 1", every="week", date=FRIDAY, starts_at="20:00")
    recipe = Schedule.objects.get()
    early = start(client, f"{address}?recipe={recipe.pk}", date=FRIDAY + WEEK)
    assert (early.name, Schedule.objects.count()) == ("Đêm 2", 1)
    while schedules.tick(datetime(2027, 1, 8, 12, tzinfo=UTC)):
        pass
    assert season.events.filter(date=FRIDAY + WEEK).get() == early
    while schedules.tick(datetime(2027, 1, 9, 13, tzinfo=UTC)):
        pass
    assert season.events.latest("date").name == "Đêm 3"


def test_recipes_are_of_the_club_and_move_on_with_its_season():
    old = make_season()
    client = organiser(old.club)
    start(client, path_of(old, "event_create"), name="Tối vui", keep="on")
    make_schedule(old, name="Máy")
    new = make_season(old.club)
    cards = client.get(path_of(new, "event_create")).context["cards"]
    assert [card.name for card in cards][:1] == ["Tối vui"]
    recipe = Schedule.objects.get(kind="night")
    start(client, f"{path_of(new, 'event_create')}?recipe={recipe.pk}", keep="on")
    recipe.refresh_from_db()
    assert recipe.season == new


def test_while_tonight_goes_on_a_new_night_is_a_week_after_the_last():
    """It proposed today, beside the night that was being played."""
    season = make_season()
    client, today = organiser(season.club), season.club.today
    address = path_of(season, "event_create")

    def proposed():
        form = client.get(address).context["form"]
        return form["date"].value(), form["name"].value()

    def night(name, day):
        return start(client, address, name=name, date=day)

    assert proposed()[0] == today
    night("Đêm 2", today + WEEK)
    assert proposed()[0] == today
    tonight = night("Đêm 1", today)
    day, name = proposed()
    assert (day, name) == (today + 2 * WEEK, f"Night 3, {day:%-d/%-m}")
    closing.close_event(event=tonight, by=owner_of(season))
    assert proposed()[0] == today


def test_a_recipe_with_a_rhythm_starts_with_its_next_day_and_keeps_its_first():
    season, client, address = beginning()
    start(client, address, every="two_weeks", date=FRIDAY, starts_at="20:00")
    recipe = Schedule.objects.get()
    shown = client.get(f"{address}?recipe={recipe.pk}").context["form"]
    assert shown["date"].value() == FRIDAY + 2 * WEEK
    edit = path_of(season, "schedule_edit", recipe.pk)
    assert client.post(edit, sent(client.get(edit), name="Đêm 7")).status_code == 302
    recipe.refresh_from_db()
    assert (recipe.name, recipe.rule["start"]) == ("Đêm 7", FRIDAY.isoformat())


def test_who_usually_comes_is_told_with_the_tables_that_they_make():
    season = make_season()
    client = organiser(season.club)
    for number in range(3):
        night = make_night(7 if number else 5, season=season)
        closing.close_event(event=night, by=owner_of(season), despite_unfinished=True)
    usual = client.get(path_of(season, "event_create")).context["usual"]
    assert (len(usual.people), usual.nights) == (7, 3)
    assert usual.words == "Usually 7 people: 1 table of 4, 1 table of 3."

"""The entry page without script: every tap is a page of its own, and nothing odd breaks it."""

import re
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from engine.rules.specials import Special
from league.models import Result
from tests.factories import game_form, keys_at, make_night, make_table, names_at, play, table_link
from tests.scripts import SCRIPT
from tests.worlds import made_once

QUERIES = 5
ENTRY_QUERIES = 11
"""With the answer: two of them are savepoints, which a test's own transaction makes of a commit."""

pytestmark = pytest.mark.django_db


@made_once
def sitting():
    return make_table(make_night(rules="mien-nam", stake=1))


@pytest.fixture
def here(sitting):
    return table_link(sitting, 1)


def fields(html, *names):
    """The form's hidden fields, as the next request sends them."""
    return {
        name: re.search(rf'name="{name}" value="([^"]*)"', html)[1]
        for name in names or ("order", "specials", "client_id", "game_no")
    }


class Visitor:
    """Taps through the page by its links alone."""

    number = "game_no"

    def __init__(self, here):
        self.client, self.here, self.sent = Client(), here, {}
        self.tap()

    def tap(self, **choice):
        self.see(self.client.get(self.here, self.sent | choice))

    def see(self, answer):
        self.html = answer.content.decode()
        self.sent = fields(self.html, "order", "specials", "client_id", self.number)

    def save(self):
        return self.client.post(self.here, self.sent)


def test_three_taps_and_a_chop_with_a_look_at_the_money_before_saving(sitting, here):
    a, b, c, d = keys_at(sitting).values()
    visitor = Visitor(here)
    for player in (a, b, c):
        visitor.tap(tap=player)
    visitor.tap(add=1, kind="chop", by=a, of=d, what="R")
    visitor.tap(add=1, kind="chain", by=b, what="Q")
    assert visitor.sent["specials"] == f"chop.{a}.{d}.R;chain.{b}.{a}.Q"
    assert "+5 kẹo" in visitor.html
    visitor.tap(remove=1)
    assert visitor.sent["specials"] == f"chop.{a}.{d}.R"
    assert visitor.save().status_code == 302
    assert Result.objects.get().specials == [{"kind": "chop", "by": a, "of": d, "what": "R"}]


class Correction(Visitor):
    """A visitor of the page of game 1."""

    number = "version"

    def __init__(self, here):
        super().__init__(f"{here}games/1/")


def text(*keys):
    return ",".join(map(str, keys))


def test_a_correction_starts_with_what_was_entered(sitting, here):
    a, b, c, d = keys_at(sitting).values()
    play(sitting, specials=[Special("chop", a, d, "R")])
    visitor = Correction(here)
    assert visitor.sent["order"] == text(a, b, c, d)
    assert visitor.sent["specials"] == f"chop.{a}.{d}.R"
    visitor.tap(tap=b)
    assert visitor.sent["order"] == text(a, "", c)
    assert re.findall(r"<span data-hint >([^<]*)", visitor.html) == ["Who is second?"]
    visitor.tap(tap=c)
    visitor.tap(tap=b)
    assert visitor.save().status_code == 302
    assert Correction(here).sent["order"] == text(a, c, b, d)


def test_a_game_that_does_not_count_is_put_back_from_what_was_entered(sitting, here):
    play(sitting)
    visitor = Correction(here)
    visitor.sent["void"] = 1
    visitor.save()
    assert Correction(here).sent["order"] == text(*keys_at(sitting).values())


def test_a_refused_correction_keeps_what_was_sent_unless_the_game_is_another_by_now(sitting, here):
    a, b, c, d = keys_at(sitting).values()
    play(sitting)
    mine, other = Correction(here), Correction(here)
    mine.sent |= {"order": text(d, c, b, a), "specials": f"cong.{d}"}
    refused = mine.save()
    assert (refused.status_code, "can&#x27;t have played no cards" in refused.content.decode()) == (
        409,
        True,
    )
    assert f'value="{text(d, c, b, a)}"' in refused.content.decode()
    other.sent["order"] = text(b, a, c, d)
    assert other.save().status_code == 302
    mine.sent["specials"] = ""
    late = mine.save()
    assert (late.status_code, f'value="{text(b, a, c, d)}"' in late.content.decode()) == (409, True)


def test_a_refused_game_keeps_what_was_tapped_unless_another_was_saved(sitting, here):
    a, b, c, d = keys_at(sitting).values()
    mine, other = Visitor(here), Visitor(here)
    mine.sent |= {"order": text(d, c, b, a), "specials": f"cong.{d}"}
    refused = mine.save()
    assert refused.status_code == 409
    assert f'value="{text(d, c, b, a)}"' in refused.content.decode()
    other.sent["order"] = text(b, a, c, d)
    assert other.save().status_code == 302
    assert f'value="{text(d, c, b, a)}"' not in mine.save().content.decode()


@pytest.mark.parametrize("corrects", [False, True])
@pytest.mark.parametrize("missing", ["", "what"])
def test_a_chop_that_was_chosen_and_not_added_is_not_left_out_on_saving(
    sitting, here, corrects, missing
):
    a, b, c, d = keys_at(sitting).values()
    if corrects:
        play(sitting, names_at(sitting)[::-1])
    visitor = Correction(here) if corrects else Visitor(here)
    visitor.sent |= {"order": text(a, b, c, d), "kind": "chop", "by": a, "of": d, "what": "R"}
    visitor.sent.pop(missing, None)
    visitor.see(visitor.save())
    assert "chosen and not added" in visitor.html
    assert visitor.sent["order"] == text(a, b, c, d)
    assert visitor.save().status_code == 302
    chops = [] if missing else [{"kind": "chop", "by": a, "of": d, "what": "R"}]
    assert Result.objects.latest("pk").specials == chops


def test_the_preview_says_which_column_is_points_and_which_is_money(sitting, here):
    preview = f"{here}preview/?order={text(*keys_at(sitting).values())}"
    page = Client().get(preview).content.decode()
    heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)<", page)
    assert heads == ["Player", "Points", "Money"]
    assert re.findall(r'<td class="num[^>]*>([^<]*)<', page)[:2] == ["3", "+2 kẹo"]
    assert "visually-hidden" not in page.split("</caption>")[1]


def test_an_instant_win_settles_the_places(sitting, here):
    keys = [place.entrant_id for place in sitting.places.all()]
    visitor = Visitor(here)
    visitor.tap(add=1, kind="win", by=keys[1])
    rest = "+".join(str(key) for key in keys if key != keys[1])
    assert visitor.sent["order"] == f"{keys[1]},{rest}"
    assert visitor.save().status_code == 302


@pytest.mark.parametrize(
    "odd",
    [
        {"tap": "9" * 40},
        {"tap": "-1"},
        {"tap": "²"},
        {"order": "1,1,1"},
        {"order": "a+b"},
        {"order": "," * 600},
        {"remove": "99"},
        {"specials": "chop.1.2.R;" * 90},
        {"specials": "left.999999.B"},
        {"add": "1", "kind": "chop", "by": "999999", "of": "1", "what": "R"},
        {"add": "1", "kind": "chain", "by": "1", "what": "Q"},
        {"add": "1", "kind": "win", "by": "999999"},
        {"add": "1", "kind": "nonsense", "what": "<script>"},
        {"game": "9" * 30},
        {"game": "0"},
    ],
)
@pytest.mark.parametrize("page", ["", "preview/"])
def test_odd_taps_show_the_page(here, page, odd):
    assert Client().get(here + page, odd).status_code == 200


def test_a_special_of_somebody_elsewhere_is_said_before_saving(sitting, here):
    page = Client().get(here + "preview/", game_form(sitting, specials="cong.999999"))
    assert "both must be at this table" in page.content.decode()


def test_a_long_night_lists_the_latest_games_until_it_is_asked_for_all(here):
    path = table_link(make_table(make_night(counting="average"), games=12))
    rows = [
        Client().get(path + more).content.decode().count('class="finish"')
        for more in ("", "?all=1")
    ]
    assert rows == [10, 12]


@contextmanager
def counted_rows():
    """A list of how many rows each statement read or wrote."""
    found = []

    def count(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        found.append(context["cursor"].rowcount)
        return answer

    with connection.execute_wrapper(count):
        yield found


def test_a_table_takes_as_many_queries_and_rows_after_forty_games_as_after_four(
    django_assert_num_queries,
):
    sitting = make_table(make_night(counting="average", stake=1))
    path = table_link(sitting)
    phone = Client(headers=SCRIPT)
    rows = {}
    for game in range(1, 42):
        if game not in (5, 12, 41):
            play(sitting)
            continue
        form = game_form(sitting, game_no=game)
        with django_assert_num_queries(ENTRY_QUERIES), counted_rows() as rows[game]:
            assert phone.post(path, form).status_code == 200
        with django_assert_num_queries(QUERIES):
            assert Client().get(path).status_code == 200
    assert rows[41] == rows[12]
    assert sum(rows[41]) - sum(rows[5]) == 5, "the page lists ten games, not five"

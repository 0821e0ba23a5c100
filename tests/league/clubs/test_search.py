"""Search: what is found, by whom, in how many queries, how often."""

import unicodedata

import pytest
from django.core.cache import cache
from django.db import connection

from league.base.domain.names import fold
from league.clubs.acts import players
from league.clubs.facts.search import MOST, named
from league.models import Club, Event, Player
from league.models.spelling import Alphabetical
from tests.factories import make_club, make_member, make_night, make_season, make_user, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limit(settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


def add(club: Club, *names: str) -> None:
    for name in names:
        players.add_player(club=club, name=name, by=owner_of(club))
    club.players.update(shown="found")


def found(client, words: str) -> list[str]:
    answer = client.get("/search/", {"q": words})
    assert answer.status_code == 200
    rows = answer.context["found"]
    return [row.name for kind in (rows.players, rows.events, rows.clubs) for row in kind]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("nguyen", ["Nguyễn Văn Đạt"]),
        ("NGUYỄN", ["Nguyễn Văn Đạt"]),
        ("dat nguyen", ["Nguyễn Văn Đạt"]),
        ("đạt", ["Nguyễn Văn Đạt"]),
        ("van", ["Lê Vân", "Nguyễn Văn Đạt"]),
        ("uy", ["Nguyễn Văn Đạt"]),
        ("v%t", []),
        ("l_ van", ["Lê Vân"]),
        ("tran", []),
    ],
)
def test_a_name_is_found_by_its_parts_with_or_without_accents(client, words, names):
    add(make_club(name="Hội"), "Nguyễn Văn Đạt", "Lê Vân")
    assert found(client, words) == names


def test_the_database_folds_letters_as_the_domain_does():
    club = make_club()
    names = ["Đỗ Ánh Nguyệt", "Ưng Hoàng Phúc", "Ợ", "Trần Ðức", "Zoë", "Ê Đê"]
    add(club, *names)
    folded = dict(Player.objects.values_list("name", "folded"))
    assert {name: folded[name] for name in folded if "Ð" not in name} == {
        name: fold(name) for name in folded if "Ð" not in name
    }


def test_events_and_clubs_are_found_too(client):
    make_night(4, season=make_season(make_club(name="Hội Cầu Giấy")))
    Event.objects.update(name="Đêm mở màn")
    assert found(client, "cau giay") == ["Hội Cầu Giấy"]
    assert found(client, "mo man") == ["Đêm mở màn"]


def test_what_one_may_not_see_is_not_found(client):
    club = make_club(name="Hội Kín", is_public=False)
    make_night(4, season=make_season(club))
    Event.objects.update(name="Kín một")
    add(club, "Kín Kẽ")
    assert found(client, "kin") == []
    client.force_login(make_member(make_club(), "owner"))
    assert found(client, "kin") == []
    client.force_login(make_member(club, "player"))
    assert found(client, "kin") == ["Kín Kẽ", "Kín một", "Hội Kín"]
    client.force_login(make_user(is_superuser=True))
    assert found(client, "kin") == ["Kín Kẽ", "Kín một", "Hội Kín"]


def test_names_merged_into_others_and_bots_are_not_found(client):
    add(make_club(name="X"), "Máy Một", "Tên Cũ", "Tên Mới")
    Player.objects.filter(name="Máy Một").update(bot="greedy")
    new = Player.objects.get(name="Tên Mới")
    Player.objects.filter(name="Tên Cũ").update(merged_into=new)
    assert found(client, "ten") == ["Tên Mới"]
    assert found(client, "may") == []


def test_three_queries_however_much_is_found(client, django_assert_num_queries):
    club = make_club(name="Hội")
    add(club, "An 0")
    for count in (1, MOST + 5):
        add(club, *(f"An {count}{n}" for n in range(count)))
        with django_assert_num_queries(3):
            answer = client.get("/search/", {"q": "an"})
    assert len(answer.context["found"].players) == MOST
    assert "Only the first 20" in answer.content.decode()


def test_nothing_to_search_for_asks_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        for words in ("", "  ", "\u200b", "-", "…"):
            assert client.get("/search/", {"q": words}).status_code == 200


def test_who_searches_without_end_waits(client, settings):
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"search": (2, 60)}
    answers = [client.get("/search/", {"q": "an"}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert client.get("/search/").status_code == 200


def test_typing_gets_the_results_alone(client):
    answer = client.get("/search/", {"q": "an"}, headers={"HX-Request": "true"})
    assert answer.content.decode().strip().startswith('<div id="results"')


def test_a_name_is_found_by_a_column_and_pages_have_their_order_from_an_index():
    """No name is spelt anew for a search, and no list of clubs sorted for one page of it."""
    assert "normalize" not in str(named(Player.objects.all(), "an").query).lower()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        plans = [
            Club.objects.order_by(Alphabetical("name"), "pk")[:30].explain(),
            Event.objects.filter(kind=Event.Kind.BOTS)[:1].explain(),
        ]
        cursor.execute("SELECT indexname FROM pg_indexes WHERE schemaname = 'public'")
        indexes = {name for (name,) in cursor.fetchall()}
    assert "club_alphabetical" in plans[0]
    assert "event_latest_of_bots" in plans[1]
    gone = ("league_placing_result_id", "league_tally_event_id", "league_result_sitting_id",
            "league_entrant_event_id", "league_ratingpoint_club_id", "league_ratingpoint_player_id",
            "league_moneytally_season_id")  # fmt: skip
    assert [name for name in indexes if name.startswith(gone)] == []


NAMES = ["Nguyễn Văn Đạt", "Lê Vân", "O'Neil-Vũ", "Ольга", "Tí =))", "Weiß"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("nguyen", ["Nguyễn Văn Đạt"]),
        (unicodedata.normalize("NFD", "Nguyễn  VĂN"), ["Nguyễn Văn Đạt"]),
        ("đat van", ["Nguyễn Văn Đạt"]),
        ("van", ["Lê Vân", "Nguyễn Văn Đạt"]),
        ("tran", []),
        *((name, [name]) for name in NAMES),
    ],
)
def test_a_program_finds_whom_the_page_finds(client, words, names):
    """Who is looked up before adding them is not added a second time."""
    club = make_club(name="Hội Ấm")
    add(club, *NAMES)
    answer = client.get(f"/api/v1/clubs/{club.slug}/players/", {"q": words})
    assert [row["name"] for row in answer.json()["results"]] == names == found(client, words)


def test_a_program_finds_clubs_without_accents(client):
    make_club(name="Hội Ấm")
    make_club(name="Other")
    for words in ("hoi am", unicodedata.normalize("NFD", "Hội Ấm"), "ẤM"):
        answer = client.get("/api/v1/clubs/", {"q": words}).json()["results"]
        assert [club["name"] for club in answer] == ["Hội Ấm"], words

"""A list pasted from a chat on *People*: its other lines make no players."""

import pytest
from django.urls import reverse

from league.base.domain import names
from league.nights.pages.first_night import first_names
from tests.factories import browser_of, make_club, make_user, owner_of, path_of

pytestmark = pytest.mark.django_db
CHAT = "Danh sách tối nay:\n1/ Cô Ba\n2/ Khánh\nTối nay chơi nhé"


def added(club, **form):
    answer = browser_of(owner_of(club)).post(path_of(club, "players"), form, follow=True)
    return answer, set(club.players.values_list("name", flat=True))


def test_lines_that_are_no_names_are_asked_about_and_add_nobody():
    club = make_club()
    answer, people = added(club, text=CHAT)
    assert people == {"Cô Ba", "Khánh"}
    assert answer.context["asked"] == ["Danh sách tối nay:", "Tối nay chơi nhé"]
    assert "Tick those who play" in answer.content.decode()
    answer, people = added(club, text="", plays="Tối nay chơi nhé")
    assert (people, answer.context["asked"]) == ({"Cô Ba", "Khánh", "Tối nay chơi nhé"}, [])


LISTS = {
    "1. Lan ✅\n2) Hùng +1\n3. Mai (trễ 15p)": (["Lan"], ["Hùng +1", "Mai (trễ 15p)"]),
    "Lan\t0905123456\nHùng\t+84 905 123 457\nMai 12345678": (["Lan", "Hùng"], ["Mai 12345678"]),
    "Tham gia (2)\nAn\nBình\nKhông tham gia (1)\nBảo\nCó thể (1)\nChi\nTham gia (1)\nHà": (
        ["An", "Bình", "Hà"],
        ["Tham gia (2)", "Không tham gia (1)", "Bảo", "Có thể (1)", "Chi", "Tham gia (1)"],
    ),
    "[25/11/2026, 19:02:11] Lan: tôi đi\n[25/11/2026, 19:03:02] Lan: nhé\n25/11/26, 19:04 - An: ok":
        ([], ["Lan", "An"]),
    "25/11/26, 19:02 - Lan: An, Bình\n[25/11/2026, 19:03] Mai: Tý và Hà\n25/11/26, 19:04 - An: 3": (
        [], ["Lan", "An", "Bình", "Mai", "Tý và Hà"],
    ),
    "1️⃣ Lan\n① Mai\n👉 Tý\n☑ An\n[x] Bình\n✔️ Dũng ✔️\n🔟 Hà\n🙋‍♀️ Nga\n✅\n✅ 3. Vy": (
        ["Lan", "Mai", "Tý", "An", "Bình", "Dũng", "Hà", "Nga", "Vy"], [],
    ),
    "Lan & Hùng\nTý và An\nBình+Chi\nVà\nHòa": (
        ["Và", "Hòa"], ["Lan & Hùng", "Tý và An", "Bình+Chi"],
    ),
    "Lan 🐯\n★ Sao\n-Tèo-\n=Lan\nTí =))\nAn (B)\n7Up": (
        ["Lan 🐯", "★ Sao", "-Tèo-", "=Lan", "Tí =))", "An (B)", "7Up"], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", LISTS)
def test_a_chats_list_is_read_the_same_at_both_doors(text):
    clear, asked = LISTS[text]
    club = make_club()
    answer, people = added(club, text=text)
    assert (people, answer.context["asked"]) == (set(clear), asked)
    tonight = browser_of(owner_of(club)).post(
        reverse("league:tonight"), {"text": text, "do": "look"}
    )
    read = tonight.context["read"]
    assert (read.names, read.asked, read.problems) == (clear, asked, [])
    left_out = first_names("\n".join([text, *asked]), asked=asked)
    assert (left_out.names, left_out.asked) == (clear, [])
    ticked = first_names("\n".join([*clear, *asked]), asked=asked, plays=asked)
    assert ticked.names == [*clear, *asked]


def test_a_name_that_differs_by_signs_alone_is_told_at_both_doors():
    club = make_club()
    added(club, text="Lan 🐯")
    answer, _people = added(club, text="Lan")
    told = "“Lan” looks like “Lan 🐯”. Make sure they are two different people."
    assert told in answer.content.decode()
    night = {"text": "Mai ★\nMai\nHùng\nTý", "do": "draw", "ruleset": "tien-len", "games": 4}
    page = browser_of(owner_of(club)).post(reverse("league:tonight"), night).content.decode()
    assert "“Mai” looks like “Mai ★”." in page


def test_ten_thousand_blanks_take_no_time():
    assert names.parse_name_list(" " * 60_000 + "x" + " " * 60_000).names == ["x"]


def test_a_new_account_is_offered_a_club_once():
    browser = browser_of(make_user())
    for name in ("league:club_list", "home"):
        page = browser.get(reverse(name), follow=True).content.decode()
        assert page.count(reverse("league:club_create")) == 1, name

"""Four friends at one table in a kitchen: their games, another round, and the end in one tap."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Event, Sitting
from league.nights.pages.night_page import Frame
from tests.factories import browser_of, make_night, make_table, owner_of, path_of, play
from tests.league.nights.test_tonight import PAGE, asked

pytestmark = pytest.mark.django_db
CLUB_WORDS = (
    "The tables are open", "Add a table", "end of the queue", "Organiser", "Call the organiser",
    "Nobody is waiting",
)  # fmt: skip


def back_from(client: Client, sitting: Sitting) -> str:
    """The address behind the arrow of the table's page."""
    event = sitting.round.event
    at = [event.season.club.slug, event.pk, sitting.round.number, sitting.table_no]
    head = client.get(reverse("league:table", args=at)).content.decode().split("#back")[0]
    return head.rpartition('class="frame-icon" href="')[2].partition('"')[0]


def test_a_table_leads_back_to_its_night_and_one_of_before_to_its_round():
    sitting = make_table(make_night(stake=0))
    event = sitting.round.event
    at, client = [event.season.club.slug, event.pk], browser_of(owner_of(event))
    night = reverse("league:event", args=at)
    assert back_from(client, sitting) == night
    assert back_from(client, make_table(event)) == night
    assert back_from(client, sitting) == reverse("league:round", args=[*at, 1])


class Friends:
    """The phone that began the night, and its table."""

    def __init__(self) -> None:
        self.phone = Client()
        self.phone.post(PAGE, asked("Ba\nKhánh\nSáu\nThảo"))
        self.sitting = Sitting.objects.latest("pk")
        self.event = Event.objects.get(pk=self.sitting.round.event_id)

    def read(self, name: str, *more: object) -> str:
        path = path_of(self.event, name, *more)
        return " ".join(self.phone.get(path).content.decode().split("<main")[1].split())

    def play(self, games: int) -> None:
        for _game in range(games):
            play(self.sitting)

    @property
    def frame(self) -> Frame:
        return self.phone.get(path_of(self.event, "event")).context["night"].frame

    @property
    def pages(self) -> tuple[str, str]:
        return self.read("event"), self.read("table", 1, 1)


def test_after_the_games_they_asked_for_the_filled_button_closes_and_settles():
    friends = Friends()
    friends.play(3)
    night, table = friends.pages
    assert "Game 4 of 4" in night
    assert "of 4" in table
    assert "Close and settle" not in night + table
    friends.play(1)
    for page in friends.pages:
        assert "4 games are played" in page
        assert "btn-primary" in page.split("Close and settle")[0][-400:]
        assert "Another round" in page.split("Close and settle")[1]
    status = path_of(friends.event, "event_status")
    over = friends.phone.post(status, {"status": "closed"}, follow=True).content.decode()
    assert "Who pays whom" in over
    assert "podium" in over


def test_another_round_is_as_long_as_the_first_and_can_be_left_at_any_game():
    friends = Friends()
    assert "Close the night" not in friends.read("event").split("</section>")[0]
    friends.play(4)
    first = [tab.text for tab in friends.frame.segments if tab.is_here]
    assert (first, friends.frame.start_clock) == (["Standings"], None), "how it ended"
    friends.play(1)
    assert [tab.text for tab in friends.frame.segments if tab.is_here] == ["Tables"]
    night, table = friends.pages
    assert "btn-quiet" in night.split("Close the night")[0][-400:]
    assert "Game 6 of 8" in night
    assert "of 8" in table
    assert "Close and settle" not in night + table
    friends.play(3)
    assert all("Close and settle" in page for page in friends.pages)


def test_nothing_in_a_kitchen_speaks_of_organisers_queues_and_tables_that_open():
    friends = Friends()
    for games in (0, 3, 1):
        friends.play(games)
        for page in friends.pages:
            assert [word for word in CLUB_WORDS if word in page] == []


def test_where_somebody_waits_it_is_a_night_of_tables():
    night = make_night(5, format={"kind": "loser_leaves", "tables": 1})
    make_table(night, games=1)
    page = browser_of(owner_of(night)).get(path_of(night, "event")).content.decode()
    assert "The tables are open" in page

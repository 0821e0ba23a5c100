"""A night of 21 from the door to the last game: six screens, and people who come, go and err.

`script/gallery` takes the pictures of docs/nights.md from it.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, ngettext
from playwright.sync_api import Browser, Locator, Page, expect

from league.base.acts import links
from league.clubs.acts import players
from league.models import Confirmation, Dispute, Event, Place, Player, Result, Sitting
from league.proof.facts import verify
from tests.browser.conftest import PHONE, check_page, open_page, says_who, shot, sign_in, tile
from tests.browser.entering import link_of, played
from tests.browser.evenings import close_night
from tests.browser.people import LAPTOP
from tests.factories import (
    make_member,
    make_night,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    play,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = [
    "An", "Bình", "Chi", "Dũng", "Em", "Giang", "Hà", "Hùng", "Khoa", "Lan", "Mai",
    "Minh", "Nam", "Nga", "Oanh", "Phúc", "Quý", "Sơn", "Tú", "Uyên", "Xuân",
]  # fmt: skip


@dataclass
class Night:
    """The night, its screens, and the three people with a phone and no account."""

    event: Event
    language: str
    host: Page
    scorer: Page
    phones: dict[str, Page]
    wall: Page

    def url(self, name: str, *more: object) -> str:
        return reverse(f"league:{name}", args=[self.event.season.club.slug, self.event.pk, *more])

    def picture(self, page: Page, name: str) -> None:
        shot(page, f"story-{name}-{page.viewport_size['width']}-{self.language}", whole=False)

    def table_of(self, name: str, number: int) -> Sitting:
        places = Place.objects.filter(round__event=self.event, round__number=number, to_game=None)
        return places.get(entrant__player__name=name).sitting

    def player(self, name: str) -> Player:
        return self.event.season.club.players.get(name=name)


def button(page: Page | Locator, text: str, *, exact: bool = True) -> Locator:
    return page.get_by_role("button", name=text, exact=exact)


def later(page: Page, seconds: int = 9) -> None:
    """Lets the page's clock run, so that it asks what is new."""
    page.clock.run_for(seconds * 1000)


@pytest.fixture(params=["vi", pytest.param("en", marks=pytest.mark.long)])
def night(browser: Browser, live_server, request) -> Iterator[Night]:
    season = make_season(rules="mien-nam")
    club, by = season.club, owner_of(season.club)
    players.add_players(club=club, text="\n".join(NAMES), by=by)
    event = make_night(
        0, season=season, stake=5, rounds_planned=2, games_per_round=2, confirmed_by="player"
    )
    with ExitStack() as stack:
        stack.enter_context(translation.override(request.param))

        def opened(**more) -> Page:
            language = "vi-VN" if request.param == "vi" else "en-GB"
            found = open_page(browser, live_server.url, language=language, **more)
            return stack.enter_context(found)

        host, scorer, wall = opened(), opened(), opened(size=LAPTOP)
        sign_in(host, by)
        sign_in(scorer, make_member(club, "scorer"))
        phones = {name: opened() for name in ("Lan", "Nga", "guest")}
        for page in (*phones.values(), wall):
            page.clock.install()
        yield Night(event, request.param, host, scorer, phones, wall)


def test_a_report_of_a_mistake_opens_in_sight_below_its_whole_row(page: Page):
    page.set_viewport_size({"width": 360, "height": 740})
    sitting = make_table(make_night(rules="mien-nam", stake=5))
    event, user = sitting.round.event, make_user()
    for _ in range(3):
        play(sitting, names_at(sitting))
    player = sitting.places.get(seat=0).entrant.player
    players.take_player(player=player, user=user, shows_ways=True)
    sign_in(page, user)
    page.goto(reverse("league:my_night", args=[event.pk]))
    row = page.locator(".my-games > li").first
    name, faces, form = row.locator("summary").first, row.locator(".faces"), row.locator("form")
    page.evaluate("scrollTo(0, 0)")
    at = name.bounding_box()["x"]
    name.press("Enter")
    expect(row.locator(".my-places > li")).to_have_count(4)
    expect(form).to_be_hidden()
    row.get_by_text("Report a mistake").press("Enter")
    expect(form.locator("[name=note]")).to_be_in_viewport(ratio=1)
    top, doors = form.bounding_box(), page.locator(".doors").bounding_box()
    assert top["y"] + top["height"] <= doors["y"]
    assert abs(name.bounding_box()["x"] - at) < 1
    assert faces.bounding_box()["y"] < top["y"]
    sent = form.locator("button:enabled, [name=note]")
    order = sent.evaluate_all("all => all.map((one) => one.name)")
    assert order == ["place"] * 3 + ["dispute"] * 3 + ["note", "dispute"]
    check_page(page)
    form.locator("[name=place]").first.click()
    game, state = row.locator(".rows-main"), row.get_by_text("No organiser has looked")
    expect(state).to_be_visible()
    above, below, line = (one.bounding_box() for one in (faces, state, game))
    assert abs(above["y"] + above["height"] / 2 - line["y"] - line["height"] / 2) < 2
    assert above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("has_script", [True, False])
def test_a_tap_chooses_a_name_and_one_button_above_the_doors_says_it(
    browser: Browser, live_server, has_script
):
    sitting = make_table(make_night())
    secret = links.keep_for_night(event=sitting.round.event).secret
    path, names = reverse("league:link_night", args=[secret]), names_at(sitting)
    phone = browser.new_context(
        viewport=PHONE,
        base_url=live_server.url,
        locale="en-GB",
        java_script_enabled=has_script,
    )
    page = phone.new_page()
    page.goto(path)
    tiles = page.locator(".whose > label")
    where = "all => all.map((one) => [one.offsetLeft, one.offsetTop])"
    before, said = tiles.evaluate_all(where), page.get_by_role("button", name="Yes, I am")
    expect(said).to_have_count(0)
    for name in names[:2]:  # The second tap corrects the first.
        page.get_by_role("radio", name=name).check(force=True)
        expect(said).to_have_text(f"Yes, I am {name}")
        page.get_by_role("button", name="Cancel").click()
        expect(said).to_have_count(0)
        tiles.filter(has_text=name).first.click()
    doors, sends = page.locator(".doors").bounding_box(), said.bounding_box()
    assert 500 < sends["y"] < sends["y"] + sends["height"] < doors["y"]
    assert tiles.evaluate_all(where) == before
    assert not sitting.round.event.claims.exists()
    said.click()
    expect(page.locator("h1")).to_have_text(f"{names[1]}'s night")
    page.context.clear_cookies()
    page.goto(path)
    taken = page.locator(".whose > label").last
    expect(taken).to_contain_text(names[1])
    expect(taken).to_contain_text("taken")
    assert "grayscale" in taken.evaluate("one => getComputedStyle(one).filter")
    taken.click()
    expect(page.get_by_text("Not your phone? Ask an organiser to free it.")).to_be_visible()
    asks = page.get_by_role("button", name="ask my other phone").bounding_box()
    assert asks["y"] + asks["height"] < doors["y"]
    if has_script:
        check_page(page)
    phone.close()


def test_a_night_of_twenty_one_from_the_door_to_the_last_game(night: Night):
    at_the_door(night)
    draw(night, 1)
    two_phones_know_their_table(night)
    first = four_taps_and_five_for_a_chop(night)
    a_minute_without_a_line(night)
    what_is_wrong_is_told_and_put_right(night, first)
    somebody_goes_home_and_somebody_sits_down(night)
    one_leaves_and_comes_back(night)
    draw(night, 2)
    the_card_on_the_table_holds(night)
    the_night_is_closed(night)


def at_the_door(night: Night) -> None:
    """A thumb that taps twice marks one person; two phones become their people's."""
    host, event, by = night.host, night.event, owner_of(night.event.season.club)
    host.goto(night.url("check_in"))
    button(host, "An").dblclick()
    button(host, "Bình").click()
    expect(host.locator(".btn-here")).to_have_count(2)
    assert event.entrants.filter(presence="here").count() == 2
    night.picture(host, "door")
    link = links.renew_for_night(event=event, by=by)
    lan, nga = night.phones["Lan"], night.phones["Nga"]
    lan.goto(reverse("league:link_night", args=[link.secret]))
    check_page(lan)
    says_who(lan, "Lan")
    nga.goto(reverse("league:link_check_in", args=[link.secret]))  # An old address leads there.
    says_who(nga, "Nga")
    for phone in (lan, nga):
        expect(phone.locator("#night .panel").first).to_be_visible()
    host.reload()
    button(host, gettext("Everyone is here")).click()
    expect(host.locator(".btn-here")).to_have_count(21)


def draw(night: Night, number: int) -> None:
    host = night.host
    host.goto(night.url("event"))
    button(host, gettext("Draw round %(number)s") % {"number": number}).click()
    button(host, gettext("Release")).click()
    released = gettext("Round %(round)s released.") % {"round": number}
    expect(host.get_by_text(released)).to_be_visible()
    night.event.refresh_from_db()


def two_phones_know_their_table(night: Night) -> None:
    wall = night.wall
    wall.goto(night.url("wall"))
    expect(wall.locator(".wall-tables > li")).to_have_count(6)
    check_page(wall)
    night.picture(wall, "wall")
    for name in ("Lan", "Nga"):
        phone, table = night.phones[name], night.table_of(name, 1).table_no
        later(phone)
        expect(phone.locator("h2#table")).to_contain_text(
            gettext("Table %(table)s") % {"table": table}
        )
    check_page(night.phones["Lan"])
    night.picture(night.phones["Lan"], "my-table")


def four_taps_and_five_for_a_chop(night: Night) -> Sitting:
    """The scorer enters Lan's table: a plain game, and one with a chop, which is five taps more."""
    page, sitting = night.scorer, night.table_of("Lan", 1)
    page.goto(night.url("table", 1, sitting.table_no))
    names, save = names_at(sitting), button(page, gettext("Save the game"))
    place = save.bounding_box()
    for name in names[: len(names) - 1]:
        tile(page, name).click()
    expect(page.locator(".preview")).to_be_visible()
    assert save.bounding_box() == place  # What comes in between moves nothing under a thumb.
    save.click()
    played(page, 1)
    for name in names[: len(names) - 1]:
        tile(page, name).click()
    chips = page.locator("[data-special-form] label.chip:visible")
    chips.get_by_text(gettext("Chop"), exact=True).click()
    for name in names[:2]:
        tile(page, name).click()
    chips.filter(has_text=gettext("red 2")).first.click()
    expect(page.locator(".special-list li")).to_have_count(1)
    check_page(page)
    night.picture(page, "chop")
    save.dblclick()
    played(page, 2)
    assert Result.objects.count() == 2
    return sitting


def a_minute_without_a_line(night: Night) -> None:
    """A phone at another table enters two games on its own; they arrive once it is back."""
    phone = night.phones["guest"]
    sitting = night.event.rounds.get(number=1).sittings.exclude(
        pk__in=[night.table_of(name, 1).pk for name in ("Lan", "Nga")]
    )[0]
    names = names_at(sitting)
    phone.goto(link_of(sitting))
    button(phone.locator("#find-me ~ form"), names[0]).click()
    expect(phone.locator("h1")).to_contain_text(names[0])
    night.phones[names[0]] = night.phones.pop("guest")
    phone.locator(".my-seats-card .btn").click()
    saved = Result.objects.count()
    phone.context.set_offline(True)
    for order in (names, names[::-1]):
        for name in order[:-1]:
            tile(phone, name).click()
        button(phone, gettext("Save the game")).click()
    expect(phone.locator(".queue li")).to_have_count(2)
    later(phone, 60)
    expect(phone.locator(".queue li")).to_have_count(2)
    check_page(phone)
    night.picture(phone, "offline")
    assert Result.objects.count() == saved
    phone.context.set_offline(False)
    later(phone, 5)
    played(phone, 2)
    assert list(sitting.results.values_list("game_no", flat=True).order_by("game_no")) == [1, 2]


def what_is_wrong_is_told_and_put_right(night: Night, sitting: Sitting) -> None:
    lan, host = night.phones["Lan"], night.host
    later(lan)
    round_ = gettext("Round %(number)s") % {"number": 1}
    game = gettext("%(round)s, game %(number)s") % {"round": round_, "number": 1}
    question = lan.locator(".my-question").filter(
        has_text=gettext("%(game)s: is this right?") % {"game": game}
    )
    question.scroll_into_view_if_needed()
    night.picture(lan, "question")
    question.get_by_text(gettext("Report a mistake")).click()
    button(question, gettext("Wrong order")).click()
    expect(lan.get_by_text(gettext("No organiser has looked at it yet."))).to_be_visible()
    host.goto(night.url("check_in"))
    needs = ngettext(
        "Table %(tables)s needs an organiser.", "Tables %(tables)s need an organiser.", 1
    )
    host.get_by_role("link", name=needs % {"tables": sitting.table_no}).click()
    check_page(host)
    night.picture(host, "needs")
    button(host, gettext("View table %(table)s") % {"table": sitting.table_no}).click()
    later(lan)
    expect(lan.get_by_text(gettext("An organiser is looking at it."))).to_be_visible()
    first, second, *_others = names_at(sitting)
    host.locator("summary", has_text=gettext("Correct this game")).click()
    for name in (first, second, first):
        tile(host, name).click()
    host.get_by_label(gettext("Reason")).fill("nhầm")
    check_page(host)
    button(host, gettext("Save correction")).click()
    expect(host.get_by_text(gettext("Game %(game)s corrected.") % {"game": 1})).to_be_visible()
    assert Dispute.objects.get().outcome == "corrected"
    later(lan)
    button(question, gettext("Right")).click()
    expect(lan.get_by_text(gettext("Game %(game)s confirmed.") % {"game": 1})).to_be_visible()
    assert Confirmation.objects.count() == 1


def somebody_goes_home_and_somebody_sits_down(night: Night) -> None:
    """Zoe, who walks in, takes over the chair; the game played before stays the leaver's."""
    host, sitting = night.host, night.table_of("Nga", 1)
    names = names_at(sitting)
    gone = next(name for name in names if name != "Nga")
    play(sitting, names, device="x")
    host.goto(night.url("check_in"))
    host.get_by_label(gettext("Name")).last.fill("Zoe")
    button(host, gettext("Add and check in")).click()
    expect(host.get_by_text(gettext("%(name)s is here.") % {"name": "Zoe"})).to_be_visible()
    host.goto(night.url("table", 1, sitting.table_no))
    host.get_by_text(gettext("More about this table")).click()
    host.get_by_text(gettext("Players leave or join")).click()
    host.get_by_label(gettext("Who leaves")).select_option(gone)
    host.get_by_label(gettext("Who sits down")).select_option("Zoe")
    check_page(host)
    night.picture(host, "chairs")
    button(host, gettext("Save changes")).click()
    expect(tile(host, "Zoe")).to_be_visible()
    expect(tile(host, gone)).to_have_count(0)
    assert night.event.entrants.get(player__name=gone).presence == "left"


def one_leaves_and_comes_back(night: Night) -> None:
    nga = night.phones["Nga"]
    for sitting in night.event.rounds.get(number=1).sittings.all():
        while (played := sitting.results.filter(current=True).count()) < 2:
            entrants = {p.entrant.player.name: p.entrant_id for p in sitting.seated}
            groups = [[entrants[name]] for name in names_at(sitting, played + 1)]
            play(sitting, [], groups=groups, device="x")
    nga.reload()
    nga.get_by_text(gettext("Come and go")).click()
    button(nga, gettext("Leave for tonight")).click()
    expect(nga.get_by_text(gettext("You have left for tonight."))).to_be_visible()
    assert night.event.entrants.get(player__name="Nga").presence == "left"
    button(nga, gettext("I'm here")).click()
    expect(nga.get_by_text(gettext("You have left for tonight."))).to_have_count(0)


def the_card_on_the_table_holds(night: Night) -> None:
    """Round 2 comes by itself, on the phone at the table and on the one in Nga's pocket."""
    *_others, (_name, phone) = night.phones.items()
    later(phone)
    told = gettext("Round %(number)s") % {"number": 2}
    expect(phone.get_by_role("banner")).to_contain_text(told)
    nga = night.phones["Nga"]
    later(nga)
    table = night.table_of("Nga", 2).table_no
    expect(nga.locator("h2#table")).to_contain_text(gettext("Table %(table)s") % {"table": table})
    for sitting in night.event.rounds.get(number=2).sittings.all():
        for _game in range(2):
            play(sitting, names_at(sitting), device="x")


def the_night_is_closed(night: Night) -> None:
    host, lan, nga = night.host, night.phones["Lan"], night.phones["Nga"]
    night.wall.goto(night.url("wall"))
    expect(night.wall.locator(".wall-side li .medal").first).to_be_visible()
    host.goto(night.url("check_in"))
    host.locator("#night-menu > summary").click()
    host.get_by_text(ngettext("%(n)s phone", "%(n)s phones", 3) % {"n": 3}, exact=True).click()
    row = host.locator("#night-menu .rows > li").filter(has=host.get_by_text("Nga", exact=True))
    row.get_by_role("button").click()
    expect(host.locator("#messages .message")).to_be_visible()
    nga.reload()
    expect(nga.locator("h1")).not_to_contain_text("Nga")
    assert nga.goto(reverse("league:my_night", args=[night.event.pk])).status == 404
    host.goto(night.url("event"))
    check_page(host)
    close_night(host)
    expect(host.get_by_text(gettext("closed"), exact=True).first).to_be_visible()
    night.picture(host, "closed")
    lan.reload()
    expect(lan.get_by_text(gettext("This night is closed."))).to_be_visible()
    check_page(lan)
    night.picture(lan, "my-night")
    assert Result.objects.filter(current=True).count() == 24
    assert list(verify.everything(night.event.season.club)) == []

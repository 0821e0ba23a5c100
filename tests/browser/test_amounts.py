"""Amounts typed key by key in a Vietnamese browser, as every Vietnamese page prints them."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from league.base import forms
from league.models import Event, Posting
from tests.browser.conftest import seen, sign_in
from tests.factories import make_member, make_night, make_table, names_at, play, put_to_yesterday
from tests.league.base.test_amounts import NO_AMOUNT, READ, TWO_READINGS

pytestmark = pytest.mark.django_db(transaction=True)


def type_in(field: Locator, text: str) -> None:
    """Types with the keyboard over what the field shows."""
    field.click()
    field.press("Control+a")
    field.press_sequentially(text)


def names(phone: Page) -> None:
    """Types four names and opens what else the first night asks."""
    phone.goto("/clubs/~tonight/")
    field = phone.locator("#new-name")
    field.fill("An, Bình, Chi, Dũng")
    expect(phone.locator(".names-box li")).to_have_count(4)
    phone.locator(".recipe summary").click()


def start(phone: Page) -> None:
    """Starts the night from its tables."""
    phone.get_by_role("button", name="Đánh thôi").click()
    expect(phone.locator(".code-screen")).to_be_visible()


def test_the_stake_of_a_night_from_names_is_what_was_typed(phone):
    names(phone)
    stake = phone.locator("[name=stake]")
    type_in(stake, "10.000")
    expect(phone.locator("output")).to_have_text("= 10.000 đ")
    seen(phone, "amount-tonight-360-vi")
    stake.press("Enter")
    start(phone)
    assert Event.objects.get().stake == 10_000


def test_ten_dong_are_asked_about_and_nothing_is_made_before_the_answer(phone):
    names(phone)
    type_in(phone.locator("[name=stake]"), "10")
    phone.locator("[name=stake]").press("Enter")
    expect(phone.get_by_text("10 đ là quá ít. Ở đây thường là 10.000 đ.")).to_be_visible()
    assert not Event.objects.exists()
    seen(phone, "amount-asked-360-vi")
    phone.get_by_label("Đúng, 10 đ").check()
    phone.get_by_role("button", name="Xếp bàn").click()
    start(phone)
    assert Event.objects.get().stake == 10


def test_settings_and_a_payment_take_what_was_typed(phone):
    sitting = make_table(make_night(rules="killa", stake=20_000))
    event = sitting.round.event
    club = event.season.club
    sign_in(phone, make_member(club, "organiser"))
    phone.goto(reverse("league:event_settings", args=[club.slug, event.pk]))
    phone.locator(".chip > summary").last.click()
    phone.get_by_role("button", name="40.000 kẹo").click()
    expect(phone.locator("output")).to_have_text("= 40.000 kẹo")
    type_in(phone.locator("[name=stake]"), "10.000")
    phone.locator("[name=stake]").press("Enter")
    expect(phone.locator(".chip > summary").last).to_have_text("10.000 kẹo một ván")
    phone.get_by_role("button", name="Lưu").click()
    expect(phone.locator(".message.success")).to_be_visible()
    event.refresh_from_db()
    assert event.stake == 10_000

    names = names_at(sitting)
    play(sitting, names)
    pay = reverse("league:posting_create", args=[club.slug, event.season_id, "settlement"])
    phone.goto(f"{pay}?payer={names[3]}&payee={names[0]}&amount=20000&event={event.pk}")
    expect(phone.locator("output")).to_have_text("= 20.000 kẹo")
    type_in(phone.locator("[name=amount]"), "10.000")
    phone.locator("[name=amount]").press("Enter")
    expect(phone.locator(".message.success")).to_be_visible()
    assert Posting.objects.get().transfers.get().amount == 10_000


def test_a_mistyped_stake_is_corrected_after_its_consequences_were_seen(phone):
    sitting = make_table(make_night(rules="killa", stake=20))
    event = sitting.round.event
    club, names = event.season.club, names_at(sitting)
    play(sitting, names)
    sign_in(phone, make_member(club, "organiser"))
    phone.goto(reverse("league:event_settings", args=[club.slug, event.pk]))
    phone.locator(".chip > summary").last.click()
    type_in(phone.locator("[name=stake]"), "20.000")
    phone.locator("[name=stake_from][value=played-20]").check()
    phone.get_by_role("button", name="Xong").click()
    expect(phone.get_by_role("row", name=names[0])).to_contain_text("+20.000")
    assert event.transfers.get().amount == 20
    phone.get_by_label("Đúng, 20.000 kẹo").check()
    phone.get_by_role("button", name="Xong").click()
    expect(phone.get_by_role("row", name=names[0])).to_contain_text("+20.000")
    seen(phone, "stake-change-360-vi")
    phone.get_by_role("button", name="Lưu").click()
    expect(phone.locator(".message.success")).to_be_visible()
    assert [t.amount for t in event.transfers.order_by("pk")] == [20, 20, 20_000]


def test_overpaying_asks_before_it_turns_the_debt_round(phone):
    sitting = make_table(make_night(rules="killa", stake=40_000))
    event = sitting.round.event
    club, names = event.season.club, names_at(sitting)
    play(sitting, names)
    sign_in(phone, make_member(club, "organiser"))
    pay = reverse("league:posting_create", args=[club.slug, event.season_id, "settlement"])
    phone.goto(f"{pay}?payer={names[3]}&payee={names[0]}&event={event.pk}")
    type_in(phone.locator("[name=amount]"), "50k")
    phone.locator("[name=amount]").press("Enter")
    told = f"Sau đó {names[0]} nợ {names[3]} 10.000 kẹo."
    expect(phone.get_by_text(told)).to_be_visible()
    seen(phone, "overpaid-360-vi")
    assert not Posting.objects.exists()


def test_win_and_loss_stay_on_a_phone_after_a_payment(phone):
    sitting = make_table(make_night(rules="killa", stake=50_000))
    event = sitting.round.event
    club, names = event.season.club, names_at(sitting)
    play(sitting, names)
    put_to_yesterday(event.season)
    sign_in(phone, make_member(club, "organiser"))
    phone.goto(reverse("league:event_money", args=[club.slug, event.pk]))
    phone.get_by_role("button", name="Đã trả").first.click()
    expect(phone.get_by_text("Không ai nợ ai").first).to_be_visible()
    phone.goto(reverse("league:night_sheet", args=[club.slug, event.pk]))
    expect(phone.get_by_role("columnheader", name="Thắng thua")).to_be_visible()
    row = phone.get_by_role("row", name=names[0]).first
    expect(row.get_by_role("cell").first).to_have_text("+50.000")
    seen(phone, "amount-night_sheet-360-vi")


def test_groups_are_drawn_while_one_types_and_give_way_to_words(phone):
    names(phone)
    field, read = phone.locator("[name=stake]"), phone.locator("output")
    for typed, shown, value in (
        ("1000000", "1.000.000", "= 1.000.000 đ"),
        ("1000k", "1000k", "= 1.000.000 đ"),
        ("1,5tr", "1,5tr", "= 1.500.000 đ"),
        ("10,000", "10,000", "= 10.000 đ"),
        ("1.500k", "1.500k", ""),
    ):
        type_in(field, typed)
        expect(field).to_have_value(shown)
        expect(read).to_have_text(value)
    type_in(field, "1000")
    field.press("Backspace")
    expect(field).to_have_value("100")


def test_the_script_reads_as_the_server_does(phone):
    names(phone)
    field = forms.MoneyField()
    asked = [*((text, unit) for text, unit, _amount in READ), *((t, "đ") for t in NO_AMOUNT)]
    asked += [(text, unit) for text, unit, _readings in TWO_READINGS]
    read = """([text, html]) => {
        const holder = document.createElement("div");
        holder.innerHTML = html;
        return readMoney(text, holder.querySelector("[data-money]"));
    }"""
    for text, unit in asked:
        field.widget.unit = unit
        known = next((amount for t, u, amount in READ if (t, u) == (text, unit)), None)
        assert (text, phone.evaluate(read, [text, field.widget.render("a", "")])) == (text, known)

"""Two people at one form: an older page saves what its person changed, and nothing else."""

import json
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from league.models import Club
from league.models.shown_names import NameStyle
from tests.factories import browser_of, make_club, make_member, make_night, owner_of

pytestmark = pytest.mark.django_db


class Fields(HTMLParser):
    """What a browser sends of the page's untouched form that has `seen`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms, self.select, self.area = [], "", ""
        self.feed(page)
        [self.found] = [form for form in self.forms if "seen" in form]

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        name, kind = of.get("name") or "", of.get("type")
        if tag == "form":
            self.forms.append({})
        elif tag == "textarea":
            self.area, self.forms[-1][name] = name, [""]
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            chosen = self.forms[-1].get(self.select)
            if "selected" in of or chosen is None:
                self.forms[-1][self.select] = [of.get("value")]
        elif tag == "input" and name and self.forms:
            box = kind in ("checkbox", "radio")
            if not box or "checked" in of:
                self.forms[-1].setdefault(name, []).append(of.get("value", "on" if box else ""))

    def handle_endtag(self, tag):
        self.select = "" if tag == "select" else self.select
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data):
        if self.area:
            self.forms[-1][self.area][0] += data.removeprefix("\n").replace("\n", "\r\n")


class Page:
    """A browser's page with the form, as it is when it is opened."""

    def __init__(self, user, address, to="") -> None:
        self.client, self.to = browser_of(user), to or address
        self.read(self.client.get(address))

    def read(self, answer) -> None:
        self.fields = Fields(answer.content.decode()).found
        seen = json.loads(self.fields["seen"][0])
        sent = {name: [v.strip().replace("\r\n", "\n") for v in values if v.strip()]
                for name, values in self.fields.items()}  # fmt: skip
        if answer.status_code == 200:
            assert {name: sent.get(name, []) for name in seen} == seen

    def save(self, **changed):
        answer = self.client.post(self.to, self.fields | changed)
        if answer.status_code == 409:
            self.read(answer)
        return answer


def two_pages(club, name, *more, role="organiser", to=""):
    """The same page, opened by an owner and by someone else."""
    address = reverse(f"league:{name}", args=[club.slug, *more])
    to = to and reverse(f"league:{to}", args=[club.slug, *more])
    return [Page(user, address, to) for user in (owner_of(club), make_member(club, role))]


def asked(answer):
    """The sentences of a crossed form."""
    assert answer.status_code == 409
    return " ".join(answer.content.decode().split())


# --- The club ---------------------------------------------------------------------------------


def test_an_older_page_of_a_clubs_settings_moves_no_club_back():
    club = make_night(4).season.club
    a, b = two_pages(club, "club_settings", role="owner")
    moved = b.save(time_zone="Paris", moves_to="Europe/Paris", unit="kẹo")
    assert moved.status_code == 302
    assert a.save(name="Nhà mình").status_code == 302
    club = Club.objects.get()
    assert (club.name, club.time_zone, club.unit) == ("Nhà mình", "Europe/Paris", "kẹo")
    assert club.clock.name == "Paris"


def test_two_new_names_of_a_club_are_asked_about_and_a_second_save_decides():
    club = make_club()
    a, b = two_pages(club, "club_settings", role="owner")
    b.save(name="Nhà Hoa", unit="kẹo")
    said = asked(a.save(name="Nhà Lan", embed_hosts="https://a.example"))
    assert "changed this to “Nhà Hoa”; you chose “Nhà Lan”. Check it and save again." in said
    assert Club.objects.get().name == "Nhà Hoa"
    assert a.fields["name"] == ["Nhà Lan"]
    assert a.save().status_code == 302
    club = Club.objects.get()
    assert (club.name, club.unit, club.embed_hosts) == ("Nhà Lan", "kẹo", "https://a.example")


def test_the_same_change_by_both_is_no_question():
    a, b = two_pages(make_club(), "club_settings", role="owner")
    b.save(name="Nhà Hoa")
    assert a.save(name="Nhà Hoa").status_code == 302


def test_an_older_form_of_names_does_not_publish_a_club_again():
    club = make_club(is_public=True)
    owner, address = browser_of(owner_of(club)), reverse("league:publish", args=[club.slug])
    names = owner.get(address).content.decode().split("<form")[1:]
    [form] = [form for form in names if 'name="names"' in form]
    assert 'name="public"' not in form.split("</form>")[0]
    owner.post(address, {"public": "0"})
    owner.post(address, {"names": NameStyle.FULL})
    club = Club.objects.get()
    assert (club.is_public, club.shows_names) == (False, NameStyle.FULL)

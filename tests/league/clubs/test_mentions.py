"""Names in free texts: nobody's words change by themselves; an organiser decides on each."""

import importlib

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone, translation

from league.base.acts import audit
from league.base.domain import names
from league.base.facts import log_marks
from league.clubs.acts import account_data, forgetting, players
from league.me.acts import retention
from league.models import Audit, Posting, Roster
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_prize,
    make_season,
    make_user,
    owner_of,
    path_of,
)
from tests.markers import everywhere

keys_in_logs = importlib.import_module("league.migrations.0031_keys_in_logs")

pytestmark = pytest.mark.django_db


def prize(club, player, note):
    return make_prize(club.seasons.first() or make_season(club), player.name, note=note)


def test_a_removed_name_changes_no_word_of_anybodys_text():
    club = make_club(name="nộp")
    by = owner_of(club)
    tuan = players.add_player(club=club, name="Tuấn", by=by)
    gone = players.add_player(club=club, name="500k", by=by)
    players.rename_player(player=gone, name="nộp", by=by)
    prize(club, tuan, "Lan đã nộp 500k cho Tuấn")
    players.anonymise_player(player=gone, by=by)
    assert Posting.objects.get().note == "Lan đã nộp 500k cho Tuấn"
    entry = Audit.objects.get(club=club, action="posting.prize")
    assert entry.data["note"] == "Lan đã nộp 500k cho Tuấn"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Qzreborn Mới", "hỏi Qzreborn Mo\u031b\u0301i", [("Qzreborn Mo\u031b\u0301i", True)]),
        ("Qzreborn Mới", "hỏi qzreborn  MOI nhé", [("qzreborn  MOI", True)]),
        ("Qzreborn Mới", "Qzreborn nợ", [("Qzreborn", False)]),
        ("Nguyễn Văn Vinh", "anh Vinh, chị Nguyễn", [("Vinh", False)]),
        ("Đỗ Ba", "do ba, dỗ BA", [("do ba", True), ("dỗ BA", True)]),
        ("An", "Anh An, An@x.example, Bàn", [("An", True)]),
        ("lan@x.example", "gửi lan@x.example.", [("lan@x.example", True)]),
        ("(._.)", "x (._.) y", [("(._.)", True)]),
        ("", "x", []),
    ],
)
def test_a_name_is_found_however_it_is_typed(name, text, found):
    assert list(names.found_in(text, names.wanted([name]))) == found


def test_the_organiser_sees_each_text_and_decides():
    club = make_club()
    by = owner_of(club)
    lan = players.add_player(club=club, name="Lan", by=by)
    vinh = players.add_player(club=club, name="Vinh", by=by)
    players.add_player(club=club, name="Quang Vinh", by=by)
    for note in ("Út Lan đưa 50k cho Vinh", "vinh  thối heo", "cả nhà"):
        prize(club, lan, note)
    browser = browser_of(by)
    edit = path_of(club, "player_edit", vinh.pk)
    page = browser.post(edit, {"act": "anonymise"}, follow=True)
    assert page.request["PATH_INFO"] == path_of(club, "mentions")
    first, second = page.context["texts"]
    assert [first.text, second.text] == ["Út Lan đưa 50k cho Vinh", "vinh  thối heo"]
    assert "<mark>Vinh</mark>" in page.content.decode()
    browser.post(page.request["PATH_INFO"], {str(first.key): "erase", str(second.key): "keep"})
    notes = ["Út Lan đưa 50k cho —", "vinh  thối heo", "cả nhà"]
    assert list(Posting.objects.order_by("pk").values_list("note", flat=True)) == notes
    logged = Audit.objects.filter(club=club, action="posting.prize").order_by("pk")
    assert [entry.data["note"] for entry in logged] == notes
    last = Audit.objects.filter(club=club).first()
    assert (last.action, last.data) == ("club.mentions", {"erased": 2, "kept": 2})
    assert not club.mentions.exists()
    assert list(log_marks.broken(club)) == []
    assert club.players.filter(name="Quang Vinh").exists()
    assert "No text waits" in browser.get(page.request["PATH_INFO"]).content.decode()


def test_a_name_that_was_removed_in_another_language_is_asked_about_no_more():
    club, user = make_club(), make_user()
    by = owner_of(club)
    lan = players.add_player(club=club, name="Lan", by=by)
    players.take_player(player=lan, user=user)
    players.unlink_account(player=lan, by=by)
    with translation.override("vi"):
        players.anonymise_player(player=lan, by=by)
    account_data.erase_person(user=user)
    assert not club.mentions.exists()


def test_after_thirty_days_a_text_stays_as_it_is():
    club = make_club()
    gone = players.add_player(club=club, name="Vinh", by=owner_of(club))
    prize(club, gone, "cho Vinh")
    players.anonymise_player(player=gone, by=owner_of(club))
    assert retention.forget(timezone.now())["league.Mention"] == 0
    later = retention.forget(timezone.now() + retention.MONTH)
    assert later["league.Mention"] == 2
    assert Posting.objects.get().note == "cho Vinh"


def test_an_erased_name_of_a_team_takes_no_other_teams_name():
    club = make_club()
    by, season = owner_of(club), make_season(club)
    gone = players.add_player(club=club, name="Vinh", by=by)
    for name in ("Vinh", "—"):
        Roster.objects.create(season=season, kind="team", name=name)
    players.anonymise_player(player=gone, by=by)
    mentions = list(club.mentions.all())
    forgetting.decide(mentions=mentions, erased=[one.pk for one in mentions], by=by)
    assert {one.name for one in Roster.objects.all()} == {"—", f"— {mentions[0].key}"}


def test_the_upgrade_keys_the_names_of_the_log():
    club = make_club()
    by = owner_of(club)
    lan = players.add_player(club=club, name="Lan", by=by)
    mai = players.add_player(club=club, name="Mai", by=by)
    old = {
        "player.added": {"names": ["Mai", "Nobody"]},
        "player.merged": {"player": lan.pk, "name": "x", "into": mai.pk, "into_name": "y"},
        "player.renamed": {"player": lan.pk, "old": "Lan cũ", "new": "Lan"},
        "adjustment.made": {"player": lan.pk, "name": "Lan", "reason": "Lan muộn"},
        "member.role": {"email": by.email.upper(), "role": "owner"},
        "member.removed": {"email": "gone@club.example"},
        "club.created": {"name": "Lan"},
    }
    entries = {action: audit.log(action, club=club, by=by, **data) for action, data in old.items()}
    keys_in_logs.key(apps, connection.schema_editor())
    for entry in entries.values():
        entry.refresh_from_db()
    former = lan.former_names.get()
    assert former.name == "Lan cũ"
    assert {action: entry.data for action, entry in entries.items()} == {
        "player.added": {"players": [mai.pk], "names": ["Nobody"]},
        "player.merged": {"player": lan.pk, "into": mai.pk},
        "player.renamed": {"player": lan.pk, "former": former.pk},
        "adjustment.made": {"player": lan.pk, "reason": "Lan muộn"},
        "member.role": {"user": by.pk, "role": "owner"},
        "member.removed": {"email": "gone@club.example"},
        "club.created": {"name": "Lan"},
    }
    assert list(log_marks.broken(club)) == []


def test_a_new_name_for_the_same_person_leaves_the_old_one_to_owners_for_a_week():
    club = make_club()
    by, organiser = owner_of(club), make_member(club, "organiser")
    player = players.add_player(club=club, name="Qzmarker", by=by)
    prize(club, player, "cho qzmarker")
    edit = path_of(club, "player_edit", player.pk)
    browser, owner = browser_of(organiser), browser_of(by)
    asked = {"act": "rename", "name": "Vy", "was": "Qzmarker", "forgets_old": "on"}
    page = browser.post(edit, asked, follow=True)
    (text,) = page.context["texts"]
    assert "Vy" in page.content.decode()
    browser.post(page.request["PATH_INFO"], {str(text.key): "erase"})
    assert Posting.objects.get().note == "cho Vy"
    assert everywhere("Qzmarker") == [("league_formername", "name")]
    assert "Qzmarker" not in browser.get(edit).content.decode()
    assert "Qzmarker" not in owner.get(path_of(club, "audit")).content.decode()
    assert "Bring back Qzmarker" in owner.get(edit).content.decode()
    assert browser.post(edit, {"act": "undo_forgetting"}).status_code == 403
    retention.forget(timezone.now() + players.FORMER_FOR)
    assert everywhere("Qzmarker") == []
    late = owner.post(edit, {"act": "undo_forgetting"}, follow=True)
    assert "is forgotten" in late.content.decode()


def test_an_owner_undoes_a_new_name():
    club = make_club()
    player = players.add_player(club=club, name="Lan", by=owner_of(club))
    players.rename_player(player=player, name="Vy", by=owner_of(club), forgets_old=True)
    edit = path_of(club, "player_edit", player.pk)
    browser_of(owner_of(club)).post(edit, {"act": "undo_forgetting"})
    player.refresh_from_db()
    assert player.name == "Lan"


def test_an_ordinary_renaming_stays_in_the_log():
    club = make_club()
    by = owner_of(club)
    player = players.add_player(club=club, name="Lan", by=by)
    for name in ("Lam", "Lâm"):
        players.rename_player(player=player, name=name, by=by)
    page = browser_of(by).get(path_of(club, "audit")).context["page"]
    changes = [(one.old, one.new) for line in page.lines for one in line.changes]
    assert changes == [("Lam", "Lâm"), ("Lan", "Lam")]

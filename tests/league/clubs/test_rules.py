"""A club's own rules: making, versions, the card, and what seasons freeze."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation

from engine.rules import ruleset
from engine.rules.ruleset import INSTANT_WINS, preset, preset_keys, with_options
from league.base.domain.rule_text import rule_text, say
from league.clubs.acts import club_rules
from league.clubs.facts import club_rules as rules_selector
from league.clubs.forms.rules_choice import RULESET_NAMES
from league.clubs.views.rule_form import NUMBERS, RulesForm
from league.models import Audit, ClubRuleset
from league.seasons.acts import seasons
from tables.base import rulesets
from tables.web.forms import preset_names
from tests.factories import (
    browser_of,
    make_club,
    make_member,
    make_rules,
    make_season,
    owner_of,
    path_of,
)
from tests.refusals import refuses
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def own():
    return make_rules()


def sent(rules, *, name="Luật hội", version=0, **changes):
    """What a browser sends for a form that shows `rules`, with some fields changed."""
    form = RulesForm(rules=rules, version=version, name=name)
    values = {bound.name: bound.value() for bound in form}
    values |= {"name": name} | {key.replace("__", "-"): value for key, value in changes.items()}
    return {key: value for key, value in values.items() if value is not None and value is not False}


def change(own, *, version=None, by=None, **options):
    rules = with_options(rulesets.thaw(own.frozen), options)
    return club_rules.change_ruleset(
        ruleset=own, by=by or owner_of(own), version=version or own.version, rules=rules
    )


@pytest.fixture
def organiser():
    club = make_club()
    client = browser_of(make_member(club, "organiser"))
    client.club = club
    return client


def go(client, name, *args, method="get", data=None, **extra):
    path = path_of(client.club, name, *args)
    return getattr(client, method)(path + extra.pop("query", ""), data or {}, **extra)


def create_from_killa(organiser, data, **more):
    return go(organiser, "rules_create", query="?from=killa", method="post", data=data, **more)


class TestVersions:
    def test_new_rules_are_frozen_as_version_1_of_the_clubs_own(self):
        frozen = rulesets.thaw(make_rules(name="Luật Hội Đồng", forward=False).frozen)
        assert (frozen.name, frozen.version, frozen.key, frozen.document) == (
            "Luật Hội Đồng",
            1,
            "own-luat-hoi-dong",
            "house rules",
        )
        assert [name for name, *_ in ruleset.compare(preset("killa"), frozen)] == [
            "key",
            "name",
            "document",
            "forward",
        ]

    def test_a_change_adds_a_version_and_keeps_the_old_one(self, own):
        by = make_member(own.club, "organiser")
        assert change(own, by=by, forward=False) is True
        kept = [(v.number, rulesets.thaw(v.frozen).forward, v.by) for v in own.versions.all()]
        assert kept == [(2, False, by), (1, True, owner_of(own))]
        assert own.frozen == own.versions.first().frozen

    def test_a_change_that_says_nothing_new_makes_no_version(self, own):
        assert change(own, forward=True) is False
        assert ClubRuleset.objects.get().version == 1

    def test_a_change_of_an_old_version_is_refused(self, own):
        change(own, forward=False)
        with refuses("version"):
            change(own, version=1, pass_locks=False)
        assert ClubRuleset.objects.get().version == 2

    def test_a_club_has_one_ruleset_of_a_name(self):
        own = make_rules(name="Luật Đỏ")
        with pytest.raises(ValidationError) as refused:
            make_rules(own.club, name="LUẬT ĐỎ")
        assert refused.value.message_dict == {
            "name": ["The club already has rules with this name. Choose another name."]
        }

    def test_two_clubs_may_use_the_same_name(self):
        assert make_rules(name="Luật").frozen == make_rules(name="Luật").frozen

    def test_who_did_what_is_in_the_log(self, own):
        change(own, forward=False, name="Luật mới")
        club_rules.set_archived(ruleset=own, archived=True, by=owner_of(own))
        logged = Audit.objects.filter(action__startswith="rules.").values_list("action", "data")
        assert list(logged) == [
            ("rules.archived", {"name": "Luật mới", "ruleset": own.pk}),
            (
                "rules.changed",
                {
                    "fields": ["name", "forward"],
                    "name": "Luật mới",
                    "ruleset": own.pk,
                    "version": 2,
                },
            ),
            ("rules.created", {"name": "Luật nhà", "ruleset": own.pk}),
        ]


class TestForm:
    @pytest.mark.parametrize("key", preset_keys())
    def test_a_form_sent_as_it_was_shown_says_the_same_rules(self, key):
        form = RulesForm(sent(preset(key), name="Ours"), rules=preset(key), version=0, name="")
        assert form.is_valid(), form.errors
        assert form.rules_made == with_options(preset(key), {"name": "Ours"})

    @pytest.mark.parametrize("field", NUMBERS)
    def test_a_number_beyond_the_engines_bounds_is_told_beside_its_field(self, field):
        rules = preset("thirteen")
        for value in (NUMBERS[field][0] - 1, NUMBERS[field][1] + 1):
            with pytest.raises(ruleset.RulesetError):
                with_options(rules, {field: value})
            form = RulesForm(sent(rules, **{field: value}), rules=rules, version=0, name="")
            assert list(form.errors) == [field]

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"min_players": 4, "max_players": 3}, "max_players"),
            ({"cards_each__4": 14}, "cards_each-2"),
            ({"cards_each__3": ""}, "cards_each-2"),
            ({"max_players": 5}, "cards_each-2"),
            ({"first_play_not_pair_run": "on", "pair_run_opens": "on"}, "first_play_not_pair_run"),
            ({"name": " "}, "name"),
            ({"name": "a\x07b"}, "name"),
            ({"name": "x" * 81}, "name"),
            ({"chops__Q": ["PR99"]}, "chops-Q"),
            ({"money__loser": "-1"}, "money-loser"),
            ({"money__loser": "9" * 5000}, "money-loser"),
            ({"decks__2": "3"}, "decks-2"),
            ({"direction": "up"}, "direction"),
            ({"instant_wins": ["four_aces"]}, "instant_wins"),
        ],
    )
    def test_a_mistake_is_told_beside_its_field(self, changes, field):
        form = RulesForm(
            sent(preset("killa"), **changes), rules=preset("killa"), version=0, name=""
        )
        assert list(form.errors) == [field]

    def test_what_is_ticked_twice_counts_once(self):
        twice = {
            "instant_wins": ["six_pairs", "six_pairs"],
            "locked_out_chops": ["PR4", "PR4"],
            "chops__Q": ["PR5", "PR5"],
            "exchange": ["go_fish", "go_fish"],
        }
        form = RulesForm(sent(preset("killa"), **twice), rules=preset("killa"), version=0, name="")
        assert form.is_valid(), form.errors
        made = form.rules_made
        assert (made.instant_wins, made.locked_out_chops, made.exchange) == (
            ("six_pairs",),
            ("PR4",),
            ("go_fish",),
        )

    @pytest.mark.parametrize(
        ("numbers", "order"),
        [
            # Added without a number it comes last; the others keep their order.
            ({}, ("four_twos", "six_pairs", "one_suit")),
            (
                {"one_suit": 1, "four_twos": 2, "six_pairs": 3},
                ("one_suit", "four_twos", "six_pairs"),
            ),
            # Without any number, as usual; equal ones too.
            (dict.fromkeys(INSTANT_WINS, ""), ("four_twos", "one_suit", "six_pairs")),
            (dict.fromkeys(INSTANT_WINS, 5), ("four_twos", "one_suit", "six_pairs")),
        ],
    )
    def test_the_order_of_instant_wins_can_be_chosen(self, numbers, order):
        data = sent(preset("thirteen"), instant_wins=["six_pairs", "four_twos", "one_suit"])
        data |= {f"order-instant_wins-{name}": number for name, number in numbers.items()}
        form = RulesForm(data, rules=preset("thirteen"), version=0, name="")
        assert form.is_valid(), form.errors
        assert form.rules_made.instant_wins == order

    def test_the_order_of_exchanges_can_be_chosen(self):
        data = sent(preset("family"), exchange=["go_fish", "twos_left"])
        data |= {"order-exchange-twos_left": 1, "order-exchange-go_fish": 2}
        form = RulesForm(data, rules=preset("family"), version=0, name="")
        assert form.is_valid(), form.errors
        assert form.rules_made.exchange == ("twos_left", "go_fish")

    def test_a_forfeit_is_on_the_card_and_money_is_not_touched(self):
        data = sent(preset("thirteen"), forfeit="sings a song")
        form = RulesForm(data, rules=preset("thirteen"), version=0, name="")
        assert form.is_valid(), form.errors
        sections = rule_text(form.rules_made)
        told = [say(line) for section in sections for line in section.sentences]
        assert "The player in last place: sings a song." in told
        assert form.rules_made.money == preset("thirteen").money


class TestPages:
    def test_an_organiser_makes_rules_from_a_preset(self, organiser):
        data = sent(preset("killa"), name="Luật chợ Lớn", two="", chops__three_twos=["Q"])
        answer = create_from_killa(organiser, data)
        own = ClubRuleset.objects.get(club=organiser.club)
        assert (own.name, own.based_on) == ("Luật chợ Lớn", "killa")
        assert answer["Location"] == path_of(own.club, "rules", own.frozen_id)
        assert dict(rulesets.thaw(own.frozen).chops)["three_twos"] == ("Q",)

    def test_an_unknown_preset_is_not_found(self, organiser):
        assert go(organiser, "rules_create", query="?from=../etc").status_code == 404

    def test_a_preview_saves_nothing_and_says_the_new_words(self, organiser):
        data = sent(preset("killa"), forward="", preview="1")
        del data["forward"]
        text = create_from_killa(organiser, data).content.decode()
        assert "<mark>When everyone else has passed, the last player leads again.</mark>" in text
        assert ("<html" in text, organiser.club.rulesets.count()) == (True, 0)

    def test_with_script_only_the_words_are_sent(self, organiser):
        data = sent(preset("killa"), preview="1")
        answer = create_from_killa(organiser, data, headers={"HX-Request": "true"})
        text = answer.content.decode()
        assert text.strip().startswith('<div id="preview"')
        assert "No differences from Killa yet." in text

    def test_with_script_a_mistake_is_told_above_the_words(self, organiser):
        data = sent(preset("killa"), preview="1", max_players="1")
        answer = create_from_killa(organiser, data, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert '<a href="#id_max_players">Maximum players</a>:' in answer.content.decode()

    def test_a_form_with_mistakes_comes_back_with_what_was_typed(self, organiser):
        data = sent(preset("killa"), name="Bàn dài", max_players="99")
        answer = create_from_killa(organiser, data)
        text = answer.content.decode()
        assert answer.status_code == 422
        assert ('value="Bàn dài"' in text, 'value="99"' in text) == (True, True)

    def test_a_second_change_of_the_same_version_is_refused_on_the_page(self, organiser):
        own = make_rules(organiser.club)
        rules = rulesets.thaw(own.frozen)
        first = sent(rules, version=1, name=own.name, betting="none")
        second = sent(rules, version=1, name=own.name, betting="points")
        assert go(organiser, "rules_edit", own.pk, method="post", data=first).status_code == 302
        answer = go(organiser, "rules_edit", own.pk, method="post", data=second)
        assert answer.status_code == 422
        assert "Someone else has changed these rules." in answer.content.decode()

    def test_an_old_version_says_that_there_is_a_newer_one(self, organiser):
        own = make_rules(organiser.club)
        old = own.frozen_id
        change(own, forward=False)
        text = go(organiser, "rules", old).content.decode()
        assert "You are viewing version 1; the current version is 2." in text

    def test_an_open_season_keeps_an_old_preset_and_is_told_of_the_new_one(self, organiser):
        old = with_options(preset("mien-bac"), {"version": 1, "instant_pairs": "any"})
        season = make_season(organiser.club, rules=old)
        page = " ".join(go(organiser, "season", season.pk).content.decode().split())
        assert "Version 2 of Tiến Lên Miền Bắc is out. This season keeps the version" in page
        path = path_of(organiser.club, "season", season.pk)
        assert "This season keeps" not in Client().get(path).content.decode()
        text = go(organiser, "rules", season.ruleset_id).content.decode()
        assert "You are viewing version 1; the current version is 2." in text
        assert "Pairs of an instant win" in text

    def test_the_card_marks_what_differs_from_the_preset(self, organiser):
        own = make_rules(organiser.club, chops={"three_twos": ["Q"]})
        text = go(organiser, "rules", own.frozen_id).content.decode()
        assert "<mark>On three 2s: four of a kind.</mark>" in text
        assert '<td data-label="Preset"> <span>–</span> </td>' in " ".join(text.split())

    def test_anyone_may_read_the_rules_of_a_public_club(self, own):
        assert Client().get(path_of(own.club, "rules", own.frozen_id)).status_code == 200

    def test_the_rules_of_another_club_are_not_found(self):
        own, other = make_rules(), make_club()
        assert Client().get(path_of(other, "rules", own.frozen_id)).status_code == 404

    @pytest.mark.parametrize("key", preset_keys())
    def test_every_preset_has_a_card_and_a_name(self, organiser, key):
        answer = go(organiser, "rules", ruleset.digest(preset(key)))
        assert (answer.status_code, key in RULESET_NAMES) == (200, True)

    @pytest.mark.parametrize("language", ["en", "vi"])
    def test_every_name_fits_into_the_field_of_a_small_phone(self, language):
        with translation.override(language):
            names = [str(name) for name in RULESET_NAMES.values()]
        assert max(map(len, names + [name for _key, name in preset_names()])) <= 31

    def test_the_download_is_the_ruleset(self, organiser):
        own = make_rules(organiser.club, forward=False)
        answer = go(organiser, "rules_json", own.frozen_id)
        assert ruleset.from_json(answer.json()) == rulesets.thaw(own.frozen)
        assert answer["Content-Disposition"] == 'attachment; filename="own-luat-nha-1.json"'

    @pytest.mark.parametrize("many", share([1, 3], 1, of=2))
    def test_the_list_takes_as_many_queries_for_one_as_for_three(
        self, organiser, many, django_assert_num_queries
    ):
        for number in range(many):
            make_rules(organiser.club, name=f"Luật {number}")
        with django_assert_num_queries(6):
            go(organiser, "rules_list")

    def test_the_list_begins_with_the_rules_of_open_seasons(self, organiser):
        over = make_season(organiser.club, rules="killa")
        seasons.set_status(season=over, status="closed", by=owner_of(organiser))
        season = make_season(organiser.club, rules="thirteen")
        page = go(organiser, "rules_list").content.decode()
        played, presets = (
            re.findall(r'/rules/(\w{64})/"', part) for part in page.split('<h2 id="presets">')
        )
        assert played == [season.ruleset_id]
        others = [key for key in RULESET_NAMES if key != "thirteen"]
        assert presets == [ruleset.digest(preset(key)) for key in others]
        assert len(presets) == len(preset_keys()) - 1

    @pytest.mark.parametrize(("key", "drawn"), [("mien-nam", 5), ("mien-bac-khong-thong", 4)])
    def test_a_card_draws_the_combinations_that_its_rules_know(self, organiser, key, drawn):
        page = go(organiser, "rules", ruleset.digest(preset(key))).content.decode()
        hands = page.split('<ul class="rule-hands')[1].split("Low to high")[0]
        assert hands.count('class="hand') == drawn
        assert "In game records" not in page
        jumps = re.findall(r'href="#(rules-\w+)"', page)
        assert jumps == re.findall(r'<h2 id="(rules-\w+)"', page)

    def test_rules_put_away_are_offered_no_more_and_can_come_back(self, organiser):
        own = make_rules(organiser.club)
        go(organiser, "rules_archive", own.pk, method="post", data={"archived": "yes"})
        assert rules_selector.own_choices(own.club) == []
        go(organiser, "rules_archive", own.pk, method="post", data={"archived": "no"})
        assert rules_selector.own_choices(own.club) == [(own.frozen_id, "Luật nhà")]


class TestFreezing:
    def test_a_season_keeps_the_version_it_was_opened_with(self, organiser):
        own = make_rules(organiser.club)
        data = {
            "name": "Mùa",
            "ruleset": own.frozen_id,
            "points": "3-2-1-0",
            "starts_on": "2015-01-01",
        }
        assert go(organiser, "season_create", method="post", data=data).status_code == 302
        season = organiser.club.seasons.get()
        change(own, forward=False)
        season.refresh_from_db()
        assert rulesets.thaw(season.ruleset).forward is True
        assert go(organiser, "rules", season.ruleset_id).status_code == 200

    def test_a_bot_tournament_starts_from_the_seasons_version(self, organiser):
        own = make_rules(organiser.club)
        season = make_season(organiser.club)
        season.ruleset = own.frozen
        season.save()
        change(own, forward=False)
        text = go(organiser, "bots_create", season.pk).content.decode()
        assert f'<option value="{own.versions.last().frozen_id}" selected>' in text

    def test_rules_of_another_club_cannot_be_chosen(self, organiser):
        other = make_rules()
        data = {
            "name": "Mùa",
            "ruleset": other.frozen_id,
            "points": "3-2-1-0",
            "starts_on": "2015-01-01",
        }
        assert go(organiser, "season_create", method="post", data=data).status_code == 422

"""Every reference to a player or an entrant is named here, with the test of what a merge does.

A new one fails until it is on a list, and each test that a row names exists.
"""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from league.models import Entrant, Player

OF_PLAYERS = {
    "Account.player": "test_merged_names_count_together_and_separate_without_loss",
    "Adjustment.player": "test_who_played_under_another_name_was_not_absent",
    "Bye.entrant": "test_who_has_rested_does_not_rest_again_under_another_name",
    "Claim.player": "test_a_phone_comes_back_to_its_name",
    "ClubSeat.player": "test_merged_names_are_one_balance",
    "Dispute.player": "test_a_dispute_is_told_as_the_persons",
    "Entrant.player": "test_in_an_open_night_the_merged_player_is_here_once",
    "EntryDoubt.player": "test_a_doubt_said_under_another_name_is_the_persons",
    "FormerName.player": "test_removing_a_name_leaves_the_marker_in_no_table",
    "FormerWay.player": "test_a_former_way_of_another_name_is_offered_again_to_its_writer",
    "HiddenName.player": "test_a_player_whose_name_is_hidden_is_neither_merged_nor_put_in_the_bin",
    "Link.player": "test_a_personal_link_names_the_player_of_a_merge",
    "Notebook.players": "test_an_import_whose_players_were_merged_is_undone",
    "PaymentWay.player": "test_what_a_phone_left_for_another_name_is_confirmed_for_the_person",
    "Place.entrant": "test_a_name_merged_while_it_sits_keeps_the_seat_for_who_it_is",
    "Placing.entrant": "test_merged_names_count_together_and_separate_without_loss",
    "Player.merged_into": "test_aliases_of_an_alias_come_back_with_it",
    "Rating.player": "test_names_of_one_person_have_one_rating",
    "RatingPoint.player": "test_names_of_one_person_have_one_rating",
    "ReportedPayment.payee": "test_after_a_merge_the_yes_is_for_who_plays_under_the_name",
    "ReportedPayment.payer": "test_after_a_merge_the_yes_is_for_who_plays_under_the_name",
    "RoleOffer.player": "test_an_offer_to_another_name_keeps_others_from_writing_how_one_is_paid",
    "RosterMember.player": "test_a_team_counts_a_person_once",
    "SeasonRow.player": "test_merged_names_count_together_and_separate_without_loss",
    "SignUpAnswer.player": "test_of_two_words_the_later_counts_and_both_come_back",
    "StakeOffer.agreed": "test_a_proposed_stake_is_answered_under_the_other_name",
    "StakeOffer.ended_by": "test_a_proposed_stake_is_answered_under_the_other_name",
    "StakeOffer.entrant": "test_a_proposed_stake_is_answered_under_the_other_name",
    "Strength.player": "test_names_of_one_person_have_one_rating",
    "StrengthPoint.player": "test_names_of_one_person_have_one_rating",
    "Tally.entrant": "test_standings_the_cup_and_the_proof_count_the_same_games",
}

NONE = ""
"""Of JSON without a key of a player or an entrant."""

IN_JSON = {
    "Audit.data": "test_draws_disputes_money_and_people_are_told",
    "Channel.keys": NONE,
    "Event.format": NONE,
    "Event.scoring": NONE,
    "Event.tie_breaks": NONE,
    "FileImport.told": NONE,
    "LiveResult.payments": "test_what_the_engine_paid_another_name_is_the_persons",
    "LiveTable.problem_params": NONE,
    "LiveTable.renewed": "test_the_own_seat_at_an_online_table_is_found",
    "Mention.words": NONE,
    "NewsItem.data": "test_what_waits_for_the_phone_of_a_merged_name_is_its_persons",
    "NewsWish.off": NONE,
    "Occurrence.problem_params": NONE,
    "OldRows.counts": NONE,
    "RatingState.bots": NONE,
    "RatingState.nights": NONE,
    "Result.specials": "test_chops_of_another_name_are_the_persons",
    "Round.quality": NONE,
    "Round.settings": "test_the_group_of_a_cup_stays",
    "Schedule.plan": NONE,
    "Schedule.rule": NONE,
    "Season.scoring": NONE,
    "Season.tie_breaks": NONE,
    "SeasonRow.rest": NONE,
    "SeasonTable.nights": NONE,
    "StrengthState.nights": NONE,
    "Transfer.detail": NONE,
    "Verification.checked": NONE,
    "Verification.differences": NONE,
}

OF_THE_NAME = {
    "animal": "test_group_table_and_face_are_taken_over_and_given_back",
    "binned_at": NONE,
    "bot": "test_bots_aliases_and_strangers_are_not_merged",
    "club": "test_bots_aliases_and_strangers_are_not_merged",
    "created_at": NONE,
    "fixed_table": "test_group_table_and_face_are_taken_over_and_given_back",
    "folded": NONE,
    "ground": NONE,
    "group": "test_group_table_and_face_are_taken_over_and_given_back",
    "id": NONE,
    "is_regular": "test_account_regular_and_whether_ways_are_shown_come_back",
    "merged_into": "test_aliases_of_an_alias_come_back_with_it",
    "name": NONE,
    "name_key": "test_a_name_taken_meanwhile_has_to_change_before_separating",
    "shown": "test_who_is_hidden_from_strangers_is_hidden_under_both_names_until_parted",
    "shows_ways": "test_account_regular_and_whether_ways_are_shown_come_back",
    "sort_key": NONE,
    "together": "test_group_table_and_face_are_taken_over_and_given_back",
    "user": "test_account_regular_and_whether_ways_are_shown_come_back",
}
"""The player's own columns; those without a test stay with the name."""


def fields():
    """The league's columns and relations; `tables` knows no players (test_architecture.py)."""
    for model in apps.get_app_config("league").get_models():
        meta = model._meta
        for field in (*meta.local_fields, *meta.local_many_to_many):
            yield f"{model.__name__}.{field.name}", field


def test_every_reference_to_a_player_is_on_the_list():
    found = {name for name, field in fields() if field.related_model in (Player, Entrant)}
    assert found == set(OF_PLAYERS)


def test_every_json_column_says_whether_it_has_players():
    assert {n for n, field in fields() if isinstance(field, models.JSONField)} == set(IN_JSON)


def test_every_column_of_a_player_says_whether_it_is_the_names():
    assert {field.name for field in Player._meta.local_fields} == set(OF_THE_NAME)


@pytest.mark.parametrize("rows", [OF_PLAYERS, IN_JSON, OF_THE_NAME])
def test_each_row_names_a_test(rows):
    found = set[str]()
    for path in Path(__file__).parents[1].rglob("test_*.py"):
        found.update(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(rows.values()) - {NONE} <= found

"""The title of a night's recap: the first of its facts that is true, in a fixed order."""

import itertools
import re
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

from django.template.loader import render_to_string

from league.recap.pages.story import WIDE, NightCourse, StoryChop, longest_streak, plot_of, title_of

NAMES = ("An", "Bình", "Cường", "Dung", "Em", "Giang")
POINTS = {1: 3, 2: 2, 3: 1}


def night(*games, chops=()):
    """A night of games, each with the finishing order of its players: "ABCD".

    The winner is whoever has most points; ties share the first place.
    """
    players = [SimpleNamespace(pk=no, name=name) for no, name in enumerate(NAMES)]
    sums = {one.pk: [Fraction(0)] for one in players}
    firsts = {one.pk: [] for one in players}
    played = {one.pk: [] for one in players}
    for step, order in enumerate(games, 1):
        ranks = {"ABCDEG".index(letter): rank for rank, letter in enumerate(order, 1)}
        for key, line in sums.items():
            line.append(line[-1] + POINTS.get(ranks.get(key, 4), 0))
            if key in ranks:
                played[key].append(step)
            if ranks.get(key) == 1:
                firsts[key].append(step)
    best = sorted(players, key=lambda one: -sums[one.pk][-1])
    places = [SimpleNamespace(player=one) for one in best]
    told = NightCourse(places, sums, firsts, played, [len(games)], list(chops))
    winners = [one for one in best if sums[one.pk][-1] == sums[best[0].pk][-1]]
    return told, winners


def test_a_streak_of_four_first_places_is_told_before_anything_else():
    told, winners = night("BACD", "BACD", "ABCD", "ABCD", "ABCD", "ABCD")
    assert title_of(told, winners) == (
        "An came first 4 games in a row",
        "After game 3 still 1 point behind Bình.",
    )
    streak = longest_streak(told, 0)
    assert (streak.games, streak.begins, streak.ends) == (4, 3, 6)
    [bracket] = [plot_of(told, streak, (), WIDE).streak]
    assert bracket[0] < bracket[1]


def test_games_of_others_do_not_end_a_streak():
    told, _winners = night("ABCD", "EGCD", "ABCD", "ABCD", "ABCD")
    assert longest_streak(told, 0).games == 4
    assert longest_streak(night("ABCD", "BACD", "ABCD", "ABCD", "ABCD")[0], 0) is None


def test_a_lead_that_changes_in_the_last_two_games_is_the_story():
    told, winners = night("BACD", "BACD", "ACDB", "ACDB")
    title, line = title_of(told, winners)
    assert title == "An took the lead at the very end"
    assert line == "After game 2 still 2 points behind Bình."


def test_one_and_a_half_points_are_several():
    told, winners = night("BACD", "BACD", "ACDB", "ACDB")
    told.sums.update({key: [each * 3 / 4 for each in line] for key, line in told.sums.items()})
    assert title_of(told, winners)[1] == "After game 2 still 1.5 points behind Bình."


def test_whoever_leads_after_every_game_led_from_start_to_end():
    told, winners = night("ABCD", "BACD", "ABCD", "CABD")
    told.sums[0] = [points + 1 for points in told.sums[0]]
    assert title_of(told, winners)[0] == "An led from start to end"


def test_a_lead_is_not_told_where_a_final_decides():
    told, winners = night("BACD", "BACD", "ACDB", "ACDB")
    assert "lead" not in title_of(told, winners, has_stages=True)[0]


def test_a_comeback_is_told_of_whoever_climbed_most():
    told, winners = night("AGBC", "AGBC", "GABC", "EABC", "EAGC", "EAGC", "GAEC")
    assert winners[0].name == "An"
    assert title_of(told, winners)[0].startswith(("Em climbed from place", "An"))


def test_a_comeback_by_points_is_not_told_where_a_final_decides():
    told, _winners = night("ABC", "DGA", "BAG", "EAC", "ECD", "EGB")
    winner = next(p.player for p in told.players if p.player.pk == 1)
    assert title_of(told, [winner])[0] == "Em climbed from place 6 to 1"
    assert title_of(told, [winner], has_stages=True)[0] == "Bình came first"


def test_without_anything_else_the_last_chop_or_the_winner_is_told():
    games = ("ABCD", "BACD", "CABD", "ABCD", "BACD", "ACBD", "BACD")
    told, winners = night(*games)
    told.sums[1] = [points + (step == 3) for step, points in enumerate(told.sums[1])]
    title, _line = title_of(told, winners)
    assert title == "An came first"
    chopped, winners = night(*games, chops=[StoryChop(2, 1, "Bình chops An: black 2")])
    chopped.sums[1] = told.sums[1]
    assert title_of(chopped, winners) == ("Bình chops An: black 2", "An came first")
    cup = title_of(chopped, winners, has_stages=True)
    assert cup == ("An came first", "Bình chops An: black 2"), "a cup is about who won it"
    plot = plot_of(chopped, None, (), WIDE)
    assert [mark.text for mark in plot.marks] == ["Bình chops An: black 2"]


def test_two_who_share_first_place_are_both_named():
    told, winners = night("ABCD", "BACD", "EGDC")
    title, _line = title_of(told, winners)
    assert title == "An, Bình share first place"


def test_faces_at_the_ends_of_lines_never_meet():
    told, _winners = night("ABCD", "BACD", "CDAB")
    named = [line for line in plot_of(told, None, (5,), WIDE).lines if line.kind != "rest"]
    heights = sorted(line.label_y for line in named)
    assert all(b - a >= 24 for a, b in itertools.pairwise(heights))
    assert [line.player.name for line in named if line.kind == "own"] == ["Giang"]


def test_rounds_too_narrow_for_a_word_have_a_number_alone():
    told, _winners = night("ABCD", "BACD", "CDAB", "ABCD")
    plot = replace(plot_of(told, None, (), (240.0, 190.0)), lines=[])

    def names(rounds):
        parts = {"plot": replace(plot, rounds=rounds), "size": "small", "room": 30}
        drawn = render_to_string("league/recap/story_plot.html", parts)
        return [" ".join(one.split()) for one in re.findall(r'"middle"[^>]*>(.*?)<', drawn, re.S)]

    assert names([(0.0, 120.0, 1), (120.0, 120.0, 2)]) == ["round 1", "round 2"]
    assert names([(60.0 * n, 60.0, n + 1) for n in range(4)]) == ["1", "2", "3", "4"]


def test_a_line_ends_with_its_total_after_the_last_game():
    told, _winners = night("ABCD", "BACD", "ACBD")
    lines = plot_of(told, None, (), WIDE).lines
    assert {line.player.name: line.total for line in lines if line.total} == {
        "An": 8,
        "Bình": 6,
        "Cường": 4,
    }
    for line in lines:
        assert float(line.points.split(",")[-1]) == line.y

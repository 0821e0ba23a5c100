"""The content of pictures of nights, chops, seasons and players."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext

from league.base import texts
from league.base.facts.next_nights import coming_at, when_and_where
from league.models import Event, Season, SeasonRow
from league.nights.facts.final_places import event_places
from league.nights.pages.night_specials import last_chop, specials_of
from league.recap.pages.drawing import ROWS_WIDE, Figure, Picture, PictureRow
from league.seasons.facts import season_cache
from league.seasons.facts.season_cache import honours_of, standing_of
from league.seasons.facts.standings import PLAYED, Standing
from tables.base.card_text import rank
from tables.models import Puzzle
from tables.play.facts import archive
from tables.reviews.facts.puzzles import solvers_of
from tables.reviews.pages.asked import asked_at

MOST = ROWS_WIDE + 1


def of_night(event: Event) -> Picture:
    """Return a picture of a night's places; before its first game, of its date and sign-ups."""
    club = event.season.club
    places = [place for place in event_places(event) if place.row.games and place.row.rank]
    if not places:
        coming = coming_at([event]).get(event.pk)
        about = [club.name, when_and_where(event, is_shared=True)]
        about += [_("Coming so far: %(n)s.") % {"n": coming}] if coming is not None else []
        return Picture(event.name, " · ".join(about), foot=_foot())
    day = f"{date_format(event.date, 'l')}, {date_format(event.date, 'SHORT_DATE_FORMAT')}"
    people = ngettext("%(n)s player", "%(n)s players", len(places)) % {"n": len(places)}
    lead = _("In the lead") if event.is_open else _("First place")
    title = f"{lead} · {event.name} · {day}"
    return Picture(title, f"{club.name} · {people}", _rows(places), _foot(), note=last_chop(event))


def of_chop(event: Event) -> Picture | None:
    """Return a picture of the night's last chop and its chop counts; None without a chop."""
    sentence = last_chop(event)
    if not sentence:
        return None
    specials, _pairs = specials_of([event])
    most = max(specials, key=lambda one: one.chops)
    hit = max(specials, key=lambda one: one.chopped)
    chops = sum(one.chops for one in specials)
    facts = (
        Figure(str(chops), npgettext("in a picture", "chop", "chops", chops)),
        Figure(str(most.chops), _("by %(name)s") % {"name": most.name}),
        Figure(str(hit.chopped), _("against %(name)s") % {"name": hit.name}),
    )
    return Picture(sentence, f"{event.name} · {event.season.club.name}", foot=_foot(), facts=facts)


def of_season(season: Season, first: Iterable[Standing]) -> Picture:
    """Return a picture of the top of a season's standings."""
    nights = season.counted_events.filter(PLAYED).count()
    length = ngettext("%(n)s night", "%(n)s nights", nights) % {"n": nights}
    is_over = season.status == Season.Status.CLOSED
    lead = _("Season champion") if is_over else _("In the lead")
    about = f"{season.club.name} · {length}"
    ranked = (one for one in first if one.row.rank)
    return Picture(f"{lead} · {season.name}", about, _rows(ranked), _foot())


def of_player(season: Season, cached: SeasonRow, people: int) -> Picture:
    """Return a picture of a player's season, which names no other player.

    `people` is the number of ranked players.
    """
    standing, specials = standing_of(cached), season_cache.specials_of(cached)
    row = standing.row
    firsts, games = row.counts.get(1, 0), row.games
    chops, wins = (specials.chops, specials.instant_wins) if specials else (0, 0)
    facts = [
        (row.rank and f"{row.rank}/{people}", _("rank")),
        (texts.points(row.points), _("points")),
        (games, npgettext("in a picture", "game", "games", games)),
        (str(firsts), npgettext("in a picture", "first place", "first places", firsts)),
        (chops, npgettext("in a picture", "chop", "chops", chops)),
        (wins, npgettext("in a picture", "instant win", "instant wins", wins)),
    ]
    titles = " · ".join(honour.title for honour in honours_of(cached))
    about = [season.name, season.club.name, *([titles] if titles else [])]
    figures = tuple(Figure(str(figure), counts) for figure, counts in facts if figure)
    return Picture(standing.player.name, " · ".join(about), foot=_foot(), facts=figures)


def of_puzzle(puzzle: Puzzle) -> Picture:
    """Return a picture of a puzzle: the ranks of the hand and how many solved it."""
    hand = asked_at(archive.record(puzzle.game), puzzle.step, nameless=True).hand
    solvers = solvers_of(puzzle)
    ranks = Figure(" ".join(rank(card[0]) for card in hand), _("What do you play?"))
    solved = Figure(f"{solvers.percent} %", _("solved it"))
    day = date_format(puzzle.day, "SHORT_DATE_FORMAT") if puzzle.day else ""
    facts = (ranks, solved) if solvers.people else (ranks,)
    return Picture(_("Puzzle of the day"), day, foot=_foot(), facts=facts)


def _rows(places: Iterable[Standing]) -> tuple[PictureRow, ...]:
    return tuple(
        PictureRow(
            place.row.rank or 0,
            place.player.name,
            texts.points(place.row.points),
            place.player.face,
            _worth(place),
        )
        for place in list(places)[:MOST]
    )


def _worth(place: Standing) -> str:
    """Return a champion's points and first places in words."""
    points = texts.points_told(place.row.points)
    firsts = place.row.counts.get(1, 0)
    counted = npgettext("in a picture", "first place", "first places", firsts)
    return f"{points} · {firsts} {counted}" if firsts else points


def _foot() -> str:
    return settings.SITE_ADDRESS.partition("://")[2].rstrip("/")

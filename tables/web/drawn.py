"""The parts of a table's page that change with every move, as HTML.

Functions draw them, not templates: these took a third of a move's processor time. What changes
seldom stays in templates/tables/, drawn once from its values (`kept`).
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from tables.base import card_text, currencies
from tables.base.faces import Face
from tables.base.fifo_cache import drawn_once
from tables.models import Table
from tables.play.acts import clocks
from tables.play.facts.standings import MatchRow
from tables.play.pages import boards
from tables.play.pages import said as tellings
from tables.play.pages.boards import Board, Plate
from tables.play.pages.chairs import Absence, OwnPart, OwnStep
from tables.play.pages.moves import Move
from tables.play.pages.options import TableButton
from tables.play.pages.said import TableSentence


class Faced(Protocol):
    """A player or a seat with a face."""

    face: Face


def board(found: Board) -> SafeString:
    """Return what everyone sees of a table.

    It is kept for all, so nothing in it may depend on who looks or when. What has data-side is
    moved to its slot of the page.
    """
    table, label = found.table, _("Table")
    turn, pictures = "" if found.turn is None else found.turn, static("cards.svg")
    return mark_safe(
        f"""<section id="board-public" class="public" aria-label="{label}"
 data-version="{table.version}" data-status="{table.status}" data-phase="{found.phase}"
 data-turn="{turn}" data-turn-name="{escape(found.turn_name)}"
 data-pass="{"1" * found.may_pass}" data-direction="{found.rules.direction}"
 data-marks="{boards.marks(found)}" data-cheer="{found.cheer}"
 data-chops-pay="{"1" * found.chops_pay}">
<div class="feltarea"><div class="rim"></div>
<svg class="drum" viewBox="0 0 48 48" aria-hidden="true"><use href="{pictures}#K" /></svg>
<ol class="seats" role="list">{"".join(_seat(plate, found.unit) for plate in found.plates)}</ol>
<div class="middle">{_middle(found)}{_countdown(found)}</div>
<p class="news" data-news>{escape(found.news)}</p>{_state(found)}
</div>
{_cheer(found)}{_template("result", found) if found.result else ""}
{_told_to_all(found)}
<small data-side="sub">{sub_line(found)}</small>
<div data-side="score">{score(found)}</div>
</section>"""
    )


def own(part: OwnPart, token: str, context: Mapping[str, Any]) -> SafeString:
    """Return the viewer's own part; nobody else gets these bytes.

    `token` is the request's against forgery, `context` what the templates of its states need.
    """
    options, table, label = part.options, context["table"], _("Your seat")
    chair = part.seat.pk if part.seat else ""
    notes = [f"<p>{escape(note)}</p>" for note in part.notes]
    if options.replaced:
        notes.append(_asked(options.replaced.html, options.back, token))
    said = [f'<div class="own-notes">{"".join(notes)}</div>'] if notes else []
    for absence in part.absences:
        if absence.now:
            words = _asked(_absent(absence.plate), absence.now, token)
            said.append(f'<div class="own-notes">{words}</div>')
    if options.part == "play":
        shown = _play(part, table, token)
    else:
        shown = render_to_string(options.template, {**context, "own": part, "csrf_token": token})
    return mark_safe(
        f"""<section id="own" class="own{" own-turn" * part.acts}" aria-label="{label}"
 data-mark="{part.mark}" data-seat="{part.no}" data-chair="{chair}">
{"".join(said)}{shown}{sentences({one: {} for one in tellings.own(part, context["board"])})}
<div data-side="asides">{buttons(options.asides, token)}{_helps(part.absences, token)}</div>
</section>"""
    )


def sentences(told: Mapping[TableSentence, Mapping[int, str]]) -> SafeString:
    """Return what is said, hidden; each with the words of the seats that are told it otherwise."""
    lines = "".join(
        f"""<li data-key="{escape(one.key)}" data-order="{one.order}" data-level="{one.level}"
 data-over="{escape(one.over)}" data-seats="{escape(json.dumps(seats)) if seats else ""}">
{escape(one.text)}</li>"""
        for one, seats in told.items()
    )
    return mark_safe(f"<ol hidden data-told>{lines}</ol>")


def score(found: Board) -> SafeString:
    """Return what everyone may read beside the table: score, this trick, proof of the deal."""
    table, parts = found.table, []
    if found.standings:
        title = _("Table score")
        rows = "".join(_score_row(row, face, found) for row, face in found.scores)
        parts.append(f'<section><h2>{title}</h2><ol class="led" role="list">{rows}</ol>')
        if found.pays and not table.for_anyone and not table.terms:
            to, words = reverse("evening", args=[table.key]), _("Sums of the evening")
            parts.append(f'<p><a class="btn" href="{to}">{words}</a></p>')
        if table.is_for_members:
            agreed = table.arrangement
            words = _("Games here go into the ledger of %(club)s")
            words %= {"club": escape(agreed.home_name)}
            parts.append(f'<p class="small"><a href="{escape(agreed.home)}">{words}</a></p>')
        parts.append("</section>")
    if found.tricks:
        title, words = _("This trick"), _("All tricks of this game")
        *over, newest = found.tricks
        lines = "".join(map(_logged, newest))
        every = _told(tuple(map(tuple, over)), get_language()) + _told_trick(newest)
        parts.append(
            f"""<section><h2>{title}</h2><ol class="log" role="list">{lines}</ol>
<details class="table-more" id="more-tricks"><summary>{words}</summary>
<ol class="history">{every}</ol></details></section>"""
        )
    if found.commitment:
        title = _("Is the deal fair?")
        parts.append(
            f"""<details class="table-more" id="more-fair"><summary>{title}</summary>
<p class="small">{found.fairness}</p>
<p class="small fingerprint"><code>{found.commitment}</code></p></details>"""
        )
    return mark_safe("".join(parts))


def buttons(actions: Iterable[TableButton], token: str) -> SafeString:
    """Return things to press; `token` is the request's against forgery."""
    return mark_safe("".join(_button(action, token) for action in actions))


def trick(moves: Iterable[Move], label: str, plates: Sequence[Faced]) -> SafeString:
    """Return the plays of a trick, oldest first, with the people who made them."""
    language = get_language()
    plays = [
        _lying(move, face(plates[move.seat], "xs"), language) for move in moves if not move.passed
    ]
    return mark_safe(
        f'<ol class="pile" role="list" aria-label="{escape(label)}">{"".join(plays)}</ol>'
    )


def sub_line(found: Board) -> SafeString:
    """Return the line under the table's name (tables/sub.html)."""
    table = found.table
    about = {name: getattr(table, name) for name in ("unit", "rated", "players")}
    return kept("sub", game_no=found.game_no, stake=found.stake, **about)


def hand(
    cards: Iterable[str], label: str, *, name: str = "", size: str = "", picked: Container[str] = ()
) -> SafeString:
    """Return a row of cards, selectable if they have a name."""
    kind, language = "choice" if name else "shown", get_language()
    drawn = "".join(_drawn(kind, card, size, language, name, card in picked) for card in cards)
    look, label = "hand hand-pick" if name else "hand", escape(label or _("Hand"))
    return mark_safe(f'<ol class="{look}" role="list" aria-label="{label}">{drawn}</ol>')


def card(text: str, size: str = "") -> SafeString:
    """Return a card's HTML for a code such as "TD" (components/card.html)."""
    return _drawn("card", text, size, get_language())


def face(of: Faced | Face, size: str = "") -> SafeString:
    """Return a face, or that of the player who sits there; `size` is "xs" or "s"."""
    return _face(*(of if isinstance(of, Face) else of.face), size)


def kept(part: str, **values: Any) -> SafeString:
    """Return a template of tables/ that is drawn once from these values alone."""
    return _kept(f"tables/{part}.html", tuple(values.items()), get_language())


@lru_cache(100)
def icon(name: str) -> SafeString:
    """Return a picture of static/icons.svg (components/icon.html)."""
    return mark_safe(render_to_string("components/icon.html", {"name": name}).strip())


def _template(part: str, found: Board) -> str:
    return render_to_string(f"tables/{part}.html", {"board": found, "table": found.table})


def _unseen(words: str) -> str:
    return f'<span class="visually-hidden">{words}</span>'


def _seat(plate: Plate, unit: str) -> str:
    """Return a seat as everyone sees it, the same for two people and for eight."""
    looks = "" if plate.empty else face(plate)
    return f"""<li class="seat s{plate.no} {plate.style}" data-seat="{plate.no}">
<b class="nm">{escape(plate.called)}</b>
<span class="at">{looks}{_ring(plate)}{_count(plate)}{_sign(plate)}</span>
<span class="nt">{_pill(plate)} {_sum(plate, unit)}</span></li>
"""


def _ring(plate: Plate) -> str:
    if plate.time is None:
        return ""
    left, more = _unseen(_("Seconds left")), _("extra time")
    return f"""<span class="ring" data-clock data-time="{plate.time}" data-bank="{plate.bank}"
 hidden><i></i>{left} <b class="secs num" data-clock-seconds></b>
<span class="visually-hidden" data-clock-bank hidden>{more}</span></span>"""


def _count(plate: Plate) -> str:
    if plate.place:
        return f'<span class="medal medal-{plate.place}">{plate.place}</span>'
    if plate.cards is None:
        return ""
    few, words = " few" * (plate.cards < 3), _unseen(_("cards"))
    return f'<b class="cnt num{few}">{plate.cards} {words}</b>'


def _sign(plate: Plate) -> str:
    """Return what a seat is marked with: a bot, the autopilot, the dealer."""
    if plate.is_bot:
        level = escape(plate.level)
        return f'<span class="tag bot" title="{level}">{icon("bot")}{_unseen(level)}</span>'
    if plate.autopilot:
        words = _("autopilot")
        return f'<span class="tag" title="{words}">{icon("cup")}{_unseen(words)}</span>'
    if plate.deals:
        words = _("Dealer")
        return f'<span class="tag" title="{words}">{icon("dealer")}{_unseen(words)}</span>'
    return ""


def _pill(plate: Plate) -> str:
    if plate.cards == 1 and not plate.passed:
        last = _("last card!")
        return f'<span class="pill pill-gold">{last}</span>'
    if plate.passed:
        passed = pgettext("seat", "passed")
        return f'<span class="pill">{passed}</span>'
    if plate.owes:
        owed = ngettext("owes %(n)s card", "owes %(n)s cards", plate.owes) % {"n": plate.owes}
        return f'<span class="pill">{owed}</span>'
    if notes := plate.notes:
        return f'<span class="pill">{notes[0]}</span>'
    return f'<span class="level">{escape(plate.level)}</span>' if plate.is_bot else ""


def _sum(plate: Plate, unit: str) -> str:
    if plate.sum is None:
        return ""
    look = "minus" if plate.sum < 0 else "plus"
    unseen, shown = _unseen(escape(currencies.sign(unit))), currencies.signed(plate.sum, unit)
    return f'<span class="sum num {look}">{unseen} {shown}</span>'


def _middle(found: Board) -> str:
    if found.trick:
        return trick(found.trick, _("Current trick"), found.plates)
    return "" if found.result else _template("call", found)


def _countdown(found: Board) -> str:
    if not found.due or found.turn is not None or found.result:
        return ""
    play = _("Play begins in a moment") if found.phase else _("Cards are dealt in a moment")
    whole = clocks.window().total_seconds() if found.phase == "window" else 0
    return f"""<p class="countdown" data-clock data-time="{whole * 1000:.0f}" hidden>
<b class="num" data-clock-seconds></b> {play}</p>"""


def _state(found: Board) -> str:
    """Return what is special about the trick."""
    said = [_("The trick is locked.")] if found.locked else []
    if found.forward:
        words = _("Everyone else has passed: %(name)s may keep playing alone.")
        said.append(words % {"name": escape(found.turn_name)})
    return f'<p class="state-note">{" ".join(said)}</p>' if said else ""


def _told_to_all(found: Board) -> str:
    """Return the sentences for everyone; the board is one for all, so each has all its words."""
    people = [plate.no for plate in found.plates if not (plate.is_bot or plate.empty)]
    usual = {one.key: one for one in tellings.public(found)}
    told = {no: {one.key: one for one in tellings.public(found, no)} for no in people}
    every = usual | {key: one for own in told.values() for key, one in own.items()} | usual
    found_words = {}
    for key, one in every.items():
        words = {no: own[key].text if key in own else "" for no, own in told.items()}
        spoken = one._replace(text=one.text if key in usual else "")
        found_words[spoken] = {no: text for no, text in words.items() if text != spoken.text}
    return sentences(found_words)


def _cheer(found: Board) -> str:
    if not found.cheer:
        return ""
    costs = (
        f'<span class="num">{escape(currencies.signed_amount(found.chop_pays, found.unit))}</span>'
    )
    return f"""<p class="cheer cheer-{found.cheer}" aria-hidden="true"><b>{found.cheer_words}</b>
{costs if found.chop_pays else ""}</p>"""


def _score_row(row: MatchRow, of: Face, found: Board) -> SafeString:
    """Return a line of the match's score (tables/score-row.html)."""
    shown = {name: getattr(row, name) for name in ("name", "games", "firsts", "beaten", "net")}
    looks = _face(*of, "s")
    return kept("score-row", face=looks, unit=found.unit, pays=found.pays, **shown)


def _asked(words: str, actions: Iterable[TableButton], token: str) -> str:
    return f"<div><span>{words}</span>{buttons(actions, token)}</div>"


def _absent(plate: Plate) -> str:
    if plate.second_claim:
        said = _("Two phones say “I am %(name)s”:")
    elif plate.claim:
        said = _("Someone with another phone says: “I am %(name)s.”")
    else:
        said = _("<b>%(name)s</b> is offline.")
    return said % {"name": escape(plate.name)}


def _helps(absences: Iterable[Absence], token: str) -> str:
    return "".join(
        f"""<div class="helps">{face(one.plate, "s")} <b>{escape(one.plate.name)}</b>
{buttons(one.more, token)}</div>"""
        for one in absences
        if one.more
    )


def _button(action: TableButton, token: str) -> str:
    look, to, label = f"act {action.style}", escape(action.address), escape(action.label)
    follows = " data-follow" * action.follows
    if action.links:
        return f'<a class="{look}" href="{to}"{follows}>{label}</a>\n'
    version = _hidden("version", action.version) if action.version else ""
    left = '<b class="num" data-clock-seconds></b>'
    ring = f'<span class="ring" data-clock hidden><i></i>{left}</span>'
    return f"""<form method="post" action="{to}" data-post{follows}>{_csrf(token)}{version}
<button class="{look}"><span>{icon(action.icon) if action.icon else ""} {label}</span>
{ring * action.counts}</button></form>
"""


def _hidden(name: str, value: object) -> str:
    return f'<input type="hidden" name="{name}" value="{value}">'


def _csrf(token: str) -> str:
    return _hidden("csrfmiddlewaretoken", escape(token))


def _play(part: OwnPart, table: Table, token: str) -> str:
    """Return the hand of a game, and what may be done with it."""
    step = part.request
    if part.hand:
        label = _("Your hand")
        shown = f'<div class="own-hand">{hand(part.hand, label, name="cards")}</div>'
    else:
        words = _("You are out of cards. Watch the rest of the game.")
        shown = f'<p class="under">{words}</p>'
    acts: str = ""
    if step or part.hand:
        may = {"acts": part.acts, "may_pass": part.may_pass, "may_lock": part.may_lock}
        acts = kept("own-acts", step=step.do if step else "", **may)
    asked = f' data-request="{step.do}" data-count="{step.count}"' if step else ""
    return f"""<form method="post" action="{reverse("tables:act", args=[table.key])}"
 class="own-form" data-act{asked}>{_csrf(token)}{_hidden("version", table.version)}
{shown}
<div class="me"><p class="say" data-say>{_said(part, step)}</p></div>
{_ranks(step) if step and step.do == "ask" else ""}<div class="acts">{acts}</div></form>"""


def _said(part: OwnPart, step: OwnStep | None) -> str:
    """Return what the player is to do now."""
    if step and step.do == "ask":
        said = ngettext(
            "Your chop: ask for %(n)s card", "Your chop: ask for %(n)s cards", step.count
        )
        back = _("For each you get, return any card.")
        return f"{said % {'n': step.count}}<small>{back}</small>"
    if step:
        said = ngettext(
            "Choose %(n)s card for %(other)s.", "Choose %(n)s cards for %(other)s.", step.count
        )
        return said % {"n": step.count, "other": escape(step.other)}
    if part.first_with:
        lead, include = _("Your lead."), _("It must include")
        words = card_word(part.first_with)
        return f'<b>{lead}</b> <span>{include} <b class="card-words">{words}</b></span>'
    turn = _("Your turn")
    return f"<b>{turn}</b>" if part.acts else ""


def _ranks(step: OwnStep) -> str:
    asked = _("Ask %(other)s for a rank…") % {"other": escape(step.other)}
    ranks = "".join(
        f"""<label{" class=held" * held}><input type="radio" name="rank" value="{letter}" required>
<b>{text}</b></label>"""
        for letter, text, held in step.ranks
    )
    return f'<div class="ranks" role="group" aria-label="{asked}"><p>{asked}</p>{ranks}</div>'


def card_word(text: str) -> SafeString:
    """Return a card as HTML for a sentence."""
    look = f'class="word-{text[1]}" role="img" aria-label="{card_text.named(text)}"'
    return mark_safe(f"<span {look}>{card_text.written(text)}</span>")


@drawn_once
def _told(over: tuple[tuple[Move, ...], ...], _language: str | None) -> str:
    """Return the tricks of a game that are over, as words; they stay for many moves."""
    return "".join(map(_told_trick, over))


def _told_trick(moves: Iterable[Move]) -> str:
    return f"<li>{' '.join(map(_told_move, moves))}</li>"


def _told_move(move: Move) -> str:
    words = _("pass") if move.passed else f'<b class="card-words">{_words(move)}</b>'
    return f"<span>{escape(move.name)}: {words}</span>"


def _logged(move: Move) -> str:
    """Return a line of what happened in a trick."""
    cards = f'<span class="card-words">{_words(move)}</span>'
    words = pgettext("seat", "passed") if move.passed else f"{_kind(move)} {cards}"
    return f"<li><b>{escape(move.name)}</b> {words}</li>"


def _kind(move: Move) -> str:
    return card_text.kind(move.cards) if len(move.cards) > 1 else ""


def _words(move: Move) -> str:
    return " ".join(map(card_word, move.cards))


@drawn_once
def _lying(move: Move, looks: str, _language: str | None) -> str:
    """Return a play of a trick; `looks` is the face of who made it."""
    shout, locked = _("Chop!"), _unseen(_("locked"))
    named = f'<span class="named">{_kind(move)}</span>'
    said = f'<b class="shout">{shout}</b>' if move.chop else named
    lock = f"{icon('lock')} {locked}" if move.locks else ""
    return f"""<li class="pile-play{" pile-chop" * move.chop}" data-by="{move.seat}">
<span class="pile-name">{looks} <span>{escape(move.name)} {said}</span> {lock}</span>
{hand(move.cards, move.name)}</li>"""


@drawn_once
def _kept(file: str, values: tuple[tuple[str, Any], ...], _language: str | None) -> SafeString:
    return mark_safe(render_to_string(file, dict(values)).strip())


@lru_cache(1000)
def _face(animal: str, ground: int, size: str) -> SafeString:
    look = f"ava t{ground} {size}".rstrip()
    picture = f'<use href="{static("faces.svg")}#{animal}"/>'
    return mark_safe(f'<span class="{look}"><svg aria-hidden="true">{picture}</svg></span>')


@lru_cache(1000)
def _drawn(
    kind: str, text: str, size: str, _language: str | None, name: str = "", picked: bool = False
) -> SafeString:
    """Return a card, which stands in a row and can be selected where it is a hand's."""
    if kind == "card":
        html = render_to_string("components/card.html", {"card": text, "size": size})
        return mark_safe(" ".join(html.split()))
    one = _drawn("card", text, size, _language)
    if kind == "shown":
        return mark_safe(f"<li>{one}</li>")
    checked = " checked" * picked
    box = f'<input type="checkbox" name="{name}" value="{text}"{checked}>'
    return mark_safe(f"<li><label>{box} {one}</label></li>")

"""What is next on a night: one answer for its pages, *Tonight* and the API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.domain.grouped import grouped
from league.base.page_parts import Button, MenuRow
from league.base.pages.address import To, address
from league.models import Round
from league.nights.facts.answers import ListAnswers
from league.nights.facts.clock import Clock
from league.nights.facts.events import Gap
from league.nights.facts.missing_games import in_rounds
from league.nights.facts.night import Night
from league.nights.facts.progress import Progress, progress_now, progress_of
from league.nights.pages import plan_words
from league.nights.pages.needs import Need, late
from league.nights.pages.needs import needs as needs_of
from league.nights.pages.stage_page import level_at_cut


@dataclass(frozen=True)
class NextStep:
    """An organiser's next step: what is true now, more about it, and buttons.

    `early` are the buttons that would leave games out, which `early_note` names; the first stands
    below the step, but not while it `waits` for the clock, a first game, those that choose who
    goes on or a `need`, and the others in the menu. The need is what the first button leads to.
    """

    title: str
    sentences: list[str] = field(default_factory=list)
    actions: list[Button] = field(default_factory=list)
    early: list[Button] = field(default_factory=list)
    early_note: str = ""
    waits: bool = False
    need: Need | None = None

    @property
    def below(self) -> list[Button]:
        return [] if self.waits else self.early[:1]

    @property
    def buttons(self) -> list[Button]:
        return [*self.actions, *self.below]

    @property
    def left_out(self) -> str:
        """The games that the button below would leave out, in words."""
        return self.early_note if self.below else ""


def step_of(night: Night, state: Progress | None = None, *, with_needs: bool = True) -> NextStep:
    """Return the next step of those who run this open night, as all that tells it says it.

    `state` is how far it is now with its drafts, if that is known. Where nobody is yet, the answers
    to its sign-up list are the title. `with_needs` is for pages that don't tell beside it what
    needs someone.
    """
    event, now = night.event, night.attention
    to = partial(address, event)
    state = state or progress_now(night)
    answers = None if state.here or state.rounds else night.answers
    needs = needs_of(now.calls, now.disputes, to, playing=state.playing, wanted=now.wanted)
    waited = late(state, to)
    step = next_step(state, to, [*needs, *waited] if with_needs else [], answers)
    if state.draft is None:
        step = replace(step, sentences=[*step.sentences, *level_at_cut(night)])
    is_up = state.is_being_played and state.time_is_up and not state.long_over
    more = []
    if night.playing and night.clock and (is_up or (state.ends_soon and waited)):
        add = add_minutes(night.playing, night.clock, to)
        more = [replace(add, tone="" if step.actions else "primary")]
        if is_up and not step.actions and not night.clock.last_game:
            more.append(last_game(night.playing, to))
    return replace(step, actions=[*step.actions, *more])


def taking_on(step: NextStep, to: To) -> NextStep:
    """Return the step with a first button that takes on the need that it leads to."""
    if step.need is None:
        return step
    look, *others = step.actions
    look = replace(look, address=to("needs"), posts=True, hidden=step.need.fields)
    return replace(step, actions=[look, *others])


def told_to_the_room(night: Night) -> str:
    """Return the step as the whole room reads it: that a round or all is played; else ""."""
    state = progress_of(night, sees_drafts=False)
    if state.missing or state.has_queue or state.games is None:
        return ""
    if state.final_over:
        return _("The final is over")
    return _("All rounds are played.") if state.rounds_over else _round_done(state)


def other_draws(step: NextStep, *, shown: bool = True) -> list[MenuRow]:
    """Return the early draws for a page's menu: those that do not stand below a `shown` step."""
    below = step.below if shown else []
    return [row_of("cards", draw) for draw in step.early[len(below) :] if draw.name != "status"]


def row_of(icon: str, button: Button, *, ends: bool = False) -> MenuRow:
    """Return the button as a row of a menu."""
    named = ((button.name, button.value),) if button.name else ()
    hidden = button.hidden + named
    return MenuRow(icon, button.text, button.address, posts=True, hidden=hidden, ends=ends)


def on_page(step: NextStep, here: str, *shown: str) -> NextStep | None:
    """Return the step without buttons to a page itself and to what it shows of its own.

    None where the page is the step.
    """
    if step.actions and step.actions[0].address == here:
        return None
    others = [action for action in step.actions if action.address not in (here, *shown)]
    return replace(step, actions=others)


def next_step(
    state: Progress, to: To, needs: Sequence[Need] = (), answers: ListAnswers | None = None
) -> NextStep:
    """Return an organiser's next step while the night is open; conflicts come first."""
    step = _next_step(state, to, answers)
    if state.rounds and state.draft is None:
        step = _with_needs(step, needs, state)
    if not state.sorts or state.rounds_over:
        return step
    sheets = Button(_("Cards to sort"), to("deal_sheets"), icon="print")
    sentences = [] if state.rounds else [_("An organiser who doesn't play sorts the cards.")]
    return replace(step, sentences=[*step.sentences, *sentences], actions=[*step.actions, sheets])


def _with_needs(step: NextStep, needs: Sequence[Need], state: Progress) -> NextStep:
    """Return the step with what needs someone; first of all what nobody has taken on yet.

    How many games are played then goes: the bar above and the tables below say it.
    """
    told = [f"{need.text}: {need.badge.text}" for need in needs]
    if not (urgent := [need for need in needs if need.offer]):
        return replace(step, sentences=[*(f"{words}." for words in told), *step.sentences])
    title = told.pop(needs.index(urgent[0]))
    said = [urgent[0].note] if urgent[0].note else []
    counts = state.is_being_played and state.games is not None and not state.stage
    was = [] if counts or step.title.endswith("?") else [f"{step.title}."]
    none_yet = _none_yet(state, _in_play(state)) if step.left_out else []
    look = _("View table %(table)s") % {"table": urgent[0].table}
    return replace(
        step,
        title=title,
        sentences=[*said, *was, *(f"{words}." for words in told), *none_yet, *step.sentences],
        actions=[
            Button(look, urgent[0].address, "primary"),
            *(replace(action, tone="") for action in step.actions),
        ],
        early=[replace(action, tone="quiet") for action in step.early],
        waits=True,
        need=urgent[0],
    )


def _next_step(state: Progress, to: To, answers: ListAnswers | None) -> NextStep:
    if not state.here and state.playing is None:
        return _first_of_all(state, to, answers)
    if state.draft is not None:
        look = Button(_("Review the draft"), to("round", state.draft), "primary")
        title = _("Round %(number)s is a draft") % {"number": state.draft}
        return NextStep(title, [_("Only organisers can see it.")], [look])
    if state.queue_open and state.asked:
        return _one_table(state, to)
    if state.queue_open:
        check_in = Button(_("Check people in or out"), to("check_in"))
        more = post(_("Add a table"), to("floor"), "quiet", add="1")
        sentences = [_("Enter each game at its table.")]
        return NextStep(_("The tables are open"), sentences, [_code(to), check_in, more])
    if state.is_being_played:
        return _being_played(state, to)
    if state.kept_back and (state.final_over or state.rounds_over):
        hold = Button(_("Hold the ceremony"), to("ceremony"), "primary")
        sentences = [_("Their results are kept back until the ceremony.")]
        return NextStep(_("All games are in"), sentences, [hold])
    if state.final_over:
        sentences = [
            _("Close the night to confirm its podium."),
            *_lacking_sentences(state.missing),
        ]
        return NextStep(
            _("The final is over"), sentences, [close_night(to, "primary"), _screen(to)]
        )
    if state.stage == "over":
        return NextStep(_("The final is drawn; it decides the night."))
    if state.rounds_over:
        title = _("All rounds are played. Close the night?")
        sentences = [] if state.games else [_("Close it when everyone has finished.")]
        return NextStep(
            title, sentences, [close_night(to, "primary"), _screen(to)], _draws(state, to)
        )
    told = tables_told(state.here, state.sizes, chosen=state.chosen)
    return NextStep(_round_done(state), [told], _draws(state, to, "primary"))


def _one_table(state: Progress, to: To) -> NextStep:
    """Return the step of friends at one table: its next game, or the end after those asked for."""
    table = Button(_("Enter game"), to("table", 1, state.table), "primary")
    if is_round_over(state.played, state.asked):
        again = replace(table, text=_("Another round"), tone="")
        return NextStep(games_played(state.played), [], [close_friends(to, state.settles), again])
    total = games_of_friends(state.played, state.asked)
    title = _("Game %(number)s of %(total)s") % {"number": state.played + 1, "total": total}
    early = [close_night(to, "quiet")] if state.played else []
    return NextStep(title, [], [table, replace(_code(to), tone="")], early)


def is_round_over(played: int, asked: int) -> bool:
    """Return True if friends have played all games of a round."""
    return played > 0 and played % asked == 0


def games_of_friends(played: int, asked: int) -> int:
    """Return how many games friends have played after the round that is on."""
    return (played // asked + 1) * asked


def games_played(played: int) -> str:
    """Return the sentence that so many games are played."""
    return ngettext("%(n)s game is played", "%(n)s games are played", played) % {"n": played}


def close_friends(to: To, settles: bool) -> Button:
    """Return the button that ends a night of friends."""
    close = close_night(to, "primary")
    return replace(close, text=_("Close and settle")) if settles else close


def _first_of_all(state: Progress, to: To, answers: ListAnswers | None) -> NextStep:
    title, ask, look = _("Nobody is checked in yet"), _("Ask who's coming"), to("sign_up")
    if state.is_ahead:
        title = _("Ask your group who's coming")
    sentences = []
    if answers is not None and answers.tables:
        more = plan_words.more_to_fill(answers.coming, answers.full, answers.places)
        sentences = [tables_told(answers.coming, answers.tables), *filter(None, [more])]
    if answers is not None and answers.silent:
        told = {"yes": answers.coming, "silent": answers.silent}
        title = _("%(yes)s coming, %(silent)s not answered") % told
        asks = ngettext("Ask %(silent)s person", "Ask %(silent)s people", answers.silent)
        ask, look = asks % told, f"{look}?text=ask"
    if state.is_ahead:
        return NextStep(title, sentences, [Button(ask, look, "primary")])
    return NextStep(title, sentences, [Button(_("Check people in"), to("check_in"), "primary")])


def _round_done(state: Progress) -> str:
    if state.games is None:
        return _("Draw the next round?") if state.playing else _("Draw the tables?")
    numbers = {"number": state.playing, "planned": state.games.planned}
    if state.is_semi:
        return _("The semi-final is done: all %(planned)s games") % numbers
    return _("Round %(number)s is done: all %(planned)s games") % numbers


def _being_played(state: Progress, to: To) -> NextStep:
    """Return the step while tables lack games: the code, the last table to finish or an earlier.

    What goes on without the missing games, the next draw or after the last round the end, becomes
    the step once the time is long over. A cup's early draws are in the menu: the missing games
    decide who sits there.
    """
    now = _in_play(state)
    earlier = [gap for gap in state.missing if gap.round != state.playing]
    waits = state.clock_runs or bool(state.stage)
    waits = waits or (state.games is not None and not state.games.done)
    draws = [] if state.stage == "over" or state.final_over else _draws(state, to)
    draws = [close_night(to, "quiet"), *draws] if state.is_last else draws
    lacks = _lacks(now) if draws else ""
    title, first = _progress(state), ""
    sentences = [] if lacks and not waits else _none_yet(state, now)
    if not now and not state.time_left:
        title, sentences, behind = _round_done(state), [], earlier[0]
        first = _("Enter games of round %(round)s, table %(table)s")
    elif len(now) == 1 and state.games and state.games.done > (0 if state.stage else now[0].done):
        first, behind = _("Enter game %(number)s at table %(table)s"), now[0]
    actions = [] if state.time_is_up and not state.long_over else [_code(to)]
    ahead = []
    if first:
        text = first % {"round": behind.round, "table": behind.table, "number": behind.done + 1}
        ahead = [Button(text, to("table", behind.round, behind.table), "primary")]
    elif state.long_over and lacks and not waits:
        ahead, sentences, lacks = [replace(draws.pop(0), tone="primary")], [f"{lacks}."], ""
    if ahead:
        actions = [*ahead, *(replace(action, tone="") for action in actions)]
    return NextStep(title, sentences + _lacking_sentences(earlier), actions, draws, lacks, waits)


def _in_play(state: Progress) -> list[Gap]:
    """Return what the round that is played lacks."""
    return [gap for gap in state.missing if gap.round == state.playing]


def _progress(state: Progress) -> str:
    if state.games is None:
        return _("Round %(number)s is being played") % {"number": state.playing}
    counted = {"done": state.games.done, "planned": state.games.planned, "number": state.playing}
    if state.time_is_up:
        return _("Time is up: %(done)s of %(planned)s games") % counted
    if state.has_final:
        return _("The final is being played: %(done)s of %(planned)s games") % counted
    if state.is_semi:
        return _("The semi-final is being played: %(done)s of %(planned)s games") % counted
    return _("Round %(number)s is being played: %(done)s of %(planned)s games") % counted


def _none_yet(state: Progress, gaps: Iterable[Gap]) -> list[str]:
    """Return the tables without a game once others have one."""
    tables = [str(gap.table) for gap in gaps if not gap.done]
    if not tables or (state.games is not None and not state.games.done):
        return []
    text = ngettext(
        "Table %(tables)s has no game yet.", "Tables %(tables)s have no game yet.", len(tables)
    )
    return [text % {"tables": ", ".join(tables)}]


def _lacks(gaps: Iterable[Gap]) -> str:
    """Return how many games would be left out, and of which tables; "" if none is counted."""
    by_number = grouped(((gap.wanted or 0) - gap.done, str(gap.table)) for gap in gaps)
    total = sum(n * len(tables) for n, tables in by_number.items())
    if total <= 0:
        return ""
    text = ngettext(
        "%(n)s game is missing: %(tables)s", "%(n)s games are missing: %(tables)s", total
    )
    one, more = _("table %(tables)s lacks %(n)s"), _("tables %(tables)s lack %(n)s each")
    named = [
        (more if len(tables) > 1 else one) % {"tables": ", ".join(tables), "n": n}
        for n, tables in sorted(by_number.items(), reverse=True)
    ]
    return text % {"n": total, "tables": "; ".join(named)}


def _lacking_sentences(gaps: Iterable[Gap]) -> list[str]:
    named = in_rounds((gap.round, gap.table) for gap in gaps)
    return [_("Games are missing: %(tables)s.") % {"tables": named}] if named else []


def _draws(state: Progress, to: To, tone: str = "quiet") -> list[Button]:
    """Return the buttons that draw; quiet unless the next draw is the likely step."""
    if state.has_queue:
        return [_draw(_("Draw the tables"), state, to, tone, method="")]
    if state.final_ahead and not state.has_final:
        return [_draw(_("Draw the final"), state, to, tone)]
    text = _("Draw round %(number)s") % {"number": state.rounds + 1}
    draws = [_draw(_("Draw the semi-final") if state.semi_ahead else text, state, to, tone)]
    if state.rounds:
        quiet = "" if tone == "primary" else "quiet"
        draws.append(_draw(_("Draw by standings"), state, to, quiet, method="swiss"))
    return draws


def _draw(
    text: str, state: Progress, to: To, tone: str = "", method: str = "few_repeats"
) -> Button:
    """Return the button that drafts exactly the round after those on the page."""
    button = post(text, to("draw"), tone, **({"method": method} if method else {}))
    return replace(button, hidden=(("round", str(state.rounds + 1)),))


def _code(to: To) -> Button:
    """Return the button to the QR code by which players find their table and enter games."""
    return replace(post(_("QR code"), to("check_in_link"), "primary", do="show"), icon="qr")


def close_night(to: To, tone: str) -> Button:
    """Return the button that closes a night."""
    return post(_("Close the night"), to("event_status"), tone, status="closed")


def last_game(round_: Round, to: To) -> Button:
    """Return the button that tells a round's tables to begin no further game."""
    return post(_("Call the last game"), to("round_clock", round_.number), do="last_game")


def add_minutes(round_: Round, clock: Clock, to: To) -> Button:
    """Return the button that gives a round five minutes more, from now on where it is over."""
    text = _("Add 5 minutes") if clock.seconds >= 0 else _("5 more minutes from now")
    return replace(
        post(text, to("round_clock", round_.number), do="add"),
        hidden=(("minutes", "5"), ("seen", str(round_.clock_minutes or 0))),
    )


def _screen(to: To) -> Button:
    return Button(_("Big screen"), to("wall"), icon="screen")


def post(text: str, address: str, tone: str = "", **sent: str) -> Button:
    """Return a button that sends one field."""
    name, value = next(iter(sent.items()), ("", ""))
    return Button(text, address, tone, posts=True, name=name, value=value)


def tables_told(people: int, sizes: Sequence[int], *, chosen: bool = False) -> str:
    """Return how many people are here, the tables that they make, and how many sit out.

    `chosen` says that earlier games have chosen who plays.
    """
    told = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    of = [plan_words.tables(sizes)] if sizes else []
    if of and (out := people - sum(sizes)) > 0:
        resting = ngettext("%(n)s sits out, in turn", "%(n)s sit out, in turn", out)
        if chosen:
            resting = ngettext("%(n)s did not advance", "%(n)s did not advance", out)
        of.append(resting % {"n": out})
    return f"{told}: {', '.join(of)}." if of else f"{told}."

"""Sentences and buttons on the page of a bot tournament."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.page_parts import Button, Remark
from tables.models import Run, Unit
from tables.runs import queues, remote
from tables.runs.runs import Pace, RunProgress


def design_sentence(run: Run, games_of_deal: int) -> str:
    """Return the sentence on how often each deal is played, and in which seats."""
    sentences = {
        "versus": _(
            "%(deals)s deals, each played twice at a table of two against two, with seats swapped."
        ),
        "tables": _(
            "%(deals)s deals, each at every table of four in four rotations: "
            "%(games_of_deal)s games."
        ),
        "single": _("%(deals)s deals, each played once."),
        "rotations": _("%(deals)s deals, each in %(games_of_deal)s rotations."),
    }
    return sentences[run.design] % {"deals": intcomma(run.deals), "games_of_deal": games_of_deal}


def status_sentence(run: Run, progress: RunProgress, pace: Pace, left: str) -> str:
    """Return the sentence on the run's status; `left` is the remaining time in words."""
    if run.status == Run.Status.CANCELLED:
        return _("Cancelled. Games played so far count.")
    if run.status == Run.Status.PAUSED:
        return format_html("<strong>{}</strong>", _("Paused."))
    if run.status == Run.Status.DONE:
        if not progress.dead and (run.verdict or progress.games >= progress.games_asked):
            return "" if run.verdict else _("All games played.")
        if not progress.games:
            return _("Over: no game could be played.")
        text = _("Over: only %(games)s of %(asked)s games could be played.")
        return text % {"games": intcomma(progress.games), "asked": intcomma(progress.games_asked)}
    if not left and (asked := remote.asked_bots(run)):
        return _("Waiting for %(bots)s over the network.") % {"bots": ", ".join(asked)}
    if not left and run.units.filter(state=Unit.State.LEASED).exists():
        return _("A batch is being played.")
    if not left:
        waiting = queues.place_of(run)
        return _("Waiting for a worker: place %(n)s.") % {"n": waiting.place if waiting else 1}
    rate = number_format(round(pace.rate), force_grouping=True)
    text = _("%(rate)s games per second, about %(left)s left.")
    return text % {"rate": rate, "left": left}


def notices(progress: RunProgress) -> list[Remark]:
    """Return the warnings for organisers: failed batches, and batches that differ on replay."""
    found = []
    if progress.dead:
        text = ngettext(
            "%(n)s batch could not be played.",
            "%(n)s batches could not be played.",
            progress.dead,
        )
        found.append(Remark(text % {"n": progress.dead}, "warning"))
    if progress.conflicts:
        text = ngettext(
            "%(n)s batch gave a different result when it was replayed.",
            "%(n)s batches gave a different result when they were replayed.",
            progress.conflicts,
        )
        found.append(Remark(text % {"n": progress.conflicts}, "error"))
    return found


@dataclass(frozen=True)
class Trouble:
    says: str
    trace: str


def trouble(unit: Unit) -> Trouble:
    text = _("Batch %(number)s, deals %(first)s to %(last)s:") % {
        "number": unit.index + 1,
        "first": unit.first_deal + 1,
        "last": unit.first_deal + unit.deals,
    }
    if unit.conflict_digest:
        digests = {"one": unit.digest[:16], "other": unit.conflict_digest[:16]}
        what = _("digest %(one)s…, and %(other)s… when it was replayed") % digests
    else:
        what = _("failed after %(tries)s tries") % {"tries": unit.attempts}
    return Trouble(f"{text} {what}", unit.trace)


def buttons(run: Run, progress: RunProgress, address: str, *, may_retry: bool) -> list[Button]:
    """Return the organiser's buttons for the run in its status, without the cancel button."""
    found = []
    if run.status == Run.Status.RUNNING:
        found.append(_change(_("Pause"), "pause", address))
    elif run.status == Run.Status.PAUSED:
        found.append(_change(_("Resume"), "resume", address, "primary"))
    if (progress.dead or progress.conflicts) and may_retry:
        found.append(_change(_("Retry failed batches"), "retry", address))
    return found


def cancel_button(address: str) -> Button:
    return _change(_("Cancel permanently"), "cancel", address, "danger")


def _change(text: str, value: str, address: str, tone: str = "") -> Button:
    return Button(text, address, tone, posts=True, name="change", value=value)

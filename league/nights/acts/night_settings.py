"""What may still change of a night once it is made: its settings, and the stake of its games."""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.base import texts
from league.base.acts import audit, locks
from league.clubs.facts import club_rules
from league.models import (
    Event,
    LiveResult,
    LiveTable,
    Result,
    Round,
    Season,
    Sitting,
    StakeOffer,
    Transfer,
)
from league.models.result import latest
from league.money.acts import ledger
from league.money.facts.owed import NOTEBOOK, owed_for
from league.nights.acts.events import check_bot, read_plan, scoring_of
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import COLUMNS, NightPlan
from league.nights.facts import ceremony
from league.nights.facts.missing_games import is_played
from league.nights.signals import night_moved
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.refusals import Refusal


@transaction.atomic
def change_settings(
    *,
    event: Event,
    by: User,
    plan: NightPlan,
    name: str,
    date: datetime.date,
    starts_at: datetime.time | None = None,
    venue: str = "",
    ruleset_id: str = "",
    version: int | None = None,
    seen: Mapping[str, Any] | None = None,
    stake_from: str = "",
    corrects: int | None = None,
) -> Event:
    """Give the open event another name, day, venue, rules or plan.

    `seen` are the settings that the caller changed from, as `settings_shown` returns them: others
    keep their values of now. Refusal: `crossed` where someone else changed one of the same.

    Rules (`ruleset_id`, their digest) and how games count stay once a round is drawn, the number of
    games once one is played. From then on another stake needs `stake_from`: "game" for each table's
    next game, "round" for the next round, tables with a stake of their own apart; or `corrects`,
    the stake whose games are posted again for the one of the plan. The kind of format stays once a
    round is drawn; its numbers hold from the next draw or game on. Refusal: `stale` where the event
    is no longer of the `version`.
    """
    name, venue = texts.new_title(name, [event.name]), texts.new_venue(venue, [event.venue])
    if corrects is not None:
        locks.season(event.season_id)
    event = locks.event_to_change(event.pk)
    if version is not None and event.version != version + 1:
        raise Refusal(
            _("This has changed since you opened it. Reload it and try again."), "stale", status=409
        )
    before = event.plan
    called: dict[str, Any] = {
        "name": name,
        "date": date,
        "starts_at": starts_at,
        "venue": venue,
        "ruleset_id": ruleset_id or event.ruleset_id,
    }
    merged, crossed = merge(event, called | {"plan": plan}, seen)
    if crossed:
        raise Refusal(
            _("Someone else has just changed the same settings. Open them again."),
            code="crossed",
            status=409,
        )
    called, plan = {key: merged[key] for key in called}, merged["plan"]
    plan = read_plan(plan.to_json() | {"gives": before.gives})
    fixed = is_fixed(event)
    rules = _check_rules(event, called.pop("ruleset_id"), plan, fixed)
    posts_again = corrects is not None and plan.stake != corrects and is_played(event)
    stake = plan.stake
    if posts_again:
        check_stake_correction(event)
        plan = plan if corrects == before.stake else replace(plan, stake=before.stake)
    _check_format(event, plan.format, fixed)
    _check_rounds(event, plan.rounds_planned)
    is_free = posts_again or (stake_from and is_played(event))
    _check_not_played(event, plan, ["games_per_round"] if is_free else ["stake", "games_per_round"])
    changes_next = plan.stake != before.stake and not posts_again and is_played(event)
    if changes_next:
        _check_next_stake(event, plan.stake, stake_from)
        _keep_stake(event, stake_from)
    later = _later((event.date, event.starts_at), (called["date"], called["starts_at"]))
    was = _plain({key: getattr(event, key) for key in ("date", "starts_at", "venue")})
    changed = _changed(
        {key: getattr(event, key) for key in called} | before.values, called | plan.values
    )
    kept_back = _rounds_kept_back(event)
    scoring = scoring_of(plan, event.rules_of_scoring)
    if fixed:  # Games that were played count on as they did, whatever plans say now.
        scoring = replace(scoring, counting=event.rules_of_scoring.counting)
    values = called | {key: getattr(plan, key) for key in COLUMNS}
    values |= {"format": plan.format.to_json(), "scoring": scoring.to_json()}
    for key, value in values.items():
        setattr(event, key, value)
    event.rules_of_format, event.rules_of_scoring = plan.format, scoring
    if rules is not None:
        changed["ruleset_id"] = [event.rules.name, rules.name]
        event.ruleset = values["ruleset"] = rulesets.freeze(rules)
    _check_known(kept_back ^ _rounds_kept_back(event))
    event.full_clean()
    event.save(update_fields=list(values))
    if before.stake and not event.stake:  # No table plays for money then, whoever says no.
        tables = Sitting.objects.filter(round__event=event)
        tables.update(stake=None, stake_since=None)
        StakeOffer.objects.filter(sitting__in=tables, ended_at=None).update(ended_at=timezone.now())
    if posts_again and corrects is not None:
        _post_again(event, by, corrects, stake, with_rest=corrects == before.stake)
        changed.pop("stake", None)
    if changes_next:
        audit.log("event.stake_next", by=by, event=event, old=before.stake, new=stake)
        changed.pop("stake", None)
    if changed.keys() & called.keys():
        reschedule(event)
    if changed.keys() & was.keys():
        night_moved.send(Event, event=event, was=was, later=later, by=by)
    if changed:
        audit.log("event.settings", by=by, event=event, changed=changed)
    return event


CALLED = ("name", "date", "starts_at", "venue")
"""What is said of a night besides its plan."""
SAID = (*CALLED, "ruleset_id")
"""With its rules, which stay once a round is drawn."""
Start = tuple[datetime.date, datetime.time | None]


def _later(was: Start, now: Start) -> datetime.timedelta:
    """Return by how much a start is later; by whole days where one has no hour."""
    hours = [at for _day, at in (was, now) if at is not None]
    first, second = hours if len(hours) == 2 else [datetime.time()] * 2
    return datetime.datetime.combine(now[0], second) - datetime.datetime.combine(was[0], first)


def settings_shown(event: Event) -> dict[str, Any]:
    """Return the event's settings by name as JSON values, for a form to say what it changes."""
    return _plain({name: getattr(event, name) for name in SAID} | event.plan.values)


def merge(
    event: Event, given: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the settings `given` from a form that had `seen` others, and those changed by both.

    Only what differs from `seen` was changed by the sender; the event's values of now stand for
    the rest. Settings that both changed in the same way are not in the list.
    """
    if seen is None:
        return dict(given), []
    now = {name: getattr(event, name) for name in SAID} | event.plan.values
    sent = {name: given[name] for name in SAID} | given["plan"].values
    plain_now, plain_sent = _plain(now), _plain(sent)
    mine = {name for name in sent if name in seen and plain_sent[name] != seen[name]}
    crossed = [
        name
        for name in sent
        if name in mine and plain_now[name] not in (seen[name], plain_sent[name])
    ]
    whole = {name: (sent if name in mine else now)[name] for name in sent}
    options = {name: whole.pop(name) for name in given["plan"].format.to_json()}
    called = {name: whole.pop(name) for name in SAID}
    plan = read_plan(whole | {"format": options})
    return dict(given) | called | {"plan": plan}, crossed


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as they come back from JSON."""
    return dict(json.loads(json.dumps(values, default=str)))


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the values that differ, before and after, as the log stores them."""
    return {
        key: [str(before[key] or ""), str(after[key] or "")]
        for key in after
        if before[key] != after[key]
    }


def _check_format(event: Event, format: NightFormat, fixed: bool) -> None:
    """Refuse another kind of format once a round is drawn, and a bot that is not there."""
    before = event.rules_of_format
    drawn_by = format.kind, format.same_deals
    if drawn_by != (before.kind, before.same_deals) and fixed:
        raise Refusal(
            _("A round has already been drawn in this format. Withdraw it to choose another."),
            field="format",
        )
    if format != before:
        check_bot(format)


def is_fixed(event: Event) -> bool:
    """Tell whether its rules and how games count stay: a round is drawn, or bots play it."""
    return event.run_id is not None or event.rounds.exists()


def _check_rules(event: Event, ruleset_id: str, plan: NightPlan, fixed: bool) -> Ruleset | None:
    """Return other rules for the event, None for those of now; refuse both and a stake for none."""
    changes = ruleset_id != event.ruleset_id
    if (changes or plan.counting != event.plan.counting) and fixed:
        raise Refusal(
            _("A round has already been drawn. Withdraw it to change the rules or the counting."),
            field="ruleset" if changes else "counting",
        )
    if not changes:
        return None
    rules = rulesets.find(ruleset_id)
    if rules is None:
        raise Refusal(_("There are no such rules."), field="ruleset")
    if plan.stake and rules.betting not in club_rules.PAYING:
        raise Refusal(_("These rules have no payments. Choose other rules."), field="ruleset")
    return rules


def _check_rounds(event: Event, planned: int) -> None:
    """Refuse to plan fewer rounds than are drawn; more may be drawn than are planned."""
    if planned != event.rounds_planned and planned < (drawn := event.rounds.count()):
        raise Refusal(
            _("Round %(drawn)s is already drawn. Plan at least %(drawn)s rounds."),
            params={"drawn": drawn},
            field="rounds_planned",
        )


def check_stake_correction(event: Event) -> None:
    """Refuse another stake for games that were played, if their money can't be posted again."""
    if event.season.status != Season.Status.OPEN:
        raise Refusal(
            _("This season is closed. Reopen it to correct the stake."),
            code="closed",
            field="stake",
        )
    _refuse_online(event)
    if LiveResult.objects.filter(result__sitting__round__event=event).exists():
        raise Refusal(
            _("Games of this night were played online for this stake. It can't be corrected."),
            field="stake",
        )


def _check_next_stake(event: Event, stake: int, stake_from: str) -> None:
    """Refuse a stake for the games to come that the event can't have."""
    if not stake:
        raise Refusal(
            _("Games of this night were played for money. Enter a stake above 0."), field="stake"
        )
    if stake_from == "round" and event.has_queue:
        raise Refusal(
            _("The tables of this night stay open. Change the stake from the next game."),
            field="stake_from",
        )
    if stake_from == "game":
        _refuse_online(event)


def _keep_stake(event: Event, stake_from: str) -> None:
    """Let the locked event's games keep the stake of now; from the next round on, its tables too.

    A game without a stake of its own is of the event's.
    """
    Result.objects.filter(sitting__round__event=event, stake=None).update(stake=event.stake)
    tables = Sitting.objects.filter(round__event=event)
    if stake_from == "round":
        released = tables.filter(round__status=Round.Status.RELEASED)
        offers = StakeOffer.objects.filter(sitting__in=released, ended_at=None, was=None)
        offers.update(was=event.stake)
        released.filter(stake=None).update(stake=event.stake)
    tables.update(version=F("version") + 1)


def _post_again(event: Event, by: User, was: int, stake: int, *, with_rest: bool) -> None:
    """Reverse the money of the locked event's games for `was` and post it for `stake`.

    `with_rest` adds the games without a stake of their own. What a notebook has stays as it is.
    """
    games = Result.objects.filter(latest(), sitting__round__event=event, void=False)
    games = games.filter(Q(stake=was) | Q(stake=None) if with_rest else Q(stake=was))
    games = games.exclude(transfers__reason=NOTEBOOK)
    found = list(games.order_by("pk").prefetch_related("placings__entrant__player__account"))
    Result.objects.filter(sitting__round__event=event, stake=was).update(stake=stake)
    Sitting.objects.filter(round__event=event, stake=was).update(stake=stake)
    offers = StakeOffer.objects.filter(sitting__round__event=event, ended_at=None)
    offers.filter(was=was).update(was=stake)
    for result in found:
        result.stake = None if result.stake is None else stake
        ledger.reverse_game(result=result, by=by)
        try:
            Transfer.objects.bulk_create(_transfers(result, event, by))
        except ValueError as error:
            raise Refusal(
                _("Game %(game)s can't be paid for as it was entered. Correct it first."),
                params={"game": result.game_no},
                field="stake",
            ) from error
    Sitting.objects.filter(round__event=event).update(version=F("version") + 1)
    audit.log("event.stake", by=by, event=event, old=was, new=stake, games=len(found))


def _transfers(result: Result, event: Event, by: User) -> list[Transfer]:
    """Return the unsaved transfers that the result owes, whose players' accounts are loaded."""
    return [
        Transfer(
            payer=getattr(owed.payer, "account", None) or ledger.account_of(owed.payer),
            payee=getattr(owed.payee, "account", None) or ledger.account_of(owed.payee),
            amount=owed.amount,
            reason=owed.reason,
            detail={"game": result.game_no},
            event=event,
            result=result,
            by=by,
        )
        for owed in owed_for(result, event, list(result.placings.all()))
    ]


def _check_not_played(event: Event, plan: NightPlan, fixed: Sequence[str]) -> None:
    """Refuse another value of what is fixed once a game is played or on."""
    changed = [name for name in fixed if getattr(plan, name) != getattr(event.plan, name)]
    if not changed:
        return
    if is_played(event):
        raise Refusal(
            _("A game has already been played, so this can no longer change."), field=changed[0]
        )
    _refuse_online(event, changed[0])


def _refuse_online(event: Event, field: str = "stake") -> None:
    """Refuse a change while a table plays online for what it was opened with."""
    if LiveTable.objects.filter(sitting__round__event=event, ended_at=None).exists():
        raise Refusal(_("A table is playing online. End online play there first."), field=field)


def _rounds_kept_back(event: Event) -> set[int]:
    """Return the rounds of the event whose games are kept back."""
    if not event.keeps_back:
        return set()
    return {round_.pk for round_ in event.rounds.all() if ceremony.holds_back(event, round_)}


def _check_known(changed: Collection[int]) -> None:
    """Refuse to keep back, or to tell, rounds of which a game was played or is on."""
    played = Result.objects.filter(sitting__round__in=changed)
    online = LiveTable.objects.filter(sitting__round__in=changed, ended_at=None)
    if changed and (played.exists() or online.exists()):
        raise Refusal(
            _("Games of that round are already entered. Choose a later round."),
            field="ceremony",
        )


def reschedule(event: Event) -> None:
    """Note that calendars have to show the night otherwise."""
    set_columns(event, sequence=event.sequence + 1, planned_at=timezone.now())

"""Starting and stopping a club's standing ladder."""

from django.db import transaction

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.arena.acts import bots
from league.arena.facts.own_bots import pool_of
from league.base.acts import audit, locks
from league.models import Club
from tables.models import Ladder
from tables.runs import ladders


@transaction.atomic
def change_ladder(*, club: Club, by: User, is_on: bool, ruleset: Ruleset) -> Ladder:
    """Start the club's ladder for these rules, or stop it. Idempotent.

    Refusal `players` on `ruleset` for rules by which bots cannot meet.
    """
    if is_on:
        bots.check_rules(ruleset)
    locks.club(club.pk)
    before = ladders.ladder_of(pool_of(club))
    ladder = ladders.set_ladder(pool=pool_of(club), ruleset=ruleset, is_on=is_on)
    if before is None or (before.pk, before.is_on) != (ladder.pk, is_on):
        kind = "ladder.on" if is_on else "ladder.off"
        audit.log(kind, club=club, by=by, rules=ladder.ruleset.key)
    return ladder

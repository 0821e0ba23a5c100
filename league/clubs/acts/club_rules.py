"""Create, change and archive a club's house rules."""

from dataclasses import replace

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain.rule_text.compare import IDENTITY
from league.models import Club, ClubRuleset, ClubRulesetVersion
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.refusals import Refusal

DOCUMENT = "house rules"


@transaction.atomic
def create_ruleset(*, club: Club, by: User, based_on: str, rules: Ruleset) -> ClubRuleset:
    """Create a ruleset of the club in version 1, named as in `rules`.

    Refusal if the club already has a ruleset of that name.
    """
    rules = replace(rules, name=texts.clean_title(rules.name))
    locks.club(club.pk)
    _check_name(club, rules.name)
    frozen = rulesets.freeze(_own(rules, version=1))
    ruleset = ClubRuleset.objects.create(
        club=club, name=rules.name, based_on=based_on, frozen=frozen
    )
    _keep(ruleset, by)
    audit.log("rules.created", club=club, by=by, ruleset=ruleset.pk, name=rules.name)
    return ruleset


@transaction.atomic
def change_ruleset(*, ruleset: ClubRuleset, by: User, version: int, rules: Ruleset) -> bool:
    """Store the next version of the ruleset; return False if `rules` changes nothing.

    `version` is the version that was edited. Refusal if there is a later one.
    """
    rules = replace(rules, name=texts.clean_title(rules.name))
    locks.club(ruleset.club_id)
    ruleset.refresh_from_db()
    if ruleset.version != version:
        raise Refusal(
            _("Someone else has changed these rules. Check their changes and edit again."),
            code="version",
        )
    _check_name(ruleset.club, rules.name, but=ruleset)
    before = rulesets.thaw(ruleset.frozen)
    changed = [name for name, *_values in engine_ruleset.compare(before, _own(rules, version))]
    if not set(changed) - {"key"}:
        return False
    set_columns(
        ruleset,
        version=version + 1,
        name=rules.name,
        frozen=rulesets.freeze(_own(rules, version + 1)),
    )
    _keep(ruleset, by)
    audit.log(
        "rules.changed",
        club=ruleset.club,
        by=by,
        ruleset=ruleset.pk,
        name=rules.name,
        version=version + 1,
        fields=[name for name in changed if name not in IDENTITY or name == "name"],
    )
    return True


@transaction.atomic
def set_archived(*, ruleset: ClubRuleset, archived: bool, by: User) -> None:
    """Archive or restore the ruleset; seasons and events that use it are not affected."""
    set_columns(ruleset, archived_at=timezone.now() if archived else None)
    action = "rules.archived" if archived else "rules.restored"
    audit.log(action, club=ruleset.club, by=by, ruleset=ruleset.pk, name=ruleset.name)


def _own(rules: Ruleset, version: int) -> Ruleset:
    """Return the rules with a club's own key, so that no record takes them for a preset."""
    plain = slugify(rules.name.replace("đ", "d").replace("Đ", "D"))
    key = f"own-{plain}"[:40].strip("-")
    return engine_ruleset.with_options(
        rules, {"key": key, "version": version, "document": DOCUMENT}
    )


def _check_name(club: Club, name: str, *, but: ClubRuleset | None = None) -> None:
    others = ClubRuleset.objects.filter(club=club)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if others.alias(lower=Lower("name")).filter(lower=Lower(Value(name))).exists():
        raise Refusal(
            _("The club already has rules with this name. Choose another name."),
            code="name",
            field="name",
        )


def _keep(ruleset: ClubRuleset, by: User) -> None:
    ClubRulesetVersion.objects.create(
        ruleset=ruleset, number=ruleset.version, frozen=ruleset.frozen, by=by
    )

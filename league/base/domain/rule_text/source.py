"""The source of a ruleset in words."""

from collections.abc import Iterator

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.words import Words, words

# Origins that are not titles of documents.
ORIGINS = {
    "house rules": _("house rules"),
    "common practice": _("common practice"),
}


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the ruleset's name, version and origin."""
    yield words(_("%(name)s, version %(version)s."), name=rules.name, version=rules.version)
    origin = ORIGINS.get(rules.document)
    yield words(_("Based on: %(document)s."), document=words(origin) if origin else rules.document)
    yield words(_("In game records: %(key)s."), key=rules.key)

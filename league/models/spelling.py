"""Names as the database itself spells them: in Vietnamese order, and without marks."""

from __future__ import annotations

from django.db.models import CharField, Func

LETTERS = "aăâbcdđeêfghijklmnoôơpqrstuưvwxyz"
CAPITALS = LETTERS.upper()
# As many signs whose bytes are in that order, above digits and the space between two words.
ORDERED = "".join(chr(ord("A") + place) for place in range(len(LETTERS)))


class Alphabetical(Func):
    """What to order a few names by: their letters, without tones; Đ comes after D.

    A player's name has a key of its own for this (`league.base.domain.names.sort_key`), with tones.
    """

    template = (
        "translate(normalize(regexp_replace(normalize(%(expressions)s, NFD), "
        f"'[\u0300\u0301\u0303\u0309\u0323]', '', 'g'), NFC), '{LETTERS}{CAPITALS}', "
        f"'{ORDERED * 2}') COLLATE \"C\""
    )
    output_field = CharField()


class Folded(Func):
    """A name as `league.base.domain.names.fold` has it, but with its punctuation.

    Only what is ASCII after its marks are gone needs lower case, so that the database's own
    language does not matter.
    """

    template = (
        "translate(lower(regexp_replace(normalize(%(expressions)s, NFD), "
        "'[\u0300-\u036f]', '', 'g')), 'Đđ', 'dd')"
    )
    output_field = CharField()

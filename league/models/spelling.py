"""SQL expressions for names: Vietnamese order, and names without diacritics."""

from django.db.models import CharField, Func

LETTERS = "aăâbcdđeêfghijklmnoôơpqrstuưvwxyz"
CAPITALS = LETTERS.upper()
# One ASCII sign per letter, in byte order; all sort after digits and spaces.
ORDERED = "".join(chr(ord("A") + place) for place in range(len(LETTERS)))


class Alphabetical(Func):
    """A sort key for a few names: their letters without tones; Đ sorts after D.

    Players have a stored key that includes tones (`league.base.domain.names.sort_key`).
    """

    template = (
        "translate(normalize(regexp_replace(normalize(%(expressions)s, NFD), "
        f"'[\u0300\u0301\u0303\u0309\u0323]', '', 'g'), NFC), '{LETTERS}{CAPITALS}', "
        f"'{ORDERED * 2}') COLLATE \"C\""
    )
    output_field = CharField()


class Folded(Func):
    """A name as `league.base.domain.names.fold` returns it, but with its punctuation.

    After its marks are removed only ASCII letters need lower case, so that the database's locale
    does not matter.
    """

    template = (
        "translate(lower(regexp_replace(normalize(%(expressions)s, NFD), "
        "'[\u0300-\u036f]', '', 'g')), 'Đđ', 'dd')"
    )
    output_field = CharField()

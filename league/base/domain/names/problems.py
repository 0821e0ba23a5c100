"""Problems of names, as exception types."""

from collections.abc import Mapping
from typing import ClassVar

from engine.rules.texts import mark as _


class NameProblem(ValueError):
    """A name that cannot be used.

    `template` is the English sentence with named placeholders, and `params` fills them, so that a
    caller can translate the template first.
    """

    template: ClassVar[str]

    def __init__(self, **params: object) -> None:
        self.params: Mapping[str, object] = params
        super().__init__(self.template % params)


class EmptyName(NameProblem):
    """A name without readable characters."""

    template = _("Enter a name with at least one letter or digit.")


class LongName(NameProblem):
    """A name of `length` characters, more than `most`."""

    template = _("The name is %(length)s characters long. Shorten it to %(most)s or fewer.")


class ControlCharacter(NameProblem):
    """A name with an unprintable character; `code` is such as `U+0007`."""

    template = _("The name contains the unprintable character %(code)s. Type it again without it.")


class StackedMarks(NameProblem):
    """A name with a heap of accents on one letter, which would overlap the lines around it."""

    template = _("Too many accents on one letter. Type the name again.")


class HouseName(NameProblem):
    """A new name that looks like the organisers', the server's or a bot's."""

    template = _("“%(name)s” looks like a name of the house. Choose another one.")


class AddressInName(NameProblem):
    """A new name that contains an address, which messages to others would carry."""

    template = _("“%(name)s” contains a web or email address. Leave out ://, www. and @.")

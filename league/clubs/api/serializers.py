"""API serializers of clubs and players."""

from typing import Any

from rest_framework import serializers as s

from league.base.api.serializers import CountedOut
from league.clubs.acts import players
from league.models import Club, Player
from league.models.shown_names import NameStyle
from tables.base import currencies


class ClubOut(CountedOut, s.ModelSerializer[Club]):
    """A club; `unit` is how its next season writes amounts, whose code is `currency`."""

    unit = s.SerializerMethodField()

    def unit_of(self, of: Club) -> str:
        """Return the unit of the next season's amounts."""
        return of.unit

    def get_unit(self, of: Club) -> str:
        return currencies.sign(of.unit)

    class Meta:
        model = Club
        fields = ["slug", "name", "unit", "currency", "exponent", "time_zone", "is_public",
                  "shows_names"]  # fmt: skip


class ClubIn(s.Serializer[Any]):
    """A new club; without a `unit` it has the usual one of its time zone and your language.

    `time_zone` is the name of a zone or of a place: "San Jose, USA".
    """

    name = s.CharField(max_length=80)
    time_zone = s.CharField(max_length=80, default="Asia/Ho_Chi_Minh")
    unit = s.CharField(max_length=20, default="", allow_blank=True)
    is_public = s.BooleanField(default=False)


class ClubChangeIn(s.Serializer[Any]):
    """What of a club changes; what is left out stays.

    `shows_names`: how strangers see names of people: "" (full), "first" or "initials". Another
    `time_zone` moves plans, coming nights and calendars to the same hours there.
    """

    name = s.CharField(max_length=80, required=False)
    time_zone = s.CharField(max_length=80, required=False)
    unit = s.CharField(max_length=20, required=False)
    is_public = s.BooleanField(required=False)
    shows_names = s.ChoiceField(NameStyle.choices, required=False)


class BinnedClubOut(s.Serializer[Any]):
    """A club in its owner's bin; `slug` restores it before `until`."""

    slug = s.SlugField(source="club.slug")
    name = s.CharField(source="club.name")
    until = s.DateTimeField()


class RestoreClubIn(s.Serializer[Any]):
    slug = s.SlugField(max_length=60)


class PlayerOut(s.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "name", "bot", "merged_into"]


class NamedPlayerOut(PlayerOut):
    """A player with a new name; `looks_like` are the names of others that look the same."""

    looks_like = s.SerializerMethodField()

    class Meta(PlayerOut.Meta):
        fields = [*PlayerOut.Meta.fields, "looks_like"]

    def get_looks_like(self, player: Player) -> list[str]:
        return [one.name for one in players.alike(club=player.club, player=player)]


class PlayerIn(s.Serializer[Any]):
    name = s.CharField(max_length=400)

"""API serializers of clubs and players."""

from typing import Any

from rest_framework import serializers as s

from league.models import Club, Player


class ClubOut(s.ModelSerializer[Club]):
    class Meta:
        model = Club
        fields = ["slug", "name", "unit", "time_zone", "is_public"]


class ClubIn(s.Serializer[Any]):
    """A new club; without a `unit` it has the usual one of its time zone and your language."""

    name = s.CharField(max_length=80)
    time_zone = s.CharField(max_length=40, default="Asia/Ho_Chi_Minh")
    unit = s.CharField(max_length=20, default="", allow_blank=True)
    is_public = s.BooleanField(default=False)


class ClubChangeIn(s.Serializer[Any]):
    """What of a club changes; what is left out stays."""

    name = s.CharField(max_length=80, required=False)
    time_zone = s.CharField(max_length=40, required=False)
    unit = s.CharField(max_length=20, required=False)
    is_public = s.BooleanField(required=False)


class BinnedClubOut(s.Serializer[Any]):
    """A club in its owner's bin; `slug` restores it before `until`."""

    slug = s.SlugField()
    name = s.CharField()
    until = s.DateTimeField()


class RestoreClubIn(s.Serializer[Any]):
    slug = s.SlugField(max_length=60)


class PlayerOut(s.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "name", "bot", "merged_into"]


class PlayerIn(s.Serializer[Any]):
    name = s.CharField(max_length=400)

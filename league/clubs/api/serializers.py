"""API serializers of clubs and players."""

from typing import Any

from rest_framework import serializers as s

from league.models import Club, Player


class ClubOut(s.ModelSerializer[Club]):
    class Meta:
        model = Club
        fields = ["slug", "name", "unit", "time_zone", "is_public"]


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

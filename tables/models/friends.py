"""Friends, and invitations to a table."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tables.models.dated import DatedRow
from tables.models.named import NamedRow
from tables.models.play import Table


class Friend(NamedRow):
    """A user in the `owner`'s list of friends; that user is not notified."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_friends"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "user"], name="friend_once"),
            models.CheckConstraint(condition=~Q(owner=F("user")), name="friend_is_another"),
        ]


class TableInvite(DatedRow):
    """An invitation to a table; `name` is the inviter's name there."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invites")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="table_invite_once"),
            models.CheckConstraint(condition=~Q(by=F("user")), name="table_invite_to_another"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.name}"

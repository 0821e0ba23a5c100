import uuid

from django.db import models
from django.db.models.functions import Now


class Erasure(models.Model):
    """That a row was made to forget its person: repeated on a database that was restored.

    `made_at` is when the row was made: with the key it names the same row in every backup. The
    first row, of kind "begun", tells one server's list from another's. The application only adds.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=20)
    key = models.BigIntegerField()
    made_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

"""The lobby asks for its open tables every few seconds."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0090_for_anyone")]

    operations = [
        AddIndexConcurrently(
            model_name="table",
            index=models.Index(
                fields=["opened_at"],
                condition=Q(for_anyone=True, closed_at=None),
                name="table_in_the_lobby",
            ),
        ),
    ]

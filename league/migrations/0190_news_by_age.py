"""Old deliveries are found by their age."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0159_looked_after")]

    operations = [
        AddIndexConcurrently("newsitem", models.Index(fields=["created_at"], name="news_by_age"))
    ]

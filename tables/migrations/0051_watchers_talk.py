"""Who only watches a table may say something too, where the table lets him."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0050_for_members"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="watchers_talk",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="message",
            name="name",
            field=models.CharField(blank=True, db_default="", max_length=40),
        ),
        migrations.AddField(
            model_name="message",
            name="watcher",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="message",
            name="seat",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="messages",
                to="tables.seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("name", ""), ("seat__isnull", False), ("watcher", None)),
                    models.Q(("seat", None), ("watcher__isnull", False)),
                    _connector="OR",
                ),
                name="message_by_seat_or_watcher",
            ),
        ),
    ]

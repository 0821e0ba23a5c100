"""Emails about the security of accounts wait in rows of their own until they are sent."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_paid_to"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecurityMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("to", models.EmailField(max_length=254)),
                ("language", models.CharField(max_length=5)),
                ("due_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail",
                        to="accounts.securityevent",
                    ),
                ),
            ],
            options={
                "ordering": ["due_at"],
            },
        ),
    ]

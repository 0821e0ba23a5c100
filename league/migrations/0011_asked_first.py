"""Offers name the player whom an account would play; the front page has chosen clubs."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0010_log_marks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "roleoffer",
            "player",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="offers",
                to="league.player",
            ),
        ),
        migrations.AddField(
            "roleoffer",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "club",
            "on_front",
            models.BooleanField(
                null=True,
                blank=True,
                help_text="Whether the server's front page may show its nights; if unset, only "
                "where an owner of the club is an administrator of the server.",
            ),
        ),
    ]

"""One link, one phone: a second phone asks for a name; phones get news; friends have a bank."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    contract = "the altered columns only begin to allow NULL, which the release before never writes"
    dependencies = [
        ("league", "0007_held_clubs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "claim", "asked_by", models.CharField(max_length=64, blank=True, db_default="")
        ),
        migrations.AddField("claim", "refused_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "channel",
            "phone",
            models.CharField(max_length=64, blank=True, db_default="", db_index=True),
        ),
        migrations.AlterField(
            "channel",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="channels",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "channel",
            models.CheckConstraint(
                condition=Q(user=None) & ~Q(phone="") | Q(user__isnull=False, phone=""),
                name="channel_of_an_account_or_a_phone",
            ),
        ),
        migrations.AddField(
            "bankdetails",
            "by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "bankdetails",
            "player",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="bank_details",
                to="league.player",
            ),
        ),
        migrations.AlterField(
            "bankdetails",
            "user",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="bank_details",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "bankdetails",
            models.CheckConstraint(
                condition=Q(user=None, player__isnull=False) | Q(user__isnull=False, player=None),
                name="bank_details_of_one",
            ),
        ),
    ]

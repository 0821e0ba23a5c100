"""A round of a night may have deals that all its tables play."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0008_one_link_one_phone"), ("tables", "0005_shared_deals")]

    operations = [
        migrations.CreateModel(
            name="NightDeals",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round_no", models.PositiveSmallIntegerField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deals",
                        to="league.event",
                    ),
                ),
                (
                    "shared",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="night",
                        to="tables.shareddeals",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["event", "round_no"], name="night_deals_once_a_round"
                    )
                ]
            },
        )
    ]

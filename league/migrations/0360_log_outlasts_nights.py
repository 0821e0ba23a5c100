"""The log keeps what it says of a night that is deleted from the bin."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    contract = "only a constraint goes; every entry that the release before writes is still valid"
    dependencies = [("league", "0320_bot_leagues")]

    operations = [
        migrations.AlterField(
            "audit",
            "event",
            models.ForeignKey(
                "league.event",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                db_constraint=False,
            ),
        ),
    ]

"""Tables that the lobby shows, and which browser sits in a chair."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0082_sent_requests")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="for_anyone",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="device",
            field=models.CharField(blank=True, db_default="", max_length=64),
        ),
    ]

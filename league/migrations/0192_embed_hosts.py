from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0191_regulars")]

    operations = [
        migrations.AddField(
            "club",
            "embed_hosts",
            models.CharField(
                verbose_name="sites that may embed the standings",
                max_length=500,
                blank=True,
                default="",
                db_default="",
                help_text="Addresses such as https://club.example, separated by spaces.",
            ),
        )
    ]

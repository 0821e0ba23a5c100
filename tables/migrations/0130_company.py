"""People who play alone with bots meet at one table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0101_uploads")]

    operations = [
        migrations.AddField(
            "table",
            "met",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.deletion.SET_NULL,
                related_name="+",
                to="tables.table",
            ),
        ),
        migrations.AddField("table", "company_until", models.DateTimeField(blank=True, null=True)),
    ]

"""Keep the secret of a second browser that asks for a seat, beside the first one's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0011_former"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="second_claim",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="SHA-256 of the secret of a further browser that asks for the seat.",
                max_length=64,
            ),
        ),
    ]

"""Which address of an account does not exist by its mail server."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_plain_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="mail_refused",
            field=models.EmailField(
                blank=True,
                db_default="",
                default="",
                help_text="Which one; the primary one if blank.",
                max_length=254,
            ),
        ),
    ]

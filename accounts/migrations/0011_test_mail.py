"""Test mails in the outbox, and the words of the mail server about each email."""

from django.db import migrations, models


class Migration(migrations.Migration):
    contract = "one more choice: the column stays as it is"

    dependencies = [
        ("accounts", "0010_refused_address"),
    ]

    operations = [
        migrations.AddField(
            model_name="securitymail",
            name="answer",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The mail server's words.",
                max_length=200,
            ),
        ),
        migrations.AlterField(
            model_name="securitymail",
            name="kind",
            field=models.CharField(
                choices=[
                    ("event", "security event"),
                    ("confirm", "link to confirm an email"),
                    ("reset", "link for a new password"),
                    ("known", "sign-up with a known email"),
                    ("unknown", "no account with an email"),
                    ("test", "test mail"),
                ],
                db_default="event",
                default="event",
                max_length=8,
            ),
        ),
    ]

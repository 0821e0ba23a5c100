"""Store every email of accounts in the outbox, with what became of it."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    contract = "an email without an event is allowed, and the release before writes none"

    dependencies = [
        ("accounts", "0004_zones"),
    ]

    operations = [
        migrations.AddField(
            model_name="securitymail",
            name="created_at",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(),
                default=django.utils.timezone.now,
            ),
        ),
        migrations.AddField(
            model_name="securitymail",
            name="kind",
            field=models.CharField(
                choices=[
                    ("event", "security event"),
                    ("confirm", "link to confirm an email"),
                    ("reset", "link for a new password"),
                    ("known", "sign-up with a known email"),
                    ("unknown", "no account with an email"),
                ],
                db_default="event",
                default="event",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="securitymail",
            name="lease_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="securitymail",
            name="outcome",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AddField(
            model_name="securitymail",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="mails",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="That of the last sign-in.",
                max_length=5,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="mail_refused_at",
            field=models.DateTimeField(
                help_text="When a mail server last said that the address does not exist.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="securitymail",
            name="event",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="mail",
                to="accounts.securityevent",
            ),
        ),
        migrations.AddConstraint(
            model_name="securitymail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("event__isnull", False), ("kind", "event"), ("user", None)),
                    models.Q(models.Q(("kind", "event"), _negated=True), ("event", None)),
                    _connector="OR",
                ),
                name="security_mail_has_one_cause",
            ),
        ),
        migrations.AddConstraint(
            model_name="securitymail",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome", ""), ("to", ""), _connector="XOR"),
                name="security_mail_to_or_outcome",
            ),
        ),
    ]

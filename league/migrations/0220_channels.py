"""Ways to an account beside e-mail: browsers by Web Push, and Telegram."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0200_kept_back"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Channel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("push", "Web Push"), ("telegram", "Telegram")], max_length=8
                    ),
                ),
                ("address", models.CharField(max_length=500)),
                (
                    "keys",
                    models.JSONField(
                        default=dict, help_text="With what messages are encrypted for it."
                    ),
                ),
                ("lane", models.CharField(max_length=40)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="newsitem",
            name="news_has_one_receiver",
        ),
        migrations.AddField(
            model_name="newswish",
            name="by_email",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="channel",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="channels",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="newsitem",
            name="channel",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="news",
                to="league.channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="newsitem",
            constraint=models.UniqueConstraint(
                condition=models.Q(("channel__isnull", False)),
                fields=("channel", "key"),
                name="news_once_per_channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="newsitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("channel__isnull", False), ("user", None), ("webhook", None)),
                    models.Q(("channel", None), ("user", None), ("webhook__isnull", False)),
                    models.Q(("channel", None), ("user__isnull", False), ("webhook", None)),
                    _connector="OR",
                ),
                name="news_has_one_receiver",
            ),
        ),
        migrations.AddConstraint(
            model_name="channel",
            constraint=models.UniqueConstraint(
                fields=("kind", "address"), name="channel_address_once"
            ),
        ),
    ]

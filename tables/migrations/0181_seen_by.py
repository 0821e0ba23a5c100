"""Who may see a bot, and test matches for its author."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0180_ladders"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Trial",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name="upload",
            name="seen_by",
            field=models.CharField(
                choices=[("author", "Author"), ("club", "Club"), ("everyone", "Everyone")],
                db_default="everyone",
                default="everyone",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(("seen_by__in", ["author", "club", "everyone"])),
                name="upload_seen_by_known",
            ),
        ),
        migrations.AddField(
            model_name="trial",
            name="run",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="trial", to="tables.run"
            ),
        ),
        migrations.AddField(
            model_name="trial",
            name="upload",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="trials",
                to="tables.upload",
            ),
        ),
    ]

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0140_invitations_of_players"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="closed_at",
            field=models.DateTimeField(
                blank=True, help_text="Since then only its owners see it.", null=True
            ),
        ),
        migrations.CreateModel(
            name="RoleOffer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("player", "player"),
                            ("scorer", "scorer"),
                            ("organiser", "organiser"),
                            ("owner", "owner"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="role_offers",
                        to="league.club",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"),
                        models.F("club"),
                        name="role_offer_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("role__in", ["player", "scorer", "organiser", "owner"])
                        ),
                        name="role_offer_role_known",
                    ),
                ],
            },
        ),
    ]

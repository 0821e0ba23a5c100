import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0141_role_offers"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("read", "read clubs and results"),
                        ("play", "play at tables"),
                        ("organise", "enter results, run nights and clubs"),
                        ("arena", "act as a bot: register, take challenges"),
                    ],
                    max_length=10,
                ),
                db_default=["read", "play", "organise", "arena"],
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("scopes__contained_by", ["read", "play", "organise", "arena"]),
                    ("scopes__len__gt", 0),
                ),
                name="api_token_scopes_known",
            ),
        ),
    ]

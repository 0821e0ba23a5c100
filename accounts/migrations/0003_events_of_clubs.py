"""Security events name their club; Django alone knows the kinds."""

from django.db import migrations, models

KINDS = [
    ("signed_in", "signed in"),
    ("failed", "failed to sign in"),
    ("signed_out", "signed out everywhere else"),
    ("password", "new password"),
    ("password_link", "password link created"),
    ("factor_added", "two-factor authentication added"),
    ("factor_removed", "two-factor authentication removed"),
    ("token_made", "token created"),
    ("token_revoked", "token revoked"),
    ("role_taken", "role accepted"),
    ("role_lowered", "role lowered"),
    ("role_ended", "role ended"),
    ("linked", "plays in a club"),
    ("unlinked", "no longer plays in a club"),
    ("asked", "a club asks whether you play there"),
    ("paid_to", "account number for payments changed"),
    ("erased", "account ended"),
]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_squashed_0010_security_mail")]

    operations = [
        migrations.AddField(
            "securityevent",
            "club",
            models.CharField(
                max_length=80,
                blank=True,
                db_default="",
                default="",
                help_text="Name of the club it is of.",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "securityevent", "kind", models.CharField(max_length=20, choices=KINDS)
                ),
            ]
        ),
    ]

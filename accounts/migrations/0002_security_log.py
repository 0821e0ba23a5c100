import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ONLY_GROWS = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at < now() - interval '90 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER accounts_securityevent_only_grows
    BEFORE UPDATE OR DELETE ON accounts_securityevent
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
"""
GROWS_NO_MORE = """
DROP TRIGGER accounts_securityevent_only_grows ON accounts_securityevent;
DROP FUNCTION accounts_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecurityEvent",
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
                        choices=[
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
                            ("role_ended", "role ended"),
                            ("erased", "account ended"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        blank=True, help_text="A network, not an address.", max_length=50
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="security_events",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["at"], name="security_event_at")],
            },
        ),
        migrations.RunSQL(ONLY_GROWS, GROWS_NO_MORE),
    ]

"""Django alone knows the kinds of security events."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_outbox'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('failed', 'failed to sign in'), ('signed_out', 'signed out everywhere else'), ('password', 'new password'), ('password_link', 'password link created'), ('factor_added', 'two-factor authentication added'), ('factor_removed', 'two-factor authentication removed'), ('token_made', 'token created'), ('token_revoked', 'token revoked'), ('role_taken', 'role accepted'), ('role_lowered', 'role lowered'), ('role_ended', 'role ended'), ('owner_ending', 'another owner ends your role in a week'), ('linked', 'plays in a club'), ('unlinked', 'no longer plays in a club'), ('asked', 'a club asks whether you play there'), ('paid_to', 'account number for payments changed'), ('erased', 'account ended')], max_length=20),
        ),
        ]),
    ]

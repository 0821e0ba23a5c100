"""Accounts that an administrator keeps from signing in."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_owner_ending'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='locked_at',
            field=models.DateTimeField(help_text='Since when an administrator keeps it from signing in.', null=True),
        ),
        migrations.SeparateDatabaseAndState(state_operations=[
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('failed', 'failed to sign in'), ('signed_out', 'signed out everywhere else'), ('password', 'new password'), ('password_link', 'password link created'), ('factor_added', 'two-factor authentication added'), ('factor_removed', 'two-factor authentication removed'), ('token_made', 'token created'), ('token_revoked', 'token revoked'), ('role_taken', 'role accepted'), ('role_lowered', 'role lowered'), ('role_ended', 'role ended'), ('owner_ending', 'another owner ends your role in a week'), ('linked', 'plays in a club'), ('unlinked', 'no longer plays in a club'), ('asked', 'a club asks whether you play there'), ('paid_to', 'account number for payments changed'), ('club_stopped', 'a club of yours closed by the administrator'), ('locked', 'account locked by the administrator'), ('unlocked', 'account unlocked'), ('erased', 'account ended')], max_length=20),
        ),
        ]),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('locked_at', None), ('is_active', False), _connector='OR'), name='user_locked_is_not_active'),
        ),
    ]

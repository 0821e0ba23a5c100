"""Clubs of which an account wants nothing more."""
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0022_reported_payments'),
    ]

    operations = [
        migrations.AddField(
            model_name='newswish',
            name='silent_clubs',
            field=models.ManyToManyField(help_text='Of which the account gets no news and sees no offers.', related_name='silenced_by', to='league.club'),
        ),
    ]

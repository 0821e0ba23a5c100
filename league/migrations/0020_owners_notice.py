"""The week in which an owner of longer standing keeps a role that another owner ends."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0019_entry_doubts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='ends_as',
            field=models.CharField(blank=True, db_default='', default='', help_text='The role then; none if empty.', max_length=10),
        ),
        migrations.AddField(
            model_name='membership',
            name='ends_at',
            field=models.DateTimeField(blank=True, help_text="When an owner's role ends that another owner took.", null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='ends_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='membership',
            name='owner_since',
            field=models.DateTimeField(blank=True, help_text="Since when it is an owner's; unset before 1.2.", null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='stopped_at',
            field=models.DateTimeField(blank=True, help_text='When the owner stopped that: an administrator decides.', null=True),
        ),
        migrations.SeparateDatabaseAndState(state_operations=[
        migrations.AlterField(
            model_name='club',
            name='members',
            field=models.ManyToManyField(through='league.Membership', through_fields=('club', 'user'), to=settings.AUTH_USER_MODEL),
        ),
        ]),
    ]

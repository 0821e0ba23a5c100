"""New names by a night's link that wait for an organiser."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0028_second_phone'),
    ]

    operations = [
        migrations.CreateModel(
            name='WaitingName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('name_key', models.CharField(max_length=180)),
                ('reply', models.CharField(choices=[('yes', 'coming'), ('maybe', 'maybe'), ('no', 'not coming')], max_length=5)),
                ('guests', models.PositiveSmallIntegerField(default=0)),
                ('device', models.CharField(max_length=64)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('sign_up', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waiting_names', to='league.signup')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('sign_up', 'name_key'), name='waiting_name_once'), models.CheckConstraint(condition=models.Q(('guests__lte', 5)), name='waiting_name_guests_in_range')],
            },
        ),
    ]

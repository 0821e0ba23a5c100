"""Players who hear nothing of another, where nobody moderates."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0012_second_claim'),
    ]

    operations = [
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.seat')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to='tables.seat')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('seat', 'by'), name='mute_once'), models.CheckConstraint(condition=models.Q(('seat', models.F('by')), _negated=True), name='mute_of_another')],
            },
        ),
    ]

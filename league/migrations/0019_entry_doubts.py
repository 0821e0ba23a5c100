"""What the people whom an entry names say against it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0018_grounds'),
    ]

    operations = [
        migrations.CreateModel(
            name='EntryDoubt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('posting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='doubts', to='league.posting')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('posting', 'player'), name='entry_doubted_once')],
            },
        ),
    ]

"""When a game was tapped that waited on a phone before it came."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0020_owners_notice'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='tapped_at',
            field=models.DateTimeField(help_text='When it was entered on a phone that could not send it at once.', null=True),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('tapped_at', None), ('tapped_at__lte', models.F('at')), _connector='OR'), name='result_tapped_before_it_came'),
        ),
    ]

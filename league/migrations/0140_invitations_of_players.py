import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0131_ratings_of_bots")]

    operations = [
        migrations.AddField(
            model_name="link",
            name="player",
            field=models.ForeignKey(
                help_text="Whom the account that accepts this invitation plays.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to="league.player",
            ),
        ),
        migrations.AddConstraint(
            model_name="link",
            constraint=models.CheckConstraint(
                condition=models.Q(player=None) | models.Q(purpose="invitation", max_uses=1),
                name="link_of_a_player_invites_once",
            ),
        ),
    ]

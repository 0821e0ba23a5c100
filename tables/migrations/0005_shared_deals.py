"""Several tables may share their deals, which nobody is told before all have played them."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

KEEPS_ITS_WORD = """
CREATE FUNCTION tables_shared_deals_keep_their_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.key, OLD.secret) IS DISTINCT FROM (NEW.key, NEW.secret)
        OR (OLD.links IS NOT NULL AND OLD.links IS DISTINCT FROM NEW.links)
        OR (OLD.dealt_at IS NOT NULL AND (OLD.dealt_at, OLD.links, OLD.parts)
            IS DISTINCT FROM (NEW.dealt_at, NEW.links, NEW.parts))
        OR NEW.told < OLD.told
    THEN
        RAISE EXCEPTION 'what was published of a deal stays as it is'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_shared_deals_keep_their_word BEFORE UPDATE ON tables_shareddeals
    FOR EACH ROW EXECUTE FUNCTION tables_shared_deals_keep_their_word();
"""
BACK = "DROP FUNCTION tables_shared_deals_keep_their_word() CASCADE;"
DELAYS = {0: "None", 20: "Seconds", 60: "Minute", 32766: "Round", 32767: "Game"}


class Migration(migrations.Migration):
    contract = "the altered column only gets a choice, which the release before never writes"
    dependencies = [("tables", "0004_reviews")]

    operations = [
        migrations.CreateModel(
            name="SharedDeals",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=12, unique=True)),
                ("secret", models.CharField(max_length=64)),
                ("links", models.JSONField(blank=True, null=True)),
                ("parts", models.JSONField(blank=True, null=True)),
                ("told", models.PositiveSmallIntegerField(default=0)),
                ("dealt_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"verbose_name_plural": "shared deals"},
        ),
        migrations.RunSQL(KEEPS_ITS_WORD, BACK),
        migrations.AddField(
            "arrangement",
            "shared",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="arrangements",
                to="tables.shareddeals",
            ),
        ),
        migrations.AddField(
            "arrangement",
            "shared_from",
            models.PositiveSmallIntegerField(default=1, db_default=1),
        ),
        migrations.AlterField(
            "table",
            "watch_delay",
            models.PositiveSmallIntegerField(
                choices=list(DELAYS.items()), default=0, db_default=0
            ),
        ),
        migrations.RemoveConstraint("table", "table_watch_delay_known"),
        migrations.AddConstraint(
            "table",
            models.CheckConstraint(
                condition=Q(watch_delay__in=(0, 20, 60, 32766, 32767)),
                name="table_watch_delay_known",
            ),
        ),
    ]

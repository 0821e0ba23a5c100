"""Players' parts in the deal; what was published of a game does not change any more."""

from django.db import migrations, models

FUNCTION = """
CREATE FUNCTION tables_game_keeps_its_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.secret, OLD.commitment, OLD.no, OLD.table_id)
        IS DISTINCT FROM (NEW.secret, NEW.commitment, NEW.no, NEW.table_id)
        OR (OLD.links IS NOT NULL AND OLD.links IS DISTINCT FROM NEW.links)
        OR (OLD.dealt_at IS NOT NULL AND (OLD.links, OLD.parts)
            IS DISTINCT FROM (NEW.links, NEW.parts))
        OR (OLD.over_at IS NOT NULL AND (OLD.dealt, OLD.dealer, OLD.dealt_first)
            IS DISTINCT FROM (NEW.dealt, NEW.dealer, NEW.dealt_first))
    THEN
        RAISE EXCEPTION 'what was published of a deal stays as it is'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""

TRIGGER = """
CREATE TRIGGER tables_game_keeps_its_word BEFORE UPDATE ON tables_game
    FOR EACH ROW EXECUTE FUNCTION tables_game_keeps_its_word();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0093_sprints")]

    operations = [
        migrations.AddField(
            "seat", "link", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
        migrations.AddField("game", "links", models.JSONField(blank=True, null=True)),
        migrations.AddField("game", "parts", models.JSONField(blank=True, null=True)),
        migrations.RunSQL(FUNCTION, "DROP FUNCTION tables_game_keeps_its_word();"),
        migrations.RunSQL(TRIGGER, "DROP TRIGGER tables_game_keeps_its_word ON tables_game;"),
    ]

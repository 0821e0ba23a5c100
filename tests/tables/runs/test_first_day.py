"""An author's first day: four bots on the ranking, and nobody waits for the slow one."""

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from django.conf import settings as installed

from engine import bots as engine_bots
from engine.rules import ruleset
from league.arena.facts.own_bots import pool_of
from tables.bots.acts import uploads
from tables.models import Ladder, Run
from tables.programs import checking, config
from tables.runs import ladders, queues, runs
from tests.factories import make_season, make_user
from tests.tables.runs.test_remote import Author

pytestmark = pytest.mark.django_db
EXAMPLES = Path(installed.BASE_DIR) / "docs" / "examples" / "bots"
SLOW = """
import time
class Slow:
    def __init__(self, seed): pass
    def choose(self, observation, legal):
        time.sleep(0.4)
        return legal[0]
"""
TABLE = '[bots.slow]\npython = "slow:Slow"\nversion = 1\nseconds = 10\n'
UPLOADED = (EXAMPLES / "miser.py").read_text()


@pytest.fixture
def folder(tmp_path, monkeypatch, settings):
    """A server that takes uploads, with a class, a program and the slow class in its bots.toml."""
    settings.BOT_UPLOADS, settings.TABLES_LADDER_SHARE = True, 100
    for name in ("PROBLEMS", "_registered"):
        monkeypatch.setattr(config, name, [])
    monkeypatch.setattr(config, "_seen", None)
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    tmp_path.chmod(0o755)
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "bots.toml").write_text((EXAMPLES / "bots.toml").read_text() + TABLE)
    config.register_all(tmp_path / "bots.toml", needed=True)
    assert config.PROBLEMS == []
    yield tmp_path
    for name in config._registered:
        engine_bots.BOTS.pop(name, None)


@pytest.fixture
def ladder(monkeypatch) -> Ladder:
    for name, few in (("DEALS", 2), ("DEALS_OUTSIDE", 1), ("DEALS_ONCE", 4), ("SAMPLES", 10)):
        monkeypatch.setattr(ladders, name, few)
    monkeypatch.setattr(ladders, "rested_at", lambda last, _share: last.opened_at)
    monkeypatch.setattr(ladders, "WORTH_A_FIT", 0.0)
    pool = pool_of(make_season().club)
    return ladders.set_ladder(pool=pool, ruleset=ruleset.preset("tien-len"), is_on=True)


def sent(code: str) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("miser.py", code)
    return body.getvalue()


def on_the_ranking(ladder: Ladder) -> set[str]:
    ladders.rate_behind()
    ladder.refresh_from_db()
    return {row["name"] for row in ladder.rows if "rating" in row}


@pytest.mark.limit(180, reason="four bots rank, of which one is slow on purpose")
@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_four_kinds_of_bots_are_ranked_beside_a_slow_one(folder, ladder, monkeypatch):
    few = list(checking.situations(games=1))[:3]
    monkeypatch.setattr(checking, "situations", lambda games: iter(few))
    far = Author("far", pool=ladder.pool)
    uploads.add_upload(
        pool=ladder.pool, author=make_user(), base="mine", body=sent(UPLOADED),
        point="miser:MiserBot",
    )  # fmt: skip
    wanted, answers = {"miser", "shedder", "mine-1", "far-1"}, {}
    for _ in range(400):
        ladders.tick()
        queues.work_next()
        for run in Run.objects.filter(status=Run.Status.RUNNING):
            runs.finish_if_done(run_id=run.pk)
        told = far.work(answers, most=200, client="desk")
        answers = {one["position"]: one["turn"]["legal"][0] for one in told["positions"]}
        slow = Run.objects.filter(is_slow=True, bots__contains=[{"name": "slow"}])
        if not answers and slow.exists() and wanted <= on_the_ranking(ladder):
            break
    assert slow.exists()
    assert wanted <= on_the_ranking(ladder)

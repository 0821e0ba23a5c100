"""What a release is made of can be checked: its parts, their hashes, advisories and signature."""

import datetime
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)


def run(*command: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    asked = [str(word) for word in command]
    own = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        asked, cwd=cwd, capture_output=True, text=True, check=False, env=os.environ | {"PATH": own}
    )


def test_the_bill_of_materials_names_every_package_with_hashes_and_licence():
    done = run(sys.executable, "script/sbom")
    bill = json.loads(done.stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    libraries = [part for part in bill["components"] if part["type"] == "library"]
    locked = (ROOT / "requirements/runtime.txt").read_text()
    assert len(libraries) == len(re.findall(r"^[\w.-]+(?:\[.+\])?==", locked, re.M)) > 50
    for part in libraries:
        assert part["purl"] == part["bom-ref"]
        assert part["externalReferences"][0]["hashes"]
    django = next(part for part in libraries if part["name"] == "django")
    assert django["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    assert any(part["name"].startswith("static/vendor/") for part in bill["components"])
    assert "django 5.2" in run(sys.executable, "script/sbom", "--licences").stdout


@pytest.mark.parametrize(
    ("days", "fixed", "status", "says"),
    [(3, "0.1", 0, "3 days ago"), (31, "0.1", 3, "fetch them anew"), (3, "99", 1, "OSV-1")],
)
def test_an_audit_says_how_old_its_advisories_are_and_refuses_old_ones(
    tmp_path, days, fixed, status, says
):
    at = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=days)
    span = {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": fixed}]}
    about = {"package": {"ecosystem": "PyPI", "name": "django"}, "ranges": [span]}
    told = {"id": "OSV-1", "modified": f"{at}T00:00:00Z", "affected": [about]}
    (tmp_path / "one.json").write_text(json.dumps(told))
    done = run(sys.executable, "script/audit", tmp_path)
    assert (done.returncode, says in done.stdout) == (status, True), done.stdout + done.stderr


def test_a_release_is_signed_and_a_changed_byte_is_found(tmp_path):
    clone, out, key = tmp_path / "clone", tmp_path / "out", tmp_path / "key"
    run("git", "clone", "--quiet", "--shared", ROOT, clone)
    for name in ("release", "sbom"):
        shutil.copy(ROOT / "script" / name, clone / "script" / name)
    for named in ("pyproject.toml", "engine/pyproject.toml"):
        text = (clone / named).read_text(encoding="utf-8")
        (clone / named).write_text(re.sub(r'^version = ".+"$', 'version = "9.9"', text, flags=re.M))
    for command in (["add", "-A"], ["commit", "--quiet", "--allow-empty", "--message=x"]):
        run("git", "-c", "user.name=x", "-c", "user.email=x@example.com", *command, cwd=clone)
    for one in (key, tmp_path / "other"):
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", one)
    run("git", "config", "user.name", "x", cwd=clone)
    run("git", "config", "user.email", "x@example.com", cwd=clone)
    made = run("script/release", "9.9", key, out, cwd=clone)
    assert made.returncode == 0, made.stderr
    assert "v9.9" in run("git", "tag", cwd=clone).stdout
    wheel = "tien_len_engine-9.9-py3-none-any.whl"
    assert wheel in (out / "SHA256SUMS").read_text()
    again = run("script/release", "9.10", key, tmp_path / "again", cwd=clone)
    assert (again.returncode, "names another version" in again.stderr) == (1, True)

    signers, others = tmp_path / "signers", tmp_path / "others"
    signers.write_text(f"release {key.with_suffix('.pub').read_text()}")
    others.write_text(f"release {(tmp_path / 'other.pub').read_text()}")
    verify = ("script/release", "--verify", out)
    assert run(*verify, signers, cwd=clone).returncode == 0
    assert run(*verify, others, cwd=clone).returncode != 0
    with (out / "tienlen-9.9.cdx.json").open("a") as bill:
        bill.write(" ")
    assert run(*verify, signers, cwd=clone).returncode != 0

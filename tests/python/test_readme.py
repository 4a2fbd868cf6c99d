"""What README.md and docs/plan.md show is what the command prints."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Shown(unittest.TestCase):
    def prints_what_is_shown(self, document):
        text = (ROOT / document).read_text()
        command = re.search(r"^cargo run --release -- (.+)$", text, re.M).group(1)
        shown = re.search(r"^```text\n(.+?)^```$", text, re.M | re.S).group(1)
        done = subprocess.run([os.environ["MESHWRIGHT"], *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=1500)
        self.assertEqual(done.returncode, 0, done.stderr)
        printed = (done.stdout + done.stderr).splitlines()
        for line in shown.splitlines():
            if line.strip() not in ("", "..."):
                self.assertIn(line, printed)

    def test_the_main_command_prints_what_is_shown(self):
        self.prints_what_is_shown("README.md")

    def test_the_page_on_plans_shows_one(self):
        self.prints_what_is_shown("docs/plan.md")

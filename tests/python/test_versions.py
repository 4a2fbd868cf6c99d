"""The version of JAX that is tested: `xla_client.TESTED` says it, and whatever else names it says the same."""
import pathlib
import re
import unittest

from meshwright_xla.xla_client import TESTED

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Each with all that names a version of JAX there.
PLACES = {
    "tests/requirements.txt": r"jax(?:lib)?==([\d.]+)",
    "pyproject.toml": r"jax>=([\d.]+)",
    "docs/python.md": r"(?:JAX|jaxlib) (\d+\.\d+\.\d+)",
    "docs/running.md": r"tested with (\d+\.\d+\.\d+)",
}


class Versions(unittest.TestCase):
    def test_all_places_name_the_tested_jax(self):
        for place, pattern in PLACES.items():
            self.assertEqual(set(re.findall(pattern, (ROOT / place).read_text())), {TESTED}, place)

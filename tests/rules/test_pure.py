"""The rules know nothing of the world: no library, no clock, no chance, no file."""

import ast
import sys
from pathlib import Path

from companion import rules

OF_THE_WORLD = {"datetime", "io", "os", "pathlib", "random", "secrets", "socket", "subprocess", "threading", "time"}


def _imported(source: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    return modules


def test_the_rules_import_the_standard_library_and_themselves_alone() -> None:
    """And of the standard library nothing that reads the world."""
    for source in Path(rules.__file__).parent.glob("*.py"):
        for module in _imported(source):
            top = module.split(".")[0]
            assert module.startswith("companion.rules") or top in sys.stdlib_module_names - OF_THE_WORLD, (source.name, module)

"""What several folders of tests share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.browser import CHROMIUM


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a deck's pictures tell is kept here, not in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium, or a word on how to get it."""
    if not Path(str(CHROMIUM["executable_path"])).exists():
        pytest.skip("there is no /usr/bin/chromium: apt-get install chromium")
    return CHROMIUM

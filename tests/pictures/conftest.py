"""A browser for the pages that explanations become."""

from browser_fixture import browser  # noqa: F401: a fixture

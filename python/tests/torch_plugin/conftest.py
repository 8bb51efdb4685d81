"""The operators for PyTorch need torch and their library: ./dev test --torch has both. Elsewhere
these tests are not collected."""

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_*.py"]

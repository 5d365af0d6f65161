"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples every time: a change is judged by what it changed.
# HYPOTHESIS_PROFILE=default looks further.
# No deadline: a busy machine is no fault of what is tested.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

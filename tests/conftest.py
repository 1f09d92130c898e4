"""What holds for all tests: time never decides the outcome of a property test, as the machine may be busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("symattn", deadline=None)
settings.load_profile("symattn")

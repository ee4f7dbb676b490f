"""The port that makes ids: they are made before a service is called, so that a call may be repeated."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import SkipValidation

NewId = NamedDependency[SkipValidation[Callable[[], UUID]]]

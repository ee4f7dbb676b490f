"""From a ProblemSpec to a package of version 2025-09."""

"""Questions: immutable revisions with limits, cases, groups and a checker."""

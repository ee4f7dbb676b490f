"""Statements as pages: made in a process with limits, because their texts are not to be trusted."""

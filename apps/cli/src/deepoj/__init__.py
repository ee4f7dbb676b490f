"""The deepoj command and the embedded stack."""

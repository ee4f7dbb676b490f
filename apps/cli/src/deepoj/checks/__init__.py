"""Everything CI runs, as steps."""

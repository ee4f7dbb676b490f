"""From an archive or a directory to files that are known to be harmless."""

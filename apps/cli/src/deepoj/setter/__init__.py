"""What problem setters do without a server: the judgement process does it, this shows it."""

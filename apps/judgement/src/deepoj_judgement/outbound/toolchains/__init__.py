"""Languages as data, and which of them this machine has."""

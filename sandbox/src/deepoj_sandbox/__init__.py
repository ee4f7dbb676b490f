"""The isolated runner: runs one untrusted program in a box and says exactly what happened."""

"""Problem packages and solutions on the local disk."""

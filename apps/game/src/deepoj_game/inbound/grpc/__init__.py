"""The servicer: decode, call, encode."""

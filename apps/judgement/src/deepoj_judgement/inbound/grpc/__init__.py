"""The servicer: decode, call one use case, encode."""

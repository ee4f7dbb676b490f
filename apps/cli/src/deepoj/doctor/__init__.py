"""What a machine needs to run Deep-OJ, checked."""

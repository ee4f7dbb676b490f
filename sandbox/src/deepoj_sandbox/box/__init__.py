"""What runs on the far side: the factory, and the keeper (PID 1) of each box."""

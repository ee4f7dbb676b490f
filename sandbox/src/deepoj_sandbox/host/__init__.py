"""The host's side: making boxes, keeping some ready, and driving runs in them."""

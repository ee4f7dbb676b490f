"""Read models, through ports that outbound implements."""

"""Ways for a mail to leave."""

"""What travels as JSON. Attributes have the names of the services' fields, JSON those of the API."""

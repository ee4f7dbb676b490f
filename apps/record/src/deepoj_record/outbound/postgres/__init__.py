"""The schema `record`: hand-written SQL where every submission passes, SQLAlchemy elsewhere."""

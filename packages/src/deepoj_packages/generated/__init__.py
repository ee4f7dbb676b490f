"""generators.yaml of BAPCtools: test data that a package describes and does not bring."""

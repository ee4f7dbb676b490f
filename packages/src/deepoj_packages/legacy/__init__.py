"""The format as it was before versions had names, and its ICPC subset."""

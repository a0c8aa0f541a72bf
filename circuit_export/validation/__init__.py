"""Checks of whole projects: schemas, discovery, suppression, goldens, coverage, reporters."""

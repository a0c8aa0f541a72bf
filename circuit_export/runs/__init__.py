"""What every engine shares: paths and templates, the run record, its timeline, scenarios and their driver."""

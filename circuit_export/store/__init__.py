"""Where boards and their runs are kept: in memory, in one SQLite file, or in Postgres."""

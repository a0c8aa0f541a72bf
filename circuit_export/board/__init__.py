"""The picture of a workflow, ignorant of every format: the same board and theme give the same bytes."""

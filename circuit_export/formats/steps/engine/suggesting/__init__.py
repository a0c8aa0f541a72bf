"""What suggesting scenarios needs to know of a board: the ways through it, and the data that opens them."""

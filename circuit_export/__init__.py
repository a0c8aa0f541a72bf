"""Keep, share, check and run automation workflows."""

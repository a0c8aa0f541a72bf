"""Any text in, the definitions inside it out."""

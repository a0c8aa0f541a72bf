"""Who may come in over HTTP: the owner, who signs clients in with a key, whoever has a token, or anybody."""

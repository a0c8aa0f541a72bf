"""The MCP server: boards designed, run, kept and checked from any client."""

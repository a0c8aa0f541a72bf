"""The board in a conversation: a small page that hosts show beside what a tool answers, and what it paints."""

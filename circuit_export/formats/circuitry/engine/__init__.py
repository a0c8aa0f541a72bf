"""The engine of programs: a pure state machine that asks for sources and commands and is told what came of them."""

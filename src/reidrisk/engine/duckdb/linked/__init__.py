"""Tables that are linked by keys, in one session: opened, looked at, released together and proved."""

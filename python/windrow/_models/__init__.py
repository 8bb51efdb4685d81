"""Models: reading, running, inspecting and preparing them. Nothing here knows a host."""

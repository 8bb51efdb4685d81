"""The runtimes that can be measured, one file each."""

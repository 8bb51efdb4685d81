"""Times look-ups in tables on disk beside raw io_uring, other ways of reading the same rows, and memory."""

"""The bench beside the peers: every case with this library and with other libraries, in one run."""

// Compiled for its precompiled header alone.
int main() { return 0; }

#include "tools/windrow/command.h"

int main(int argc, char** argv) { return windrow::tool::run_command(argc, argv); }

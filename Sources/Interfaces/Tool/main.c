// The command `isobath`. All of it is in the module Commands, or, as packages install it, in libisobath.so. Swift would
// read the arguments from /proc, which is not mounted everywhere.
void isobath_tool_main(int count, char **arguments);

int main(int argc, char **argv) { isobath_tool_main(argc, argv); }

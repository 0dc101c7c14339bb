// The command `isobath` as packages install it: the tool itself is in libisobath.so, which C programs and Python share.
void isobath_tool_main(void);

int main(void) { isobath_tool_main(); }

# Turns the headers' plain comments into ones that Doxygen reads: those on lines of their own describe what
# follows, those behind code describe what stands before them.
s|^\( *\)//$|\1///|
s|^\( *\)// |\1/// |
s|^\( *\)/\* |\1/** |
s|\([;,{]\)  *// |\1 ///< |
s|\([;,{]\)  */\* |\1 /**< |
s|^\( *k[A-Za-z0-9]*\)  *// |\1 ///< |

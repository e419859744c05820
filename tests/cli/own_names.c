/* own_names.c - the example, with functions of its own that have names which the library uses inside, and that it must
 * not call.
 */
#include "examples/translate.c"

#define OWN(name) void name(void); void name(void) { abort(); }

OWN(die)
OWN(warn)
OWN(err)
OWN(xmalloc)
OWN(xfree)
OWN(grow)
OWN(matmul)
OWN(mem_try)
OWN(unicode_valid)
OWN(model_load)

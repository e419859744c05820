/* decoder_type.c - the table of decoder types. */
#include "model/decoder/decoder_type.h"

#define DECODER_TYPE_ROW(constant, type, name, help) &decoder_##type,
#define DECODER_TYPE_NAME(constant, type, name, help) name,

const DecoderType *const decoder_types[] = { DECODER_TYPE_TABLE(DECODER_TYPE_ROW) 0 };
const char *const decoder_type_names[] = { DECODER_TYPE_TABLE(DECODER_TYPE_NAME) 0 };

double decoder_type_products(const DecoderShape *shape, const Sizes *n)
{
    double products = shape->cell.name ? (double)n->G * (shape->cell.input + n->H) : 0;
    for (const DecoderMatrix *m = shape->matrix; m->name; m++)
        for (const int *width = m->block; *width; width++)
            products += (double)m->rows * *width;
    return products;
}

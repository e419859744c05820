/* load_often.c - load_often MODEL COUNT: loads the model, translates a line with two threads, and
 * releases all, so many times; and as often tries to load a file that is no model. For valgrind. */
#include <attn.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const attn_error *error)
{
    fprintf(stderr, "load_often: %s\n", error->text);
    return EXIT_FAILURE;
}

static int load_once(const char *path)
{
    static const char *const options[] = { "threads", "2", "beam", "2", NULL };
    const char *line = "I am calm. You are calm.";
    attn_error error;
    attn_model *model = attn_model_load(path, &error);
    attn_translator *translator = model ? attn_translator_new(model, options, &error) : NULL;
    attn_result *result = translator ? attn_translate(translator, &line, 1, &error) : NULL;
    const int status = result ? EXIT_SUCCESS : fail(&error);
    attn_result_free(result);
    attn_translator_free(translator);
    attn_model_free(model);
    return status;
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < count; i++) {
        if (load_once(argv[1])) return EXIT_FAILURE;
        attn_model_free(attn_model_load(argv[0], NULL));
    }
    printf("%d\n", count);
    return EXIT_SUCCESS;
}

/* translate.c - translates each line of standard input, with its word alignment behind a tab.
 *
 *     cc translate.c $(pkg-config --cflags --libs attn) -o translate
 *     ./translate my.safetensors < article.en
 */
#include <attn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const attn_error *error)
{
    fprintf(stderr, "translate: %s\n", error->text);
    return EXIT_FAILURE;
}

static int translate_line(attn_translator *translator, const char *line)
{
    attn_error error;
    attn_result *result = attn_translate(translator, &line, 1, &error);
    if (!result) return fail(&error);
    printf("%s\t%s\n", attn_result_text(result, 0, 0), attn_result_alignment(result, 0, 0));
    attn_result_free(result);
    return EXIT_SUCCESS;
}

static int translate_lines(attn_translator *translator)
{
    char line[4096];
    int status = EXIT_SUCCESS;
    while (status == EXIT_SUCCESS && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        status = translate_line(translator, line);
    }
    return status;
}

int main(int argc, char **argv)
{
    static const char *const options[] = { "beam", "5", "alignment", "on", NULL };
    attn_error error;
    int status = EXIT_FAILURE;
    attn_model *model = attn_model_load(argc > 1 ? argv[1] : "models/eng-fra.safetensors", &error);
    attn_translator *translator = model ? attn_translator_new(model, options, &error) : NULL;
    if (translator) status = translate_lines(translator);
    else fail(&error);
    attn_translator_free(translator);
    attn_model_free(model);
    return status;
}

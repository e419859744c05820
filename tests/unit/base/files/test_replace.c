/* test_replace.c - replacing a file under every kind of failure. */
#include "base/files/replace.h"

#include "base/files/files.h"
#include "base/files/replace.h"
#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

/* The bytes of the file; it must exist. */
static Content content_of(const char *path)
{
    Err e = { "" };
    Content m;
    if (content_read(&m, path, &e)) fail_msg("%s (run from the top of the project)", e.text);
    return m;
}

static void assert_content(const char *path, const char *expected)
{
    Content m = content_of(path);
    assert_int_equal(m.size, strlen(expected));
    assert_memory_equal(m.data, expected, m.size);
    content_free(&m);
}

static Replace begun(const char *path, const char *text)
{
    Err e = { "" };
    Replace r;
    if (replace_open(&r, path, &e)) fail_msg("%s", e.text);
    fputs(text, r.stream);
    return r;
}

static void assert_committed(Replace *r)
{
    Err e = { "" };
    if (replace_commit(r, &e)) fail_msg("%s", e.text);
}

static void assert_not_committed(Replace *r, const char *expected)
{
    Err e = { "" };
    assert_int_equal(replace_commit(r, &e), -1);
    assert_string_equal(e.text, expected);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

static void old_file_should_stand_until_the_commit(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    Replace r = begun(path, "new");
    fflush(r.stream);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 2);
    assert_committed(&r);
    assert_content(path, "new");
    assert_int_equal(scratch_files(*state), 1);
}

static void abort_should_leave_the_old_file_and_nothing_else(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    Replace r = begun(path, "new");
    replace_abort(&r);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 1);
}

static void new_file_should_get_the_permissions_of_the_umask(void **state)
{
    const char *path = scratch_path(*state, "model");
    mode_t kept = umask(027);
    Replace r = begun(path, "new");
    assert_committed(&r);
    umask(kept);
    assert_int_equal(mode_of(path) & 07777, 0640);
}

static void replaced_file_should_keep_its_permissions(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    assert_int_equal(chmod(path, 0604), 0);
    Replace r = begun(path, "new");
    assert_committed(&r);
    assert_int_equal(mode_of(path) & 07777, 0604);
}

static void link_should_stay_a_link(void **state)
{
    const char *target = scratch_puts(*state, "target", "old"),
        *link = scratch_path(*state, "link");
    assert_int_equal(symlink(target, link), 0);
    Replace r = begun(link, "new");
    assert_committed(&r);
    assert_true(S_ISLNK(mode_of(link)));
    assert_content(target, "new");
}

static void link_that_leads_to_nothing_should_be_written_through(void **state)
{
    const char *target = scratch_path(*state, "target"), *link = scratch_path(*state, "link"),
        *further = scratch_path(*state, "further");
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(symlink(link, further), 0);
    Replace r = begun(further, "new");
    assert_committed(&r);
    assert_true(S_ISLNK(mode_of(link)) && S_ISLNK(mode_of(further)));
    assert_true(S_ISREG(mode_of(target)));
    assert_content(target, "new");
}

static void links_in_a_circle_should_be_refused(void **state)
{
    Err e = { "" };
    Replace r;
    const char *link = scratch_path(*state, "link");
    char expected[600];
    assert_int_equal(symlink("link", link), 0);
    snprintf(expected, sizeof expected, "%s: cannot be written: %s", link, strerror(ELOOP));
    assert_int_equal(replace_open(&r, link, &e), -1);
    assert_string_equal(e.text, expected);
    assert_true(S_ISLNK(mode_of(link)));
    assert_int_equal(scratch_files(*state), 1);
}

static void what_killed_processes_left_should_be_removed_and_nothing_else(void **state)
{
    const char *const stale[] = { "model.attn-1-0.tmp", "model.attn-4194304-999.tmp" };
    const char *const other[] = { "model", "model.tmp", "model.1-0.tmp", "model.attn-1.tmp",
                                  "model.attn-1-.tmp", "model.attn-1-0.tmp2", "model.attn-x-0.tmp",
                                  "a-model.attn-1-0.tmp", "model.state.attn-1-0.tmp" };
    enum { STALE = 2, OTHER = 9 };
    for (int i = 0; i < STALE; i++)
        scratch_puts(*state, stale[i], "half");
    for (int i = 0; i < OTHER; i++)
        scratch_puts(*state, other[i], "mine");
    const char *link = scratch_path(*state, "link");
    assert_int_equal(symlink("model", link), 0);
    Replace r = begun(link, "new");
    replace_abort(&r);
    assert_int_equal(scratch_files(*state), OTHER + 1);
    for (int i = 0; i < OTHER; i++)
        assert_int_equal(access(scratch_path(*state, other[i]), F_OK), 0);
}

static void one_at_a_time_should_write_a_file(void **state)
{
    Err e;
    Replace second;
    const char *path = scratch_path(*state, "model");
    char expected[600];
    snprintf(expected, sizeof expected, "%s: another process is writing this file; wait for its "
             "end, or name another one", path);
    Replace first = begun(path, "first");
    assert_int_equal(replace_open(&second, path, &e), -1);
    assert_string_equal(e.text, expected);
    assert_int_equal(scratch_files(*state), 1);
    assert_committed(&first);
    assert_content(path, "first");
    Replace third = begun(path, "third");
    assert_committed(&third);
    assert_content(path, "third");
}

static void strays_should_be_what_is_not_finished(void **state)
{
    const char *path = scratch_path(*state, "model");
    Replace done = begun(path, "done");
    assert_committed(&done);
    Replace prefix_up = begun(path, "given up");
    replace_abort(&prefix_up);
    stray_remove_all();
    assert_content(path, "done");
    Replace half = begun(path, "half");
    assert_int_equal(scratch_files(*state), 2);
    stray_remove_all();
    assert_int_equal(scratch_files(*state), 1);
    assert_content(path, "done");
    replace_abort(&half);
}

/* A short text fails when it is flushed, a long one while it is written. Through a link, for a test
 * that fails must not cost this machine its device. */
static void full_device_should_be_an_error_and_not_be_replaced(void **state)
{
    const char *link = scratch_path(*state, "full");
    char expected[600];
    assert_int_equal(symlink("/dev/full", link), 0);
    snprintf(expected, sizeof expected, "%s: writing failed: No space left on device", link);
    for (int i = 0; i < 2; i++) {
        Replace r = begun(link, "text");
        for (int k = 0; k < i * 100000; k++)
            fputs("more text", r.stream);
        assert_not_committed(&r, expected);
        assert_true(S_ISLNK(mode_of(link)));
        assert_int_equal(scratch_files(*state), 1);
    }
}

static void full_disk_should_leave_the_old_file_and_nothing_else(void **state)
{
    const char *path = scratch_puts(*state, "model", "old");
    char expected[600];
    struct rlimit kept, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){ .rlim_cur = 4096, .rlim_max = kept.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Replace r = begun(path, "new");
    for (int i = 0; i < 100000; i++)
        fputs("more text", r.stream);
    snprintf(expected, sizeof expected, "%s: writing failed: File too large", path);
    assert_not_committed(&r, expected);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_content(path, "old");
    assert_int_equal(scratch_files(*state), 1);
}

static void failed_rename_should_name_the_step_and_clean_up(void **state)
{
    const char *path = scratch_path(*state, "model");
    char expected[600];
    Replace r = begun(path, "new");
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(expected, sizeof expected, "%s: renaming the temporary file failed: Is a directory",
             path);
    assert_not_committed(&r, expected);
    assert_int_equal(scratch_files(*state), 1);
}

static void target_that_cannot_be_written_should_be_refused_at_once(void **state)
{
    Scratch *s = *state;
    Err e = { "" };
    Replace r;
    char expected[600];
    assert_int_equal(replace_open(&r, "/nowhere/model", &e), -1);
    assert_string_equal(e.text, "/nowhere/model: cannot be written: No such file or directory");
    assert_int_equal(replace_open(&r, s->folder, &e), -1);
    snprintf(expected, sizeof expected, "%s: cannot be written: Is a directory", s->folder);
    assert_string_equal(e.text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(old_file_should_stand_until_the_commit),
        in_scratch(abort_should_leave_the_old_file_and_nothing_else),
        in_scratch(new_file_should_get_the_permissions_of_the_umask),
        in_scratch(replaced_file_should_keep_its_permissions),
        in_scratch(link_should_stay_a_link),
        in_scratch(link_that_leads_to_nothing_should_be_written_through),
        in_scratch(links_in_a_circle_should_be_refused),
        in_scratch(what_killed_processes_left_should_be_removed_and_nothing_else),
        in_scratch(one_at_a_time_should_write_a_file),
        in_scratch(strays_should_be_what_is_not_finished),
        in_scratch(full_device_should_be_an_error_and_not_be_replaced),
        in_scratch(full_disk_should_leave_the_old_file_and_nothing_else),
        in_scratch(failed_rename_should_name_the_step_and_clean_up),
        in_scratch(target_that_cannot_be_written_should_be_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

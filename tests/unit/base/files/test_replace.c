/* test_replace.c - replacing a file, and locks: one process at a time, and nothing is left. What each
 * failing call leaves is in cli/disk.bats. */
#include "base/files/replace.h"

#include "base/files/files.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static void assert_content(const char *path, const char *expected)
{
    Content m = read_file(path);
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

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

TEST_IN_SCRATCH(permissions_should_be_those_of_the_old_file_or_of_the_umask)
{
    const char *path = scratch_path(*state, "model");
    mode_t kept = umask(027);
    Replace r = begun(path, "new");
    assert_committed(&r);
    umask(kept);
    assert_int_equal(mode_of(path) & 07777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    r = begun(path, "newer");
    assert_committed(&r);
    assert_int_equal(mode_of(path) & 07777, 0604);
}

TEST_IN_SCRATCH(what_a_killed_process_left_should_be_removed_and_nothing_else)
{
    const char *link = scratch_path(*state, "link"),
        *stale = scratch_puts(*state, "model.attn.tmp", "half of a long text"),
        *other = scratch_puts(*state, "model.state.attn.tmp", "another's");
    assert_int_equal(chmod(stale, 0666), 0);
    assert_int_equal(symlink("model", link), 0);
    Replace r = begun(link, "new");
    assert_int_equal(mode_of(stale) & 022, 0);
    assert_committed(&r);
    assert_content(scratch_path(*state, "model"), "new");
    assert_content(other, "another's");
    assert_int_equal(scratch_files(*state), 3);
}

TEST_IN_SCRATCH(link_should_stay_a_link)
{
    const char *target = scratch_puts(*state, "target", "old"),
        *link = scratch_path(*state, "link");
    assert_int_equal(symlink(target, link), 0);
    Replace r = begun(link, "new");
    assert_committed(&r);
    assert_true(S_ISLNK(mode_of(link)));
    assert_content(target, "new");
}

TEST_IN_SCRATCH(link_that_leads_to_nothing_should_be_written_through)
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

TEST_IN_SCRATCH(links_in_a_circle_should_be_refused)
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

TEST_IN_SCRATCH(one_at_a_time_should_write_a_file)
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

TEST_IN_SCRATCH(old_file_should_stand_until_the_commit_and_strays_be_what_is_not_finished)
{
    const char *path = scratch_puts(*state, "model", "old");
    Replace done = begun(path, "done");
    fflush(done.stream);
    assert_content(path, "old");
    assert_committed(&done);
    Replace dropped = begun(path, "given up");
    replace_abort(&dropped);
    stray_remove_all();
    assert_content(path, "done");
    assert_int_equal(scratch_files(*state), 1);
    Replace half = begun(path, "half");
    assert_int_equal(scratch_files(*state), 2);
    stray_remove_all();
    assert_int_equal(scratch_files(*state), 1);
    assert_content(path, "done");
    replace_abort(&half);
}

TEST_IN_SCRATCH(target_that_cannot_be_written_should_be_refused_at_once)
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

/* ---- Locks ---- */

/* A process that does `work` and ends with what it returns. */
static pid_t start(int (*work)(const char *path), const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(work(path));
    return child;
}

static int status_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void taken(Lock *lock, const char *path)
{
    Err e;
    if (lock_take(lock, path, &e)) fail_msg("%s", e.text);
}

/* 0: refused, with a message that names the parent. */
static int is_refused(const char *path)
{
    Err e;
    Lock lock;
    char expected[128];
    snprintf(expected, sizeof expected, ": process %ld holds this lock and writes the same file",
             (long)getppid());
    return lock_take(&lock, path, &e) == -1 && strstr(e.text, path) == e.text
        && strstr(e.text, expected) ? 0 : 1;
}

static int is_taken(const char *path)
{
    Err e;
    Lock lock;
    return lock_take(&lock, path, &e);
}

TEST_IN_SCRATCH(a_lock_should_keep_other_processes_out_and_name_its_own)
{
    Lock lock;
    const char *path = scratch_path(*state, "lock");
    taken(&lock, path);
    assert_int_equal(status_of(start(is_refused, path)), 0);
    assert_true(exists(path));
    lock_release(&lock);
    assert_false(exists(path));
    assert_int_equal(status_of(start(is_taken, path)), 0);
}

static int take_and_die(const char *path)
{
    if (is_taken(path)) return 1;
    raise(SIGKILL);
    return 2;
}

TEST_IN_SCRATCH(a_lock_should_end_with_its_process)
{
    Lock lock;
    const char *path = scratch_path(*state, "lock");
    assert_true(WIFSIGNALED(status_of(start(take_and_die, path))));
    assert_true(exists(path));
    taken(&lock, path);
    lock_release(&lock);
    assert_int_equal(scratch_files(*state), 0);
}

/* Who is alone finds no file of another's beside it. */
static int is_alone(const char *path)
{
    char inside[128];
    snprintf(inside, sizeof inside, "%s.inside", path);
    const int fd = open(inside, O_CREAT | O_EXCL | O_WRONLY, 0666);
    return fd >= 0 && !close(fd) && !unlink(inside);
}

static int contend_for_a_lock(const char *path)
{
    for (int i = 0; i < 300; i++) {
        Err e;
        Lock lock;
        if (lock_take(&lock, path, &e)) continue;
        if (!is_alone(path)) return 1;
        lock_release(&lock);
    }
    return 0;
}

static int contend_for_a_file(const char *path)
{
    for (int i = 0; i < 300; i++) {
        Err e;
        Replace r;
        if (replace_open(&r, path, &e)) continue;
        fputs("whole", r.stream);
        if (!is_alone(path) || replace_commit(&r, &e)) return 1;
    }
    return 0;
}

TEST_IN_SCRATCH(many_processes_should_never_hold_or_write_it_together)
{
    enum { PROCESSES = 6 };
    int (*const work[])(const char *) = { contend_for_a_lock, contend_for_a_file };
    pid_t child[PROCESSES];
    const char *path = scratch_path(*state, "file");
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < PROCESSES; i++)
            child[i] = start(work[k], path);
        for (int i = 0; i < PROCESSES; i++)
            assert_int_equal(status_of(child[i]), 0);
        assert_int_equal(scratch_files(*state), k);
    }
    assert_content(path, "whole");
}

static void refuses(const char *path, const char *message)
{
    Err e;
    Lock lock;
    assert_int_equal(lock_take(&lock, path, &e), -1);
    assert_null(lock.path);
    if (!strstr(e.text, message)) fail_msg("%s", e.text);
}

TEST_IN_SCRATCH(a_file_of_the_user_should_stay)
{
    const char *path = scratch_puts(*state, "lock", "a\tb\n"), *link = scratch_path(*state, "link");
    refuses(path, "lock: is needed as a lock, but is no empty file; move it away");
    assert_true(exists(path));
    assert_int_equal(symlink("elsewhere", link), 0);
    refuses(link, "link: cannot be written: ");
    refuses(scratch_path(*state, "no/lock"), "no/lock: cannot be written: No such file or "
            "directory");
    assert_int_equal(scratch_files(*state), 2);
}

int main(void) { return run_unit_tests(); }

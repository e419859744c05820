/* test_lock.c - one process at a time, and no file is left, however a process ends. */
#include "base/files/replace.h"

#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

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

static void a_lock_should_keep_other_processes_out_and_name_its_own(void **state)
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

static void a_lock_should_end_with_its_process(void **state)
{
    Lock lock;
    const char *path = scratch_path(*state, "lock");
    assert_true(WIFSIGNALED(status_of(start(take_and_die, path))));
    assert_true(exists(path));
    taken(&lock, path);
    lock_release(&lock);
    assert_int_equal(scratch_files(*state), 0);
}

/* Who holds the lock alone finds no file of another's. */
static int contend(const char *path)
{
    char inside[128];
    snprintf(inside, sizeof inside, "%s.inside", path);
    for (int i = 0; i < 300; i++) {
        Err e;
        Lock lock;
        if (lock_take(&lock, path, &e)) continue;
        int fd = open(inside, O_CREAT | O_EXCL | O_WRONLY, 0666);
        if (fd < 0 || close(fd) || unlink(inside)) return 1;
        lock_release(&lock);
    }
    return 0;
}

static void many_processes_should_never_hold_it_together(void **state)
{
    enum { PROCESSES = 6 };
    pid_t child[PROCESSES];
    const char *path = scratch_path(*state, "lock");
    for (int i = 0; i < PROCESSES; i++)
        child[i] = start(contend, path);
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(status_of(child[i]), 0);
    assert_int_equal(scratch_files(*state), 0);
}

static void refuses(const char *path, const char *message)
{
    Err e;
    Lock lock;
    assert_int_equal(lock_take(&lock, path, &e), -1);
    assert_null(lock.path);
    if (!strstr(e.text, message)) fail_msg("%s", e.text);
}

static void a_file_of_the_user_should_stay(void **state)
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

static void what_is_not_held_should_be_released_without_harm(void **state)
{
    Lock lock = { 0 };
    lock_release(&lock);
    const char *path = scratch_puts(*state, "lock", "a");
    refuses(path, "");
    lock_release(&lock);
    assert_true(exists(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(a_lock_should_keep_other_processes_out_and_name_its_own),
        in_scratch(a_lock_should_end_with_its_process),
        in_scratch(many_processes_should_never_hold_it_together),
        in_scratch(a_file_of_the_user_should_stay),
        in_scratch(what_is_not_held_should_be_released_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

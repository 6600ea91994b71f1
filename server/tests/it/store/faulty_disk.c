/* Preloaded into the program under test: writes and syncs of its database's files fail when told
 * to, as on a disk that is full or errs. The test and this share one small mapped file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum mode { WELL, FULL, ERRS_ONCE, ERRS, SYNC_ERRS, READ_ERRS };
enum call { WRITE, SYNC, READ };

static volatile struct {
  int64_t mode;
  int64_t nth;     /* the call with which it begins, from 1 */
  int64_t counted; /* calls since then */
  int64_t failed;  /* those that did */
} *control;
static const char *files; /* how the paths of its files begin */

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTY_DISK_CONTROL");
  files = getenv("FAULTY_DISK_FILES");
  int fd = path && files ? open(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(fd);
}

static int is_ours(int fd) {
  char link[32], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  size_t wanted = strlen(files);
  return length >= (ssize_t)wanted && memcmp(path, files, wanted) == 0;
}

static int concerns(int64_t mode, enum call call) {
  switch (mode) {
    case FULL: return call == WRITE;
    case SYNC_ERRS: return call == SYNC;
    case READ_ERRS: return call == READ;
    default: return call != READ;
  }
}

/* 0, or the error with which this call fails; whether it is the first that does. */
static int struck(int fd, enum call call, int *first) {
  *first = 0;
  if (!control) return 0;
  int64_t mode = control->mode;
  if (mode == WELL || !concerns(mode, call) || !is_ours(fd)) return 0;
  int64_t count = __sync_add_and_fetch(&control->counted, 1), nth = control->nth;
  if (count < nth || (mode == ERRS_ONCE && count > nth)) return 0;
  __sync_add_and_fetch(&control->failed, 1);
  *first = count == nth;
  return mode == FULL ? ENOSPC : EIO;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* The first write that fails leaves half of its bytes behind. */
#define TORN(half) \
  int first, error = struck(fd, WRITE, &first); \
  if (error) { \
    if (first && count > 1) (void)!(half); \
    errno = error; \
    return -1; \
  }

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  TORN(real(fd, bytes, count / 2))
  return real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  REAL(pwrite);
  TORN(real(fd, bytes, count / 2, at))
  return real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite64);
  TORN(real(fd, bytes, count / 2, at))
  return real(fd, bytes, count, at);
}

#define WHOLE(call) \
  int first, error = struck(fd, call, &first); \
  if (error) { \
    errno = error; \
    return -1; \
  }

ssize_t pread(int fd, void *bytes, size_t count, off_t at) {
  REAL(pread);
  WHOLE(READ)
  return real(fd, bytes, count, at);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  REAL(pread64);
  WHOLE(READ)
  return real(fd, bytes, count, at);
}

ssize_t read(int fd, void *bytes, size_t count) {
  REAL(read);
  WHOLE(READ)
  return real(fd, bytes, count);
}

int fsync(int fd) {
  REAL(fsync);
  WHOLE(SYNC)
  return real(fd);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  WHOLE(SYNC)
  return real(fd);
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  WHOLE(WRITE)
  return real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  WHOLE(WRITE)
  return real(fd, length);
}

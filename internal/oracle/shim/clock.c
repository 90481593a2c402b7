/*
 * A virtual clock for an nginx that knows nothing of it, to be preloaded.
 *
 * The driver hands over three descriptors, whose first number stands in
 * ORACLE_CLOCK: the shared page below, an eventfd on which it asks "are you
 * idle?" and one on which this library answers.  Without ORACLE_CLOCK every
 * call goes to the kernel.
 *
 * The descriptors stay open: a shell script may stand before nginx, and then
 * this library is loaded twice.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct page {
    int64_t   mono;      /*  0 ns, CLOCK_MONOTONIC and its kin */
    int64_t   real;      /*  8 ns, CLOCK_REALTIME and its kin */
    uint64_t  asked;     /* 16 questions so far */
    uint64_t  answered;  /* 24 the last question that was answered */
    int64_t   timer;     /* 32 ms on mono when epoll_wait times out, -1 never */
    uint64_t  accepted;  /* 40 connections accepted so far */
};

static struct page  *page;
static int           ask, answer;


__attribute__((constructor)) static void
attach(void)
{
    int          fd;
    void        *p;
    const char  *s;

    s = getenv("ORACLE_CLOCK");
    if (s == NULL) {
        return;
    }

    fd = atoi(s);
    p = mmap(NULL, sizeof(struct page), PROT_READ|PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        return;
    }

    ask = fd + 1;
    answer = fd + 2;
    page = p;
}


static int64_t
now(int64_t *clock)
{
    return __atomic_load_n(clock, __ATOMIC_SEQ_CST);
}


static int64_t *
virtual(clockid_t id)
{
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        return &page->real;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
        return &page->mono;
    default:
        return NULL;
    }
}


int
clock_gettime(clockid_t id, struct timespec *ts)
{
    int64_t  *clock, ns;

    clock = page ? virtual(id) : NULL;
    if (clock == NULL) {
        return syscall(SYS_clock_gettime, id, ts);
    }

    ns = now(clock);
    ts->tv_sec = ns / 1000000000;
    ts->tv_nsec = ns % 1000000000;
    return 0;
}


int
gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    struct timespec  ts;

    (void) tz;
    clock_gettime(CLOCK_REALTIME, &ts);
    tv->tv_sec = ts.tv_sec;
    tv->tv_usec = ts.tv_nsec / 1000;
    return 0;
}


time_t
time(time_t *t)
{
    struct timespec  ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    if (t) {
        *t = ts.tv_sec;
    }
    return ts.tv_sec;
}


static int
ready(int epfd, struct epoll_event *ev, int max, int timeout)
{
    return syscall(SYS_epoll_pwait, epfd, ev, max, timeout, NULL, _NSIG / 8);
}


/*
 * A client that is connected may still have to wait for the kernel to tell
 * nginx: what counts is that it was accepted.
 */

int
accept4(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
    int  s;

    s = syscall(SYS_accept4, fd, addr, len, flags);
    if (s != -1 && page) {
        __atomic_fetch_add(&page->accepted, 1, __ATOMIC_SEQ_CST);
    }
    return s;
}


/*
 * The timeout is on the virtual clock.  A question is answered when nothing is
 * ready and no timer is due; it is read before the look at epfd, so that what
 * the driver sent before it asked has been handled.
 *
 * The wait itself has no timeout: to move the clock wakes nobody, and what
 * nginx does next does not depend on how fast the machine is.
 */

int
epoll_wait(int epfd, struct epoll_event *ev, int max, int timeout)
{
    int            n;
    int64_t        entered;
    uint64_t       asked, one;
    struct pollfd  fds[2];

    if (page == NULL) {
        return ready(epfd, ev, max, timeout);
    }

    entered = now(&page->mono) / 1000000;
    __atomic_store_n(&page->timer, timeout < 0 ? -1 : entered + timeout,
                     __ATOMIC_SEQ_CST);

    for ( ;; ) {
        asked = __atomic_load_n(&page->asked, __ATOMIC_SEQ_CST);

        n = ready(epfd, ev, max, 0);
        if (n != 0) {
            return n;
        }

        if (timeout >= 0 && now(&page->mono) / 1000000 - entered >= timeout) {
            return 0;
        }

        if (asked != page->answered) {
            one = 1;
            __atomic_store_n(&page->answered, asked, __ATOMIC_SEQ_CST);
            if (write(answer, &one, sizeof(one)) != sizeof(one)) {
                return -1;
            }
        }

        fds[0] = (struct pollfd) { .fd = epfd, .events = POLLIN };
        fds[1] = (struct pollfd) { .fd = ask, .events = POLLIN };

        if (poll(fds, 2, -1) == -1) {
            return -1;
        }

        if (fds[1].revents & POLLIN) {
            while (read(ask, &one, sizeof(one)) == -1 && errno == EINTR) {}
        }
    }
}

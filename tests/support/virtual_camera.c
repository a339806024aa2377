/* Enough of a Raspberry Pi for the real picamera2 to use libcamera's virtual camera.
 *
 * Preloaded into a process, it stands for two things that a machine without a camera lacks, and
 * mends a third:
 *   memory for cameras        /dev/dma_heap/linux,cma gives files in memory; it is forbidden while
 *                             the file $VIRTUAL_CAMERA/forbidden exists
 *   the pace of a sensor      the virtual camera answers each request at once. Here one request is
 *                             passed on each time the milliseconds in $VIRTUAL_CAMERA/period_ms
 *                             are over, none while they are 0, and all are dropped by a stop
 *   zeroed objects of C++     the virtual camera of libcamera 0.4.0 does not write the state of a
 *                             picture; zero is success
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAP "/dev/dma_heap/linux,cma"
#define USUAL_MS 20
#define MOST 64

static const char *control(const char *name, char *path, size_t size)
{
    const char *folder = getenv("VIRTUAL_CAMERA");
    snprintf(path, size, "%s/%s", folder ? folder : "", name);
    return path;
}

/* Memory for cameras */

/* The descriptor of the heap; -2 where the file is another one. */
static int heap(const char *path)
{
    char forbidden[4096];
    if (strcmp(path, HEAP)) return -2;
    if (!access(control("forbidden", forbidden, sizeof forbidden), F_OK)) {
        errno = EACCES;
        return -1;
    }
    return memfd_create("heap", MFD_CLOEXEC);
}

#define OPEN(name)                                                    \
    int name(const char *path, int flags, ...)                        \
    {                                                                 \
        int file = heap(path);                                        \
        if (file != -2) return file;                                  \
        va_list rest;                                                 \
        va_start(rest, flags);                                        \
        mode_t mode = va_arg(rest, mode_t);                           \
        va_end(rest);                                                 \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode);                               \
    }
OPEN(open)
OPEN(open64)

static int allocated(struct dma_heap_allocation_data *asked)
{
    int file = memfd_create("buffer", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)asked->len)) return -1;
    asked->fd = (uint32_t)file;
    return 0;
}

int ioctl(int file, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *data = va_arg(rest, void *);
    va_end(rest);
    if (request == DMA_HEAP_IOCTL_ALLOC) return allocated(data);
    /* Python's library writes the number of DMA_BUF_SET_NAME as one for a pointer. */
    if (request == DMA_BUF_IOCTL_SYNC || request == _IOW(DMA_BUF_BASE, 1, char *)) return 0;
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(file, request, data);
}

/* Zeroed objects of C++: operator new(unsigned long) */
void *_Znwm(size_t size)
{
    void *made = calloc(1, size ? size : 1);
    if (!made) abort();
    return made;
}

/* The pace of a sensor */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct { void *camera, *request; } waiting[MOST];
static int count;

static int is_libcamera(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "/libcamera.so")) return 0;
    *(void **)found = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return 1;
}

/* A function of libcamera, which Python loads where RTLD_NEXT does not look. */
static void *of_libcamera(const char *name)
{
    void *library = NULL;
    dl_iterate_phdr(is_libcamera, &library);
    return library ? dlsym(library, name) : NULL;
}

static int period_ms(void)
{
    char path[4096];
    int period = USUAL_MS;
    FILE *file = fopen(control("period_ms", path, sizeof path), "re");
    if (!file) return period;
    if (fscanf(file, "%d", &period) != 1) period = USUAL_MS;
    fclose(file);
    return period;
}

static void *expose(void *unused)
{
    (void)unused;
    int (*queue)(void *, void *) = of_libcamera("_ZN9libcamera6Camera12queueRequestEPNS_7RequestE");
    for (;;) {
        int period = period_ms();
        usleep((useconds_t)(period ? period : USUAL_MS) * 1000);
        pthread_mutex_lock(&lock);
        if (count && period_ms()) {
            queue(waiting[0].camera, waiting[0].request);
            memmove(waiting, waiting + 1, (size_t)--count * sizeof *waiting);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, expose, NULL);
}

/* libcamera::Camera::queueRequest(libcamera::Request *) */
int _ZN9libcamera6Camera12queueRequestEPNS_7RequestE(void *camera, void *request)
{
    pthread_once(&once, begin);
    pthread_mutex_lock(&lock);
    int is_full = count == MOST;
    if (!is_full) {
        waiting[count].camera = camera;
        waiting[count++].request = request;
    }
    pthread_mutex_unlock(&lock);
    return is_full ? -EBUSY : 0;
}

/* libcamera::Camera::stop() */
int _ZN9libcamera6Camera4stopEv(void *camera)
{
    int (*stop)(void *) = of_libcamera("_ZN9libcamera6Camera4stopEv");
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
    return stop(camera);
}

/* Enough of a Raspberry Pi for the real rpi-ws281x and for our own code to send over SPI.
 *
 * Preloaded into a process, it answers for three files and leaves all others alone. A node that the
 * kernel has and does not permit is refused as the kernel does:
 *   the board's revision      $FAKEPI_REVISION, hexadecimal; the machine's own without it
 *   /dev/gpiomem              memory of no consequence
 *   /dev/spidev0.0            keeps to spidev's contract (drivers/spi/spidev.c): a message over the
 *                             buffer ($FAKEPI_BUFSIZ) fails with EMSGSIZE, and nothing is sent
 *                             before mode, word size and clock were set
 * Each message is appended to the file $FAKEPI_SENT: length and clock as 32 bits, then the bytes.
 * $FAKEPI_WITHOUT names a file that is not there. Memory and mailbox of a chip never are: what
 * needs them is refused, whatever the machine below really is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int spi = -1, gpio = -1;
static uint32_t clock_hz;
static uint8_t mode_set, bits_set;

static size_t buffer_size(void)
{
    const char *text = getenv("FAKEPI_BUFSIZ");
    return text ? strtoul(text, NULL, 0) : 4096;
}

static int absent(const char *path)
{
    const char *name = getenv("FAKEPI_WITHOUT");
    if (!strcmp(path, "/dev/mem") || !strcmp(path, "/dev/vcio") || strstr(path, "mailbox-"))
        return 1;
    return name && !strcmp(path, name);
}

static long sent(const void *bytes, size_t length)
{
    if (!mode_set || !bits_set || !clock_hz) { errno = EINVAL; return -1; }
    if (length > buffer_size()) { errno = EMSGSIZE; return -1; }
    const char *name = getenv("FAKEPI_SENT");
    FILE *file = name ? fopen(name, "ab") : NULL;
    if (file) {
        uint32_t head[2] = { (uint32_t)length, clock_hz };
        fwrite(head, sizeof head, 1, file);
        fwrite(bytes, 1, length, file);
        fclose(file);
    }
    return (long)length;
}

static int open_text(const char *path);

/* The descriptor of a file that we stand for; -2 where the file is none of ours. */
static int ours(const char *path, int (*real)(const char *, int, ...))
{
    int is_spi = !strcmp(path, "/dev/spidev0.0");
    if (absent(path)) { errno = ENOENT; return -1; }
    if (!is_spi && strcmp(path, "/dev/gpiomem")) return open_text(path);
    int file = real(path, O_RDWR);
    if (file < 0 && (errno == EPERM || errno == EACCES)) return -1;
    if (file >= 0) close(file);
    file = memfd_create("fakepi", 0);
    if (is_spi) spi = file; else gpio = file;
    return file;
}

#define OPEN(name)                                                    \
    int name(const char *path, int flags, ...)                        \
    {                                                                 \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        int file = ours(path, real);                                  \
        if (file != -2) return file;                                  \
        va_list rest;                                                 \
        va_start(rest, flags);                                        \
        mode_t mode = va_arg(rest, mode_t);                           \
        va_end(rest);                                                 \
        return real(path, flags, mode);                               \
    }
OPEN(open)
OPEN(open64)

static FILE *revision(const char *path)
{
    const char *text = getenv("FAKEPI_REVISION");
    if (!text) return NULL;
    uint32_t value = strtoul(text, NULL, 16);
    if (!strcmp(path, "/proc/cpuinfo")) {
        FILE *file = tmpfile();
        fprintf(file, "Revision\t: %x\n", value);
        rewind(file);
        return file;
    }
    if (!strcmp(path, "/proc/device-tree/system/linux,revision")) {
        FILE *file = tmpfile();
        uint8_t bytes[4] = { value >> 24, value >> 16, value >> 8, value };
        fwrite(bytes, 1, 4, file);
        rewind(file);
        return file;
    }
    return NULL;
}

static int open_text(const char *path)
{
    FILE *file = revision(path);
    if (!file) return -2;
    fflush(file);
    int copy = dup(fileno(file));
    fclose(file);
    lseek(copy, 0, SEEK_SET);
    return copy;
}

#define FOPEN(name)                                                   \
    FILE *name(const char *path, const char *how)                     \
    {                                                                 \
        FILE *file = revision(path);                                  \
        if (file) return file;                                        \
        FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, #name); \
        return real(path, how);                                       \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define MMAP(name)                                                    \
    void *name(void *at, size_t length, int prot, int flags, int file, off_t offset) \
    {                                                                 \
        void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, #name); \
        if (file >= 0 && file == gpio)                                \
            return real(NULL, length, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); \
        return real(at, length, prot, flags, file, offset);           \
    }
MMAP(mmap)
MMAP(mmap64)

ssize_t write(int file, const void *bytes, size_t length)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    return file >= 0 && file == spi ? sent(bytes, length) : real(file, bytes, length);
}

int close(int file)
{
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "close");
    if (file >= 0 && file == spi) { spi = -1; clock_hz = mode_set = bits_set = 0; }
    if (file >= 0 && file == gpio) gpio = -1;
    return real(file);
}

int ioctl(int file, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *with = va_arg(rest, void *);
    va_end(rest);
    if (file < 0 || file != spi) {
        int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
        return real(file, request, with);
    }
    /* Python's fcntl passes requests as int, so their upper half may be filled with ones. */
    switch ((uint32_t)request) {
    case (uint32_t)SPI_IOC_WR_MODE: mode_set = 1; return 0;
    case (uint32_t)SPI_IOC_RD_MODE: *(uint8_t *)with = 0; return 0;
    case (uint32_t)SPI_IOC_WR_BITS_PER_WORD: bits_set = 1; return 0;
    case (uint32_t)SPI_IOC_RD_BITS_PER_WORD: *(uint8_t *)with = 8; return 0;
    case (uint32_t)SPI_IOC_WR_MAX_SPEED_HZ: clock_hz = *(uint32_t *)with; return 0;
    case (uint32_t)SPI_IOC_RD_MAX_SPEED_HZ: *(uint32_t *)with = clock_hz; return 0;
    case (uint32_t)SPI_IOC_MESSAGE(1): {
        struct spi_ioc_transfer *transfer = with;
        return (int)sent((const void *)(uintptr_t)transfer->tx_buf, transfer->len);
    }
    }
    errno = EINVAL;
    return -1;
}

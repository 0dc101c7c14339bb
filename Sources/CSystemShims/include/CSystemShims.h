// Linux calls that Swift's Glibc module does not show without _GNU_SOURCE.
#ifndef ISOBATH_SYSTEM_SHIMS_H
#define ISOBATH_SYSTEM_SHIMS_H

// A file without a name in a folder (O_TMPFILE), to be linked from /proc/self/fd; -1 and errno where that is not to be had.
int isobath_open_unnamed(const char *folder);

// Renames a file in one step if nothing has the new name yet; EINVAL where the file system cannot promise that.
int isobath_rename_to_new(const char *from, const char *to);

// A file in memory that is closed on exec.
int isobath_open_in_memory(void);

// Takes from this process, and from all it could become, what a decoder never needs: new programs and processes,
// sockets, debugging, other users' rights (a seccomp filter, without new privileges). 0 for success; -1 and errno where
// the system cannot do that.
int isobath_give_up_privileges(void);

// From now on files can be made, changed and removed in these folders and below them alone (Landlock); descriptors that are
// open stay as they are. 0 for success, 1 where the system has no Landlock, -1 and errno for failure.
int isobath_limit_writing(const char *const *folders, int count);

// A pipe whose ends are closed on exec.
int isobath_pipe(int ends[2]);

// Lets threads of this process have less address space, where that can be: smaller stacks, and few of the C library's
// heaps of 64 MB. Without effect under AddressSanitizer, whose allocator has none of them.
void isobath_spare_address_space(void);

// Whether this process runs under AddressSanitizer.
int isobath_is_sanitized(void);

// The most address space (bytes) from now on, and no core files; nothing happens under AddressSanitizer, which reserves
// terabytes.
int isobath_limit_address_space(unsigned long long bytes);

// The processor time (seconds) that this process may take from now on, and the most bytes of a file it writes.
int isobath_limit_processor_time(unsigned long long seconds);
int isobath_limit_file_size(unsigned long long bytes);

// Ends this process as soon as nobody can read any more what is written to a pipe, however that comes.
int isobath_end_without_reader(int pipe);

// The name of a signal, without SIG; NULL for a number that has none.
const char *isobath_signal_name(int number);

#endif

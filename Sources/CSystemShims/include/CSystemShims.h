// Linux calls that Swift's Glibc module does not show without _GNU_SOURCE.
#ifndef ISOBATH_SYSTEM_SHIMS_H
#define ISOBATH_SYSTEM_SHIMS_H

// A file without a name in a folder (O_TMPFILE), to be linked from /proc/self/fd; -1 and errno where that is not to be had.
int isobath_open_unnamed(const char *folder);

// Gives an open file the extended attributes that users and programs gave another (user.*), and its access list: -1 where there is a
// list and it cannot be given, otherwise 0.
int isobath_copy_extended_attributes(const char *path, int descriptor);

// Reserves disk space for this many bytes, while the file stays empty. Does nothing if that is not possible.
void isobath_take_room(int descriptor, long long size);

// Renames a file in one step if nothing has the new name yet; EINVAL where the file system cannot promise that.
int isobath_rename_to_new(const char *from, const char *to);

// A file in memory that is closed on exec.
int isobath_open_in_memory(void);

// Takes from this process what a decoder never needs: new programs and processes, sockets, debugging, signals to others
// (a seccomp filter, without new privileges), and all capabilities. Threads can still be made. 0 for success;
// ISOBATH_NO_FILTER where libseccomp, which is loaded for this, is missing; -1 and errno where the system cannot do that.
enum { ISOBATH_NO_FILTER = 1 };
int isobath_drop_privileges(void);

// From now on files can be made, changed and removed in these folders and below them alone (Landlock); descriptors that are
// open stay as they are. 0 for success, 1 where the system has no Landlock, -1 and errno for failure.
int isobath_restrict_writing(const char *const *folders, int count);

// A pipe whose ends are closed on exec.
int isobath_pipe(int ends[2]);

// Lets threads of this process have less address space, where that can be: smaller stacks, and few of the C library's
// heaps of 64 MB. Without effect under AddressSanitizer, whose allocator has none of them.
void isobath_spare_address_space(void);

// Gives blocks of this many bytes or more back to the system as soon as they are freed, and the free end of the heap once it has four
// times as many. By itself the C library keeps blocks of up to 32 MB for reuse. Getting such a block anew costs a page
// fault for every 4 KB.
void isobath_return_freed_memory(int least);

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

#define ISOBATH_LAUNCH_DESCRIPTORS 6

// A process to start: this program once more.
struct isobath_launch {
    // Its only argument, which is its name (argv[0]).
    const char *name;
    // Its variables, ended by NULL.
    const char *const *environment;
    // What its descriptors 0, 1, … are copies of; -1 for /dev/null. None of these is below ISOBATH_LAUNCH_DESCRIPTORS.
    int descriptors[ISOBATH_LAUNCH_DESCRIPTORS];
};

// Starts a process, from a thread that lasts as long as this process: PR_SET_PDEATHSIG takes effect when the *thread* that
// made a process ends. 0 for success, else an error number.
int isobath_launch(const struct isobath_launch *request, int *process);

// A file in memory that holds these bytes and can never be changed, closed on exec; -1 and errno for failure.
int isobath_sealed_file(const void *bytes, unsigned long count);

// Whether a descriptor is a file that isobath_sealed_file could have made.
int isobath_is_sealed(int file);

// Ends this process by SIGKILL when the process that started it ends. -1 where that is not `parent` (any more).
int isobath_end_with_parent(int parent);

// Closes all descriptors from `first` on.
int isobath_close_others(int first);

// Around each call that fork waits for: a child then finds no lock held by a thread that it does not have. Beginning one waits
// for forks under way, and returns whether this process was forked from one that had made calls: threads of its own are then
// all that it may use, and none of Dispatch.
int isobath_begin_call(void);
void isobath_end_call(void);

#endif

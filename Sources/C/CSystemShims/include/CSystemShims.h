// Linux calls that Swift's Glibc module lacks, because they need _GNU_SOURCE.
#ifndef ISOBATH_SYSTEM_SHIMS_H
#define ISOBATH_SYSTEM_SHIMS_H

// Creates an unnamed file in a folder (O_TMPFILE), which can be linked from /proc/self/fd. -1 and errno if unsupported.
int isobath_open_unnamed(const char *folder, unsigned mode);

// Copies the extended attributes that users and programs set (user.*), and the access list, to an open file. Returns -1
// if an access list exists but cannot be copied, otherwise 0.
int isobath_copy_extended_attributes(const char *path, int descriptor);

// Reserves disk space for this many bytes, while the file stays empty. Does nothing if that is not possible.
void isobath_take_room(int descriptor, long long size);

// Renames a file in one step if nothing has the new name yet; EINVAL if the file system cannot guarantee that.
int isobath_rename_to_new(const char *from, const char *to);

// Exchanges two files or folders in one step; EINVAL if the file system cannot do that.
int isobath_exchange(const char *first, const char *second);

enum { ISOBATH_PATH = 4096 };

// The file that this code was loaded from: libisobath.so, by the path that the dynamic linker used, otherwise the program.
// Returns -1 if it is unknown, as it is for a program without /proc.
int isobath_own_file(char path[ISOBATH_PATH]);

// The last file, by its name, that a shell pattern with braces matches. Returns -1 if no file matches.
int isobath_find_file(const char *pattern, char path[ISOBATH_PATH]);

// Removes a file, or a folder and everything in it. Links are removed, not followed. -1 and errno on failure.
int isobath_remove_tree(const char *path);

// Marks a file or folder that has a hidden name as in use, until its descriptor is closed. `path` is its name; NULL if it
// has none yet. Returns -1 if another process is removing it; 0 also if the file system has no locks.
int isobath_lock_hidden(int descriptor, const char *path);

// Removes all `.isobath-PID-N` in a folder that no process has marked as in use.
void isobath_remove_leftovers(const char *folder);

// While a folder is watched, a signal that ends this process first removes what this process hid there. Returns a number
// for isobath_unwatch_folder; -1 if too many are watched.
int isobath_watch_folder(const char *path);
void isobath_unwatch_folder(int number);

// A process that is killed first, because it writes to watched folders.
void isobath_watch_process(int process);
void isobath_unwatch_process(int process);

// Makes every signal that would end this process call isobath_end_by_signal, which cleans up in watched folders and then
// ends the process by that signal. Signals that are handled or ignored already stay so.
void isobath_clean_up_on_signals(void);
void isobath_end_by_signal(int number);

// A file in memory that is closed on exec.
int isobath_open_in_memory(void);

// Allows to this process only the system calls that a decoder needs (a seccomp filter, without new privileges), and drops
// all capabilities. All other calls fail with ENOSYS: new programs and processes, sockets, debugging, signals to others,
// attributes of files, limits. It can still create threads. Call it before the first thread starts: a filter belongs to a
// thread and those that it starts. Returns 0 on success, ISOBATH_NO_FILTER if libseccomp, which is loaded for this, is
// missing, or -1 and errno if the system does not support it.
enum { ISOBATH_NO_FILTER = 1 };
int isobath_drop_privileges(void);

// Loads libseccomp, for a process that is about to limit its memory. Returns 0, or ISOBATH_NO_FILTER.
int isobath_load_filter(void);

// Whether the system can do what isobath_restrict_writing does.
int isobath_can_restrict_writing(void);

// From now on this process can create, change and remove files only in these folders and below them (Landlock), and folders
// only if makes_folders is not 0. Where the system supports it, it also cannot use TCP, connect to abstract sockets, send
// signals to other processes, or control devices. Open descriptors keep their rights. Returns 0 on success, 1 if the system
// has no Landlock, or -1 and errno on failure.
int isobath_restrict_writing(const char *const *folders, int count, int makes_folders);

// A pipe whose ends are closed on exec.
int isobath_pipe(int ends[2]);

// Reduces the address space of threads, if possible: smaller stacks, and fewer of the C library's heaps of 64 MB. Does
// nothing under AddressSanitizer, whose allocator has no such heaps.
void isobath_spare_address_space(void);

// Returns blocks of at least this many bytes to the system as soon as they are freed, and the free end of the heap once
// it has four times as many. By default the C library keeps blocks of up to 32 MB for reuse. Allocating such a block
// again costs a page fault for every 4 KB.
void isobath_return_freed_memory(int least);

// Whether this process runs under AddressSanitizer.
int isobath_is_sanitized(void);

// Limits the address space (bytes) from now on, and disables core files. The process cannot raise any of these limits
// again. Does nothing under AddressSanitizer, which reserves terabytes.
int isobath_limit_address_space(unsigned long long bytes);

// Limits the processor time (seconds) of this process, from its start, and the size (bytes) of each file that it writes.
int isobath_limit_processor_time(unsigned long long seconds);
int isobath_limit_file_size(unsigned long long bytes);

// The processor time (seconds) that a process has used.
double isobath_processor_time(int process);

// Ends this process as soon as a pipe has no reader any more, for any reason.
int isobath_end_without_reader(int pipe);

// The name of a signal, without SIG; NULL for an unknown number.
const char *isobath_signal_name(int number);

#define ISOBATH_LAUNCH_DESCRIPTORS 6

// A process to start.
struct isobath_launch {
    // The path of its program.
    const char *program;
    // Its arguments, of which the first is its name (argv[0]), and its environment variables, both ended by NULL.
    const char *const *arguments;
    const char *const *environment;
    // The descriptors that become its descriptors 0, 1, …; -1 for /dev/null. Each must be at least
    // ISOBATH_LAUNCH_DESCRIPTORS.
    int descriptors[ISOBATH_LAUNCH_DESCRIPTORS];
};

// Starts a process, from a thread that lasts as long as this process: PR_SET_PDEATHSIG takes effect when the *thread*
// that created a process ends. Returns 0, or an error number.
int isobath_launch(const struct isobath_launch *request, int *process);

// Creates a file in memory with these bytes, which can never be changed and is closed on exec. -1 and errno on failure.
int isobath_sealed_file(const void *bytes, unsigned long count);

// Whether a descriptor is a file that isobath_sealed_file could have made.
int isobath_is_sealed(int file);

// Ends this process by SIGKILL when the process that started it ends. Returns -1 if that process is not `parent` (any
// more).
int isobath_end_with_parent(int parent);

// Closes all descriptors from `first` on.
int isobath_close_others(int first);

// Enclose each call that fork must wait for, so that a child inherits no lock held by a thread that exists only in the
// parent. isobath_begin_call waits for forks under way, and returns whether this process was forked from one that had
// made calls: it may then only use threads that it creates itself, not Dispatch.
int isobath_begin_call(void);
void isobath_end_call(void);

#endif

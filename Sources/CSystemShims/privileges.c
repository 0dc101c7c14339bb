#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitizer.h"

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(code) BPF_STMT(BPF_RET | BPF_K, code)
// On x86-64, the numbers of the x32 interface: the same calls once more.
#define X32_CALLS 0x40000000
#define REFUSE(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ANSWER(SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA))

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    // The bounding set first, which takes a capability to change. Users without any have nothing to drop.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return -1;
    return (int)syscall(SYS_capset, &header, none);
}

int isobath_give_up_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_capabilities() != 0) return -1;
#ifdef THIS_ARCHITECTURE
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#if defined(__x86_64__)
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
        // Programs and processes. Threads are made by clone3, whose flags a filter cannot see: it is said to be
        // missing, and the C library takes clone, whose flags are seen.
        REFUSE(__NR_execve),
        REFUSE(__NR_execveat),
#ifdef __NR_fork
        REFUSE(__NR_fork),
        REFUSE(__NR_vfork),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | (ENOSYS & SECCOMP_RET_DATA)),
        // The network, and sockets of any kind.
        REFUSE(__NR_socket),
        REFUSE(__NR_socketpair),
        REFUSE(__NR_connect),
        REFUSE(__NR_bind),
        REFUSE(__NR_sendto),
        REFUSE(__NR_sendmsg),
        REFUSE(__NR_sendmmsg),
        // Other processes.
#if !IS_SANITIZED
        REFUSE(__NR_ptrace),
#endif
        REFUSE(__NR_process_vm_readv),
        REFUSE(__NR_process_vm_writev),
        REFUSE(__NR_pidfd_open),
        REFUSE(__NR_pidfd_send_signal),
#ifdef __NR_pidfd_getfd
        REFUSE(__NR_pidfd_getfd),
#endif
        REFUSE(__NR_kill),
        REFUSE(__NR_tkill),
        REFUSE(__NR_rt_sigqueueinfo),
        REFUSE(__NR_rt_tgsigqueueinfo),
        // The system.
        REFUSE(__NR_mount),
        REFUSE(__NR_umount2),
        REFUSE(__NR_chroot),
        REFUSE(__NR_unshare),
        REFUSE(__NR_setns),
        REFUSE(__NR_setuid),
        REFUSE(__NR_setgid),
        REFUSE(__NR_setresuid),
        REFUSE(__NR_setresgid),
        REFUSE(__NR_bpf),
        REFUSE(__NR_perf_event_open),
        REFUSE(__NR_userfaultfd),
        REFUSE(__NR_keyctl),
        REFUSE(__NR_io_uring_setup),
        REFUSE(__NR_open_by_handle_at),
        REFUSE(__NR_init_module),
        REFUSE(__NR_finit_module),
        REFUSE(__NR_kexec_load),
        REFUSE(__NR_capset),
        // Typing into the terminal that standard output may be.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 5),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
        ANSWER(SECCOMP_RET_ALLOW),
        // Signals to this process only, which `abort` sends.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
        ANSWER(SECCOMP_RET_ALLOW),
#if !IS_SANITIZED
        // Only threads of this process. The search for leaks is a process that looks into this one.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
#endif
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
    return 0;
#endif
}

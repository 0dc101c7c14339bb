#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Rights and scopes of later versions of Landlock. Older headers do not define them.
#define ACCESS_REFER (1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEVICE (1ULL << 15)
#define NETWORK_BIND_AND_CONNECT 3
#define SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS 3

#define TO_MAKE_FILES                                                                                        \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |          \
     ACCESS_REFER | ACCESS_TRUNCATE)
#define TO_MAKE_FOLDERS (LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_DIR)
#define TO_MAKE_OTHERS                                                                                       \
    (TO_MAKE_FOLDERS | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |                         \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

// What is refused unless a rule allows it. The kernel accepts a structure that is longer than its own if the rest is 0.
struct refused {
    uint64_t files, network, scopes;
};

static int allow(int rules, const char *folder, unsigned long long rights) {
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    rule.parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    // Ignore missing folders: nothing can be written there.
    if (rule.parent_fd < 0) return 0;
    long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return (int)result;
}

// The first version forbids linking a file into another folder, even between allowed folders.
static long version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 2 ? 0 : version;
}

int isobath_can_restrict_writing(void) { return version() > 0; }

int isobath_restrict_writing(const char *const *folders, int count, int makes_folders) {
    long known_version = version();
    if (known_version == 0) return 1;
    unsigned long long known = known_version < 3 ? ~ACCESS_TRUNCATE : ~0ULL;
    struct refused refused = {
        .files = ((TO_MAKE_FILES | TO_MAKE_OTHERS) & known) | (known_version < 5 ? 0 : ACCESS_IOCTL_DEVICE),
        .network = known_version < 4 ? 0 : NETWORK_BIND_AND_CONNECT,
        .scopes = known_version < 6 ? 0 : SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS,
    };
    int rules = (int)syscall(SYS_landlock_create_ruleset, &refused, sizeof refused, 0);
    if (rules < 0) return -1;
    int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int index = 0; result == 0 && index < count; index++)
        result = allow(rules, folders[index], (TO_MAKE_FILES | (makes_folders ? TO_MAKE_FOLDERS : 0)) & known);
    if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    int code = errno;
    close(rules);
    errno = code;
    return result;
}

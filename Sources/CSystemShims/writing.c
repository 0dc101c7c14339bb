#define _GNU_SOURCE
#include "CSystemShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Rights that the second and the third version of Landlock added. Older headers do not define them.
#define ACCESS_REFER (1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)

#define TO_MAKE_FILES                                                                                        \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |          \
     ACCESS_REFER | ACCESS_TRUNCATE)
#define TO_MAKE_FOLDERS (LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_DIR)
#define TO_MAKE_OTHERS                                                                                       \
    (TO_MAKE_FOLDERS | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |                         \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static int allow(int rules, const char *folder, unsigned long long rights) {
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    rule.parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    // Ignore missing folders: nothing can be written there.
    if (rule.parent_fd < 0) return 0;
    long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return (int)result;
}

int isobath_restrict_writing(const char *const *folders, int count, int makes_folders) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    // The first version forbids linking a file into another folder, even between allowed folders.
    if (version < 2) return 1;
    unsigned long long known = version < 3 ? ~ACCESS_TRUNCATE : ~0ULL;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = (TO_MAKE_FILES | TO_MAKE_OTHERS) & known};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
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

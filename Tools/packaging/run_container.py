#!/usr/bin/env python3
"""Runs the program of an unpacked image as an engine for containers does, but without separate namespaces. Needs root.

    run_container.py BUNDLE ARGUMENT…

BUNDLE is what `umoci unpack` wrote. The arguments are a command line with `docker run`: options, the image, and
arguments of its program. Volumes must be mounted already.
"""

import argparse
import json
import os
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle")
    parser.add_argument("engine")
    parser.add_argument("verb", choices=["run"])
    parser.add_argument("--user")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--volume")
    for name in ("--cap-drop", "--network", "--userns"):
        parser.add_argument(name)
    for name in ("--rm", "--interactive", "--read-only"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("image", choices=["isobath"])
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with open(f"{options.bundle}/config.json") as file:
        process = json.load(file)["process"]
    user, group = process["user"]["uid"], process["user"]["gid"]
    if options.user:
        user, group = map(int, options.user.split(":"))
    # The entry point comes first; arguments replace the command of the image.
    arguments = process["args"][:1] + options.arguments
    variables = dict(pair.split("=", 1) for pair in process["env"] + options.env)
    os.chroot(f"{options.bundle}/rootfs")
    os.chdir(process["cwd"])
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    sys.stdout.flush()
    os.execve(arguments[0], arguments, variables)


main()

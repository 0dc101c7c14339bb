import Glibc

// Runs the code of the article "Ten examples" in a folder with `portrait.heic`, and `room`, a recording.
guard CommandLine.arguments.count == 2, chdir(CommandLine.arguments[1]) == 0 else {
    print("usage: Samples FOLDER")
    exit(64)
}
try measure()
try cutOut()
try refocus()
try insert()
try makeCloud()
try makeMesh()
try embed()
try readFrames()
try fuse()
try writeMovie()

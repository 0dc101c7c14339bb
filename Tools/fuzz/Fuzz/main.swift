import CFuzzer
import Glibc

// Fuzz TARGET [libFuzzer's arguments]     fuzzes one target
// Fuzz --targets                          lists them
// Fuzz --rasters FOLDER PHOTO             writes the depth of a photo in every raster format
// Fuzz --seeds FOLDER FILE…               cuts seeds for every target out of pictures
//
// Tools/fuzz/run calls it with what it needs.

func stop(_ message: String) -> Never {
    perror("Fuzz: \(message)")
    exit(2)
}

var arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--targets"?:
    for target in Target.all { print(target.name) }
case "--seeds"? where arguments.count > 2:
    try writeSeeds(from: Array(arguments.dropFirst(2)), to: arguments[1])
case "--rasters"? where arguments.count == 3:
    try writeRasters(of: arguments[2], to: arguments[1])
case let name?:
    guard let target = Target.all.first(where: { $0.name == name }) else {
        stop("there is no target '\(name)'")
    }
    Target.running = target
    // libFuzzer takes the first argument for the program's name.
    var count = CommandLine.argc - 1
    var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    exit(
        LLVMFuzzerRunDriver(&count, &start) { bytes, count in
            Target.running?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        })
case nil:
    stop("no target; --targets lists them")
}

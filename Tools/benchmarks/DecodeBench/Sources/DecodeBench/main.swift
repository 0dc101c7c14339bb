import Foundation
import Isobath

/// Prints the median milliseconds from a photo's file to its pixels: `DecodeBench FILE COUNT`.

func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("DecodeBench: \(message)\n".utf8))
    exit(1)
}

/// The file is opened anew each time: nothing an earlier pass left behind helps the next.
func decode(_ path: String) throws -> Duration {
    try ContinuousClock().measure {
        let photo = try DepthPhoto(contentsOf: path)
        _ = try photo.image()
    }
}

func median(_ times: [Duration]) -> Duration {
    let sorted = times.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
    stop("usage: DecodeBench FILE COUNT")
}
do {
    let times = try (0..<count).map { _ in try decode(arguments[1]) }
    print(median(times) / .milliseconds(1))
} catch {
    stop("\(error)")
}

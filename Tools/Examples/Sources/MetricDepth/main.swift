import Glibc
import Isobath

// Prints the size of a photo's depth, how far to trust it, and the distance in the middle.
guard CommandLine.arguments.count == 2 else {
    print("usage: MetricDepth PHOTO")
    exit(64)
}
let scene = try DepthScene(contentsOf: CommandLine.arguments[1])
let depth = try scene.depth()  // upright, nan where unknown
try depth.scale.requireMeters()  // throws where values have no unit
let middle = depth.meters[depth.height / 2 * depth.width + depth.width / 2]
print("\(depth.width) × \(depth.height) samples, \(depth.scale): \(middle) m in the middle")

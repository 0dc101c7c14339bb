import Glibc
import Isobath

// Blurs a frame of a recording and writes it as a mesh, then fuses all frames into one cloud.
guard CommandLine.arguments.count == 3 else {
    print("usage: Room RECORDING FOLDER")
    exit(64)
}
let folder = CommandLine.arguments[2]
let recording = try Recording(contentsOf: CommandLine.arguments[1])
let frame = try recording.scene(at: recording.frameCount / 2)  // decodes nothing yet
try frame.blurred().write(to: "\(folder)/blurred.jpg")
var surface = CloudExport()
surface.isMesh = true
try frame.cloud(surface).write(to: "\(folder)/frame.glb")
let fused = try recording.fused(voxel: 0.01)
try fused.write(to: "\(folder)/room.ply")
print("\(fused.frameCount) frames, \(fused.pointCount) points")

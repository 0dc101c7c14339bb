import Foundation

/// Renders the scene and writes every file of TestImages/ that is a picture: `TestImageMaker FOLDER`, or
/// `TestImageMaker FOLDER 5.625` for pictures about so many times smaller.
@main
struct TestImageMaker {
    static func main() throws {
        guard (2...3).contains(CommandLine.arguments.count) else {
            throw MakerError("usage: TestImageMaker FOLDER [REDUCTION]")
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        let photo = Render.photo()
        for (name, posture) in [("portrait", Posture.level), ("portrait-rotated", .turned)] {
            let common = [try Plane.disparity(posture), try .portraitMatte(posture)]
            let others = Plane.semanticMattes(posture) + [Plane.gainMap(posture)]
            let heic = try AppleHEIC.file(photo: photo, planes: common + others, posture: posture)
            try write(heic, to: folder, "\(name).heic")
            try write(
                AppleJPEG.file(photo: photo, planes: common, posture: posture), to: folder, "\(name).jpg")
        }
        for (name, planes) in [("absolute-depth", [try Plane.distance(.level)]), ("plain", [])] {
            try write(
                AppleHEIC.file(photo: photo, planes: planes, posture: .level), to: folder, "\(name).heic")
            try write(
                AppleJPEG.file(photo: photo, planes: planes, posture: .level), to: folder, "\(name).jpg")
        }
        let left = StereoScene.halved(photo)
        let right = StereoScene.halved(StereoScene.right(of: photo))
        for file in try VendorFiles(photo: left).all() + StereoFiles(left: left, right: right).all() {
            try write(file.bytes, to: folder, file.name)
        }
        for (name, bytes) in try GoogleJPEG.files(photo: photo) { try write(bytes, to: folder, name) }
        try write(DepthAVIF.file(left), to: folder, "depth.avif")
        try write(LosslessHEIC.file(left), to: folder, "lossless-jpeg-depth.heic")
        try write(DepthDNG.file(left), to: folder, "depth.dng")
        try write(DepthJXL.file(left), to: folder, "depth.jxl")
        for file in try DepthPairs.files(left) { try write(file.bytes, to: folder, file.name) }
    }

    private static func write(_ bytes: [UInt8], to folder: URL, _ name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
        print("\(name): \(bytes.count) bytes")
    }
}

import Bytes
import DepthMaps
import DepthTypes
import Geometry
import PhotoFormats

@testable import Codecs
@testable import Scenes

extension Target {
    /// Lossless JPEG (SOF3), decoded.
    static let losslessJPEG = Target(name: "lossless") { bytes in
        do throws(ContainerError) {
            let image = try LosslessJPEG(parsing: bytes, at: 0, limits: limits)
            let samples = try image.decode()
            promise(
                samples.count == image.width * image.height * image.components,
                "an image has the samples that were announced")
        } catch {
            examine(error)
        }
    } seeds: { file in
        file.losslessStreams
    }

    /// A photo as the tool uses it: structure, every plane, the picture, the views, a cloud.
    static let photo = Target(name: "photo", run: readAll) { file in
        file.isNamed(".jpg", ".jps", ".mpo", ".heic", ".avif", ".dng", ".jxl") ? [file.bytes] : []
    }

    /// A raster as the tool uses it.
    static let raster = Target(name: "raster", run: readAll) { file in
        file.isNamed(".png", ".tiff", ".exr", ".pfm", ".npy", ".npz", ".pgm", ".ppm")
            ? [file.bytes] : []
    }
}

private let limits = {
    var limits = DecodingLimits()
    limits[.pixels] = 1 << 16
    return limits
}()

@Sendable private func readAll(_ bytes: [UInt8]) {
    let source = MemorySource(bytes)
    attempt {
        let input = try DepthScene(storedIn: source, named: "photo.jps", limits: limits)
        examine(input.record(path: "photo"))
        if let photo = input.source as? DepthPhoto { decode(photo, byteCount: bytes.count) }
        export(input)
        cloud(input)
    }
    attempt {
        let picture = try openPicture(source, limits: limits)
        let size = picture.describe().colorSize
        let image = try picture.image()
        promise(
            PixelSize(width: image.width, height: image.height) == size, "a picture has the size it announced"
        )
        _ = try picture.translucentImage()
    }
}

private func decode(_ photo: DepthPhoto, byteCount: Int) {
    examine(photo, byteCount: byteCount)
    for plane in photo.planes {
        attempt {
            let codes = try photo.codes(of: plane, frame: .stored)
            promise(
                codes.width == plane.width && codes.height == plane.height,
                "a plane has the size it announced")
        }
        attempt { _ = try photo.color(of: plane) }
        if plane.kind.isDepth { attempt { _ = try DepthScene(photo).plane(plane.id).depthMap() } }
    }
    attempt { _ = try DepthScene(photo).disparity() }
    attempt { _ = try photo.opaqueImage(atLeast: PixelSize(width: 8, height: 8)) }
    guard let pair = photo.description.stereo else { return }
    for view in [pair.left, pair.right] { attempt { _ = try photo.image(of: view) } }
}

/// Every plane as it is written, in the forms that treat values most.
private func export(_ input: DepthScene) {
    for plane in input.description.storedPlanes {
        for style in PlaneExport.PNGStyle.allCases {
            attempt {
                let exported = try input.export(plane, as: PlaneExport(format: .png, pngStyle: style))
                examine(.text("\(exported.diagnostics)"))
            }
        }
        attempt { _ = try input.export(plane, as: PlaneExport(format: .tiff, quantity: .depth)) }
    }
}

private func cloud(_ input: DepthScene) {
    attempt {
        let cloud = try input.cloud()
        promise(cloud.points().header.pointCount > 0, "a cloud has points")
        examine(.text("\(cloud.diagnostics)"))
    }
}

/// Does what may fail; what it fails with is looked at.
private func attempt(_ work: () throws -> Void) {
    do {
        try work()
    } catch {
        examine(error)
    }
}

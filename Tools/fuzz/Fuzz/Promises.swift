import Bytes
import Embedded

@testable import PhotoFormats
@testable import Scenes

/// Stops the run: what follows `rule` was seen broken.
func broken(_ rule: String) -> Never { fatalError("broken: " + rule) }

func promise(_ condition: Bool, _ rule: @autoclosure () -> String) {
    if !condition { broken(rule()) }
}

/// Reads what was found in a photo without decoding any of it, as `info` does, and looks at all of it.
func examine(_ photo: DepthPhoto, byteCount: Int) {
    let description = photo.description
    promise(
        description.readError != nil || description.width > 0 && description.height > 0, "a photo has pixels")
    examine(photo.container, byteCount: byteCount)
    examine(DepthScene(photo).record(path: "photo"))
    for diagnostic in photo.diagnostics { examine(.text("\(diagnostic)")) }
    let (metadata, _) = photo.metadata()
    if let block = try? photo.container.photoExif() {
        promise([0, block.bytes.count].contains(metadata.exif.count), "Exif is carried at its size")
    }
    if let packet = try? photo.container.photoXMPPacket(), !metadata.xmp.isEmpty,
        (try? XMPProperties(parsing: packet.bytes, limits: photo.limits, at: 0, in: StructurePath())) != nil
    {
        promise(
            (try? XMPProperties(parsing: metadata.xmp, limits: photo.limits, at: 0, in: StructurePath()))
                != nil,
            "XMP is carried as XML")
    }
    _ = try? photo.xmp()
}

/// Asks a container for the coded bytes of everything that it found.
func examine(_ container: any PhotoContainer, byteCount: Int) {
    for plane in container.planes { examine(plane, in: container, byteCount: byteCount) }
    for trailer in container.trailers {
        promise(isInside(trailer.range, byteCount), "a trailer is inside the file")
    }
    for range in container.photo.colorProfile {
        promise(isInside(range, byteCount), "a color profile is inside the file")
    }
    if container.photo.readError == nil {
        examine(container.photo.location, in: container, byteCount: byteCount)
    }
    if let pair = container.photo.stereo {
        for view in [pair.left, pair.right] where view.readError == nil {
            examine(view.location, in: container, byteCount: byteCount)
        }
    }
}

private func examine(_ plane: AuxiliaryPlane, in container: any PhotoContainer, byteCount: Int) {
    if plane.readError == nil {
        promise(plane.width > 0 && plane.height > 0, "a plane has samples")
        promise(
            plane.codedWidth >= plane.width && plane.codedHeight >= plane.height, "a crop is inside its plane"
        )
        if let crop = plane.crop {
            promise(
                crop.left >= 0 && crop.top >= 0 && crop.left + crop.width <= plane.codedWidth
                    && crop.top + crop.height <= plane.codedHeight, "a crop is inside its plane")
        }
    }
    _ = plane.calibration?.oriented(by: plane.orientation)
    if plane.readError == nil { examine(plane.location, in: container, byteCount: byteCount) }
}

private func examine(_ location: ImageLocation, in container: any PhotoContainer, byteCount: Int) {
    guard let image = try? container.codedImage(at: location) else { return }
    for extent in extents(of: image) {
        promise(isInside(extent, byteCount), "coded bytes are inside the file")
    }
}

private func extents(of image: CodedImage) -> [Range<Int>] {
    switch image {
    case .jpeg(.extents(let extents)), .png(.extents(let extents)): extents
    case .jpeg(.decoded), .png(.decoded), .jpegXL: []
    case .raw(let samples): [samples.range]
    case .segments(let image): image.segments
    case .picture(let picture): picture.extents
    case .grid(let grid): grid.tiles.flatMap(\.extents)
    case .overlay(let overlay): overlay.layers.flatMap { extents(of: $0.image) }
    }
}

/// A record is ASCII on one line, and JSON by our own reader; a long one costs too much time to read.
func examine(_ record: JSONValue) {
    var line: [UInt8] = []
    record.append(to: &line)
    promise(line.allSatisfy { (0x20..<0x7F).contains($0) }, "a record is printable ASCII")
    guard line.count < 4096 else { return }
    promise((try? JSONValue(parsing: line, limits: DecodingLimits())) != nil, "a record is JSON")
}

private func isInside(_ range: Range<Int>, _ byteCount: Int) -> Bool {
    range.lowerBound >= 0 && range.upperBound <= byteCount
}

/// Words of an error, which must not be trouble themselves.
func examine(_ error: any Error) {
    examine(.text("\(error)"))
    if let error = error as? ContainerError {
        promise((error.offset ?? 0) >= 0, "an error is at a place: \(error)")
    }
}

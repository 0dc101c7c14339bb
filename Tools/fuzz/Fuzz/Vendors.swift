import Bytes
import DepthTypes

@testable import Codecs
@testable import PhotoFormats

extension Target {
    /// What phone vendors put behind a photo: the bytes follow a minimal photo, and one vendor's reader looks at them.
    static let vendors: [Target] = [
        vendor("samsung", SamsungTrailer.self, "samsung-dualshot.jpg", "samsung-singleshot.jpg"),
        vendor("leia", LeiaTrailer.self, "leia-lif.jpg"),
        vendor("oppo", OppoTrailer.self, "oppo.jpg"),
        vendor("huawei", HuaweiDepth.self, "huawei-edof.jpg"),
        vendor("xiaomi", XiaomiDepth.self, "xiaomi-pmpd.jpg"),
        vendor("vivo", VivoDepth.self, "vivo.jpg"),
    ]

    private static func vendor(
        _ name: String, _ reader: any VendorReader.Type, _ files: String...
    ) -> Target {
        Target(name: name) { bytes in
            read(bytes, by: reader)
        } seeds: { file in
            files.contains(file.name) ? [file.behindPhoto].compactMap(\.self) : []
        }
    }
}

private let photo = minimalJPEG([])

private let limits = {
    var limits = DecodingLimits()
    limits[.pixels] = 1 << 16
    return limits
}()

private let described = try? JPEGContainer(MemorySource(photo), start: photo, limits: limits)

private func read(_ bytes: [UInt8], by reader: any VendorReader.Type) {
    guard let described else { broken("a minimal JPEG is a photo") }
    var container = described
    let source = MemorySource(photo + bytes)
    var file = JPEGFile(source: source, limits: limits, header: described.header)
    do throws(ContainerError) {
        let photo = DescribedPhoto(photo: described.photo, planes: described.planes)
        let found = try reader.discover(in: &file, photo)
        container.merge(found)
        if let known = found.trailerRange {
            promise(known.upperBound <= source.byteCount, "a trailer is inside the file")
        }
        container.merge(try UnknownTrailer.discover(in: &file, behind: found.trailerRange))
    } catch {
        examine(error)
    }
    for diagnostic in container.diagnostics { examine(.text("\(diagnostic)")) }
    examine(container, byteCount: source.byteCount)
    for plane in container.planes where plane.readError == nil {
        guard case .rawSamples(let samples) = plane.location else { continue }
        let codes = try? ImageDecoder(source, limits: limits).codes(
            of: .raw(samples), width: plane.codedWidth, height: plane.codedHeight)
        guard let codes else { continue }
        promise(
            codes.width == plane.codedWidth && codes.height == plane.codedHeight,
            "a plane has the size that was announced")
    }
}

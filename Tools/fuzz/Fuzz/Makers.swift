import ByteParsing
import DepthModel

@testable import ImageCodecs
@testable import ImageContainers

extension Target {
    /// What phone makers put behind a photo: the bytes follow a photo of no consequence, and one maker looks at it.
    static let makers: [Target] = [
        maker("samsung", SamsungTrailer.self, "samsung-dualshot.jpg", "samsung-singleshot.jpg"),
        maker("leia", LeiaTrailer.self, "leia-lif.jpg"),
        maker("oppo", OppoTrailer.self, "oppo.jpg"),
        maker("huawei", HuaweiDepth.self, "huawei-edof.jpg"),
        maker("xiaomi", XiaomiDepth.self, "xiaomi-pmpd.jpg"),
        maker("vivo", VivoDepth.self, "vivo.jpg"),
    ]

    private static func maker(
        _ name: String, _ maker: any JPEGPlaneSource.Type, _ files: String...
    ) -> Target {
        Target(name: name) { bytes in
            look(maker, at: bytes)
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

private func look(_ maker: any JPEGPlaneSource.Type, at bytes: [UInt8]) {
    guard let described else { broken("a minimal JPEG is a photo") }
    var container = described
    let source = MemorySource(photo + bytes)
    var file = JPEGFile(source: source, limits: limits, header: described.header)
    do throws(ContainerError) {
        try maker.look(&file, &container)
        try UnknownTrailer.look(&file, &container)
    } catch {
        examine(error)
    }
    if let known = file.knownTrailer {
        promise(known.upperBound <= source.byteCount, "a trailer is inside the file")
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

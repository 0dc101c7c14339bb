internal import Bytes
internal import DepthTypes

/// The depth plane in wide-aperture photos of Huawei and Honor: `edof`, after the photo and its original.
///
/// From `TestImages/huawei-edof.jpg`; numbers are little-endian:
///
/// ```
/// 6564 6f66 0000 0000 01   "edof", version
/// 0000 13                  at 11, low two bits: three quarter turns anticlockwise bring the plane upright
/// …
/// 9000 c000                at 20: 144 × 192
/// …
/// ff ff ff …               at 72: the samples, dark is near
/// ```
///
/// Known only from one family of public scripts (jpbarraca/dual-camera-edof and its forks), so experimental. The offset of
/// the block is not recorded: it is searched for from the end, if ``JPEGFile/isWorthSearching(for:_:)`` allows it.
enum HuaweiDepth: VendorReader {
    private static let mark: [UInt8] = [0x65, 0x64, 0x6F, 0x66, 0, 0, 0, 0, 1]

    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        let photo = photo.photo
        var discovery = VendorDiscovery()
        guard try file.isWorthSearching(for: ["huawei", "honor"], photo) else { return discovery }
        let (bytes, start) = try file.searchableTail()
        var offset = bytes.count
        var refused: ContainerError?
        while let found = bytes.lastIndex(of: mark, before: offset - 1) {
            offset = found
            guard bytes.count - found >= 72 else { continue }
            let width = Int(bytes[found + 20]) | Int(bytes[found + 21]) << 8
            let height = Int(bytes[found + 22]) | Int(bytes[found + 23]) << 8
            guard width > 0, height > 0, width * height <= bytes.count - found - 72 else {
                refused =
                    refused
                    ?? ContainerError(
                        .malformed(rule: "a depth plane of \(width) × \(height) does not fit the file"),
                        at: start + found, in: StructurePath("edof"))
                continue
            }
            let samples = RawSamples(
                range: start + found + 72..<start + found + 72 + width * height, width: width, height: height)
            discovery.planes = [
                try plane(samples, turns: Int(bytes[found + 11] & 3), of: photo, file.limits)
            ]
            discovery.trailerRange = start + found..<samples.range.upperBound
            if let original = original(before: found, bytes, start, of: photo, file) {
                discovery.planes.append(original)
            }
            return discovery
        }
        if let refused { throw refused }
        return discovery
    }

    private static func plane(
        _ samples: RawSamples, turns: Int, of photo: PhotoDescription, _ limits: DecodingLimits
    ) throws(ContainerError) -> AuxiliaryPlane {
        _ = try limits.pixelCount(
            width: samples.width, height: samples.height, at: samples.range.lowerBound,
            in: StructurePath("edof"))
        var samples = samples
        // The field alone would bring the plane upright. Planes are turned together with the photo, so the photo's turn is
        // subtracted.
        samples.orientation = Orientation(quarterTurnsAnticlockwise: turns)
            .followed(by: photo.orientation.inverse)
        var plane = AuxiliaryPlane(raw: samples, of: photo, carrier: .huawei, type: "edof")
        plane.isExperimental = true
        return plane
    }

    /// The photo before its background was blurred: a JPEG that starts directly after another one.
    private static func original(
        before end: Int, _ bytes: [UInt8], _ start: Int, of photo: PhotoDescription, _ file: JPEGFile
    ) -> AuxiliaryPlane? {
        guard let offset = bytes.firstIndex(of: [0xFF, 0xD9, 0xFF, 0xD8, 0xFF], before: end) else {
            return nil
        }
        return try? AuxiliaryPlane(
            jpeg: start + offset + 2..<start + end, kind: .original, of: photo, carrier: .huawei,
            type: "jpeg", in: file.source, limits: file.limits)
    }
}

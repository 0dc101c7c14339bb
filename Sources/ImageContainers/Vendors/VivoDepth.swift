internal import ByteParsing
internal import DepthModel

/// The depth plane behind older photos of vivo and nubia, and of OPPO, which took vivo's layout. Little-endian.
///
/// From `TestImages/vivo.jpg`, behind the photo's last byte:
///
/// ```
/// ffd9                               end of the image
/// c000 0000 9000 0000 c000 0000 …    192, 144, one of the two again
/// ff ff ff …                         at 36 (nubia: 16): the samples, dark is near
/// ```
///
/// Known from one public script, so experimental. Its form of four bytes a sample (the third number being their size)
/// is recognized and not read.
enum VivoDepth: JPEGPlaneSource {
    private static let path = StructurePath("vivo")

    static func look(_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError) {
        guard try file.isWorthSearching(for: ["vivo", "nubia", "oppo"], photo.photo) else { return }
        let (bytes, start) = try file.searchableTail()
        let isNubia = photo.photo.make?.lowercased().contains("nubia") == true
        var place = 0
        while let end = bytes[place...].firstEndOfImage {
            place = end
            guard bytes.count - end >= 36 else { return }
            // Damaged photos may have millions of such places: the rest is read only where a size may stand.
            func number(_ index: Int) -> Int {
                let at = end + 4 * index
                return Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16
                    | Int(bytes[at + 3]) << 24
            }
            guard isSize(number(0), number(1)) || isSize(number(4), number(5)) else { continue }
            let numbers = (0..<7).map(number)
            let header = isNubia ? 16 : 36
            if isSize(numbers[0], numbers[1]), numbers[2] == numbers[0] || numbers[2] == numbers[1],
                numbers[0] * numbers[1] <= bytes.count - end - header
            {
                let samples = RawSamples(
                    range: start + end + header..<start + end + header + numbers[0] * numbers[1],
                    width: numbers[0], height: numbers[1])
                file.knownTrailer = start + end..<samples.range.upperBound
                add(samples, readError: nil, isNubia, to: &photo)
                return
            }
            for (number, header) in [(0, 12), (4, 32)] {
                let (width, height, size) = (numbers[number], numbers[number + 1], numbers[number + 2])
                guard isSize(width, height), size == width * height * 4, size <= bytes.count - end - header
                else {
                    continue
                }
                let range = start + end + header..<start + end + header + size
                file.knownTrailer = start + end..<range.upperBound
                let readError = ContainerError(
                    .unsupported(feature: "a depth plane of four bytes a sample"), at: range.lowerBound,
                    in: path)
                add(
                    RawSamples(range: range, width: width, height: height), readError: readError, isNubia,
                    to: &photo)
                return
            }
        }
    }

    private static func isSize(_ width: Int, _ height: Int) -> Bool {
        (16...8192).contains(width) && (16...8192).contains(height)
    }

    private static func add(
        _ samples: RawSamples, readError: ContainerError?, _ isNubia: Bool, to photo: inout JPEGContainer
    ) {
        var plane = AuxiliaryPlane(
            raw: samples, of: photo.photo, source: isNubia ? "nubia" : "vivo", type: "raw")
        plane.isExperimental = true
        plane.readError = readError
        photo.add(plane)
    }
}

extension ArraySlice<UInt8> {
    /// The place behind the first end-of-image marker; `nil` when there is none.
    fileprivate var firstEndOfImage: Int? {
        let bytes = span
        for index in bytes.indices.dropLast() where bytes[index] == 0xFF && bytes[index + 1] == 0xD9 {
            return startIndex + index + 2
        }
        return nil
    }
}

internal import Bytes
internal import DepthTypes

/// The depth plane after older photos of vivo and nubia, and of OPPO, which adopted vivo's layout. Little-endian.
///
/// From `TestImages/vivo.jpg`, after the photo's last byte:
///
/// ```
/// ffd9                               end of the image
/// c000 0000 9000 0000 c000 0000 …    192, 144, one of the two again
/// ff ff ff …                         at 36 (nubia: 16): the samples, dark is near
/// ```
///
/// Known only from one public script, so experimental. Its form of four bytes per sample (the third number being their size)
/// is recognized and not read.
enum VivoDepth: VendorReader {
    private static let path = StructurePath("vivo")

    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        let photo = photo.photo
        guard try file.isWorthSearching(for: ["vivo", "nubia", "oppo"], photo) else {
            return VendorDiscovery()
        }
        let (bytes, start) = try file.searchableTail()
        let isNubia = photo.make?.lowercased().contains("nubia") == true
        var offset = 0
        while let end = bytes[offset...].firstEndOfImage, bytes.count - end >= 36 {
            offset = end
            guard let block = Block(bytes, behind: end, isNubia: isNubia) else { continue }
            let range = start + block.samples.lowerBound..<start + block.samples.upperBound
            var plane = AuxiliaryPlane(
                raw: RawSamples(range: range, width: block.width, height: block.height), of: photo,
                carrier: isNubia ? .nubia : .vivo, type: "raw")
            plane.isExperimental = true
            if !block.isReadable {
                plane.readError = ContainerError(
                    .unsupported(feature: "a depth plane of four bytes a sample"), at: range.lowerBound,
                    in: path)
            }
            var discovery = VendorDiscovery()
            discovery.planes = [plane]
            discovery.trailerRange = start + end..<range.upperBound
            return discovery
        }
        return VendorDiscovery()
    }

    /// A depth plane that follows an image.
    private struct Block {
        var width, height: Int
        /// The indices of the samples.
        var samples: Range<Int>
        /// Whether samples have one byte.
        var isReadable = true

        /// Reads the numbers after the end of an image, which is followed by at least 36 bytes; `nil` if they do not describe
        /// a plane inside the file.
        init?(_ bytes: [UInt8], behind end: Int, isNubia: Bool) {
            // Damaged photos may have millions of ends: the other numbers are read only if the size is possible.
            func number(_ index: Int) -> Int {
                let at = end + 4 * index
                return Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16
                    | Int(bytes[at + 3]) << 24
            }
            guard isSize(number(0), number(1)) || isSize(number(4), number(5)) else { return nil }
            let numbers = (0..<7).map(number)
            let available = bytes.count - end
            let header = isNubia ? 16 : 36
            (width, height) = (numbers[0], numbers[1])
            if isSize(width, height), numbers[2] == width || numbers[2] == height,
                width * height <= available - header
            {
                samples = end + header..<end + header + width * height
                return
            }
            isReadable = false
            for (number, header) in [(0, 12), (4, 32)] {
                (width, height) = (numbers[number], numbers[number + 1])
                let size = numbers[number + 2]
                guard isSize(width, height), size == width * height * 4, size <= available - header else {
                    continue
                }
                samples = end + header..<end + header + size
                return
            }
            return nil
        }
    }
}

private func isSize(_ width: Int, _ height: Int) -> Bool {
    (16...8192).contains(width) && (16...8192).contains(height)
}

extension ArraySlice<UInt8> {
    /// The index after the first end-of-image marker; `nil` if not found.
    fileprivate var firstEndOfImage: Int? {
        let bytes = span
        for index in bytes.indices.dropLast() where bytes[index] == 0xFF && bytes[index + 1] == 0xD9 {
            return startIndex + index + 2
        }
        return nil
    }
}

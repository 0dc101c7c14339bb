internal import Bytes

/// The mark of a JPS file, two pictures in one frame (VRex, "JPS File Format Specification" 1.1): an APP3 segment.
///
/// From `TestImages/stereo-marked.jpg`; numbers are big-endian:
///
/// ```
/// ffe3 0010               APP3, 16 bytes
/// 5f4a 5053 4a50 535f     "_JPSJPS_"
/// 0004                    four bytes of descriptor follow
/// 00 04 02 01             no separation; left picture first; side by side; stereo
/// ```
enum StereoDescriptor: VendorReader {
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        let photo = photo.photo
        guard let range = file.header.stereoDescriptor, photo.stereo == nil else { return found }
        let bytes = try file.source.read(range.lowerBound..<min(range.upperBound, range.lowerBound + 6))
        var block = ByteCursor(
            bytes.span, base: range.lowerBound, path: StructurePath("APP3").appending("JPS"))
        let length = try block.readUInt16()
        guard length >= 4 else {
            throw block.malformed("stereo descriptor has \(length) bytes, fewer than 4")
        }
        try block.skip(1)
        let leftFirst = try block.readByte() & 4 != 0
        let (layout, type) = (try block.readByte(), try block.readByte())
        guard type == 1 else { return found }
        let arrangement: StereoPair.Arrangement
        switch layout {
        case 2: arrangement = .sideBySide
        case 3: arrangement = .overUnder
        case 1: throw block.failure(.unsupported(feature: "a stereo pair in interleaved rows"))
        case 4: throw block.failure(.unsupported(feature: "a stereo pair as an anaglyph"))
        default: throw block.malformed("a stereo layout of \(layout) is not one of 1 to 4")
        }
        guard arrangement == .sideBySide ? photo.width >= 2 : photo.height >= 2 else { return found }
        found.stereo = StereoPair(halvesOf: photo, arrangement, leftFirst: leftFirst, source: "jps")
        return found
    }
}

internal import Bytes
internal import DepthTypes
internal import Embedded

/// A Leia Image Format file (LIF): a JPEG with views and disparity maps after it. All numbers are big-endian.
///
/// From `TestImages/leia-lif.jpg`; the trailer's size includes its mark:
///
/// ```
/// 00000005                 five blocks
/// 00000000 00000004 …      0 and 1: versions
/// 000f4241 000011d6 ffd8…  1000001: a JPEG of 4566 bytes, the disparity of the left view
/// …
/// 00000007 00000105 7b22…  7: JSON, which names the blocks of each view
/// 000078b5 1e1a            30 901 bytes in all, mark
/// ```
///
/// The JSON lists views by `xLocation`, the left one first: `albedoId` names the picture (−1 is the photo itself),
/// `disparityId` its disparity map (0 without one), near bright, without a unit.
enum LeiaTrailer: VendorReader {
    private static let source = PlaneCarrier.leia.rawValue
    private static let path = StructurePath("LIF")

    /// A block of data, and the number that views use to refer to it.
    private typealias Block = (id: Int, data: Range<Int>)

    private struct View {
        /// The block of the picture; −1 for the photo itself.
        var picture: Int
        /// The blocks of the disparity maps.
        var disparities: [Int]
        var xLocation: Double
    }

    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        let tail = try file.tail()
        guard tail.count >= 10, tail[(tail.count - 2)...] == [0x1E, 0x1A] else { return found }
        let end = file.source.byteCount
        let size = tail.suffix(6).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard size >= 10, size <= end - file.header.scan else { return found }
        let start = end - size
        let blocks = try blocks(file.source, start..<end - 6, file.limits)
        found.trailerRange = start..<end
        let file = file
        var photo = photo.photo
        found.collect { (found) throws(ContainerError) in
            let views = try views(in: blocks, of: file, at: start)
            photo.endStream(at: start)
            found.photoEnd = start
            describe(views, blocks, photo, file, &found)
        }
        return found
    }

    /// Reads the views from the JSON in block 7, from left to right.
    private static func views(
        in blocks: [Block], of file: JPEGFile, at start: Int
    ) throws(ContainerError) -> [View] {
        guard let json = blocks.first(where: { $0.id == 7 }) else {
            throw ContainerError(
                .malformed(rule: "block 7, which describes the others, is missing"), at: start, in: path)
        }
        let offset = json.data.lowerBound
        try file.limits.check(.metadataBytes, json.data.count, at: offset, in: path)
        let description = try JSONValue(
            parsing: try file.source.read(json.data), limits: file.limits, base: offset)
        let list = description["views"]?.elements ?? []
        try file.limits.check(.images, list.count, at: offset, in: path)
        let views = views(list)
        let images = views.reduce(0) { $0 + 1 + $1.disparities.count }
        try file.limits.check(.images, images, at: offset, in: path)
        return views
    }

    private static func describe(
        _ views: [View], _ blocks: [Block], _ photo: PhotoDescription, _ file: JPEGFile,
        _ found: inout VendorDiscovery
    ) {
        var pictures: [CodedView] = []
        var used: Set<Int> = [0, 1, 7]
        for view in views {
            used.formUnion([view.picture] + view.disparities)
            do throws(ContainerError) {
                pictures.append(try picture(view, blocks, photo, file))
                for id in view.disparities {
                    var plane = try image(id, .disparity, blocks, photo, file)
                    plane.belongsToPhoto = view.picture == -1
                    found.planes.append(plane)
                }
            } catch {
                found.diagnostics.append(error)
            }
        }
        if pictures.count == views.count, let left = pictures.first, let right = pictures.last,
            views.count > 1
        {
            found.stereo = StereoPair(left: left, right: right, source: source)
        }
        for block in blocks where !used.contains(block.id) {
            found.trailers.append(
                FileTrailer(source: source, type: String(block.id), range: block.data))
        }
    }

    private static func blocks(
        _ source: any ByteSource, _ range: Range<Int>, _ limits: DecodingLimits
    ) throws(ContainerError) -> [Block] {
        var offset = range.lowerBound + 4
        let count = try source.read(range.lowerBound..<offset).reduce(0) { $0 << 8 | Int($1) }
        try limits.check(.trailerEntries, count, at: range.lowerBound, in: path)
        var blocks: [Block] = []
        for _ in 0..<count {
            guard range.upperBound - offset >= 8 else {
                throw ContainerError(
                    .truncated(needed: 8, available: range.upperBound - offset), at: offset, in: path)
            }
            let head = try source.read(offset..<offset + 8)
            let (id, size) = (
                head.prefix(4).reduce(0) { $0 << 8 | Int($1) }, head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
            )
            offset += 8
            guard size <= range.upperBound - offset else {
                throw ContainerError(
                    .truncated(needed: size, available: range.upperBound - offset), at: offset, in: path)
            }
            blocks.append((id, offset..<offset + size))
            offset += size
        }
        return blocks
    }

    /// The views from left to right.
    private static func views(_ list: [JSONValue]) -> [View] {
        let views = list.map { view in
            let ids = ["disparityId", "monodisparityId"].compactMap { view[$0]?.integer }
            return View(
                picture: view["albedoId"]?.integer ?? 0, disparities: ids.filter { $0 > 0 },
                xLocation: view["xLocation"]?.double ?? 0)
        }
        return views.enumerated()
            .sorted { ($0.element.xLocation, $0.offset) < ($1.element.xLocation, $1.offset) }.map(\.element)
    }

    private static func picture(
        _ view: View, _ blocks: [Block], _ photo: PhotoDescription, _ file: JPEGFile
    ) throws(ContainerError) -> CodedView {
        guard view.picture != -1 else { return CodedView(photo) }
        let image = try image(view.picture, .original, blocks, photo, file)
        var picture = CodedView(
            location: image.location, codedWidth: image.codedWidth, codedHeight: image.codedHeight)
        picture.orientation = photo.orientation
        return picture
    }

    private static func image(
        _ id: Int, _ kind: PlaneKind, _ blocks: [Block], _ photo: PhotoDescription,
        _ file: JPEGFile
    ) throws(ContainerError) -> AuxiliaryPlane {
        guard let block = blocks.first(where: { $0.id == id }) else {
            throw ContainerError(
                .malformed(rule: "a view refers to block \(id), which is missing"),
                at: file.source.byteCount,
                in: path)
        }
        return try AuxiliaryPlane(
            jpeg: block.data, kind: kind, of: photo, carrier: .leia, type: String(id), in: file.source,
            limits: file.limits)
    }
}

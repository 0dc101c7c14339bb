internal import Bytes
internal import DepthTypes

extension JPEGContainer {
    /// Describes every image that the index names.
    mutating func describePlanes(_ index: MultiPictureIndex) throws(ContainerError) {
        source.prefetch(bytesToDescribe(index))
        let images = try images(of: index)
        checkEnd(of: images)
        // If fewer images were found than the index announces, one is missing.
        if images.count < Set(index.entries.dropFirst().map(\.offset)).count {
            unreadablePlane = diagnostics.last?.error
        }
        if let first = images.first { photo.location = .jpegStream(0..<first.offset) }
        let ends = images.dropFirst().map(\.offset) + [source.byteCount]
        let second = describeStereo(index, zip(images, ends))
        for (entry, next) in zip(images, ends) where entry.offset != second {
            do {
                planes.append(try describePlane(entry, limit: next))
            } catch {
                diagnostics.append(error)
                unreadablePlane = unreadablePlane ?? error
            }
        }
    }

    /// The ranges to read to describe the images of the index: their first bytes, their ends, and the end of the file.
    private func bytesToDescribe(_ index: MultiPictureIndex) -> [Range<Int>] {
        let entries = index.entries.dropFirst().filter { (1..<source.byteCount).contains($0.offset) }
        guard !entries.isEmpty else { return [] }
        let ends = entries.map { min(source.byteCount, $0.offset + max(0, min($0.size, source.byteCount))) }
        return source.bytesToDescribeImages(at: entries.map(\.offset))
            + ends.map { max(0, $0 - 2)..<$0 } + [max(0, source.byteCount - 4096)..<source.byteCount]
    }

    /// The images of the index, in file order. The index is outdated if a file was edited: if there is no image at an
    /// offset, the parser searches for images from the end of the photo. If as many are found as were missing, they get
    /// the attributes and sizes of the missing ones, in file order.
    private mutating func images(
        of index: MultiPictureIndex
    ) throws(ContainerError) -> [MultiPictureIndex.Entry] {
        var starts: [Int: MultiPictureIndex.Entry] = [:]
        var moved: [MultiPictureIndex.Entry] = []
        for entry in index.entries.dropFirst() {
            if isImage(at: entry.offset) {
                starts[entry.offset] = entry
            } else {
                moved.append(entry)
                let rule =
                    entry.offset < source.byteCount
                    ? "the index (MPF) names an image here, but there is none"
                    : "the index (MPF) names an image here, past the end of the file"
                diagnostics.append(
                    ContainerError(.malformed(rule: rule), at: entry.offset, in: StructurePath("MPF")))
            }
        }
        if !moved.isEmpty {
            let found = try imagesBehindPhoto().filter { starts[$0] == nil }
            moved.sort { $0.offset < $1.offset }
            for (number, place) in found.enumerated() {
                let isKnown = found.count == moved.count
                starts[place] = MultiPictureIndex.Entry(
                    attributes: isKnown ? moved[number].attributes : 0,
                    size: isKnown ? moved[number].size : 0, offset: place)
            }
        }
        return starts.values.sorted { $0.offset < $1.offset }
    }

    /// Reports a truncated last image: the index gives a larger size, and the file does not end as an image does.
    private mutating func checkEnd(of images: [MultiPictureIndex.Entry]) {
        guard let last = images.last, last.size > source.byteCount - last.offset,
            (try? source.read(source.byteCount - 2..<source.byteCount)) != [0xFF, 0xD9]
        else { return }
        diagnostics.append(
            ContainerError(
                .truncated(needed: last.size, available: source.byteCount - last.offset), at: last.offset,
                in: StructurePath("MPF")))
    }

    private func isImage(at offset: Int) -> Bool {
        (try? source.read(offset..<offset + 3)) == [0xFF, 0xD8, 0xFF]
    }

    private func imagesBehindPhoto() throws(ContainerError) -> [Int] {
        var wide = WindowedBytes(source, size: 1 << 18)
        var images: [Int] = []
        var end = try wide.endOfImage(afterScan: header.scan)
        while let place = end, let next = try wide.nextImage(from: place) {
            try limits.check(.images, images.count + 1, at: next)
            do throws(ContainerError) {
                let image = try JPEGHeader(&wide, at: next, limits: limits)
                images.append(next)
                end = try wide.endOfImage(afterScan: image.scan)
            } catch {
                // This is not an image. Its bytes are not read again.
                end = max(next + 3, error.offset ?? 0)
            }
        }
        return images
    }

    private mutating func describePlane(
        _ entry: MultiPictureIndex.Entry, limit: Int
    ) throws(ContainerError) -> AuxiliaryPlane {
        var bytes = WindowedBytes(source)
        let header = try JPEGHeader(&bytes, at: entry.offset, limits: limits)
        if let stray = header.strayBytes { diagnostics.append(stray.remark) }
        let path = StructurePath("XMP")
        var metadata: AppleAuxiliaryMetadata?
        if let range = header.xmp {
            do {
                let xmp = try XMPProperties(
                    parsing: try bytes.read(range), limits: limits, at: range.lowerBound, in: path)
                metadata = AppleAuxiliaryMetadata(xmp, limits: limits, at: range.lowerBound, in: path)
                diagnostics += metadata?.diagnostics ?? []
            } catch {
                diagnostics.append(error)
            }
        }
        let (kind, type) = Self.classify(metadata, entry)
        var plane = AuxiliaryPlane(
            kind: kind, width: header.width, height: header.height, codedWidth: header.width,
            codedHeight: header.height, bitDepth: header.bitDepth, components: header.components,
            codec: "jpeg",
            carrier: metadata?.type == nil ? .mpf : .appleMPF, type: type, orientation: photo.orientation,
            location: .jpegStream(entry.offset..<end(of: entry, limit: limit)))
        let place = header.xmp?.lowerBound ?? entry.offset
        plane.description.describe(metadata, representation: nil, at: place, in: path)
        if kind.isDepth, plane.mapping?.isDeclared == false, plane.mapping?.hasUnit == false {
            diagnostics.append(
                .note(
                    .undeclaredRange,
                    "the \(kind.rawValue) plane declares no range of values; codes are read as 0…1",
                    at: place, in: path))
        }
        return plane
    }

    /// The end of an image: by the size in the index if an end-of-image marker is there, otherwise `limit`, the next image or
    /// the end of the file.
    func end(of entry: MultiPictureIndex.Entry, limit: Int) -> Int {
        let claimed = entry.offset + entry.size
        guard entry.size > 4, claimed < limit, (try? source.read(claimed - 2..<claimed)) == [0xFF, 0xD9]
        else {
            return limit
        }
        return claimed
    }

    /// The kind of an image, from its XMP. The portrait matte is checked first, because its type contains `depth`.
    private static func classify(
        _ metadata: AppleAuxiliaryMetadata?, _ entry: MultiPictureIndex.Entry
    ) -> (PlaneKind, type: String) {
        let raw = metadata?.type ?? "mpf:0x" + hexadecimal(entry.attributes)
        guard let metadata else { return (.unknown, raw) }
        if metadata.subtype == "portraiteffectsmatte" || metadata.hasPortraitMatte {
            return (.matte, metadata.subtype ?? raw)
        }
        if let type = metadata.type, planeKind(ofAuxiliaryType: type) != .unknown {
            let kind = planeKind(ofAuxiliaryType: type)
            return (kind == .depth && metadata.quantity == .disparity ? .disparity : kind, raw)
        }
        if let quantity = metadata.quantity { return (quantity == .depth ? .depth : .disparity, raw) }
        return (metadata.hasGainMap ? .gainMap : .unknown, raw)
    }

    private static func hexadecimal(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}

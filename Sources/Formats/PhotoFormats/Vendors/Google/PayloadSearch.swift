internal import Bytes

/// Finds the images that a directory announces after a photo. Writers and editors disagree on where the photo ends, so every
/// guess is checked against the first bytes of the images.
///
/// Items are at the end of the file, in order, unless something else was appended. That is tried first and takes a few reads.
/// Next are the offsets in the multi-picture index. Only then is the photo's coded data walked to its end, and the rest of
/// the file searched.
struct PayloadSearch {
    private let file: JPEGFile
    private let directory: ContainerDirectory

    init(_ file: JPEGFile, _ directory: ContainerDirectory) {
        self.file = file
        self.directory = directory
    }

    /// The ranges of the items; `nil` for each that is not found. `known` are offsets of images after the photo; `walksPhoto`
    /// permits reading the photo's coded data.
    func ranges(known: [Int], walksPhoto: Bool) throws(ContainerError) -> [Range<Int>?] {
        let fileEnd = file.source.byteCount
        file.source.prefetch(bytesToDescribe(from: fileEnd - directory.total))
        if let found = whole(at: fileEnd - directory.total) { return found }
        // Real files have a few; each is tried with each item, and examines all items.
        for place in known.prefix(16) {
            for start in directory.starts.dropFirst() {
                if let found = whole(at: place - start) { return found }
            }
        }
        var bytes = WindowedBytes(file.source, size: 1 << 18)
        guard walksPhoto, let end = try bytes.endOfImage(afterScan: file.header.scan) else {
            return directory.items.map { _ in nil }
        }
        let here = ranges(from: end)
        guard !isWhole(here), let next = try bytes.nextImage(from: end),
            let first = directory.items.indices.first(where: { $0 > 0 && directory.items[$0].isImage })
        else { return here }
        let there = ranges(from: next - directory.starts[first])
        return count(there) > count(here) ? there : here
    }

    /// The ranges to read to describe all images, if they are in order after a photo that ends at `start`.
    private func bytesToDescribe(from start: Int) -> [Range<Int>] {
        guard start > file.header.scan else { return [] }
        let images = directory.items.indices.dropFirst().filter { directory.items[$0].isImage }
        let starts = images.compactMap { index -> Int? in
            let (place, overflow) = start.addingReportingOverflow(directory.starts[index])
            return overflow ? nil : place
        }
        return file.source.bytesToDescribeImages(at: starts)
    }

    /// All ranges, if the images are in order after a photo that ends at `start`.
    private func whole(at start: Int) -> [Range<Int>?]? {
        let found = ranges(from: start)
        return isWhole(found) ? found : nil
    }

    private func isWhole(_ ranges: [Range<Int>?]) -> Bool {
        let wanted = directory.items.dropFirst().count { $0.isImage }
        return wanted > 0 && count(ranges) == wanted
    }

    private func count(_ ranges: [Range<Int>?]) -> Int { ranges.count { $0 != nil } }

    /// The ranges of the images that are where they should be if the photo ends at `start`.
    private func ranges(from start: Int) -> [Range<Int>?] {
        directory.items.indices.map { index in
            let item = directory.items[index]
            guard index > 0, item.isImage, item.length > 0 else { return nil }
            let (place, overflow) = start.addingReportingOverflow(directory.starts[index])
            // Images must be after the photo's metadata, or one could be a thumbnail inside it.
            guard !overflow, place >= file.header.scan, place <= file.source.byteCount,
                item.length <= file.source.byteCount - place,
                let magic = try? file.source.readPrefix(at: place, count: 8), StreamHeader.isKnown(magic)
            else { return nil }
            // Another image may be at the offset of a PNG file. The declared type JPEG is less reliable.
            if item.mime == "image/png", !magic.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return nil }
            return place..<place + item.length
        }
    }
}

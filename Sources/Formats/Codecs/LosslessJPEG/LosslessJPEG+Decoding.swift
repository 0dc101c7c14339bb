internal import Bytes

extension LosslessJPEG {
    /// Decodes all samples, channels interleaved, row by row.
    ///
    /// Throws if the data ends early, or holds a code that its table lacks or a sample beyond the bit depth.
    func decode() throws(ContainerError) -> [UInt16] {
        let intervals = try self.intervals()
        let stride = width * components
        let rows = restartRows ?? height
        // A Huffman code has at least one bit.
        guard intervals.reduce(0, { $0 + $1.count }) >= (stride * height + 7) / 8 else {
            throw damaged("\(bytes.count - scan) bytes cannot hold \(width) × \(height) samples", at: scan)
        }
        var failure: ContainerError?
        let samples = unsafe [UInt16](unsafeUninitializedCapacity: stride * height) { output, count in
            for (index, interval) in intervals.enumerated() {
                let first = index * rows
                let target = unsafe UnsafeMutableBufferPointer(
                    rebasing: output[first * stride..<min(first + rows, height) * stride])
                do throws(ContainerError) {
                    try unsafe decode(interval, into: target)
                } catch {
                    failure = error
                    return
                }
            }
            count = stride * height
        }
        if let failure { throw failure }
        return samples
    }

    /// The entropy-coded data between restart markers, one range for each interval.
    private func intervals() throws(ContainerError) -> [Range<Int>] {
        let expected = restartRows.map { (height + $0 - 1) / $0 } ?? 1
        var found: [Range<Int>] = []
        var (start, place) = (scan, scan)
        while place + 1 < bytes.count {
            guard bytes[place] == 0xFF, bytes[place + 1] != 0 else {
                place += 1
                continue
            }
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            found.append(start..<place)
            guard (0xD0...0xD7).contains(marker) else { break }
            guard Int(marker & 7) == (found.count - 1) & 7, found.count < expected else {
                throw damaged("a restart marker is out of order", at: place)
            }
            place += 2
            start = place
        }
        if place + 1 >= bytes.count { found.append(start..<bytes.count) }
        guard found.count == expected else {
            throw damaged("\(found.count) of \(expected) restart intervals are there", at: place)
        }
        return found
    }

    private func damaged(_ detail: String, at place: Int) -> ContainerError {
        ContainerError(.damaged(detail: detail), at: base + place, in: StructurePath("JPEG"))
    }

    /// Decodes one interval of complete rows.
    private func decode(
        _ interval: Range<Int>, into target: UnsafeMutableBufferPointer<UInt16>
    ) throws(ContainerError) {
        guard let output = target.baseAddress, !target.isEmpty else { return }
        let data = LosslessBitReader.unstuffed(bytes[interval])
        let fast = tables.flatMap(\.fast)
        var failure: ContainerError?
        unsafe data.withUnsafeBytes { data in
            unsafe fast.withUnsafeBufferPointer { fast in
                guard let start = data.baseAddress, let first = fast.baseAddress else { return }
                // SAFETY: both outlive the reader, whose data has eight more bytes after its `count`.
                var reader = unsafe LosslessBitReader(start, count: data.count - 8, fast: first, tables)
                do throws(ContainerError) {
                    try unsafe decodeRows(output, target.count, &reader, interval)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        guard pointTransform > 0 else { return }
        for index in target.indices { unsafe target[index] <<= UInt16(pointTransform) }
    }

    private func decodeRows(
        _ output: UnsafeMutablePointer<UInt16>, _ count: Int, _ reader: inout LosslessBitReader,
        _ interval: Range<Int>
    ) throws(ContainerError) {
        let stride = width * components
        let top = UInt16(truncatingIfNeeded: (1 << (bitDepth - pointTransform)) - 1)
        for row in 0..<count / stride {
            // SAFETY: rows are inside the target, which holds an integer number of them.
            let line = unsafe output + row * stride
            let isFine =
                row == 0
                ? unsafe decodeFirstRow(line, &reader)
                : unsafe decodeRow(line, above: line - stride, &reader)
            guard isFine else { throw damaged("a Huffman code is in no table", at: interval.lowerBound) }
            guard !reader.isPastEnd else { throw damaged("the data ends early", at: interval.upperBound) }
            var highest: UInt16 = 0
            for column in 0..<stride { highest |= unsafe line[column] }
            guard highest <= top else {
                throw damaged("a sample has more than \(bitDepth) bits", at: interval.lowerBound)
            }
        }
    }

    /// The first row after a start: each sample is predicted from the one before it (T.81 §H.1.2.1).
    private func decodeFirstRow(_ line: UnsafeMutablePointer<UInt16>, _ reader: inout LosslessBitReader)
        -> Bool
    {
        let middle: UInt16 = 1 << (bitDepth - pointTransform - 1)
        for column in 0..<width {
            for channel in 0..<components {
                let index = column * components + channel
                guard let difference = reader.difference(channel) else { return false }
                let left = column == 0 ? middle : unsafe line[index - components]
                unsafe line[index] = left &+ difference
            }
        }
        return true
    }

    private func decodeRow(
        _ line: UnsafeMutablePointer<UInt16>, above: UnsafePointer<UInt16>, _ reader: inout LosslessBitReader
    ) -> Bool {
        switch predictor {
        case 1: unsafe decodeRow(line, above, &reader) { a, _, _ in a }
        case 2: unsafe decodeRow(line, above, &reader) { _, b, _ in b }
        case 3: unsafe decodeRow(line, above, &reader) { _, _, c in c }
        case 4: unsafe decodeRow(line, above, &reader) { a, b, c in a &+ b &- c }
        case 5: unsafe decodeRow(line, above, &reader) { a, b, c in a &+ (b &- c) >> 1 }
        case 6: unsafe decodeRow(line, above, &reader) { a, b, c in b &+ (a &- c) >> 1 }
        default: unsafe decodeRow(line, above, &reader) { a, b, _ in (a &+ b) >> 1 }
        }
    }

    /// `predict` gets the samples to the left, above, and above left (Ra, Rb, Rc of T.81 Figure H.2).
    @inline(__always)
    private func decodeRow(
        _ line: UnsafeMutablePointer<UInt16>, _ above: UnsafePointer<UInt16>,
        _ reader: inout LosslessBitReader, _ predict: (Int32, Int32, Int32) -> Int32
    ) -> Bool {
        for channel in 0..<components {
            guard let difference = reader.difference(channel) else { return false }
            unsafe line[channel] = above[channel] &+ difference
        }
        let components = components
        for index in components..<width * components {
            guard let difference = reader.difference(components == 1 ? 0 : index % components) else {
                return false
            }
            let left = Int32(unsafe line[index - components])
            let corner = Int32(unsafe above[index - components])
            let predicted = predict(left, Int32(unsafe above[index]), corner)
            unsafe line[index] = UInt16(truncatingIfNeeded: predicted) &+ difference
        }
        return true
    }
}

/// Reads entropy-coded data bit by bit; past the end it reads zeros. Valid only while its memory is.
@safe
struct LosslessBitReader {
    private let bytes: UnsafeRawPointer
    private let count: Int
    private let fast: UnsafePointer<UInt16>
    private let tables: [LosslessHuffmanTable]
    private var bit = 0

    /// Decodes data without stuffed zeros and with eight zeros after its `count` bytes, with the fast tables of all
    /// channels.
    init(
        _ bytes: UnsafeRawPointer, count: Int, fast: UnsafePointer<UInt16>, _ tables: [LosslessHuffmanTable]
    ) {
        unsafe self.bytes = unsafe bytes
        self.count = count
        unsafe self.fast = unsafe fast
        self.tables = tables
    }

    /// The data without the zero that is stuffed after each FF (T.81 §F.1.2.3), and with eight zeros appended.
    static func unstuffed(_ stuffed: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(stuffed.count + 8)
        var isAfterMarker = false
        for byte in stuffed {
            if !(isAfterMarker && byte == 0) { bytes.append(byte) }
            isAfterMarker = byte == 0xFF
        }
        bytes.append(contentsOf: repeatElement(0, count: 8))
        return bytes
    }

    /// Whether more bits were read than there are.
    var isPastEnd: Bool { bit > count * 8 }

    /// A channel's next difference, modulo 2¹⁶ (T.81 §H.1.2.2); `nil` if the next bits are not a code of the table.
    @inline(__always)
    mutating func difference(_ channel: Int) -> UInt16? {
        let window = next64()
        let bits = LosslessHuffmanTable.fastBits
        // SAFETY: each channel's table has an entry for every value of that many bits.
        let entry = unsafe fast[(channel << bits) + Int(truncatingIfNeeded: window >> UInt64(64 - bits))]
        var (length, size) = (Int(entry >> 8), Int(entry & 0xFF))
        if entry == 0 {
            guard let found = tables[channel].long(Int(window >> 48)) else { return nil }
            (length, size) = found
        }
        guard size > 0 else {
            bit += length
            return 0
        }
        guard size < 16 else {
            bit += length
            return 32768
        }
        bit += length + size
        let extra = Int(truncatingIfNeeded: (window << UInt64(length)) >> UInt64(64 - size))
        // Values whose first bit is 0 mean negative differences.
        let value = extra < 1 << (size - 1) ? extra - (1 << size) + 1 : extra
        return UInt16(truncatingIfNeeded: value)
    }

    /// The next bits, at least 57, at the top of the word.
    @inline(__always)
    private func next64() -> UInt64 {
        let byte = min(bit >> 3, count)
        // SAFETY: eight bytes follow the last one.
        let word = unsafe bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
        return UInt64(bigEndian: word) << UInt64(bit & 7)
    }
}

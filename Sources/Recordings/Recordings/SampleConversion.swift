/// Writes the result of `body` for each sample.
///
/// Swift 6.3 does not specialize a loop in a closure with a span as parameter, which makes it a hundred times as slow.
@inline(__always)
func convert<From: BitwiseCopyable, To: BitwiseCopyable>(
    _ input: Span<From>, to output: inout MutableSpan<To>, _ body: (From) -> To
) {
    precondition(output.count == input.count)
    var index = 0
    while index < input.count {
        output[index] = body(input[index])
        index += 1
    }
}

/// Writes the result of `body` for each sample in bytes, least significant byte first. The counts must match.
@inline(__always)
func convert<From: FixedWidthInteger & BitwiseCopyable, To: BitwiseCopyable>(
    _ bytes: [UInt8], to output: inout MutableSpan<To>, _ body: (From) -> To
) {
    precondition(bytes.count == output.count * MemoryLayout<From>.size)
    unsafe bytes.withUnsafeBytes { bytes in
        var index = 0
        while index < output.count {
            // SAFETY: the counts match, as checked above.
            let sample = unsafe bytes.loadUnaligned(
                fromByteOffset: index * MemoryLayout<From>.size, as: From.self)
            output[index] = body(From(littleEndian: sample))
            index += 1
        }
    }
}

/// A distance; `nan` for values that are not positive and finite.
@inline(__always)
func meters(_ value: Float) -> Float { value > 0 && value < .infinity ? value : .nan }

internal import COnnxShims
internal import DepthMaps

/// A network ready to run. Several threads may run it at once.
@safe final class NetworkSession: @unchecked Sendable {
    // SAFETY: ONNX Runtime lets any number of threads run a session; it is closed after the last reference is gone.
    private let session: OpaquePointer

    /// Prepares a model to run on this many threads; its bytes may be freed afterwards. The runtime must be loaded.
    ///
    /// Throws ``NetworkError/unsupported(_:)`` if the runtime cannot use it.
    init(_ model: [UInt8], threads: Int) throws(NetworkError) {
        var message = [CChar](repeating: 0, count: Int(ISOBATH_ONNX_MESSAGE))
        let session = unsafe model.withUnsafeBytes { bytes in
            unsafe isobath_onnx_open(bytes.baseAddress, bytes.count, Int32(clamping: threads), &message)
        }
        guard let session = unsafe session else { throw .unsupported(text(message)) }
        unsafe self.session = session
    }

    deinit {
        unsafe isobath_onnx_close(session)
    }

    /// The outputs of these names for an input, as 32-bit floats, checked to have at most `mostElements`, all finite. `count`
    /// is a second input, one integer.
    ///
    /// A network that takes more than `seconds` is stopped between two of its operators.
    ///
    /// Throws ``NetworkError/failed(_:)``, ``NetworkError/tooSlow(seconds:)`` and ``NetworkError/answer(_:)``.
    func run(
        _ input: NetworkTensor, named name: String, count: (name: String, value: Int)?, outputs: [String],
        mostElements: Int, seconds: Int
    ) throws(NetworkError) -> [NetworkTensor] {
        var message = [CChar](repeating: 0, count: Int(ISOBATH_ONNX_MESSAGE))
        let names = unsafe outputs.map { unsafe copied($0) }
        defer { unsafe names.forEach { unsafe $0.deallocate() } }
        let pointers = unsafe names.map { unsafe UnsafePointer($0) }
        let shape = input.shape.map { Int64($0) }
        var isLate: Int32 = 0
        let results = unsafe input.values.withUnsafeBufferPointer { values in
            unsafe isobath_onnx_run(
                session, name, values.baseAddress, shape, Int32(shape.count), count?.name ?? "",
                Int64(count?.value ?? 0), pointers.map { unsafe $0 }, Int32(pointers.count),
                Int32(clamping: min(seconds, 1_000_000_000)), &isLate, &message)
        }
        guard let results = unsafe results else {
            throw isLate == 1 ? .tooSlow(seconds: seconds) : .failed(text(message))
        }
        defer { unsafe isobath_onnx_free(results) }
        var tensors: [NetworkTensor] = []
        for (index, output) in outputs.enumerated() {
            var tensor = unsafe isobath_onnx_tensor()
            guard unsafe isobath_onnx_output(results, Int32(index), &tensor, &message) == 0 else {
                throw .answer(text(message))
            }
            tensors.append(try unsafe NetworkTensor(tensor, named: output, mostElements: mostElements))
        }
        return tensors
    }
}

/// Numbers with a shape, row-major.
package struct NetworkTensor: Hashable, Sendable {
    /// The length of each side.
    package var shape: [Int]
    /// The numbers; their count is the product of the sides.
    package var values: [Float]

    /// The count of `values` must be the product of the sides.
    package init(shape: [Int], values: [Float]) {
        (self.shape, self.values) = (shape, values)
    }
}

extension NetworkTensor {
    fileprivate init(
        _ tensor: isobath_onnx_tensor, named name: String, mostElements: Int
    ) throws(NetworkError) {
        let sides = unsafe withUnsafeBytes(of: tensor.shape) { bytes in
            unsafe Array(bytes.bindMemory(to: Int64.self).prefix(Int(tensor.rank)))
        }
        var count = 1
        for side in sides {
            let (product, overflows) = count.multipliedReportingOverflow(by: Int(side))
            guard side >= 0, !overflows else {
                throw .answer("'\(name)' has a side of \(side), which is out of range")
            }
            count = product
        }
        guard count <= mostElements else {
            throw .answer("'\(name)' has \(count) numbers; \(mostElements) is the most")
        }
        guard let values = unsafe Self.numbers(tensor, count) else {
            let element = unsafe NetworkModel.ElementType(rawValue: Int(tensor.element))
            throw .answer("'\(name)' is \(element.name), which is not read")
        }
        guard values.allSatisfy(\.isFinite) else {
            throw .answer("'\(name)' has values that are infinite or not numbers")
        }
        self.init(shape: sides.map { Int($0) }, values: values)
    }

    /// The elements as floats, for the types that answers have; `nil` for others.
    private static func numbers(_ tensor: isobath_onnx_tensor, _ count: Int) -> [Float]? {
        guard count > 0, let data = unsafe tensor.data else { return count == 0 ? [] : nil }
        // SAFETY: the runtime's tensor has `count` elements of its type, which exist until the results are freed.
        func elements<Element>(_: Element.Type) -> UnsafeBufferPointer<Element> {
            unsafe UnsafeBufferPointer(start: data.assumingMemoryBound(to: Element.self), count: count)
        }
        switch unsafe Int(tensor.element) {
        case Int(ISOBATH_ONNX_FLOAT): return unsafe Array(elements(Float.self))
        case Int(ISOBATH_ONNX_DOUBLE): return unsafe elements(Double.self).map { Float($0) }
        case Int(ISOBATH_ONNX_UINT8): return unsafe elements(UInt8.self).map { Float($0) }
        case Int(ISOBATH_ONNX_INT32): return unsafe elements(Int32.self).map { Float($0) }
        case Int(ISOBATH_ONNX_INT64): return unsafe elements(Int64.self).map { Float($0) }
        case Int(ISOBATH_ONNX_FLOAT16): return unsafe [Float](widening: Array(elements(Float16.self)))
        default: return nil
        }
    }
}

/// A text as a C string, which the caller deallocates.
private func copied(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8.map { CChar(bitPattern: $0) } + [0]
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    unsafe copy.initialize(from: bytes, count: bytes.count)
    return unsafe copy
}

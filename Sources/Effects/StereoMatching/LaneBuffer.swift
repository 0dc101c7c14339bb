internal import DepthMaps

/// Sixteen costs at once.
typealias Costs = SIMD16<UInt8>
/// Eight sums of costs at once.
typealias Sums = SIMD8<UInt16>

/// Memory for vectors of costs.
@safe struct LaneBuffer: ~Copyable {
    /// The bytes, for as long as the buffer lives.
    let lanes: Lanes

    /// A buffer of equal bytes; without a value it is uninitialized, and must be written before it is read.
    init(count: Int, filledWith value: UInt8? = nil) {
        let size = max(1, count)
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe adviseHugePages(UnsafeMutableRawBufferPointer(start: base, count: size))
        // SAFETY: exactly the bytes that were allocated.
        if let value { _ = unsafe base.initializeMemory(as: UInt8.self, repeating: value, count: count) }
        unsafe lanes = Lanes(base: base, count: count)
    }

    deinit { unsafe lanes.base.deallocate() }
}

/// Bytes for loading and storing vectors at any offset, of a ``LaneBuffer`` that outlives this.
///
/// Offsets are not checked in optimized builds, and index arithmetic around them may wrap: calls and checks between the
/// vectors cost more than the vectors. Three invariants keep them inside, which owners ensure when they make a buffer, and
/// debug builds assert each time:
///
/// - A pixel's column is 0 ..< width, or −1 or width where a path begins; ``PathRow`` has space for these.
/// - A vector begins at a disparity that ``SearchTiles`` lists, below `depth` − 16, so that sixteen numbers fit into a
///   pixel's `depth`.
/// - A row of a ``MatchingSignature`` has margins as wide as the disparities, followed by 32 bytes.
@safe struct Lanes: BitwiseCopyable {
    fileprivate let base: UnsafeMutableRawPointer
    /// The number of bytes that may be read and written.
    let count: Int

    @_transparent private func load<Value: BitwiseCopyable>(_ offset: Int) -> Value {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        // SAFETY: inside the buffer, by the invariants above; every bit pattern is a number.
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    @_transparent private func store<Value: BitwiseCopyable>(_ value: Value, _ offset: Int) {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        // SAFETY: inside the buffer, by the invariants above.
        unsafe base.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    /// One byte.
    subscript(byte offset: Int) -> UInt8 {
        @inline(__always) get { load(offset) }
        @inline(__always) nonmutating set { store(newValue, offset) }
    }

    /// Sixteen bytes.
    subscript(costs offset: Int) -> Costs {
        @inline(__always) get { load(offset) }
        @inline(__always) nonmutating set { store(newValue, offset) }
    }

    /// Eight sums, whose first is the `index`th number of 16 bits.
    subscript(sums index: Int) -> Sums {
        @inline(__always) get { load(index &<< 1) }
        @inline(__always) nonmutating set { store(newValue, index &<< 1) }
    }

    /// The `index`th 16-bit number.
    subscript(sum index: Int) -> UInt16 {
        @inline(__always) get { load(index &<< 1) }
        @inline(__always) nonmutating set { store(newValue, index &<< 1) }
    }

    /// The `index`th signed 16-bit number.
    subscript(short index: Int) -> Int16 {
        @inline(__always) get { load(index &<< 1) }
        @inline(__always) nonmutating set { store(newValue, index &<< 1) }
    }

    /// The `index`th 32-bit integer.
    subscript(int index: Int) -> Int32 {
        @inline(__always) get { load(index &<< 2) }
        @inline(__always) nonmutating set { store(newValue, index &<< 2) }
    }

    /// The `index`th 32-bit float.
    subscript(float index: Int) -> Float {
        @inline(__always) get { load(index &<< 2) }
        @inline(__always) nonmutating set { store(newValue, index &<< 2) }
    }
}

/// The smaller of each pair: one instruction, where `pointwiseMin` is a call.
@_transparent func lesser(_ a: Costs, _ b: Costs) -> Costs { a.replacing(with: b, where: b .< a) }

/// The larger of each pair.
@_transparent func greater(_ a: Costs, _ b: Costs) -> Costs { a.replacing(with: b, where: a .< b) }

/// The smallest of sixteen, in all lanes. If only one lane were used, the compiler would compare scalars and branch; with
/// shifts to swap lanes, it would move them to other registers and back.
@_transparent func leastOfAll(_ a: Costs) -> Costs {
    // SAFETY: all are 16 bytes, and every bit pattern is valid.
    let halves = unsafe unsafeBitCast(a, to: SIMD2<UInt64>.self)
    let two = unsafe lesser(a, unsafeBitCast(SIMD2(halves[1], halves[0]), to: Costs.self))
    let words = unsafe unsafeBitCast(two, to: SIMD4<UInt32>.self)
    let four = unsafe lesser(
        two, unsafeBitCast(SIMD4(words[1], words[0], words[3], words[2]), to: Costs.self))
    let pairs = unsafe unsafeBitCast(four, to: Sums.self)
    let swapped = SIMD8(pairs[1], pairs[0], pairs[3], pairs[2], pairs[5], pairs[4], pairs[7], pairs[6])
    let b = unsafe lesser(four, unsafeBitCast(swapped, to: Costs.self))
    return lesser(
        b,
        Costs(
            b[1], b[0], b[3], b[2], b[5], b[4], b[7], b[6], b[9], b[8], b[11], b[10], b[13], b[12], b[15],
            b[14]))
}

/// The costs at even and odd indices, widened: no shuffle is needed, and sums stay in that order.
@_transparent func widened(_ a: Costs) -> (even: Sums, odd: Sums) {
    // SAFETY: both are 16 bytes, and every bit pattern is valid.
    let pairs = unsafe unsafeBitCast(a, to: Sums.self)
    return (pairs & 0xFF, pairs &>> 8)
}

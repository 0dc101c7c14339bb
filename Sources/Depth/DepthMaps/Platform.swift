internal import Glibc

// The functions of the C library that the modules of maps, pictures and clouds use. Their other files do not import it.

/// The functions of `math.h` that Swift itself does not have.
package enum Math {
    /// `base` to the power of `exponent`.
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// `base` to the power of `exponent`.
    package static func power(_ base: Float, _ exponent: Float) -> Float { pow(base, exponent) }

    /// e to the power of a number.
    package static func exponential(_ value: Double) -> Double { exp(value) }

    /// The natural logarithm.
    package static func logarithm(_ value: Float) -> Float { log(value) }

    /// The natural logarithm.
    package static func logarithm(_ value: Double) -> Double { log(value) }

    /// The logarithm to base 10.
    package static func logarithm10(_ value: Double) -> Double { log10(value) }

    /// The sine of an angle in radians.
    package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// The cosine of an angle in radians.
    package static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// The tangent of an angle in radians.
    package static func tangent(_ angle: Double) -> Double { tan(angle) }

    /// √(x² + y²).
    package static func hypotenuse(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
}

/// Requests huge pages for memory that is about to be written for the first time.
///
/// A 12-megapixel plane of floats causes 12,000 page faults, which cost more time than most loops over it; with huge
/// pages it causes 24. Linux may grant them with `madvise`; correctness does not depend on it.
package func adviseHugePages(_ samples: UnsafeMutableRawBufferPointer) {
    let pageSize = 2 << 20
    guard let start = samples.baseAddress, samples.count >= 2 * pageSize else { return }
    let first = unsafe start.alignedUp(toMultipleOf: pageSize)
    let last = unsafe (start + samples.count).alignedDown(toMultipleOf: pageSize)
    // SAFETY: only complete pages inside the buffer are advised; advice does not change contents.
    _ = unsafe madvise(first, last - first, MADV_HUGEPAGE)
}

/// Whether this process may start a thread, found by trying. If it may not (limits of processes or memory), Dispatch and
/// libde265 would wait indefinitely for their first thread.
///
/// The C library reuses the stack of the trial thread for the next one.
package func canStartThread() -> Bool {
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
    return pthread_join(thread, nil) == 0
}

/// Whether the system lists the threads of this process. Dispatch looks up its threads there, and traps if the list is
/// missing, as in a chroot without /proc.
var hasThreadList: Bool { unsafe access("/proc/self/task", R_OK | X_OK) == 0 }

/// Whether this process may open `count` more files. Dispatch opens some for itself, and traps if it cannot.
func canOpenFiles(_ count: Int) -> Bool {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    while descriptors.count < count {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        descriptors.append(descriptor)
    }
    return true
}

internal import Glibc

/// A square of complex numbers, row by row, in manually allocated memory.
@safe
final class ComplexSquare: @unchecked Sendable {
    static let size = 64
    static let count = size * size

    let real: UnsafeMutablePointer<Float>
    let imaginary: UnsafeMutablePointer<Float>

    init() {
        unsafe real = .allocate(capacity: Self.count)
        unsafe imaginary = .allocate(capacity: Self.count)
        unsafe real.initialize(repeating: 0, count: Self.count)
        unsafe imaginary.initialize(repeating: 0, count: Self.count)
    }

    deinit {
        unsafe real.deallocate()
        unsafe imaginary.deallocate()
    }
}

/// The discrete Fourier transform of squares of 64 × 64: radix 2, all columns at a time so that compilers vectorize it.
///
/// SAFETY of all access: a square has 64 × 64 numbers, and rows and columns stay below 64.
struct FourierTransform {
    private static let size = ComplexSquare.size
    /// e^(−2πi·k/64) for k below 32.
    private let cosines: [Float]
    private let sines: [Float]

    init() {
        let angles = (0..<Self.size / 2).map { -2 * Double.pi * Double($0) / Double(Self.size) }
        cosines = angles.map { Float(cos($0)) }
        sines = angles.map { Float(sin($0)) }
    }

    /// Transforms in place. The spectrum is transposed; ``invert(_:)`` transposes back.
    func transform(_ square: ComplexSquare) {
        let (real, imaginary) = unsafe (square.real, square.imaginary)
        unsafe transformColumns(real, imaginary)
        unsafe Self.transpose(real)
        unsafe Self.transpose(imaginary)
        unsafe transformColumns(real, imaginary)
    }

    /// The inverse of ``transform(_:)``, in place.
    func invert(_ square: ComplexSquare) {
        let scale = 1 / Float(ComplexSquare.count)
        let (real, imaginary) = unsafe (square.real, square.imaginary)
        for index in 0..<ComplexSquare.count { unsafe imaginary[index] = -imaginary[index] }
        transform(square)
        for index in 0..<ComplexSquare.count {
            unsafe real[index] *= scale
            unsafe imaginary[index] *= -scale
        }
    }

    private func transformColumns(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
    ) {
        let size = Self.size
        for row in 0..<size {
            let other = Self.reversed(row)
            guard other > row else { continue }
            for column in 0..<size {
                unsafe swap(&real[row * size + column], &real[other * size + column])
                unsafe swap(&imaginary[row * size + column], &imaginary[other * size + column])
            }
        }
        var half = 1
        while half < size {
            for block in stride(from: 0, to: size, by: 2 * half) {
                for row in 0..<half {
                    let (c, s) = (cosines[row * size / (2 * half)], sines[row * size / (2 * half)])
                    let (a, b) = unsafe (real + (block + row) * size, imaginary + (block + row) * size)
                    let (d, e) = unsafe (a + half * size, b + half * size)
                    for column in 0..<size {
                        let (x, y) = unsafe (d[column], e[column])
                        let (turnedReal, turnedImaginary) = (x * c - y * s, x * s + y * c)
                        let (u, v) = unsafe (a[column], b[column])
                        unsafe a[column] = u + turnedReal
                        unsafe b[column] = v + turnedImaginary
                        unsafe d[column] = u - turnedReal
                        unsafe e[column] = v - turnedImaginary
                    }
                }
            }
            half *= 2
        }
    }

    private static func transpose(_ values: UnsafeMutablePointer<Float>) {
        for row in 0..<size {
            for column in row + 1..<max(row + 1, size) {
                unsafe swap(&values[row * size + column], &values[column * size + row])
            }
        }
    }

    /// A number's six bits in reverse order.
    private static func reversed(_ number: Int) -> Int {
        var result = 0
        for bit in 0..<6 where number >> bit & 1 == 1 { result |= 32 >> bit }
        return result
    }
}

internal import DepthMaps
internal import Glibc

/// A filter with a peak where a patch shows the object: MOSSE (Bolme and others 2010) over several channels, as in DSST
/// (Danelljan and others 2014).
///
/// Channels are luma, its slope in four directions, and where the depth can be the object's: a repeating pattern looks the
/// same a step aside, but its outline in the depth does not. With spectra F of the channels and G of the desired peak, the
/// filter is H* = Σ G·F* / (Σ F·F* + λ), with running means over frames as numerator and denominator.
///
/// SAFETY of all access to squares: each has ``ComplexSquare/count`` numbers for as long as the filter has it, and offsets
/// are a row and a column below ``ComplexSquare/size``, or below the count.
final class CorrelationFilter {
    private static let size = ComplexSquare.size
    private static let channels = 6
    /// The gain of the depth channel: outlines are few of a patch's points, and the deviation of luma is 1.
    private static let presenceGain: Float = 2
    /// The width of a patch relative to the object.
    static let padding = 2.2
    /// The weight of a new frame in the model.
    private static let rate: Float = 0.06
    private static let regularization: Float = 0.01
    /// Pixels. A patch that is farther away or larger has no valid index in any picture, and is empty.
    private static let farthest = 1e9

    private let transform = FourierTransform()
    private let window: [Float]
    private let target = ComplexSquare()
    private let numerators = (0..<channels).map { _ in ComplexSquare() }
    private let spectra = (0..<channels).map { _ in ComplexSquare() }
    private let packed = ComplexSquare()
    private let response = ComplexSquare()
    /// The denominator, and the power of the last patch.
    private let power = ComplexSquare()
    /// Luma of the last patch, and the weight of each point: points known not to be the object have weight 0.
    private let patch = ComplexSquare()
    /// For each point of the last patch, times the window: 1 if its depth can be the object's, −1 if it is behind the object,
    /// 0 if unknown.
    private var presence = [Float](repeating: 0, count: ComplexSquare.count)
    private var isTrained = false

    /// The object's offset from the middle of the patch, in fractions of the patch's size, and the clearness of the peak: the
    /// peak-to-sidelobe ratio, (peak − mean) / deviation outside 11 × 11.
    struct Answer {
        var x: Double
        var y: Double
        var clearness: Double
        var peak: Float
    }

    init() {
        let edge = (0..<Self.size).map {
            Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(Self.size)))
        }
        window = (0..<ComplexSquare.count).map { edge[$0 / Self.size] * edge[$0 % Self.size] }
        for row in 0..<Self.size {
            for column in 0..<Self.size {
                let (x, y) = (Double(column - Self.size / 2), Double(row - Self.size / 2))
                unsafe target.real[row * Self.size + column] = Float(exp(-(x * x + y * y) / (2 * 2 * 2)))
            }
        }
        transform.transform(target)
    }

    /// Where a point of a picture is relative to the object, by its depth.
    enum Point {
        /// In front of the object: it has no weight.
        case hidden
        /// Possibly the object.
        case object
        case behind
        case unknown
    }

    /// Reads the patch of an object from a picture. `classify` returns the kind of each point.
    func read(
        _ picture: borrowing FramePlane<RGB<UInt8>>, around center: (x: Double, y: Double),
        width: Double, height: Double, classify: (Double, Double) -> Point
    ) {
        guard !picture.isEmpty,
            [center.x, center.y, width, height].allSatisfy({ abs($0) <= Self.farthest })
        else { return readNothing() }
        let size = Self.size
        let step = (x: width * Self.padding / Double(size), y: height * Self.padding / Double(size))
        let (left, top) = (center.x - width * Self.padding / 2, center.y - height * Self.padding / 2)
        let reader = LumaReader(picture, step: step)
        for row in 0..<size {
            let y = top + (Double(row) + 0.5) * step.y - 0.5
            for column in 0..<size {
                let x = left + (Double(column) + 0.5) * step.x - 0.5
                let place = row * size + column
                unsafe patch.real[place] = reader.luma(x, y)
                let (weight, sign): (Float, Float) =
                    switch classify(x, y) {
                    case .object: (1, 1)
                    case .behind: (0, -1)
                    case .hidden: (0, 0)
                    case .unknown: (1, 0)
                    }
                unsafe patch.imaginary[place] = weight * window[place]
                presence[place] = sign * window[place]
            }
        }
        makeChannels()
    }

    /// Sets a patch without known points.
    private func readNothing() {
        for index in 0..<ComplexSquare.count {
            unsafe patch.real[index] = 0
            unsafe patch.imaginary[index] = 0
            presence[index] = 0
        }
        makeChannels()
    }

    /// Computes the channels: luma's slope to the right, left, down and up, luma without its mean, and presence; and their
    /// spectra, two at a time.
    private func makeChannels() {
        let size = Self.size
        let (gray, weights) = unsafe (patch.real, patch.imaginary)
        let (mean, scale) = normalization()
        let (real, imaginary) = unsafe (packed.real, packed.imaginary)
        for pair in 0..<3 {
            for row in 0..<size {
                let (above, below) = (max(row - 1, 0) * size, min(row + 1, size - 1) * size)
                let line = row * size
                for column in 0..<size {
                    let place = line + column
                    let weight = unsafe weights[place] * scale
                    switch pair {
                    case 0:
                        let slope =
                            unsafe gray[line + min(column + 1, size - 1)] - gray[line + max(column - 1, 0)]
                        unsafe real[place] = max(slope, 0) * weight
                        unsafe imaginary[place] = max(-slope, 0) * weight
                    case 1:
                        let slope = unsafe gray[below + column] - gray[above + column]
                        unsafe real[place] = max(slope, 0) * weight
                        unsafe imaginary[place] = max(-slope, 0) * weight
                    default:
                        unsafe real[place] = (gray[place] - mean) * weight
                        unsafe imaginary[place] = presence[place] * Self.presenceGain
                    }
                }
            }
            transform.transform(packed)
            unpack(into: 2 * pair)
        }
    }

    /// The mean luma of the patch, and the factor that makes its deviation 1.
    private func normalization() -> (mean: Float, scale: Float) {
        let (gray, weights) = unsafe (patch.real, patch.imaginary)
        var (mean, total): (Float, Float) = (0, 1e-6)
        for index in 0..<ComplexSquare.count {
            unsafe mean += gray[index] * weights[index]
            unsafe total += weights[index]
        }
        mean /= total
        var deviation: Float = 1e-6
        for index in 0..<ComplexSquare.count {
            let difference = unsafe gray[index] - mean
            unsafe deviation += difference * difference * weights[index]
        }
        return (mean, 1 / max((deviation / total).squareRoot(), 0.02))
    }

    /// Separates the spectra of two real channels that were transformed as one complex one: its even and odd parts.
    private func unpack(into first: Int) {
        let size = Self.size
        let (real, imaginary) = unsafe (packed.real, packed.imaginary)
        let (one, two) = (spectra[first], spectra[first + 1])
        for row in 0..<size {
            let mirroredRow = (size - row) % size * size
            for column in 0..<size {
                let (place, other) = (row * size + column, mirroredRow + (size - column) % size)
                let (a, b) = unsafe (real[place], imaginary[place])
                let (c, d) = unsafe (real[other], imaginary[other])
                unsafe one.real[place] = (a + c) * 0.5
                unsafe one.imaginary[place] = (b - d) * 0.5
                unsafe two.real[place] = (b + d) * 0.5
                unsafe two.imaginary[place] = (c - a) * 0.5
            }
        }
    }

    /// Adds the patch that was read last to the model; the first one becomes the model.
    func train() {
        let rate = isTrained ? Self.rate : 1
        isTrained = true
        let (wantedReal, wantedImaginary) = unsafe (target.real, target.imaginary)
        let (denominator, power) = unsafe (power.real, power.imaginary)
        for index in 0..<ComplexSquare.count { unsafe power[index] = 0 }
        for channel in 0..<Self.channels {
            let (real, imaginary) = unsafe (spectra[channel].real, spectra[channel].imaginary)
            let (meanReal, meanImaginary) = unsafe (numerators[channel].real, numerators[channel].imaginary)
            for index in 0..<ComplexSquare.count {
                let (a, b) = unsafe (real[index], imaginary[index])
                let (c, d) = unsafe (wantedReal[index], wantedImaginary[index])
                // G·F*
                unsafe meanReal[index] += (c * a + d * b - meanReal[index]) * rate
                unsafe meanImaginary[index] += (d * a - c * b - meanImaginary[index]) * rate
                unsafe power[index] += a * a + b * b
            }
        }
        for index in 0..<ComplexSquare.count {
            unsafe denominator[index] += (power[index] - denominator[index]) * rate
        }
    }

    /// Finds the object in the patch that was read last.
    func answer() -> Answer {
        let size = Self.size
        let denominator = unsafe power.real
        let (sumReal, sumImaginary) = unsafe (response.real, response.imaginary)
        var mean: Float = 0
        for index in 0..<ComplexSquare.count {
            unsafe mean += denominator[index]
            unsafe sumReal[index] = 0
            unsafe sumImaginary[index] = 0
        }
        let floor = Self.regularization * mean / Float(ComplexSquare.count) + 1e-9
        for channel in 0..<Self.channels {
            let (real, imaginary) = unsafe (spectra[channel].real, spectra[channel].imaginary)
            let (modelReal, modelImaginary) = unsafe (numerators[channel].real, numerators[channel].imaginary)
            for index in 0..<ComplexSquare.count {
                let (a, b) = unsafe (real[index], imaginary[index])
                let (c, d) = unsafe (modelReal[index], modelImaginary[index])
                unsafe sumReal[index] += a * c - b * d
                unsafe sumImaginary[index] += a * d + b * c
            }
        }
        for index in 0..<ComplexSquare.count {
            let scale = unsafe 1 / (denominator[index] + floor)
            unsafe sumReal[index] *= scale
            unsafe sumImaginary[index] *= scale
        }
        transform.invert(response)
        var best = 0
        for index in 0..<ComplexSquare.count where unsafe sumReal[index] > sumReal[best] { best = index }
        let (row, column) = (best / size, best % size)
        func value(_ row: Int, _ column: Int) -> Float {
            unsafe sumReal[(row + size) % size * size + (column + size) % size]
        }
        let peak = value(row, column)
        let x = Self.vertex(value(row, column - 1), peak, value(row, column + 1))
        let y = Self.vertex(value(row - 1, column), peak, value(row + 1, column))
        return Answer(
            x: (Double(column - size / 2) + x) / Double(size), y: (Double(row - size / 2) + y) / Double(size),
            clearness: clearness(row, column, peak), peak: peak)
    }

    /// The offset of the maximum of the parabola through three neighbors, from the middle one.
    private static func vertex(_ before: Float, _ peak: Float, _ after: Float) -> Double {
        let bend = before - 2 * peak + after
        guard bend < 0 else { return 0 }
        return Double(min(max((before - after) / (2 * bend), -0.5), 0.5))
    }

    private func clearness(_ peakRow: Int, _ peakColumn: Int, _ peak: Float) -> Double {
        var (sum, squares, count): (Float, Float, Float) = (0, 0, 0)
        for row in 0..<Self.size {
            for column in 0..<Self.size where abs(row - peakRow) > 5 || abs(column - peakColumn) > 5 {
                let value = unsafe response.real[row * Self.size + column]
                sum += value
                squares += value * value
                count += 1
            }
        }
        let mean = sum / count
        let deviation = max(squares / count - mean * mean, 1e-12).squareRoot()
        return Double((peak - mean) / deviation)
    }
}

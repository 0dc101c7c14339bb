internal import Bytes

/// The visible part of an image (`clap`, ISO/IEC 14496-12 §12.1.4).
struct CleanAperture: Hashable {
    private var width, height, horizontalOffset, verticalOffset: Double

    /// Reads the property: four fractions. Offsets are signed, although the standard's table prints them unsigned.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        width = try Self.fraction(&box)
        height = try Self.fraction(&box)
        horizontalOffset = try Self.fraction(&box)
        verticalOffset = try Self.fraction(&box)
        guard width > 0, height > 0 else {
            throw box.malformed("clean aperture is \(width) × \(height); both must be positive")
        }
    }

    private static func fraction(_ box: inout ByteCursor) throws(ContainerError) -> Double {
        let numerator: Int32 = try box.read()
        let denominator: Int32 = try box.read()
        guard denominator > 0 else {
            throw box.malformed("denominator of a clean aperture is \(denominator); it must be positive")
        }
        return Double(numerator) / Double(denominator)
    }

    /// The crop of an image of `width` × `height` in integer pixels, inside it; `nil` if it is empty.
    func crop(width imageWidth: Int, height imageHeight: Int) -> PixelCrop? {
        func span(_ size: Double, _ offset: Double, of full: Int) -> Range<Int>? {
            // The center is at offset + (full − 1) / 2, and the aperture extends (size − 1) / 2 to both sides.
            let start = (offset + (Double(full) - size) / 2).rounded()
            guard let first = Int(exactly: start), let count = Int(exactly: size.rounded()) else {
                return nil
            }
            let (lower, upper) = (max(0, first), min(full, first.addingReportingOverflow(count).partialValue))
            return lower < upper ? lower..<upper : nil
        }
        guard let columns = span(width, horizontalOffset, of: imageWidth),
            let rows = span(height, verticalOffset, of: imageHeight)
        else { return nil }
        return PixelCrop(
            left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
    }
}

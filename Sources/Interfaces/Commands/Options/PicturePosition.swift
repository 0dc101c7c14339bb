internal import ArgumentParser
internal import Isobath

/// A position in the upright picture, in the syntax of all such flags: fractions of its width and height as in
/// `0.5,0.4`, or pixels as in `1200px,900px`, where 0,0 is the center of the first pixel.
struct PicturePosition: ExpressibleByArgument, Hashable, Sendable {
    var x: Double
    var y: Double
    var isInPixels = false

    init?(argument: String) {
        guard let numbers = try? PictureNumbers(argument), numbers.values.count == 2 else { return nil }
        (x, y, isInPixels) = (numbers.values[0], numbers.values[1], numbers.isInPixels)
    }

    /// The position as fractions of a picture. Throws if it is outside.
    func fractions(of picture: PixelSize) throws -> NormalizedPoint {
        guard isInPixels else { return NormalizedPoint(x: x, y: y) }
        guard (0...Double(picture.width - 1)).contains(x), (0...Double(picture.height - 1)).contains(y) else {
            throw Failure(
                "the position \(defaultValueDescription) is outside of the picture, which has \(picture) pixels"
            )
        }
        return NormalizedPoint(
            x: (x + 0.5) / Double(picture.width), y: (y + 0.5) / Double(picture.height))
    }

    var defaultValueDescription: String { isInPixels ? "\(x)px,\(y)px" : "\(x),\(y)" }
}

/// Comma-separated numbers: all fractions from 0 to 1 or percentages, or all pixels.
struct PictureNumbers: Sendable {
    var values: [Double]
    var isInPixels: Bool

    init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let pixels = parts.count { $0.hasSuffix("px") }
        let values = parts.compactMap {
            $0.hasSuffix("px") ? Double(decimal: $0.dropLast(2)) : Fraction(argument: String($0))?.value
        }
        guard values.count == parts.count, pixels == 0 || pixels == parts.count else {
            throw ValidationError(
                "'\(text.forTerminal)' is not numbers between commas; write fractions from 0 to 1, such as 0.5,0.4, or pixels such as 120px,80px"
            )
        }
        (self.values, isInPixels) = (values, pixels > 0)
    }
}

/// A fraction, written as `0.3` or `30%`.
struct Fraction: ExpressibleByArgument, Sendable {
    var value: Double

    init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        guard let number = Double(decimal: isPercentage ? argument.dropLast() : argument[...]) else {
            return nil
        }
        value = isPercentage ? number / 100 : number
        guard (0...1).contains(value) else { return nil }
    }
}

@testable package import PhotoWriting

extension ItemProperty {
    /// `irot`: rotation by quarter turns, counterclockwise (ISO/IEC 23008-12 §6.5.10). Three turns bring a photo of Exif
    /// orientation 6 upright.
    package static func rotation(counterclockwiseQuarterTurns turns: UInt8) throws(ContainerWritingError)
        -> ItemProperty
    {
        guard turns < 4 else { throw .tooLarge(field: "irot angle", limit: 3, actual: Int(turns)) }
        return ItemProperty(type: "irot", payload: [turns], isEssential: true)
    }

    /// The sides that mirroring exchanges.
    package enum MirrorDirection: UInt8, Hashable, Sendable {
        /// Top and bottom, as Exif orientation 4 does.
        case topBottom = 0
        /// Left and right, as Exif orientation 2 does.
        case leftRight = 1
    }

    /// `imir`: mirroring, after any rotation listed before it (ISO/IEC 23008-12 §6.5.12).
    package static func mirror(_ direction: MirrorDirection) -> ItemProperty {
        ItemProperty(type: "imir", payload: [direction.rawValue], isEssential: true)
    }

    /// `clap`: the visible part of the image (ISO/IEC 14496-12 §12.1.4).
    ///
    /// The offsets run from the center of the image to the center of the visible part, positive to the right and down.
    package static func cleanAperture(
        width: Fraction, height: Fraction, horizontalOffset: Fraction, verticalOffset: Fraction
    ) throws(ContainerWritingError) -> ItemProperty {
        var writer = ByteWriter()
        for fraction in [width, height, horizontalOffset, verticalOffset] {
            guard fraction.denominator > 0 else {
                throw .notRepresentable(field: "clap", value: "\(fraction.numerator)/\(fraction.denominator)")
            }
            writer.append(fraction.numerator)
            writer.append(fraction.denominator)
        }
        return ItemProperty(type: "clap", payload: writer.bytes, isEssential: true)
    }

    /// A fraction of two integers, as `clap` stores its numbers; the denominator is positive.
    package struct Fraction: Hashable, Sendable {
        /// The upper number.
        package var numerator: Int32
        /// The lower number.
        package var denominator: Int32

        /// `numerator` over `denominator`.
        package init(_ numerator: Int32, over denominator: Int32 = 1) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }
}

package import PhotoWriting
internal import TestSupport

// Properties that Isobath reads, and does not write.
extension ItemProperty {
    /// `av1C`: the AV1 decoder configuration record, unchanged (AV1 Codec ISO Media File Format Binding §2.3).
    package static func av1Configuration(_ record: [UInt8]) -> ItemProperty {
        ItemProperty(type: "av1C", payload: record, isEssential: true)
    }

    /// `cmin`: a camera's focal length and principal point, as fractions of the image's width and height, with 30 fractional
    /// bits (ISO/IEC 23008-12, third edition).
    package static func cameraIntrinsics(focalLength: Double, principalPoint: SIMD2<Double>) -> ItemProperty {
        let numbers = [focalLength, principalPoint.x, principalPoint.y].flatMap { value in
            bigEndian(Int((value * 1_073_741_824).rounded()))
        }
        return ItemProperty(type: "cmin", payload: bigEndian(30 << 8) + numbers, isEssential: false)
    }

    /// `cmex`: the camera's position to the right, in micrometers; it omits the other coordinates.
    package static func cameraPosition(micrometers: Int) -> ItemProperty {
        let position = micrometers == 0 ? bigEndian(0) : bigEndian(1) + bigEndian(micrometers)
        return ItemProperty(type: "cmex", payload: position, isEssential: false)
    }

    /// `colr` of type `prof`: an ICC profile (ISO/IEC 14496-12 §12.1.5).
    package static func colorInformation(iccProfile: [UInt8]) -> ItemProperty {
        ItemProperty(type: "colr", payload: "prof".utf8 + iccProfile, isEssential: false)
    }

    /// `irot`: rotation by quarter turns, counterclockwise (ISO/IEC 23008-12 §6.5.10). Three turns bring a photo of Exif
    /// orientation 6 upright.
    package static func rotation(counterclockwiseQuarterTurns turns: UInt8) -> ItemProperty {
        ItemProperty(type: "irot", payload: [turns], isEssential: true)
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
    package static func cleanAperture(width: Int, height: Int, right: Int, down: Int) -> ItemProperty {
        let numbers = [width, height, right, down].flatMap { bigEndian($0) + bigEndian(1) }
        return ItemProperty(type: "clap", payload: numbers, isEssential: true)
    }
}

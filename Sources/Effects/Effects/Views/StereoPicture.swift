package import DepthMaps

/// Forms of a single picture that holds a scene for both eyes.
package enum StereoForm: String, CaseIterable, Hashable, Sendable {
    /// The left eye's picture beside the right one's.
    case sideBySide = "side-by-side"
    /// For glasses with a red filter on the left and a cyan one on the right.
    case anaglyph
}

/// Combines the pictures for the left and the right eye.
package enum StereoPicture {
    /// Both pictures in one, 8 bits a sample, with the color profile of the left one. They must have the same size.
    package static func joined(_ left: ColorImage, _ right: ColorImage, _ form: StereoForm) -> ColorImage {
        let pixels = (left.eightBitPixels, right.eightBitPixels)
        let isWide = form == .sideBySide
        return ColorImage(
            width: isWide ? 2 * left.width : left.width, height: left.height,
            pixels: .uint8(
                isWide
                    ? sideBySide(pixels.0, pixels.1, width: left.width) : anaglyph(pixels.0, pixels.1)),
            colorProfile: left.colorProfile)
    }

    /// Each row of the left picture, followed by the same row of the right one. Both have `width` pixels in a row.
    package static func sideBySide(
        _ left: [RGB<UInt8>], _ right: [RGB<UInt8>], width: Int
    ) -> [RGB<UInt8>] {
        precondition(left.count == right.count)
        var picture: [RGB<UInt8>] = []
        picture.reserveCapacity(2 * left.count)
        for start in stride(from: 0, to: left.count, by: max(width, 1)) {
            picture += left[start..<start + width]
            picture += right[start..<start + width]
        }
        return picture
    }

    /// The least-squares projection of both pictures for glasses of red and cyan (E. Dubois, "A projection method to generate anaglyph stereo
    /// images", ICASSP 2001), in light.
    package static func anaglyph(_ left: [RGB<UInt8>], _ right: [RGB<UInt8>]) -> [RGB<UInt8>] {
        precondition(left.count == right.count)
        let table = TransferFunctionTable<UInt8>(.sRGB)
        let ofLeft: [SIMD4<Float>] = [
            SIMD4(0.456, -0.040, -0.015, 0), SIMD4(0.500, -0.038, -0.021, 0), SIMD4(0.176, -0.016, -0.005, 0),
        ]
        let ofRight: [SIMD4<Float>] = [
            SIMD4(-0.043, 0.378, -0.072, 0), SIMD4(-0.088, 0.734, -0.113, 0), SIMD4(-0.002, -0.018, 1.226, 0),
        ]
        return parallelMapRows(width: left.count, height: 1) { _, output in
            for index in left.indices {
                let (l, r) = (table.light(of: left[index]), table.light(of: right[index]))
                let light =
                    ofLeft[0] * l.x + ofLeft[1] * l.y + ofLeft[2] * l.z + ofRight[0] * r.x + ofRight[1] * r.y
                    + ofRight[2] * r.z
                output[index] = table.pixel(ofLight: light)
            }
        }
    }
}

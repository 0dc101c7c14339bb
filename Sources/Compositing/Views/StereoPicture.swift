package import DepthCore

/// Forms of a single picture that holds a scene for both eyes.
package enum StereoForm: String, CaseIterable, Codable, Hashable, Sendable {
    /// The left eye's picture beside the right one's.
    case sideBySide = "side-by-side"
    /// For glasses with a red filter on the left and a cyan one on the right.
    case anaglyph
    /// Dots that show the depth to diverging eyes, without glasses.
    case autostereogram
}

/// Combines the pictures for the left and the right eye.
package enum StereoPicture {
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

    /// A single image stereogram of random dots (H. Thimbleby, S. Inglis and I. Witten, "Displaying 3D images: algorithms for
    /// single-image random-dot stereograms", Computer 27(10), 1994), hidden surfaces removed. `nearness` is 0 (far) … 1
    /// (near) for each pixel; `period` is the distance of repeated dots at the far plane, in pixels.
    package static func autostereogram(
        nearness: [Float], width: Int, height: Int, period: Int
    ) -> [RGB<UInt8>] {
        precondition(nearness.count == width * height && period > 3)
        // Depth of field: near dots repeat at a fraction of the period.
        let field: Float = 1 / 3
        @Sendable func separation(_ z: Float) -> Int {
            Int(((1 - field * z) * Float(2 * period) / (2 - field * z)).rounded())
        }
        return parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let line = nearness.span.extracting(row * width..<(row + 1) * width)
                var same = Array(0..<width)
                for column in 0..<width {
                    let gap = separation(line[column])
                    var left = column - gap / 2
                    var right = left + gap
                    guard left >= 0, right < width else { continue }
                    var (step, isVisible) = (1, true)
                    while isVisible {
                        let level =
                            line[column] + 2 * (2 - field * line[column]) * Float(step)
                            / (field * Float(2 * period))
                        if level >= 1 { break }
                        let (before, after) = (column - step, column + step)
                        isVisible =
                            (before < 0 || line[before] < level) && (after >= width || line[after] < level)
                        step += 1
                    }
                    guard isVisible else { continue }
                    var link = same[left]
                    while link != left, link != right {
                        if link < right {
                            left = link
                        } else {
                            same[left] = right
                            left = right
                            right = link
                        }
                        link = same[left]
                    }
                    same[left] = right
                }
                let start = (row - rows.lowerBound) * width
                for column in stride(from: width - 1, through: 0, by: -1) {
                    output[start + column] =
                        same[column] == column
                        ? dot(row: row, column: column) : output[start + same[column]]
                }
            }
        }
    }

    /// A dot in one of a few colors, always the same for the same row and column (the mixing of SplitMix64).
    private static func dot(row: Int, column: Int) -> RGB<UInt8> {
        var z = UInt64(truncatingIfNeeded: row << 32 | column) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        let level = UInt8(truncatingIfNeeded: z) / 2
        switch (z >> 8) % 4 {
        case 0: return RGB(red: 20 + level / 4, green: 30 + level / 4, blue: 60 + level / 2)
        case 1: return RGB(red: 235 - level / 4, green: 225 - level / 4, blue: 200 - level / 4)
        case 2: return RGB(red: 190 - level / 2, green: 120 - level / 2, blue: 70 - level / 4)
        default: return RGB(red: 60 + level / 4, green: 130 - level / 4, blue: 120 - level / 4)
        }
    }
}

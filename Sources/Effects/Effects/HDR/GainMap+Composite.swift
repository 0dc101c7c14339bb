package import DepthMaps

extension GainMap {
    /// The map of a subject of an HDR photo over another background.
    ///
    /// Where only the subject is visible, its factors stay. Elsewhere the factor is the quotient of mixed light: that of the
    /// rendition, and that of the picture.
    ///
    /// - Parameters:
    ///   - subject: The light of the subject, of any size, in gray for a map with one plane.
    ///   - background: The light of the background, likewise.
    ///   - matte: The fraction of the subject, of the size of the map.
    package func mixing(_ subject: HDRLight, over background: HDRLight, by matte: Matte) -> GainMap {
        precondition(matte.width == width && matte.height == height, "the matte has the map's size")
        let isGray = factors.count == 1
        precondition(subject.isGray == isGray && background.isGray == isGray, "a map has the planes of light")
        let (base, alternate) = offsets
        let (width, coverage) = (width, matte.coverage)
        let made = factors.indices.map { channel -> [Float] in
            let old = factors[channel]
            let near = EnlargedLight(subject, of: channel, toWidth: width, height: height)
            let far = EnlargedLight(background, of: channel, toWidth: width, height: height)
            return parallelPixels(width: width, height: height) { column, row in
                let place = row * width + column
                let share = Float(coverage[place]) / 255
                guard share < 1 else { return old[place] }
                var light = far.light(row, column)
                if share > 0 { light += (near.light(row, column) - light) * share }
                let (wanted, given) = (light.x + alternate[channel], light.y + base[channel])
                return given > 1e-5 && wanted > 0 ? wanted / given : 1
            }
        }
        return GainMap(width: width, height: height, factors: made, parameters: parameters)
    }
}

/// One color of a rendition and its picture at a larger size, interpolated where it is needed.
private struct EnlargedLight: Sendable {
    private let width: Int
    /// The light of the rendition and of the picture.
    private let light: [SIMD2<Float>]
    private let columns: [InterpolationTap]
    private let rows: [InterpolationTap]

    init(_ hdr: HDRLight, of channel: Int, toWidth newWidth: Int, height newHeight: Int) {
        light = hdr.light(of: channel)
        width = hdr.images[0].width
        columns = InterpolationTap.taps(of: newWidth, in: width)
        rows = InterpolationTap.taps(of: newHeight, in: hdr.images[0].height)
    }

    /// The light of the rendition and of the picture.
    @inline(__always)
    func light(_ row: Int, _ column: Int) -> SIMD2<Float> {
        light.between(columns[column], rows[row], width: width)
    }
}

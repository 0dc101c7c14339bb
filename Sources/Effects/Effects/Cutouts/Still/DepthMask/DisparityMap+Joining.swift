package import DepthMaps
package import DepthTypes

extension DisparityMap {
    /// A subject's matte joined with the objects that are nearer than the subject, and not part of it: their edges follow
    /// the photo. The matte itself if nothing is.
    ///
    /// If the focus is behind the subject, no object joins it. Objects count if they are nearer than nine tenths of the
    /// subject, and nearer than `focus`, by more than three times `leastDifference` in 1/meters, and cover a two-thousandth of
    /// the photo outside of the matte. Their edges are where the map is nearer by `leastDifference`.
    ///
    /// This map and the matte have the photo's size. This map has no unknown samples, and was enlarged from one of `mapSize`.
    package func joining(
        _ subject: Matte, before focus: Float, leastDifference: Float, enlargedFrom mapSize: PixelSize,
        in photo: ColorImage, curve: TransferFunction
    ) throws(CompositingError) -> Matte {
        precondition(subject.coverage.count == reciprocalMeters.count, "the matte has the map's size")
        let end = nearEnd(of: subject)
        guard end <= focus + 4 * leastDifference else { return subject }
        let least = max(end, focus) + leastDifference
        guard let area = area(nearerThan: least + 2 * leastDifference, outside: subject) else {
            return subject
        }
        let part = cropped(to: area)
        let partSize = PixelSize(
            width: max(mapSize.width * part.width / width, 1),
            height: max(mapSize.height * part.height / height, 1))
        let mask = part.mask(
            of: DisparityRange(from: least...least + leastDifference), enlargedFrom: partSize)
        return subject.joined(
            with: try mask.cutout(of: photo.cropped(to: area), curve: curve).matte, in: area)
    }

    /// The area around all samples that are nearer than a disparity and not part of a subject; `nil` if they cover less than
    /// a two-thousandth of the photo.
    private func area(nearerThan least: Float, outside subject: Matte) -> CellArea? {
        let counts: [SIMD3<Int32>] = parallelMapRows(width: 1, height: height) { band, output in
            for row in band {
                // The first and the last column, and the number of samples.
                var found = SIMD3(Int32.max, -1, 0)
                for column in 0..<width {
                    let index = row * width + column
                    guard reciprocalMeters[index] > least,
                        subject.coverage[index] < MatteBoundary.leastCoverage
                    else { continue }
                    found = SIMD3(min(found.x, Int32(column)), Int32(column), found.z + 1)
                }
                output[row - band.lowerBound] = found
            }
        }
        guard let top = counts.firstIndex(where: { $0.z > 0 }),
            let bottom = counts.lastIndex(where: { $0.z > 0 }),
            counts.reduce(0, { $0 + Int($1.z) }) * 2000 > width * height
        else { return nil }
        let (left, right) = counts.reduce((width, 0)) { (min($0.0, Int($1.x)), max($0.1, Int($1.y))) }
        let margin = max(width, height) / 50
        return CellArea(
            columns: max(left - margin, 0)..<min(right + 1 + margin, width),
            rows: max(top - margin, 0)..<min(bottom + 1 + margin, height), cell: 1)
    }

    private func cropped(to area: CellArea) -> DisparityMap {
        DisparityMap(
            width: area.columns.count, height: area.rows.count,
            reciprocalMeters: reciprocalMeters.cropped(width: width, to: area.columns, area.rows),
            scale: scale)
    }

    /// The 90th percentile of the disparities of a matte's subject.
    private func nearEnd(of subject: Matte) -> Float {
        // One sample in 64 is enough.
        let samples = stride(from: 0, to: reciprocalMeters.count, by: 64)
            .filter { subject.coverage[$0] >= MatteBoundary.fullCoverage }
            .map { reciprocalMeters[$0] }
            .sorted()
        return samples.isEmpty ? -.infinity : samples[samples.count * 9 / 10]
    }
}

extension Matte {
    /// The larger coverage of this matte and another of an area of it; their sum where their edges meet, and nothing
    /// uncovered is near.
    fileprivate func joined(with other: Matte, in area: CellArea) -> Matte {
        let wide = area.columns.count
        let own = coverage.cropped(width: width, to: area.columns, area.rows)
        let larger = zip(own, other.coverage).map { max($0, $1) }
        let joined: [UInt8] = parallelMapRows(width: wide, height: area.rows.count) { band, output in
            for row in band {
                for column in 0..<wide {
                    let index = row * wide + column
                    let sum = Int(own[index]) + Int(other.coverage[index])
                    let meets =
                        larger[index] < 255 && sum > Int(larger[index])
                        && !isUncovered(around: column, row, larger, area)
                    output[index - band.lowerBound * wide] = meets ? UInt8(min(sum, 255)) : larger[index]
                }
            }
        }
        var coverage = coverage
        for row in area.rows {
            let start = row * width + area.columns.lowerBound
            let from = (row - area.rows.lowerBound) * wide
            coverage.replaceSubrange(start..<start + wide, with: joined[from..<from + wide])
        }
        return Matte(width: width, height: height, coverage: coverage)
    }

    /// Whether a pixel of an area up to three away is covered by less than a quarter.
    private func isUncovered(around column: Int, _ row: Int, _ coverage: [UInt8], _ area: CellArea) -> Bool {
        let (wide, high) = (area.columns.count, area.rows.count)
        return (max(row - 3, 0)...min(row + 3, high - 1)).contains { y in
            coverage[y * wide + max(column - 3, 0)...y * wide + min(column + 3, wide - 1)].contains {
                $0 < 64
            }
        }
    }
}

extension ColorImage {
    fileprivate func cropped(to area: CellArea) -> ColorImage {
        ColorImage(
            width: area.columns.count, height: area.rows.count,
            pixels: pixels.cropped(width: width, to: area.columns, area.rows), colorProfile: colorProfile)
    }
}

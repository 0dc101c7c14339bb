internal import CLCMS
package import DepthMaps

extension ColorImage {
    /// The matrix from linear light of the picture's primaries to linear light of sRGB's (Rec. 709, D65), row by row; `nil`
    /// for a profile that does not consist of three curves and a matrix.
    ///
    /// Both are relative to the white of the profile connection space (D50), so white stays white. Results may be outside
    /// 0…1.
    package var matrixToLinearSRGB: [Double]? {
        guard !colorProfile.isEmpty else { return [1, 0, 0, 0, 1, 0, 0, 0, 1] }
        guard let own = try? ColorProfile(colorProfile), let sRGB = try? ColorProfile([]),
            let colorants = own.colorants, let target = sRGB.colorants, let inverse = inverse(of: target)
        else { return nil }
        return product(inverse, colorants)
    }
}

extension ColorProfile {
    /// The XYZ values of the primaries (`rXYZ`, `gXYZ`, `bXYZ`) as columns, row by row.
    fileprivate var colorants: [Double]? {
        guard unsafe cmsIsMatrixShaper(handle) != 0 else { return nil }
        var columns: [cmsCIEXYZ] = []
        for tag in [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag] {
            guard let value = unsafe cmsReadTag(handle, tag) else { return nil }
            // SAFETY: tags with these signatures hold one XYZ number.
            columns.append(unsafe value.assumingMemoryBound(to: cmsCIEXYZ.self).pointee)
        }
        return columns.map(\.X) + columns.map(\.Y) + columns.map(\.Z)
    }
}

private func product(_ first: [Double], _ second: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
        for column in 0..<3 {
            var sum = 0.0
            for index in 0..<3 { sum += first[row * 3 + index] * second[index * 3 + column] }
            result[row * 3 + column] = sum
        }
    }
    return result
}

private func inverse(of m: [Double]) -> [Double]? {
    func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[d] - m[b] * m[c] }
    let cofactors: [Double] = [
        minor(4, 5, 7, 8), minor(2, 1, 8, 7), minor(1, 2, 4, 5),
        minor(5, 3, 8, 6), minor(0, 2, 6, 8), minor(2, 0, 5, 3),
        minor(3, 4, 6, 7), minor(1, 0, 7, 6), minor(0, 1, 3, 4),
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard abs(determinant) > 1e-9 else { return nil }
    return cofactors.map { $0 / determinant }
}

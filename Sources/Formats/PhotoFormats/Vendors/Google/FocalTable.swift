internal import Bytes
internal import Embedded

/// Dynamic Depth's `FocalTable`: how much the camera blurs each step of distance. Pairs of little-endian Float32, a distance
/// and a signed blur radius.
struct FocalTable {
    /// The distances, in the unit of `Near` and `Far`.
    let distances: [Double]

    /// Reads a table in base64; `nil` if it is too short, too long, or not base64.
    init?(base64 text: String, limits: DecodingLimits) {
        guard text.utf8.count <= limits[.base64Bytes], let bytes = decodeBase64(text), bytes.count >= 16
        else {
            return nil
        }
        var cursor = ByteCursor(bytes.span)
        cursor.byteOrder = .littleEndian
        var distances: [Double] = []
        while cursor.remaining >= 8 {
            guard let bits = try? cursor.read(UInt32.self), (try? cursor.skip(4)) != nil else { return nil }
            distances.append(Double(Float(bitPattern: bits)))
        }
        self.distances = distances
    }

    /// Whether the table goes from near to far in the steps of an inverse range. It does if the distances are meters.
    func agrees(near: Double, far: Double) -> Bool {
        guard distances.count > 1 else { return false }
        let last = Double(distances.count - 1)
        return [0, distances.count / 2, distances.count - 1].allSatisfy { index in
            let distance = far * near / (far - Double(index) / last * (far - near))
            return abs(distances[index] - distance) <= 0.001 * distance
        }
    }
}

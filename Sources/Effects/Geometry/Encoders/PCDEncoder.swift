internal import DepthMaps

/// Point Cloud Data 0.7, the format of PCL and Open3D, binary.
///
/// Fields are `x y z`, `normal_x normal_y normal_z`, `rgb` (0x00RRGGBB in the bits of a float, as PCL requires) and
/// `confidence`, each group only if the cloud has it. The cloud is not organized: one row. The viewpoint is the unrotated
/// camera at the origin, since viewers turn clouds by it.
package struct PCDEncoder: CloudEncoder {
    /// The text before the points.
    package let opening: [UInt8]
    private let header: CloudHeader

    /// An encoder for a cloud. Comments become lines that start with `#`.
    package init(_ header: CloudHeader) {
        self.header = header
        var names = ["x", "y", "z"]
        if header.hasNormals { names += ["normal_x", "normal_y", "normal_z"] }
        if header.hasColors { names.append("rgb") }
        if header.hasConfidences { names.append("confidence") }
        func line(_ name: String, _ value: String) -> String {
            name + String(repeating: " " + value, count: names.count)
        }
        var lines = ["# .PCD v0.7 - Point Cloud Data file format"]
        lines += header.comments.map { "# \($0)" }
        lines += ["VERSION 0.7", "FIELDS \(names.joined(separator: " "))"]
        lines += [line("SIZE", "4"), line("TYPE", "F"), line("COUNT", "1")]
        lines += ["WIDTH \(header.pointCount)", "HEIGHT 1", "VIEWPOINT 0 0 0 1 0 0 0"]
        lines += ["POINTS \(header.pointCount)", "DATA binary", ""]
        opening = Array(lines.joined(separator: "\n").utf8)
    }

    /// The bytes of a point.
    package var pointSize: Int? { recordSize }

    private var recordSize: Int {
        12 + (header.hasNormals ? 12 : 0) + (header.hasColors ? 4 : 0) + (header.hasConfidences ? 4 : 0)
    }

    /// Appends one record for each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        let (hasNormals, hasColors) = (header.hasNormals, header.hasColors)
        let hasConfidences = header.hasConfidences
        unsafe bytes.append(records: piece.positions.count, of: recordSize) { index, place in
            var place = unsafe place
            unsafe place.storeBytes(of: piece.positions[index], as: SIMD3<Float>.self)
            unsafe place += 12
            if hasNormals {
                unsafe place.storeBytes(of: piece.normals[index], as: SIMD3<Float>.self)
                unsafe place += 12
            }
            if hasColors {
                let color = piece.colors[index]
                let code = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
                unsafe place.storeBytes(of: code, as: UInt32.self)
                unsafe place += 4
            }
            if hasConfidences { unsafe place.storeBytes(of: piece.confidences[index], as: Float.self) }
        }
    }
}

internal import DepthMaps

/// Polygon File Format for points and triangles: binary little-endian, or text.
///
/// MeshLab, CloudCompare, Blender and Open3D know all properties: `float x y z`, `float nx ny nz`, `uchar red green
/// blue`, `float confidence`, each group only if the cloud has it; a point with only color has 15 bytes. Faces of a
/// mesh are `list uchar int vertex_indices`.
package struct PLYEncoder: MeshEncoder {
    /// The text before the points.
    package let opening: [UInt8]
    private let header: CloudHeader
    private let isText: Bool

    /// An encoder for a cloud, or for a mesh of `triangleCount` triangles. Comments become `comment` lines.
    package init(_ header: CloudHeader, isText: Bool = false, triangleCount: Int? = nil) {
        self.header = header
        self.isText = isText
        var lines = ["ply", "format \(isText ? "ascii" : "binary_little_endian") 1.0"]
        lines += header.comments.map { "comment \($0)" }
        lines.append("element vertex \(header.pointCount)")
        var names = ["float x", "float y", "float z"]
        if header.hasNormals { names += ["float nx", "float ny", "float nz"] }
        if header.hasColors { names += ["uchar red", "uchar green", "uchar blue"] }
        if header.hasConfidences { names.append("float confidence") }
        lines += names.map { "property \($0)" }
        if let triangleCount {
            lines += ["element face \(triangleCount)", "property list uchar int vertex_indices"]
        }
        lines += ["end_header", ""]
        opening = Array(lines.joined(separator: "\n").utf8)
    }

    /// The bytes of a point in the binary form.
    package var pointSize: Int? { isText ? nil : recordSize }

    private var recordSize: Int {
        12 + (header.hasNormals ? 12 : 0) + (header.hasColors ? 3 : 0) + (header.hasConfidences ? 4 : 0)
    }

    /// Appends one record, or one line, for each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        if isText { return appendText(piece, to: &bytes) }
        precondition(!header.hasNormals || piece.normals.count == piece.positions.count)
        precondition(!header.hasColors || piece.colors.count == piece.positions.count)
        precondition(!header.hasConfidences || piece.confidences.count == piece.positions.count)
        // Vectors of three floats are stored as four: there is space for the fourth after the last record.
        unsafe bytes.append(byteCount: piece.positions.count * recordSize) { unsafe fill($0, piece) }
    }

    /// Appends one record, or one line, for each triangle.
    package func append(_ triangles: [Triangle], to bytes: inout [UInt8]) {
        guard isText else {
            return unsafe bytes.append(records: triangles.count, of: 13) { index, place in
                unsafe place.storeBytes(of: 3, as: UInt8.self)
                unsafe (place + 1).storeBytes(of: triangles[index], as: Triangle.self)
            }
        }
        for triangle in triangles {
            bytes += "3 \(triangle.first) \(triangle.second) \(triangle.third)\n".utf8
        }
    }

    /// Writes records in order, so that the fourth float of a vector is overwritten by the next field.
    private func fill(_ output: UnsafeMutableRawBufferPointer, _ piece: PointCloud) {
        let (hasNormals, hasColors, hasConfidences) =
            (header.hasNormals, header.hasColors, header.hasConfidences)
        let size = recordSize
        precondition(output.count >= piece.positions.count * size + 4)
        guard var place = output.baseAddress else { return }
        // SAFETY: records are contiguous in memory for all of them and four bytes; the arrays that are read are as long as
        // `positions`, as `append` checks.
        unsafe piece.positions.withUnsafeBufferPointer { positions in
            unsafe piece.normals.withUnsafeBufferPointer { normals in
                unsafe piece.colors.withUnsafeBufferPointer { colors in
                    unsafe piece.confidences.withUnsafeBufferPointer { confidences in
                        for index in 0..<positions.count {
                            var rest = unsafe place
                            unsafe place += size
                            unsafe rest.storeBytes(of: positions[index], as: SIMD3<Float>.self)
                            unsafe rest += 12
                            if hasNormals {
                                unsafe rest.storeBytes(of: normals[index], as: SIMD3<Float>.self)
                                unsafe rest += 12
                            }
                            if hasColors {
                                unsafe rest.storeBytes(of: colors[index], as: RGB<UInt8>.self)
                                unsafe rest += 3
                            }
                            if hasConfidences {
                                unsafe rest.storeBytes(of: confidences[index], as: Float.self)
                            }
                        }
                    }
                }
            }
        }
    }

    private func appendText(_ piece: PointCloud, to bytes: inout [UInt8]) {
        for index in piece.positions.indices {
            bytes.append(numbers: piece.positions[index])
            if header.hasNormals {
                bytes.append(UInt8(ascii: " "))
                bytes.append(numbers: piece.normals[index])
            }
            if header.hasColors {
                let color = piece.colors[index]
                for sample in [color.red, color.green, color.blue] { bytes += " \(sample)".utf8 }
            }
            if header.hasConfidences { bytes += " \(piece.confidences[index])".utf8 }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}

extension [UInt8] {
    /// Three numbers in the fewest digits that identify them, separated by spaces.
    mutating func append(numbers: SIMD3<Float>) {
        self += numbers.x.description.utf8
        append(UInt8(ascii: " "))
        self += numbers.y.description.utf8
        append(UInt8(ascii: " "))
        self += numbers.z.description.utf8
    }
}

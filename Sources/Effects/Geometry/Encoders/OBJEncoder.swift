internal import DepthMaps

/// Wavefront OBJ: text.
///
/// `v x y z`, followed by `r g b` of 0…1 if there are colors, which most readers support; `vt` and `vn` for texture
/// coordinates and normals; `f` for triangles. A texture needs a material library beside the file.
package struct OBJEncoder: MeshEncoder {
    /// The lines before the points.
    package let opening: [UInt8]
    private let header: CloudHeader

    /// The name of the only material.
    static let material = "photo"

    /// An encoder for a cloud or a mesh. `materialLibrary` names the file with the material of its texture; printable
    /// ASCII without spaces.
    package init(_ header: CloudHeader, materialLibrary: String? = nil) {
        self.header = header
        var lines = header.comments.map { "# \($0)" }
        if let materialLibrary { lines += ["mtllib \(materialLibrary)", "usemtl \(Self.material)"] }
        opening = Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// The material library for a texture: a surface that shows the unlit picture.
    package static func materialLibrary(texture name: String) -> [UInt8] {
        Array("newmtl \(material)\nKa 1 1 1\nKd 1 1 1\nKs 0 0 0\nillum 0\nmap_Kd \(name)\n".utf8)
    }

    /// Appends the lines of each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        for index in piece.positions.indices {
            bytes += "v ".utf8
            bytes.append(numbers: piece.positions[index])
            if header.hasColors {
                let color = piece.colors[index]
                bytes += shares[Int(color.red)]
                bytes += shares[Int(color.green)]
                bytes += shares[Int(color.blue)]
            }
            if header.hasTextureCoordinates {
                // Measured from the lower edge.
                let place = piece.textureCoordinates[index]
                bytes += "\nvt ".utf8
                bytes.append(share: place.x)
                bytes.append(UInt8(ascii: " "))
                bytes.append(share: 1 - place.y)
            }
            if header.hasNormals {
                bytes += "\nvn ".utf8
                bytes.append(numbers: piece.normals[index])
            }
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Appends one line for each triangle.
    package func append(_ triangles: [Triangle], to bytes: inout [UInt8]) {
        for triangle in triangles {
            bytes.append(UInt8(ascii: "f"))
            append(corner: triangle.first, to: &bytes)
            append(corner: triangle.second, to: &bytes)
            append(corner: triangle.third, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// All attributes of a vertex have the vertex's number, starting at 1.
    private func append(corner: UInt32, to bytes: inout [UInt8]) {
        let number = corner + 1
        bytes.append(UInt8(ascii: " "))
        bytes.append(digitsOf: number)
        if header.hasTextureCoordinates {
            bytes.append(UInt8(ascii: "/"))
            bytes.append(digitsOf: number)
        }
        guard header.hasNormals else { return }
        bytes += header.hasTextureCoordinates ? "/".utf8 : "//".utf8
        bytes.append(digitsOf: number)
    }
}

extension [UInt8] {
    /// Appends a number in at least `count` decimal digits.
    mutating func append(digitsOf number: UInt32, count: Int = 1) {
        var (length, rest) = (1, number / 10)
        while rest > 0 { (length, rest) = (length + 1, rest / 10) }
        self += repeatElement(UInt8(ascii: "0"), count: Swift.max(length, count))
        var place = self.count - 1
        rest = number
        while rest > 0 {
            self[place] += UInt8(rest % 10)
            (place, rest) = (place - 1, rest / 10)
        }
    }

    /// Appends a number from 0 to 1, to six digits.
    fileprivate mutating func append(share: Float) {
        let millionths = UInt32(Swift.min(Swift.max(share, 0), 1) * 1e6 + 0.5)
        append(UInt8(ascii: millionths == 1_000_000 ? "1" : "0"))
        append(UInt8(ascii: "."))
        append(digitsOf: millionths % 1_000_000, count: 6)
    }
}

/// A space and c / 255 for each value c, rounded up to five digits: 255 times that is c, whether a reader rounds or
/// truncates.
private let shares: [[UInt8]] = (0...255).map { code in
    let digits = String((code * 100_000 + 254) / 255)
    if code == 255 { return Array(" 1".utf8) }
    return Array(" 0.\(String(repeating: "0", count: 5 - digits.count))\(digits)".utf8)
}

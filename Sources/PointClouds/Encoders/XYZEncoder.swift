internal import DepthCore

/// Text with a line for each point: `x y z`, followed by `red green blue` of 0…255 and the normal if there are any.
///
/// The file has no comments, because half of the readers misread them as points: see this module's README.
package struct XYZEncoder: CloudEncoder {
    private let header: CloudHeader

    /// An encoder for a cloud.
    package init(_ header: CloudHeader) { self.header = header }

    /// Nothing.
    package var opening: [UInt8] { [] }

    /// Appends one line for each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        for index in piece.positions.indices {
            bytes.append(numbers: piece.positions[index])
            if header.hasColors {
                let color = piece.colors[index]
                for sample in [color.red, color.green, color.blue] { bytes += " \(sample)".utf8 }
            }
            if header.hasNormals {
                bytes.append(UInt8(ascii: " "))
                bytes.append(numbers: piece.normals[index])
            }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}

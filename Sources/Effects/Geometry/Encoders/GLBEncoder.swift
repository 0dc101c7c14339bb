internal import DepthMaps

/// Binary glTF 2.0 (`.glb`): points, or a mesh of triangles, in meters and with y up, as the format prescribes.
///
/// Vertices are interleaved with all their attributes, so they can be written one by one: `POSITION`, `NORMAL`, `TEXCOORD_0`
/// with a texture, else `COLOR_0`. Colors are linear light in floats: bytes would leave two values for the darkest 13 of
/// sRGB's, and some readers misread shorts as bytes. The texture, a JPEG file, is embedded; it and colors are unlit
/// (`KHR_materials_unlit`). Provenance is in `asset.extras`. Confidences are not stored.
///
/// Splats are points with the attributes of `KHR_gaussian_splatting`: rotation (x, y, z, w), scale (standard deviations),
/// opacity 1, and the color as a spherical harmonic of degree 0. `COLOR_0` remains for viewers of points.
package struct GLBEncoder: MeshEncoder {
    /// The header, the JSON chunk and the start of the binary one.
    package let opening: [UInt8]
    /// The texture, and zero padding to a multiple of four bytes.
    package let closing: [UInt8]
    private let layout: GLBLayout

    /// An encoder for a cloud, or for a mesh of `triangleCount` triangles with a JPEG file as texture (empty for no
    /// texture).
    ///
    /// Throws if the file would have 4 GiB or more.
    package init(
        _ header: CloudHeader, triangleCount: Int? = nil, texture: [UInt8] = []
    ) throws(CloudError) {
        layout = GLBLayout(header, triangleCount: triangleCount, textureSize: texture.count)
        let binarySize = layout.binarySize
        closing = texture + [UInt8](repeating: 0, count: binarySize - layout.dataSize)
        var json = Array(GLBDocument(layout).text.utf8)
        while json.count % 4 != 0 { json.append(UInt8(ascii: " ")) }
        let hasBinary = binarySize > 0
        let size = 12 + 8 + json.count + (hasBinary ? 8 + binarySize : 0)
        guard let total = UInt32(exactly: size) else {
            throw .tooLarge(.glb, byteCount: size)
        }
        var bytes = Array("glTF".utf8)
        for number in [2, total, UInt32(json.count)] { bytes.append(littleEndian: number) }
        bytes += Array("JSON".utf8) + json
        if hasBinary {
            bytes.append(littleEndian: UInt32(binarySize))
            bytes += Array("BIN\0".utf8)
        }
        opening = bytes
    }

    /// Appends one record for each point.
    package func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        let layout = layout
        unsafe bytes.append(records: piece.positions.count, of: layout.stride) { index, place in
            unsafe place.storeBytes(of: piece.positions[index], as: SIMD3<Float>.self)
            if let offset = layout.normalOffset {
                unsafe (place + offset).storeBytes(of: piece.normals[index], as: SIMD3<Float>.self)
            }
            if let offset = layout.textureOffset {
                unsafe (place + offset).storeBytes(of: piece.textureCoordinates[index], as: SIMD2<Float>.self)
            }
            if let offset = layout.colorOffset {
                let color = piece.colors[index]
                let light = SIMD3(
                    lightOfCodes[Int(color.red)], lightOfCodes[Int(color.green)],
                    lightOfCodes[Int(color.blue)])
                unsafe (place + offset).storeBytes(of: light, as: SIMD3<Float>.self)
            }
            if let offset = layout.splatOffset, let spacing = layout.header.splatSpacing {
                let splat = Splat(at: piece.positions[index], piece.normals[index], spacing)
                let color = layout.header.hasColors ? piece.colors[index] : Splat.gray
                unsafe (place + offset).storeBytes(of: splat.rotation, as: SIMD4<Float>.self)
                unsafe (place + offset + 16).storeBytes(of: splat.scale, as: SIMD3<Float>.self)
                unsafe (place + offset + 28).storeBytes(of: 1, as: Float.self)
                unsafe (place + offset + 32).storeBytes(
                    of: Splat.coefficients(of: color), as: SIMD3<Float>.self)
            }
        }
    }

    /// Appends three numbers for each triangle.
    package func append(_ triangles: [Triangle], to bytes: inout [UInt8]) {
        unsafe bytes.append(records: triangles.count, of: 12) { index, place in
            unsafe place.storeBytes(of: triangles[index], as: Triangle.self)
        }
    }
}

/// The light of each sRGB value by its formula: readers compare it with theirs.
let lightOfCodes = (0...255).map { TransferFunction.sRGBLight(of: Double($0) / 255) }

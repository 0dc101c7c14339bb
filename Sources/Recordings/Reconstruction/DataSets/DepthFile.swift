internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// The depth of a frame as files of a data set.
struct DepthFile: Sendable {
    /// The depth itself, and then what is derived from it.
    let files: [DataSetFile]
    /// Known distances that the form cannot hold: they become unknown.
    let lostCount: Int

    /// The inverse depth, in 1/m, of the code 65,536 in ``inverseDepth(_:)``: 0.1 m is the nearest distance, and a step is 4 mm at
    /// 5 m. All frames have the same, because 3D Gaussian splatting ignores frames whose scale differs from the usual one.
    static let inverseScale: Float = 10

    /// Encodes depth in meters, `nan` where unknown. `stem` is the frame's name; `picture` and `size` are its picture's file
    /// name and size; `camera` is the picture's.
    init(
        _ depth: FramePlane<Float>, for form: DataSetForm, stem: String, picture: String?, size: PixelSize,
        _ camera: CameraCalibration
    ) throws(WriteError) {
        guard let units = form.unitsPerMeter else {
            let name = "\(picture ?? stem).geometric.bin"
            files = [
                DataSetFile(
                    "stereo/depth_maps/\(name)",
                    Self.denseMap(depth.samples.map { $0 > 0 ? $0 : 0 }, depth.size, channels: 1)),
                DataSetFile(
                    "stereo/normal_maps/\(name)",
                    Self.denseMap(NormalMap(depth, camera).samples, depth.size, channels: 3)),
                DataSetFile("inverse_depths/\(stem).png", try Self.png(Self.inverseDepth(depth), depth.size)),
            ]
            lostCount = 0
            return
        }
        // Readers of TUM's form look up the depth of a pixel at the pixel's own position.
        let depth = form == .tum ? depth.nearest(size) : depth
        let codes = depth.samples.map { $0.depthCode(units) }
        lostCount = zip(depth.samples, codes).count { $0 > 0 && $1 == 0 }
        files = [
            DataSetFile("\(form == .tum ? "depth" : "depths")/\(stem).png", try Self.png(codes, depth.size))
        ]
    }

    private static func png(_ codes: [UInt16], _ size: PixelSize) throws(WriteError) -> [UInt8] {
        let raster = Raster(width: size.width, height: size.height, samples: .gray16(codes))
        return try bytesWritten { (descriptor) throws(WriteError) in
            try raster.write(as: RasterFormat.png, to: descriptor)
        }
    }

    /// The inverse depth as 3D Gaussian splatting reads it, with holes filled: it has no code for unknown, and 0 is infinity.
    private static func inverseDepth(_ depth: FramePlane<Float>) -> [UInt16] {
        let map = DepthMap(
            width: depth.width, height: depth.height, meters: depth.samples, scale: .absolute)
        return map.filled().meters.map { meters in
            let code = 65536 / (inverseScale * meters)
            return code < 65535 ? UInt16(code.rounded()) : code.isNaN ? 0 : 65535
        }
    }

    /// COLMAP's dense map: `width&height&channels&` in ASCII, then the Float32 of each channel row by row, least significant byte
    /// first.
    private static func denseMap(_ samples: [Float], _ size: PixelSize, channels: Int) -> [UInt8] {
        var bytes = Array("\(size.width)&\(size.height)&\(channels)&".utf8)
        bytes.reserveCapacity(bytes.count + 4 * samples.count)
        for value in samples {
            let bits = value.bitPattern
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        return bytes
    }
}

extension FramePlane {
    /// The plane at another size: at each pixel the nearest sample, so that no distance is made up.
    func nearest(_ size: PixelSize) -> FramePlane {
        guard size != self.size else { return self }
        let columns = (0..<size.width).map { (2 * $0 + 1) * width / (2 * size.width) }
        var output: [Sample] = []
        output.reserveCapacity(size.width * size.height)
        for row in 0..<size.height {
            let first = (2 * row + 1) * height / (2 * size.height) * width
            for column in columns { output.append(samples[first + column]) }
        }
        return FramePlane(width: size.width, height: size.height, samples: output)
    }
}

internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// The depth of a frame as a file of a data set.
struct DepthFile: Sendable {
    let file: DataSetFile
    /// Known distances that the form cannot hold: they become unknown.
    let lostCount: Int

    /// Encodes depth in meters, `nan` where unknown. `stem` is the frame's name; `picture` and `size` are its picture's file
    /// name and size.
    init(
        _ depth: FramePlane<Float>, for form: DataSetForm, stem: String, picture: String?, size: PixelSize
    ) throws(WriteError) {
        guard let units = form.unitsPerMeter else {
            file = DataSetFile("stereo/depth_maps/\(picture ?? stem).geometric.bin", Self.denseMap(depth))
            lostCount = 0
            return
        }
        // Readers of TUM's form look up the depth of a pixel at the pixel's own position.
        let depth = form == .tum ? depth.nearest(size) : depth
        let codes = depth.samples.map { $0.depthCode(units) }
        lostCount = zip(depth.samples, codes).count { $0 > 0 && $1 == 0 }
        let raster = Raster(width: depth.width, height: depth.height, samples: .gray16(codes))
        let bytes = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.write(as: RasterFormat.png, to: descriptor)
        }
        file = DataSetFile("\(form == .tum ? "depth" : "depths")/\(stem).png", bytes)
    }

    /// COLMAP's dense map: `width&height&1&` in ASCII, then Float32 row by row, least significant byte first, 0 where unknown.
    private static func denseMap(_ depth: FramePlane<Float>) -> [UInt8] {
        var bytes = Array("\(depth.width)&\(depth.height)&1&".utf8)
        bytes.reserveCapacity(bytes.count + 4 * depth.samples.count)
        for value in depth.samples {
            let bits = (value > 0 ? value : 0).bitPattern
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        return bytes
    }
}

extension FramePlane<Float> {
    /// The plane at another size: at each pixel the nearest sample, so that no distance is made up.
    fileprivate func nearest(_ size: PixelSize) -> FramePlane<Float> {
        guard size != self.size else { return self }
        let columns = (0..<size.width).map { (2 * $0 + 1) * width / (2 * size.width) }
        var output: [Float] = []
        output.reserveCapacity(size.width * size.height)
        for row in 0..<size.height {
            let first = (2 * row + 1) * height / (2 * size.height) * width
            for column in columns { output.append(samples[first + column]) }
        }
        return FramePlane(width: size.width, height: size.height, samples: output)
    }
}

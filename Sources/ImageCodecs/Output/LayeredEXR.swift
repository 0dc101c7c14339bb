package import AtomicFiles
internal import CCodecShims

/// A channel of an OpenEXR file, row-major.
package struct EXRChannel: Sendable {
    /// The name, with the layer before it, as in `matte.A`.
    package var name: String
    /// The samples.
    package var samples: [Float]
    /// Whether they are stored as binary16.
    package var isHalf: Bool

    /// A channel of these samples.
    package init(name: String, samples: [Float], isHalf: Bool) {
        self.name = name
        self.samples = samples
        self.isHalf = isHalf
    }
}

/// An OpenEXR file of channels of one size, ZIP compressed, with strings as attributes.
package struct LayeredEXR: Sendable {
    private let width: Int
    private let height: Int
    private let channels: [EXRChannel]
    private let attributes: [(String, String)]

    /// A file of these channels, each of `width` × `height` samples.
    package init(width: Int, height: Int, channels: [EXRChannel], attributes: [(String, String)]) {
        precondition(channels.allSatisfy { $0.samples.count == width * height } && !channels.isEmpty)
        self.width = width
        self.height = height
        self.channels = channels
        self.attributes = attributes
    }

    /// The names of the channels.
    package var channelNames: [String] { channels.map(\.name) }

    /// Writes the file to a seekable descriptor, which stays open.
    package func write(to descriptor: Int32) throws(WriteError) {
        let names = attributes.map { Array($0.0.utf8CString) }
        let values = attributes.map { Array($0.1.utf8CString) }
        let channelNames = channels.map { Array($0.name.utf8CString) }
        // The encoder of rasters turns codes into errors; the samples of this one are not used.
        let frame = Raster(width: width, height: height, samples: .float(channels[0].samples))
        try unsafe frame.encode { raster, _, _, _, message in
            unsafe withPointers(to: names[...], []) { names in
                unsafe withPointers(to: values[...], []) { values in
                    unsafe withPointers(to: channelNames[...], []) { channelNames in
                        unsafe withSamples(of: channels[...], channelNames, []) { channels in
                            unsafe names.withUnsafeBufferPointer { names in
                                unsafe values.withUnsafeBufferPointer { values in
                                    unsafe channels.withUnsafeBufferPointer { channels in
                                        var image = unsafe isobath_exr_image(
                                            width: Int32(raster.width), height: Int32(raster.height),
                                            channel_count: Int32(channels.count),
                                            channels: channels.baseAddress,
                                            attribute_count: Int32(attributes.count),
                                            names: names.baseAddress, values: values.baseAddress)
                                        return unsafe isobath_exr_write(descriptor, &image, message)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Calls `body` with the channels as the shim takes them.
private func withSamples<Result>(
    of channels: ArraySlice<EXRChannel>, _ names: [UnsafePointer<CChar>?], _ found: [isobath_exr_channel],
    _ body: ([isobath_exr_channel]) -> Result
) -> Result {
    guard let first = channels.first else { return unsafe body(found) }
    return unsafe first.samples.withUnsafeBufferPointer { samples in
        let channel = unsafe isobath_exr_channel(
            name: names[found.count], pixels: samples.baseAddress, is_half: first.isHalf ? 1 : 0)
        return unsafe withSamples(of: channels.dropFirst(), names, found + [channel], body)
    }
}

/// Calls `body` with a pointer to each string.
private func withPointers<Result>(
    to strings: ArraySlice<[CChar]>, _ found: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
    guard let first = strings.first else { return unsafe body(found) }
    return unsafe first.withUnsafeBufferPointer { pointer in
        unsafe withPointers(to: strings.dropFirst(), found + [pointer.baseAddress], body)
    }
}

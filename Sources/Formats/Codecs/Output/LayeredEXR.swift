package import Bytes
internal import CCodecShims

/// A channel of an OpenEXR file, row-major.
package struct EXRChannel: Sendable {
    /// The name, including the layer, such as `matte.A`.
    package var name: String
    package var samples: [Float]
    /// Whether they are stored as binary16.
    package var isHalf: Bool

    /// A channel of these samples.
    package init(name: String, samples: [Float], isHalf: Bool) {
        (self.name, self.samples, self.isHalf) = (name, samples, isHalf)
    }
}

/// An attribute of an OpenEXR file.
package struct EXRAttribute: Sendable {
    /// The types of attribute values.
    package enum Value: Sendable {
        case text(String)
        case number(Float)
        /// `m44f`, row by row, for row vectors: 16 numbers.
        case matrix([Float])
    }

    /// The name; OpenEXR's standard names mean the same to all programs.
    package var name: String
    package var value: Value

    /// An attribute of that name.
    package init(name: String, value: Value) {
        self.name = name
        self.value = value
    }

    fileprivate var text: String? {
        if case .text(let text) = value { text } else { nil }
    }

    fileprivate var numbers: [Float] {
        switch value {
        case .text: []
        case .number(let number): [number]
        case .matrix(let numbers): numbers
        }
    }
}

/// An OpenEXR file of channels of equal size, ZIP compressed.
package struct LayeredEXR: Sendable {
    private let width: Int
    private let height: Int
    private let channels: [EXRChannel]
    private let attributes: [EXRAttribute]

    /// A file of these channels, each of `width` × `height` samples.
    package init(width: Int, height: Int, channels: [EXRChannel], attributes: [EXRAttribute]) {
        precondition(channels.allSatisfy { $0.samples.count == width * height } && !channels.isEmpty)
        precondition(attributes.allSatisfy { [0, 1, 16].contains($0.numbers.count) })
        (self.width, self.height, self.channels, self.attributes) = (width, height, channels, attributes)
    }

    package var channelNames: [String] { channels.map(\.name) }

    /// Writes the file to a seekable descriptor, which stays open.
    package func write(to descriptor: Int32) throws(WriteError) {
        let texts = attributes.map { Array(($0.text ?? "").utf8CString) }
        let numbers = attributes.flatMap(\.numbers)
        let names = (attributes.map(\.name) + channels.map(\.name)).map { Array($0.utf8CString) }
        // The raster encoder converts result codes to errors; it does not use the samples of this raster.
        let frame = Raster(width: width, height: height, samples: .float(channels[0].samples))
        try unsafe frame.encode { raster, _, _, _, message in
            unsafe withPointers(to: names[...], []) { names in
                unsafe withPointers(to: texts[...], []) { texts in
                    unsafe withSamples(of: channels[...], names.dropFirst(attributes.count), []) { channels in
                        unsafe numbers.withUnsafeBufferPointer { numbers in
                            let attributes = unsafe attributes(named: names, texts)
                            return unsafe attributes.withUnsafeBufferPointer { attributes in
                                unsafe channels.withUnsafeBufferPointer { channels in
                                    var image = unsafe isobath_exr_image(
                                        width: Int32(raster.width), height: Int32(raster.height),
                                        channel_count: Int32(channels.count),
                                        channels: channels.baseAddress,
                                        attribute_count: Int32(attributes.count),
                                        attributes: attributes.baseAddress, numbers: numbers.baseAddress)
                                    return unsafe isobath_exr_write(descriptor, &image, message)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The attributes in the form of the shim.
    private func attributes(
        named names: [UnsafePointer<CChar>?], _ texts: [UnsafePointer<CChar>?]
    ) -> [isobath_exr_attribute] {
        var first = 0
        return unsafe attributes.indices.map { index in
            let count = attributes[index].numbers.count
            defer { first += count }
            return unsafe isobath_exr_attribute(
                name: names[index], text: count == 0 ? texts[index] : nil, first: Int32(first),
                count: Int32(count))
        }
    }
}

/// Calls `body` with the channels in the form of the shim.
private func withSamples<Result>(
    of channels: ArraySlice<EXRChannel>, _ names: ArraySlice<UnsafePointer<CChar>?>,
    _ found: [isobath_exr_channel], _ body: ([isobath_exr_channel]) -> Result
) -> Result {
    guard let first = channels.first, let name = unsafe names.first else { return unsafe body(found) }
    return unsafe first.samples.withUnsafeBufferPointer { samples in
        let channel = unsafe isobath_exr_channel(
            name: name, pixels: samples.baseAddress, is_half: first.isHalf ? 1 : 0)
        return unsafe withSamples(of: channels.dropFirst(), names.dropFirst(), found + [channel], body)
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

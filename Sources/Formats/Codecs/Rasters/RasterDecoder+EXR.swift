internal import Bytes
internal import CCodecShims
internal import RasterFormats

extension RasterDecoder {
    private static let path = StructurePath("EXR")

    /// Reads the header of an OpenEXR file, and chooses the channel: the one named `name`, else `Z`, else one whose layer or
    /// name includes depth, else the only one.
    func describeEXR(choosing name: String?) throws(ContainerError) -> RasterDescription {
        var header = isobath_exr_description()
        let reader = SourceReader(source)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var channelText = [CChar](repeating: 0, count: Int(ISOBATH_CHANNEL_SIZE))
        var recordText = [CChar](repeating: 0, count: Int(ISOBATH_TEXT_SIZE))
        var cameraText = recordText
        var pixels = isobath_budget(limit: limits[.pixels], asked: 0)
        let code: Int32 =
            if let name {
                unsafe name.withCString { name in
                    unsafe reader {
                        unsafe isobath_exr_describe(
                            $0, name, &header, &channelText, &recordText, &cameraText, &pixels, &message)
                    }
                }
            } else {
                unsafe reader {
                    unsafe isobath_exr_describe(
                        $0, nil, &header, &channelText, &recordText, &cameraText, &pixels, &message)
                }
            }
        if Int(code) == ISOBATH_PIXELS {
            try limits.check(.pixels, Int(clamping: pixels.asked), in: Self.path)
        }
        if name == nil, Int(code) == ISOBATH_ABSENT {
            throw ContainerError(.ambiguous(detail: text(message)), in: Self.path)
        }
        try check(code, message, path: Self.path, reader: reader)
        _ = try limits.pixelCount(width: Int(header.width), height: Int(header.height), in: Self.path)
        let types: [SampleType] = [.uint32, .float16, .float32]
        let compressions = ["none", "rle", "zips", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"]
        guard types.indices.contains(Int(header.pixel_type)),
            compressions.indices.contains(Int(header.compression))
        else { throw ContainerError(.unsupported(feature: "this OpenEXR channel"), in: Self.path) }
        let channel = Self.string(in: channelText)
        var raster = RasterDescription(
            format: .exr, width: Int(header.width), height: Int(header.height),
            sampleType: types[Int(header.pixel_type)], codec: compressions[Int(header.compression)],
            location: .channel(part: Int(header.part), name: channel))
        raster.name = channel
        raster.noData = header.has_no_data != 0 ? header.no_data : nil
        // OpenEXR 3.4 introduced HTJ2K as the numbers 10 and 11. Earlier releases ignore the attribute with a warning.
        if text(message).contains("'compression'") { raster.codec = "htj2k" }
        if raster.codec == "htj2k" || raster.codec.hasPrefix("dwa") {
            let name = raster.codec.uppercased()
            raster.readError = ContainerError(
                .unsupported(feature: "compression \(name), which the OpenEXR C library lacks,"),
                in: Self.path)
        }
        let (record, camera) = (Self.string(in: recordText), Self.string(in: cameraText))
        raster.record = record.isEmpty ? nil : record
        raster.camera = camera.isEmpty ? nil : camera
        if header.is_cropped != 0 {
            raster.diagnostics.append(
                .note(
                    .dataWindow,
                    "the data window differs from the display window; only the data window is read",
                    in: Self.path))
        }
        return raster
    }

    /// Decodes the chosen channel.
    func samplesOfEXR(_ raster: RasterDescription, byteCount: Int) throws(ContainerError) -> [UInt8] {
        guard case .channel(let part, let name) = raster.location else { return [] }
        var header = isobath_exr_description()
        header.width = Int32(raster.width)
        header.height = Int32(raster.height)
        header.part = Int32(part)
        header.pixel_type = raster.sampleType == .uint32 ? 0 : raster.sampleType == .float16 ? 1 : 2
        let reader = SourceReader(source)
        return try unsafe decode(byteCount, path: Self.path, reader: reader) {
            pixels, size, budget, message in
            unsafe reader {
                unsafe isobath_exr_read($0, &header, name, pixels, size, budget, message)
            }
        }
    }
}

import CHEIF

/// One coded picture: the payload of its `hvcC` or `av1C`, and the data of its item.
struct CodedPicture {
    var configuration: [UInt8]
    var data: [UInt8]
}

/// What stopped the maker.
struct MakerError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// x265 and libaom behind libheif. Only the coded bits are taken from what libheif writes: the file around them is ours.
enum PictureEncoder {
    enum Codec {
        case hevc
        case av1
    }

    enum Fidelity {
        case lossless
        case lossy(quality: Int32)
    }

    /// Codes a gray raster as monochrome, another as 4:2:0 in BT.601 and full range, as iPhones do.
    static func encode(_ raster: Raster, _ fidelity: Fidelity, as codec: Codec = .hevc) throws -> CodedPicture
    {
        let image = try raster.channels == 1 ? monochromeImage(raster) : colorImage(raster)
        defer { heif_image_release(image) }
        return try encode(image, fidelity, as: codec)
    }

    /// Codes a raster of 8, 10 or 12 bits as monochrome, losslessly.
    static func encode(_ raster: DeepRaster, as codec: Codec) throws -> CodedPicture {
        let image = try monochromeImage(raster)
        defer { heif_image_release(image) }
        return try encode(image, .lossless, as: codec)
    }

    private static func encode(
        _ image: OpaquePointer?, _ fidelity: Fidelity, as codec: Codec
    ) throws -> CodedPicture {
        let context = heif_context_alloc()
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        try check(
            heif_context_get_encoder_for_format(
                context, codec == .hevc ? heif_compression_HEVC : heif_compression_AV1, &encoder))
        defer { heif_encoder_release(encoder) }
        try configure(encoder, fidelity, codec)
        try check(heif_context_encode_image(context, image, encoder, nil, nil))
        return try CodedPicture(
            heif: try fileContents(of: context), configuration: codec == .hevc ? "hvcC" : "av1C")
    }

    private static func configure(_ encoder: OpaquePointer?, _ fidelity: Fidelity, _ codec: Codec) throws {
        switch fidelity {
        case .lossless:
            try check(heif_encoder_set_lossless(encoder, 1))
        case .lossy(let quality):
            try check(heif_encoder_set_lossy_quality(encoder, quality))
        }
        guard codec == .hevc else {
            return try check(heif_encoder_set_parameter_integer(encoder, "threads", 1))
        }
        // One thread, so that the bits do not depend on the number of cores; no note of the encoder's settings.
        for (name, value) in [("pools", "none"), ("frame-threads", "1"), ("wpp", "0"), ("info", "0")] {
            try check(heif_encoder_set_parameter_string(encoder, "x265:" + name, value))
        }
    }

    private static func monochromeImage(_ raster: Raster) throws -> OpaquePointer? {
        let image = try makeImage(
            raster.width, raster.height, heif_colorspace_monochrome, heif_chroma_monochrome)
        try fill(image, heif_channel_Y, width: raster.width, height: raster.height, raster.samples)
        return image
    }

    private static func monochromeImage(_ raster: DeepRaster) throws -> OpaquePointer? {
        let image = try makeImage(
            raster.width, raster.height, heif_colorspace_monochrome, heif_chroma_monochrome)
        try check(
            heif_image_add_plane(
                image, heif_channel_Y, Int32(raster.width), Int32(raster.height), Int32(raster.bitDepth)))
        var stride: Int32 = 0
        guard let rows = heif_image_get_plane(image, heif_channel_Y, &stride) else {
            throw MakerError("no plane")
        }
        for y in 0..<raster.height {
            let row = UnsafeMutableRawPointer(rows + y * Int(stride)).assumingMemoryBound(to: UInt16.self)
            for x in 0..<raster.width { row[x] = raster.samples[y * raster.width + x] }
        }
        return image
    }

    private static func colorImage(_ raster: Raster) throws -> OpaquePointer? {
        let image = try makeImage(raster.width, raster.height, heif_colorspace_YCbCr, heif_chroma_420)
        let planes = YCbCrPlanes(raster)
        try fill(image, heif_channel_Y, width: raster.width, height: raster.height, planes.luma)
        for (channel, samples) in [(heif_channel_Cb, planes.blue), (heif_channel_Cr, planes.red)] {
            try fill(image, channel, width: raster.width / 2, height: raster.height / 2, samples)
        }
        let profile = heif_nclx_color_profile_alloc()
        defer { heif_nclx_color_profile_free(profile) }
        profile?.pointee.color_primaries = heif_color_primaries_SMPTE_EG_432_1
        profile?.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
        profile?.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6
        profile?.pointee.full_range_flag = 1
        try check(heif_image_set_nclx_color_profile(image, profile))
        return image
    }

    private static func makeImage(
        _ width: Int, _ height: Int, _ space: heif_colorspace, _ chroma: heif_chroma
    ) throws -> OpaquePointer? {
        var image: OpaquePointer?
        try check(heif_image_create(Int32(width), Int32(height), space, chroma, &image))
        return image
    }

    private static func fill(
        _ image: OpaquePointer?, _ channel: heif_channel, width: Int, height: Int, _ samples: [UInt8]
    ) throws {
        try check(heif_image_add_plane(image, channel, Int32(width), Int32(height), 8))
        var stride: Int32 = 0
        guard let rows = heif_image_get_plane(image, channel, &stride) else { throw MakerError("no plane") }
        for y in 0..<height {
            for x in 0..<width {
                rows[y * Int(stride) + x] = samples[y * width + x]
            }
        }
    }

    private static func fileContents(of context: OpaquePointer?) throws -> [UInt8] {
        var collected: [UInt8] = []
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, size, user in
            let bytes = UnsafeRawBufferPointer(start: data, count: size)
            user?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: bytes)
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        try withUnsafeMutablePointer(to: &collected) { pointer in
            try check(heif_context_write(context, &writer, pointer))
        }
        return collected
    }

    private static func check(_ result: heif_error) throws {
        guard result.code == heif_error_Ok else {
            throw MakerError("libheif: \(result.message.map { String(cString: $0) } ?? "failed")")
        }
    }
}

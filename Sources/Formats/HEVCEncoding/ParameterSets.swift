/// The parameter sets of one monochrome picture in transquant bypass (H.265 §7.3.2).
struct ParameterSets {
    /// Base-2 logarithms of block sizes.
    static let codingTree = 5
    static let smallestCoding = 3
    static let largestTransform = 5
    static let smallestTransform = 2
    /// The quantization parameter of the slice. Nothing is quantized, but it determines the initial contexts (§9.3.2.2).
    static let sliceQP = 26

    let video: [UInt8]
    let sequence: [UInt8]
    let picture: [UInt8]
    private let level: UInt8

    init(width: Int, height: Int) {
        level = Self.level(width: width, height: height)
        video = Self.video(level)
        sequence = Self.sequence(width: width, height: height, level)
        picture = Self.picture
    }

    /// `general_level_idc`: the lowest level that allows this picture size (§A.4.1), or 8.5, which has no limit.
    private static func level(width: Int, height: Int) -> UInt8 {
        let (width, height) = ((width + 7) / 8 * 8, (height + 7) / 8 * 8)
        let levels: [(number: UInt8, samples: Int)] = [
            (30, 36_864), (60, 122_880), (63, 245_760), (90, 552_960), (93, 983_040), (120, 2_228_224),
            (150, 8_912_896), (180, 35_651_584),
        ]
        let fitting = levels.first { level in
            let longest = max(width, height)
            return width * height <= level.samples && longest * longest <= 8 * level.samples
        }
        return fitting?.number ?? 255
    }

    /// `general_profile_compatibility_flag`s and the constraint flags of the profile Monochrome with 8 bits, as
    /// ImageIO writes them.
    private static func profile(_ level: UInt8) -> [UInt8] {
        [4, 0x08, 0, 0, 0, 0xBF, 0xC8, 0, 0, 0, 0, level]
    }

    private static func append(_ profile: [UInt8], to writer: inout SyntaxWriter) {
        for byte in profile { writer.append(UInt64(byte), bits: 8) }
    }

    private static func video(_ level: UInt8) -> [UInt8] {
        var writer = SyntaxWriter()
        writer.append(0, bits: 4)  // vps_video_parameter_set_id
        writer.append(3, bits: 2)  // vps_base_layer_internal_flag, vps_base_layer_available_flag
        writer.append(0, bits: 6)  // vps_max_layers_minus1
        writer.append(0, bits: 3)  // vps_max_sub_layers_minus1
        writer.append(1, bits: 1)  // vps_temporal_id_nesting_flag
        writer.append(0xFFFF, bits: 16)
        append(profile(level), to: &writer)
        writer.append(1, bits: 1)  // vps_sub_layer_ordering_info_present_flag
        for _ in 0..<3 { writer.appendUnsigned(0) }  // one picture to keep, none to reorder
        writer.append(0, bits: 6)  // vps_max_layer_id
        writer.appendUnsigned(0)  // vps_num_layer_sets_minus1
        writer.append(0, bits: 2)  // vps_timing_info_present_flag, vps_extension_flag
        writer.appendTrailingBits()
        return nalUnit(type: 32, writer.bytes)
    }

    private static func sequence(width: Int, height: Int, _ level: UInt8) -> [UInt8] {
        let (coded, rows) = ((width + 7) / 8 * 8, (height + 7) / 8 * 8)
        var writer = SyntaxWriter()
        writer.append(0, bits: 4)  // sps_video_parameter_set_id
        writer.append(0, bits: 3)  // sps_max_sub_layers_minus1
        writer.append(1, bits: 1)  // sps_temporal_id_nesting_flag
        append(profile(level), to: &writer)
        writer.appendUnsigned(0)  // sps_seq_parameter_set_id
        writer.appendUnsigned(0)  // chroma_format_idc: monochrome
        writer.appendUnsigned(coded)
        writer.appendUnsigned(rows)
        let isCropped = (coded, rows) != (width, height)
        writer.append(isCropped ? 1 : 0, bits: 1)  // conformance_window_flag
        if isCropped { for offset in [0, coded - width, 0, rows - height] { writer.appendUnsigned(offset) } }
        writer.appendUnsigned(0)  // bit_depth_luma_minus8
        writer.appendUnsigned(0)  // bit_depth_chroma_minus8
        writer.appendUnsigned(4)  // log2_max_pic_order_cnt_lsb_minus4
        writer.append(1, bits: 1)  // sps_sub_layer_ordering_info_present_flag
        for _ in 0..<3 { writer.appendUnsigned(0) }
        writer.appendUnsigned(smallestCoding - 3)
        writer.appendUnsigned(codingTree - smallestCoding)
        writer.appendUnsigned(smallestTransform - 2)
        writer.appendUnsigned(largestTransform - smallestTransform)
        writer.appendUnsigned(0)  // max_transform_hierarchy_depth_inter
        writer.appendUnsigned(0)  // max_transform_hierarchy_depth_intra
        writer.append(0, bits: 4)  // scaling lists, asymmetric partitions, SAO, PCM
        writer.appendUnsigned(0)  // num_short_term_ref_pic_sets
        writer.append(0, bits: 3)  // long-term pictures, temporal motion vectors, strong intra smoothing
        writer.append(1, bits: 1)  // vui_parameters_present_flag
        writer.append(0, bits: 2)  // aspect_ratio_info_present_flag, overscan_info_present_flag
        writer.append(1, bits: 1)  // video_signal_type_present_flag
        writer.append(5, bits: 3)  // video_format: unspecified
        writer.append(1, bits: 1)  // video_full_range_flag
        writer.append(1, bits: 1)  // colour_description_present_flag
        for _ in 0..<3 { writer.append(2, bits: 8) }  // unspecified
        writer.append(0, bits: 5)  // chroma location, neutral chroma, fields, frame fields, display window
        writer.append(0, bits: 2)  // vui_timing_info_present_flag, bitstream_restriction_flag
        writer.append(0, bits: 1)  // sps_extension_present_flag
        writer.appendTrailingBits()
        return nalUnit(type: 33, writer.bytes)
    }

    private static var picture: [UInt8] {
        var writer = SyntaxWriter()
        writer.appendUnsigned(0)  // pps_pic_parameter_set_id
        writer.appendUnsigned(0)  // pps_seq_parameter_set_id
        writer.append(0, bits: 2)  // dependent slices, output flag
        writer.append(0, bits: 3)  // num_extra_slice_header_bits
        writer.append(0, bits: 2)  // sign_data_hiding_enabled_flag, cabac_init_present_flag
        writer.appendUnsigned(0)  // num_ref_idx_l0_default_active_minus1
        writer.appendUnsigned(0)  // num_ref_idx_l1_default_active_minus1
        writer.appendSigned(0)  // init_qp_minus26
        writer.append(0, bits: 3)  // constrained prediction, transform skip, cu_qp_delta
        writer.appendSigned(0)  // pps_cb_qp_offset
        writer.appendSigned(0)  // pps_cr_qp_offset
        writer.append(0, bits: 3)  // slice chroma offsets, weighted prediction
        writer.append(1, bits: 1)  // transquant_bypass_enabled_flag
        writer.append(0, bits: 2)  // tiles_enabled_flag, entropy_coding_sync_enabled_flag
        writer.append(0, bits: 1)  // pps_loop_filter_across_slices_enabled_flag
        writer.append(1, bits: 1)  // deblocking_filter_control_present_flag
        writer.append(0, bits: 1)  // deblocking_filter_override_enabled_flag
        writer.append(1, bits: 1)  // pps_deblocking_filter_disabled_flag
        writer.append(0, bits: 2)  // scaling lists, lists_modification_present_flag
        writer.appendUnsigned(0)  // log2_parallel_merge_level_minus2
        writer.append(0, bits: 2)  // slice_segment_header_extension_present_flag, pps_extension_present_flag
        writer.appendTrailingBits()
        return nalUnit(type: 34, writer.bytes)
    }

    /// `HEVCDecoderConfigurationRecord` (ISO/IEC 14496-15 §8.3.3.1.2).
    var configuration: [UInt8] {
        var record: [UInt8] = [1] + Self.profile(level)
        record += [0xF0, 0, 0xFC]  // no segmentation or parallelism is promised
        record += [0xFC, 0xF8, 0xF8]  // monochrome, 8 bits
        record += [0, 0, 0x0F]  // no frame rate; one layer, nested; lengths of four bytes
        record.append(3)
        for (type, unit) in [(UInt8(32), video), (33, sequence), (34, picture)] {
            record += [0x80 | type, 0, 1, UInt8(unit.count >> 8), UInt8(unit.count & 0xFF)] + unit
        }
        return record
    }
}

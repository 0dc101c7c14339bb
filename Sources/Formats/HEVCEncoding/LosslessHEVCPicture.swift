/// A gray plane coded as one HEVC picture, without loss (ITU-T H.265, profile Monochrome, 8 bits).
package struct LosslessHEVCPicture: Sendable {
    /// The decoder configuration record, `hvcC`, with all parameter sets (ISO/IEC 14496-15 §8.3.3.1).
    package let configuration: [UInt8]
    /// The picture, one NAL unit after its length of four bytes.
    package let data: [UInt8]
    /// All NAL units with start codes (Annex B), as stream decoders need them.
    package let byteStream: [UInt8]

    /// Codes a plane of `width` × `height` samples, row by row, 1…65,535 each way.
    package init(width: Int, height: Int, samples: [UInt8]) {
        precondition(width > 0 && height > 0 && width <= 65_535 && height <= 65_535)
        precondition(samples.count == width * height)
        let sets = ParameterSets(width: width, height: height)
        let plane = BlockPlane(width: width, height: height, samples: samples)
        var header = SyntaxWriter()
        header.append(1, bits: 1)  // first_slice_segment_in_pic_flag
        header.append(0, bits: 1)  // no_output_of_prior_pics_flag
        header.appendUnsigned(0)  // slice_pic_parameter_set_id
        header.appendUnsigned(2)  // slice_type: I
        header.appendSigned(ParameterSets.sliceQP - 26)  // slice_qp_delta
        header.appendTrailingBits()  // byte_alignment()
        var coder = PictureCoder(plane)
        let slice = nalUnit(type: 20, header.bytes + coder.code())
        configuration = sets.configuration
        let count = slice.count
        data = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + slice
        byteStream = ([sets.video, sets.sequence, sets.picture] + [slice]).flatMap { [0, 0, 0, 1] + $0 }
    }
}

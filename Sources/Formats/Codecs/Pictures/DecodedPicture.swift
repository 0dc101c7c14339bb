internal import DepthTypes
internal import PhotoFormats

/// A decoded HEVC or AV1 picture: luma and chroma in memory of the decoder, valid while the decoder lives.
@safe
struct DecodedPicture {
    /// One channel's rows.
    @safe
    struct Channel {
        private let samples: UnsafeRawPointer
        /// Bytes per row.
        let stride: Int

        init(samples: UnsafeRawPointer, stride: Int) {
            unsafe self.samples = unsafe samples
            self.stride = stride
        }

        /// The samples of a row; the caller must stay within the picture's size.
        func row<Sample>(_ index: Int, as _: Sample.Type) -> UnsafePointer<Sample> {
            unsafe (samples + index * stride).assumingMemoryBound(to: Sample.self)
        }
    }

    let width: Int
    let height: Int
    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    let chromaFormat: Int
    let lumaBitDepth: Int
    let chromaBitDepth: Int
    /// How luma and chroma become colors: as the container says, and as the coded data say where it says nothing.
    let color: CodedColor
    let luma: Channel
    let blueDifference: Channel?
    let redDifference: Channel?
}

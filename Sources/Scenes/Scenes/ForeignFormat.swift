/// A format of pictures or depth that is recognized but not read, regardless of the file's name.
struct ForeignFormat {
    /// The format, with its article.
    let name: String
    /// How to convert such a file into one that can be read.
    let advice: String

    /// Recognizes the first bytes of a file; `nil` for anything else.
    init?(_ start: [UInt8]) {
        func has(_ mark: String, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: Array(mark.utf8))
        }
        switch true {
        case has("GIF8"):
            (name, advice) = ("a GIF picture", "'isobath extract' writes its frames with --plane photo")
        case has("RIFF") && has("WEBP", at: 8):
            (name, advice) = ("a WebP picture", "convert it first, as in: dwebp FILE -o FILE.png")
        case has("BM"): (name, advice) = ("a BMP picture", "convert it first, as in: magick FILE FILE.png")
        case has("LFP\r\n\u{1A}\n", at: 1):
            (name, advice) = ("a Lytro LFP file", "export its picture and its depth as PNG first")
        case start.starts(with: [0x89] + Array("HDF\r\n\u{1A}\n".utf8)):
            name = "an HDF5 file"
            advice =
                "convert a dataset first, as in: python3 -c \"import h5py, numpy; "
                + "numpy.save('FILE.npy', h5py.File('FILE')['dataset'][()])\""
        case has("8BPS"): (name, advice) = ("a Photoshop picture", "export it as PNG or TIFF first")
        default: return nil
        }
    }
}

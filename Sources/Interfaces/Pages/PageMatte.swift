internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// A matte in a page: a gray JPEG file, white where the photo is kept.
struct PageMatte: Sendable {
    let kind: PlaneKind
    let jpeg: [UInt8]

    private static let longestSide = 1024
    private static let quality = 82

    init(_ matte: Matte, kind: PlaneKind) throws(WriteError) {
        self.kind = kind
        let size = PixelSize(width: matte.width, height: matte.height).within(Self.longestSide)
        let small = matte.resampled(toWidth: size.width, height: size.height, by: .area)
        let raster = Raster(width: size.width, height: size.height, samples: .gray8(small.coverage))
        jpeg = try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor, quality: Self.quality)
        }
    }

    /// The parameters for the page's script.
    var record: JSONValue { .object([("kind", .text(kind.rawValue)), ("label", .text(label))]) }

    private var label: String {
        switch kind {
        case .matte: "Portrait"
        case .skin: "Skin"
        case .hair: "Hair"
        case .teeth: "Teeth"
        case .glasses: "Glasses"
        case .sky: "Sky"
        default: kind.rawValue
        }
    }
}

/// The kind of an auxiliary plane. The raw value is its name in `--plane`, in JSON and in file names.
public enum PlaneKind: String, CaseIterable, Hashable, Sendable {
    /// Distance along the optical axis.
    case depth
    /// Reciprocal distance.
    case disparity
    /// Portrait (effects) matte: all people.
    case matte
    /// Semantic matte: skin.
    case skin
    /// Semantic matte: hair.
    case hair
    /// Semantic matte: teeth.
    case teeth
    /// Semantic matte: glasses.
    case glasses
    /// Semantic matte: sky.
    case sky
    /// How far each depth sample can be trusted.
    case confidence
    /// The logarithmic gain from the photo to its HDR rendition. Never depth, although it may look like it.
    case gainMap = "gain-map"
    /// Opacity of the photo.
    case alpha
    /// The photo before an effect was rendered into it; in color.
    case original
    /// An auxiliary image of unknown type; its raw type may help.
    case unknown

    /// Whether samples are distances or their reciprocals.
    public var isDepth: Bool { self == .depth || self == .disparity }

    /// Whether samples are the coverage of a subject: a matte, or the opacity of the photo.
    public var isCoverage: Bool { isMatte || self == .alpha }

    /// Whether samples are linear coverage, from 0 (background) to the maximum (subject), of an opaque photo.
    public var isMatte: Bool {
        switch self {
        case .matte, .skin, .hair, .teeth, .glasses, .sky: true
        default: false
        }
    }
}

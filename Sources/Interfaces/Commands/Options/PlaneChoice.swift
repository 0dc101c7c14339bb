public import ArgumentParser
public import Isobath
internal import PhotoFormats

enum PlaneChoice: ExpressibleByArgument, Equatable, Sendable {
    case kind(PlaneKind)
    case photo
    case eye(Eye)
    case all

    init?(argument: String) {
        switch argument {
        case "photo": self = .photo
        case "all": self = .all
        case "portrait": self = .kind(.matte)
        default:
            if let eye = Eye(rawValue: argument) {
                self = .eye(eye)
                return
            }
            guard let kind = PlaneKind(rawValue: argument), kind != .unknown else { return nil }
            self = .kind(kind)
        }
    }

    static var allValueStrings: [String] {
        PlaneKind.allCases.filter { $0 != .unknown }.map(\.rawValue) + ["photo", "left", "right", "all"]
    }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// The kind of plane, for a single one.
    var kind: PlaneKind? {
        if case .kind(let kind) = self { kind } else { nil }
    }

    /// Whether it is a picture rather than a plane.
    var isPicture: Bool {
        switch self {
        case .photo, .eye: true
        case .kind, .all: false
        }
    }
}

extension DepthQuantity: ExpressibleByArgument {}
extension PairLayout: ExpressibleByArgument {}
extension Orientation: ExpressibleByArgument {}
extension PlaneExport.PNGStyle: ExpressibleByArgument {}
extension ColorMap: ExpressibleByArgument {}
extension CloudAxes: ExpressibleByArgument {}
extension PoseConvention: ExpressibleByArgument {}
extension ReadingOptions.Quantity: ExpressibleByArgument {}

extension ReadingOptions.Camera: ExpressibleByArgument {
    /// The camera of numbers or of a file; `nil` for numbers that are not positive.
    public init?(argument: String) { self.init(argument) }
}

extension PictureOrigin: ExpressibleByArgument {}

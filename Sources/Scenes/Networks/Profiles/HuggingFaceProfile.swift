internal import Bytes
internal import DepthMaps
internal import Embedded

/// The two files beside a network in repositories of Hugging Face: `config.json` describes the network, and
/// `preprocessor_config.json` its input.
struct HuggingFaceProfile {
    private let configuration: JSONValue
    private let preprocessor: JSONValue

    /// The files beside a network, or in the parent folder if it is in one named `onnx`; `nil` if missing.
    ///
    /// Throws ``NetworkError/profile(_:)`` if they are not JSON.
    init?(beside path: String, limits: DecodingLimits) throws(NetworkError) {
        let folder = path.folderPath
        let folders = folder.hasSuffix("/onnx") || folder == "onnx" ? [folder, folder + "/.."] : [folder]
        guard let configuration = try Self.read("config.json", in: folders, limits),
            let preprocessor = try Self.read("preprocessor_config.json", in: folders, limits)
        else { return nil }
        self.init(configuration: configuration, preprocessor: preprocessor)
    }

    init(configuration: JSONValue, preprocessor: JSONValue) {
        (self.configuration, self.preprocessor) = (configuration, preprocessor)
    }

    private static func read(
        _ name: String, in folders: [String], _ limits: DecodingLimits
    ) throws(NetworkError) -> JSONValue? {
        for folder in folders {
            guard let source = try? FileSource(path: "\(folder)/\(name)", limits: limits) else { continue }
            do throws(ContainerError) {
                try limits.check(.metadataBytes, source.byteCount)
                return try JSONValue(parsing: source.read(0..<source.byteCount), limits: limits)
            } catch {
                throw .profile("\(name) beside it cannot be read: \(error)")
            }
        }
        return nil
    }

    /// The profile; `nil` if the network's purpose is not known here.
    func profile() throws(NetworkError) -> NetworkProfile? {
        guard var profile = try beginning() else { return nil }
        profile.name = "config.json"
        (profile.divisor, profile.mean, profile.deviation) = (.number(1), [0, 0, 0], [1, 1, 1])
        if preprocessor["do_rescale"]?.isTrue ?? true {
            let factor = preprocessor["rescale_factor"]?.double ?? 1 / 255.0
            guard factor > 0, factor.isFinite else {
                throw .profile("'rescale_factor' is \(factor); it must be positive")
            }
            profile.divisor = .number(Float(1 / factor))
        }
        if preprocessor["do_normalize"]?.isTrue ?? true {
            profile.mean = try channels("image_mean")
            profile.deviation = try channels("image_std")
        }
        try setSize(of: &profile)
        return profile
    }

    /// The network's purpose.
    private func beginning() throws(NetworkError) -> NetworkProfile? {
        let architecture = configuration["architectures"]?.elements.first?.text ?? ""
        switch architecture {
        case "DepthAnythingForDepthEstimation", "DPTForDepthEstimation":
            let isMetric = configuration["depth_estimation_type"]?.text == "metric"
            let name = architecture.hasPrefix("DPT") ? "dpt" : "depth-anything"
            return NetworkProfile(named: isMetric ? name + "-metric" : name)
        case "ZoeDepthForDepthEstimation", "GLPNForDepthEstimation":
            return NetworkProfile(named: "dpt-metric")
        case "DepthProForDepthEstimation": return NetworkProfile(named: "depth-pro")
        case "BiRefNet": return NetworkProfile(named: "birefnet")
        case _ where architecture.hasSuffix("ForImageClassification"):
            var profile = NetworkProfile(named: "classification")
            if case .object(let names)? = configuration["id2label"] {
                profile?.labels = names.compactMap { name, label in Int(name).map { ($0, label.text ?? "") } }
                    .sorted { $0.0 < $1.0 }.map(\.1)
            }
            return profile
        default: return nil
        }
    }

    private func channels(_ name: String) throws(NetworkError) -> [Float] {
        guard let numbers = preprocessor[name]?.numbers, numbers.count == 3, numbers.allSatisfy(\.isFinite),
            !name.hasSuffix("std") || numbers.allSatisfy({ $0 != 0 })
        else { throw .profile("'\(name)' in preprocessor_config.json is not three numbers") }
        return numbers.map { Float($0) }
    }

    private func setSize(of profile: inout NetworkProfile) throws(NetworkError) {
        let size = preprocessor["size"]
        let sides = [size, size?["height"], size?["width"], size?["shortest_edge"]].compactMap { $0?.integer }
        if let side = sides.max() {
            guard (1...16384).contains(side) else {
                throw .profile("'size' in preprocessor_config.json is \(side), not 1 to 16384")
            }
            profile.size = side
        }
        if let multiple = preprocessor["ensure_multiple_of"]?.integer ?? preprocessor["size_divisor"]?.integer
        {
            guard (1...1024).contains(multiple) else {
                throw .profile("'ensure_multiple_of' is \(multiple), not 1 to 1024")
            }
            profile.multiple = multiple
        }
        let keepsShape = preprocessor["keep_aspect_ratio"]?.isTrue ?? (size?["shortest_edge"] != nil)
        profile.fitting = keepsShape ? .shortSide : .stretch
        // Pillow's numbers; 0 (nearest) and 5 (Hamming) are not supported.
        if let number = preprocessor["resample"]?.integer {
            let filters: [Int: ResamplingFilter] = [1: .lanczos, 2: .bilinear, 3: .bicubic, 4: .box]
            guard let filter = filters[number] else {
                throw .profile("'resample' \(number) in preprocessor_config.json is not supported")
            }
            profile.filter = filter
        }
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool? { if case .bool(let value) = self { value } else { nil } }
}

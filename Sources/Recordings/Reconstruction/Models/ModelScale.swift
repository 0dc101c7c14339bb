package import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// How many meters the unit of a model is, from the depth in the photos that it was made of.
///
/// An image's points have a depth in the model, and where the image shows them, its photo has one in meters. Each photo
/// gives the median of the ratios, and the scale is the median of the photos, so that a photo with many points weighs no more
/// than others. All medians and spreads are of logarithms. The standard error of a median is √(π/2) times that of a mean, and
/// the spread is 1.4826 times the median absolute deviation, which is the standard deviation of normal errors.
package struct ModelScale: Sendable {
    /// A scale, and what it is from.
    package struct Estimate: Sendable {
        /// Meters in a unit of the model.
        package var metersPerUnit: Double
        /// The standard error, as a fraction of the scale.
        package var standardError: Double
        package var photoCount: Int
        package var pointCount: Int
    }

    /// A photo that is not used.
    package struct Exclusion: Sendable {
        /// Its name in the model.
        package var name: String
        package var reason: Reason
    }

    /// Why a photo is not used. The raw value is for a person.
    package enum Reason: String, Error, CaseIterable {
        case missing = "not in the folder"
        case outside = "named by a path that leaves the folder"
        case unreadable = "cannot be read"
        case withoutDepth = "without depth"
        case inexact = "whose depth has no exact unit (relative, or without one)"
        case otherShape = "of another shape than in the model, or than their depth"
        case fewPoints = "with depth at fewer than 10 points of the model"
        case scattered = "whose depth does not follow the model"
        case differing = "whose scale differs grossly from that of the others"
    }

    /// Of all photos.
    package let overall: Estimate
    /// Of the photos of each camera, by its number.
    package let cameras: [(id: Int, estimate: Estimate)]
    /// Photos that are not used, in the model's order.
    package let exclusions: [Exclusion]

    /// The fewest points of a photo.
    private static let fewestPoints = 10
    /// The largest spread of a photo's ratios. Depth that has nothing to do with the model spreads more.
    private static let largestSpread = 0.35
    /// Photos may differ by this much in any case, and by five times their spread.
    private static let tolerance = 0.22

    /// Compares a model with the photos in a folder, which has each at the path that the model names, or, where that has no depth, a
    /// file of the same stem: COLMAP is often given JPEGs that were made of HEICs.
    ///
    /// Throws ``ModelError`` if no photo gives meters, and `ContainerError` if the model contradicts itself.
    package init(of model: COLMAPModel, photos folder: String, limits: DecodingLimits) throws {
        var used: [PhotoScale] = []
        var exclusions: [Exclusion] = []
        let search = PhotoSearch(folder, limits)
        for image in model.images {
            guard !Interruption.isRequested else { throw FusionError.interrupted }
            switch try Self.scale(of: image, in: model, search) {
            case .success(let scale): used.append(scale)
            case .failure(let reason): exclusions.append(Exclusion(name: image.name, reason: reason))
            }
        }
        let isFound = exclusions.contains { ![.missing, .outside].contains($0.reason) }
        guard isFound || !used.isEmpty else {
            throw model.images.isEmpty
                ? ModelError.noImages : .noPhotos(model.images.prefix(3).map { "'\($0.name)'" })
        }
        if used.count > 2 {
            let all = Spread(used.map(\.logarithm))
            let bound = max(Self.tolerance, 5 * all.deviation)
            let others = used.filter { abs($0.logarithm - all.median) > bound }
            exclusions += others.map { Exclusion(name: $0.name, reason: .differing) }
            used.removeAll { abs($0.logarithm - all.median) > bound }
        }
        guard let overall = Estimate(used) else {
            throw ModelError.noMetricDepth(exclusions.summaries.joined(separator: "; "))
        }
        self.overall = overall
        cameras = Set(used.map(\.camera)).sorted().compactMap { camera in
            Estimate(used.filter { $0.camera == camera }).map { (camera, $0) }
        }
        self.exclusions = exclusions
    }

    /// The scale that one photo gives.
    private static func scale(
        of image: COLMAPModel.Image, in model: COLMAPModel, _ search: PhotoSearch
    ) throws -> Result<PhotoScale, Reason> {
        guard let size = model.cameras[image.camera] else {
            throw ContainerError(
                .malformed(rule: "'\(image.name)' has camera \(image.camera), which cameras does not list"))
        }
        let depths = try image.observations.map { observation in
            guard let point = model.points[observation.point] else {
                throw ContainerError(
                    .malformed(
                        rule: "'\(image.name)' shows point \(observation.point), which points3D does not list"
                    ))
            }
            return (image.axis * point).sum() + image.originDepth
        }
        let photo: PhotoDepth
        switch search.depth(of: image.name) {
        case .success(let found): photo = found
        case .failure(let reason): return .failure(reason)
        }
        let turns = photo.turns(of: size)
        guard !turns.isEmpty else { return .failure(.otherShape) }
        // A half turn does not show in the size: the right one fits better.
        let candidates = turns.compactMap { turn -> (ratios: Int, spread: Spread)? in
            let ratios = zip(image.observations, depths).compactMap { observation, depth -> Double? in
                guard depth > 0, let meters = photo.meters(at: observation.position, in: size, turn) else {
                    return nil
                }
                return Math.logarithm(Double(meters) / depth)
            }
            return ratios.count < fewestPoints ? nil : (ratios.count, Spread(ratios))
        }
        guard let best = candidates.min(by: { $0.spread.deviation < $1.spread.deviation }) else {
            return .failure(.fewPoints)
        }
        guard best.spread.deviation <= largestSpread else { return .failure(.scattered) }
        return .success(
            PhotoScale(
                name: image.name, camera: image.camera, pointCount: best.ratios,
                logarithm: best.spread.median, standardError: best.spread.standardError))
    }

    /// The scale of one photo.
    fileprivate struct PhotoScale {
        var name: String
        var camera: Int
        var pointCount: Int
        var logarithm: Double
        var standardError: Double
    }

    /// Finds photos, and reads their depth.
    private struct PhotoSearch {
        let folder: String
        let limits: DecodingLimits

        init(_ folder: String, _ limits: DecodingLimits) { (self.folder, self.limits) = (folder, limits) }

        func depth(of name: String) -> Result<PhotoDepth, Reason> {
            guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
                return .failure(.outside)
            }
            let path = folder.followed(by: name)
            var refusal = Reason.missing
            for path in [path] + namesakes(of: path) where FileIdentity(path: path) != nil {
                switch PhotoDepth.read(path, limits) {
                case .success(let depth): return .success(depth)
                // The file that the model names has the reason, unless it cannot have depth.
                case .failure(let reason):
                    if [.missing, .withoutDepth].contains(refusal) { refusal = reason }
                }
            }
            return .failure(refusal)
        }

        /// Other files with the stem of a path.
        private func namesakes(of path: String) -> [String] {
            let entries = (try? FolderEntry.list(path.folderPath, limits: limits)) ?? []
            return entries.compactMap { entry in
                guard case .file(let other) = entry, other.pathStem == path.pathStem, other != path else {
                    return nil
                }
                return other
            }
        }
    }
}

extension [ModelScale.Exclusion] {
    /// A line for each reason, as in `2 photos without depth (a.jpg, b.jpg)`.
    package var summaries: [String] {
        ModelScale.Reason.allCases.compactMap { reason in
            let names = filter { $0.reason == reason }.map(\.name)
            guard !names.isEmpty else { return nil }
            let shown = names.prefix(8) + (names.count > 8 ? ["…"] : [])
            return
                "\(names.count == 1 ? "1 photo" : "\(names.count) photos") \(reason.rawValue) (\(shown.joined(separator: ", ")))"
        }
    }
}

extension ModelScale.Estimate {
    /// Of at least one photo. The error is the larger one of what photos differ by and what their own errors predict: few photos may
    /// agree by chance.
    fileprivate init?(_ photos: [ModelScale.PhotoScale]) {
        guard !photos.isEmpty else { return nil }
        let spread = Spread(photos.map(\.logarithm))
        let square = photos.reduce(0) { $0 + $1.standardError * $1.standardError }
        metersPerUnit = Math.exponential(spread.median)
        standardError = max(spread.standardError, square.squareRoot() / Double(photos.count))
        (photoCount, pointCount) = (photos.count, photos.reduce(0) { $0 + $1.pointCount })
    }
}

/// The median of numbers, and how far they are from it.
private struct Spread {
    let median: Double
    /// The standard deviation of normal numbers with this median absolute deviation.
    let deviation: Double
    /// Of the median.
    let standardError: Double

    init(_ values: [Double]) {
        median = Self.middle(values)
        let center = median
        deviation = 1.4826 * Self.middle(values.map { abs($0 - center) })
        standardError = 1.2533 * deviation / Double(max(1, values.count)).squareRoot()
    }

    private static func middle(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

/// The depth of a photo in meters, and how the photo's pixels are stored.
private struct PhotoDepth {
    let map: DepthMap
    /// The size of the upright photo.
    let size: PixelSize
    /// How stored pixels are turned upright.
    let orientation: Orientation

    /// Neighbors that differ by more than this factor are at an edge, where the depth of a point is uncertain.
    private static let largestStep: Float = 1.1

    /// Reads a photo. Fails with the reason if it has no depth in meters.
    static func read(_ path: String, _ limits: DecodingLimits) -> Result<PhotoDepth, ModelScale.Reason> {
        guard let scene = try? DepthScene(storedIn: path, limits: limits) else {
            return .failure(.unreadable)
        }
        let description = scene.description
        guard let depth = description.depth, let size = description.colorSize else {
            return .failure(.withoutDepth)
        }
        guard depth.scale == .absolute else { return .failure(.inexact) }
        guard size.hasSameAspect(as: depth.size) else { return .failure(.otherShape) }
        guard let map = try? scene.depth() else { return .failure(.unreadable) }
        return .success(PhotoDepth(map: map, size: size, orientation: description.file?.orientation ?? .up))
    }

    /// How pixels that COLMAP saw in a picture of this size may be turned upright: as they are stored, or not at all, if a program
    /// has turned them already.
    func turns(of seen: PixelSize) -> [Orientation] {
        let turns = orientation == .up ? [.up] : [orientation, .up]
        return turns.filter { turn in
            let stored = turn.size(width: size.width, height: size.height)
            return PixelSize(width: stored.width, height: stored.height).hasSameAspect(as: seen)
        }
    }

    /// The depth at a pixel that COLMAP saw in a picture of this size; `nil` if it is unknown, and at edges.
    func meters(at position: SIMD2<Double>, in seen: PixelSize, _ turn: Orientation) -> Float? {
        let fraction = turn.point(
            position.x / Double(seen.width), position.y / Double(seen.height), width: 1, height: 1)
        guard (0..<1).contains(fraction.x), (0..<1).contains(fraction.y) else { return nil }
        let (column, row) = (Int(fraction.x * Double(map.width)), Int(fraction.y * Double(map.height)))
        let center = map.meters[row * map.width + column]
        guard center > 0, center.isFinite else { return nil }
        for y in max(0, row - 1)...min(map.height - 1, row + 1) {
            for x in max(0, column - 1)...min(map.width - 1, column + 1) {
                let other = map.meters[y * map.width + x]
                // An unknown neighbor compares as false, too.
                guard other < center * Self.largestStep, other * Self.largestStep > center else { return nil }
            }
        }
        return center
    }
}

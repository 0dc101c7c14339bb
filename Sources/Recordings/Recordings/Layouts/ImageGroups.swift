internal import Bytes
internal import Codecs
internal import DepthTypes
internal import RasterFormats
internal import Scenes

/// Images of a folder that form a recording by their names: depth, and pictures that belong to it.
struct ImageGroups {
    private(set) var depth: ImageGroup
    private(set) var color: ImageGroup?
    private(set) var confidence: ImageGroup?
    private let size: PixelSize
    private let isFloat: Bool

    /// Numbered images; `nil` if the folder has no numbered depth, or mostly other files.
    init?(numberedIn folder: RecordingFolder) {
        guard let found = Found(folder) else { return nil }
        guard found.depth.group.files.count > 1 else { return nil }
        self.init(found) { $0.shares(found.depth.group) }
        let used = [depth, color, confidence].compactMap { $0?.files.count }.reduce(0, +)
        guard used * 5 >= found.count * 4, found.isOnlyDepth || found.isNamed else { return nil }
    }

    /// One depth image with a matching name, and one picture.
    init?(pairIn folder: RecordingFolder) {
        guard let found = Found(folder) else { return nil }
        guard found.depth.group.files.count == 1, found.isNamed, found.isOnlyDepth, found.count <= 3,
            found.pictures.count == 1
        else { return nil }
        self.init(found) { $0.files.count == 1 }
        guard color != nil else { return nil }
    }

    private init(_ found: Found, _ isColor: (ImageGroup) -> Bool) {
        depth = found.depth.group
        color = found.pictures.first(where: isColor)
        confidence = found.confidence
        size = PixelSize(width: found.depth.raster.width, height: found.depth.raster.height)
        isFloat = found.depth.raster.sampleType.isFloat
    }

    /// The frames of these images.
    func draft(
        of folder: RecordingFolder, _ layout: RecordingLayout, _ reading: ReadingOptions,
        _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(layout)
        let colors = color?.byNumber ?? [:]
        let confidences = confidence?.byNumber ?? [:]
        for (number, name) in depth.files {
            var frame = RecordedFrame(number: number)
            frame.depth = folder.part(name)
            let color = layout == .pair ? color?.files.first?.name : colors[number]
            frame.color = color.flatMap { folder.part($0) }
            frame.confidence = confidences[number].flatMap { folder.part($0) }
            try draft.append(frame, limits)
        }
        let isOfPhone =
            layout == .pair && [256, 192].contains(size.width) && [256, 192].contains(size.height)
        if reading.scale == nil {
            draft.coding.depth.isUnitCertain = false
            // Phones with LiDAR write millimeters.
            if !isFloat, !isOfPhone {
                draft.coding.depth.unitsPerMeter = nil
                draft.warn(.noUnit, "nothing says which unit the depth has")
            }
        }
        return draft
    }

    /// The contents of a folder.
    private struct Found {
        var depth: (group: ImageGroup, raster: RasterDescription)
        var pictures: [ImageGroup]
        var confidence: ImageGroup?
        /// How many images there are.
        var count: Int
        /// Whether the depth is identified by its name, and whether nothing else looks like depth.
        var isNamed: Bool
        var isOnlyDepth: Bool

        init?(_ folder: RecordingFolder) {
            let known = ["png", "exr", "tiff", "tif", "npy", "pfm", "pgm", "jpg", "jpeg"]
            let images = folder.files.filter { known.contains($0.pathExtension) }
            // JPEG frames contain no depth: folders of photos are rejected at once.
            guard images.contains(where: { !["jpg", "jpeg"].contains($0.pathExtension) }) else { return nil }
            var depths: [(group: ImageGroup, raster: RasterDescription)] = []
            var others: [ImageGroup] = []
            for group in ImageGroup.groups(of: images).prefix(16) {
                if let raster = group.depthRaster(in: folder) {
                    depths.append((group, raster))
                } else {
                    others.append(group)
                }
            }
            let named = depths.filter { $0.group.pattern.lowercased().contains("depth") }
            let wanted = named.isEmpty ? depths : named
            guard let best = wanted.max(by: { $0.group.files.count < $1.group.files.count }) else {
                return nil
            }
            depth = best
            pictures = others.filter { $0.isPicture(in: folder) }
            confidence = others.first { $0.pattern.lowercased().hasPrefix("conf") }
            count = images.count
            isNamed = !named.isEmpty
            isOnlyDepth = depths.count == 1
        }
    }
}

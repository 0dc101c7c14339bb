internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import PhotoWriting
internal import Scenes

/// Applies an edit to a JPEG photo.
struct JPEGPhotoEditor {
    private let photo: DepthPhoto
    private let bytes: [UInt8]
    private let limits: DecodingLimits
    private var file: JPEGFileEditor
    private var main: XMPDocument
    private var extended: XMPDocument
    /// The directory of files after the photo.
    private var directory: DirectoryEditor?
    /// Whether there is a directory that cannot be edited, so that nothing it covers may move.
    private var hasFixedDirectory = false
    private var diagnostics: [Diagnostic] = []
    private var codings: [String] = []
    /// The offsets of removed planes of the index.
    private var freed: [PlaneKind: Int] = [:]
    /// Descriptions to add to the main packet, and to the extended one.
    private var additions: [XMPPacketBuilder] = []
    private var extendedAdditions: [XMPPacketBuilder] = []

    init(_ photo: DepthPhoto, _ bytes: [UInt8], limits: DecodingLimits) throws {
        (self.photo, self.bytes, self.limits) = (photo, bytes, limits)
        file = try JPEGFileEditor(bytes, limits: limits)
        let layout = file.layout
        main = try XMPDocument(
            layout.xmp.map { Array(bytes[$0]) } ?? [], limits: limits, at: layout.xmp?.lowerBound ?? 0)
        extended = try XMPDocument(
            layout.extendedPacket(MemorySource(bytes), limits: limits), limits: limits,
            at: layout.extendedXMP.first?.lowerBound ?? 0)
        if let list = try ContainerDirectory(
            photo.xmp(), at: layout.xmp?.lowerBound ?? 0, limits: limits)
        {
            directory = DirectoryEditor(list, main: main, extended: extended)
            hasFixedDirectory = directory == nil && list.items.count > 1
        }
        try repairIndex()
    }

    /// Sets entries that point to no image to the offsets where the reader has found images.
    private mutating func repairIndex() throws {
        guard var index = file.index else { return }
        func isImage(_ offset: Int) -> Bool {
            offset > 0 && offset <= bytes.count - 3
                && bytes[offset..<offset + 3].elementsEqual([0xFF, 0xD8, 0xFF])
        }
        let found = photo.storedPlanes.filter { [.mpf, .appleMPF].contains($0.carrier) }.compactMap(
            \.streamStart)
        let known = Set(index.entries.map(\.offset))
        let moved = found.filter { !known.contains($0) }.sorted()
        let stale = index.entries.indices.dropFirst().filter { !isImage(index.entries[$0].offset) }
            .sorted { index.entries[$0].offset < index.entries[$1].offset }
        if moved.count == stale.count {
            for (number, offset) in zip(stale, moved) { index.entries[number].offset = offset }
        } else {
            let gone = Set(stale.map { index.entries[$0].offset })
            index.removeEntries { $0.offset != 0 && gone.contains($0.offset) }
            index.entries += moved.map { MultiPictureBlock.Entry(attributes: 0, size: 0, offset: $0) }
        }
        for number in index.entries.indices.dropFirst() {
            let entry = index.entries[number]
            let end = entry.offset + entry.size
            if entry.size > 4, end <= bytes.count, bytes[(end - 2)..<end].elementsEqual([0xFF, 0xD9]) {
                continue
            }
            index.entries[number].size = try self.end(of: entry.offset) - entry.offset
        }
        file.index = index
    }

    private func end(of start: Int) throws(ContainerError) -> Int {
        try JPEGLayout.endOfImage(at: start, in: MemorySource(bytes), limits: limits) ?? bytes.count
    }

    // MARK: Applying

    mutating func apply(_ edit: PhotoEdit) throws -> EditedPhoto {
        for plane in photo.storedPlanes where edit.removedKinds.contains(plane.kind) { try remove(plane) }
        if edit.removedKinds.contains(.gainMap) { try file.removeGainMapSegments() }
        if let depth = edit.depth {
            switch edit.form {
            case .appleJPEG, .appleHEIC: try addAppleDepth(depth, edit)
            case .gDepth: try addGDepth(depth, edit.confidence)
            case .dynamicDepth: try addDynamicDepth(depth, edit.confidence)
            }
        }
        for plane in edit.mattes { try addAppleMatte(plane) }
        if let gainMap = edit.gainMap {
            // Readers of gain maps accept baseline JPEG; the source was lossy, too.
            let image = try PlaneImage(gainMap.codes, quality: 95, kept: nil, limits: limits)
            codings.append("gain-map: \(image.description)")
            try addIndexed(
                image.jpeg, XMPPacketBuilder(AppleMetadata.properties(of: gainMap)).serialized(),
                of: [.gainMap])
        }
        try writeXMP()
        return EditedPhoto(
            bytes: try file.serialized(), diagnostics: diagnostics, codings: codings)
    }

    /// The photo without anything behind it, and without the XMP that describes that.
    mutating func alone() throws -> [UInt8] {
        try file.removeTail()
        for namespace in [
            DynamicDepthNames.all, DynamicDepthNames.laterContainer,
            "http://ns.xdm.org/photos/1.0/",
            "http://ns.adobe.com/hdr-gain-map/",
        ] {
            main.remove(namespace: namespace)
            extended.remove(namespace: namespace)
        }
        (directory, hasFixedDirectory) = (nil, false)
        try writeXMP()
        return try file.serialized()
    }

    // MARK: Removing

    private mutating func remove(_ plane: AuxiliaryPlane) throws {
        switch plane.removal {
        case .stream:
            guard let start = plane.streamStart else { throw unremovable(plane) }
            guard !hasFixedDirectory else { throw PhotoEditingError.unusableDirectory }
            let isListed = directory?.remove(itemAt: start - file.layout.end) ?? false
            let isIndexed = file.index?.entries.contains { $0.offset == start } ?? false
            guard isListed || isIndexed else { throw unremovable(plane) }
            file.index?.removeEntries { $0.offset == start }
            // A directory lists the images that follow by their sizes, so nothing may be inserted between them.
            if isIndexed, directory == nil { freed[plane.kind] = start }
            let listedEnd = directory?.end(ofItemAt: start - file.layout.end)
            file.remove(
                start..<(try listedEnd.map { max(start, file.layout.end + min($0, bytes.count)) }
                    ?? end(of: start)))
            if plane.carrier == .googleDynamicDepth, plane.kind.isDepth { removeDepthMap() }
            if plane.kind == .gainMap {
                main.remove(namespace: "http://ns.adobe.com/hdr-gain-map/")
            }
        case .properties:
            // All of it belongs to the depth; confidence without depth has no meaning.
            let namespace =
                plane.kind == .original
                ? "http://ns.google.com/photos/1.0/image/" : "http://ns.google.com/photos/1.0/depthmap/"
            guard plane.kind != .confidence else { return }
            main.remove(namespace: namespace)
            extended.remove(namespace: namespace)
        case nil: throw unremovable(plane)
        }
    }

    /// Whether planes stored this way can be removed from a file.
    static func canRemove(_ plane: AuxiliaryPlane) -> Bool { plane.removal != nil }

    private func unremovable(_ plane: AuxiliaryPlane) -> PhotoEditingError {
        .cannotRemove(plane.kind, source: plane.source)
    }

    /// Removes Dynamic Depth's description of a depth map.
    private mutating func removeDepthMap() {
        let name = XMLName(DynamicDepthNames.camera, "DepthMap")
        main.remove(where: { $0 == name })
        extended.remove(where: { $0 == name })
    }

    // MARK: Apple

    /// The position of a new image: where one of these kinds was, otherwise after all known images and before trailers.
    private func placeForImage(of kinds: [PlaneKind]) throws -> Int {
        for kind in kinds { if let place = freed[kind] { return place } }
        var place = file.layout.end
        for entry in file.index?.entries.dropFirst() ?? [] where entry.insertion == nil {
            place = max(place, try end(of: entry.offset))
        }
        if let directory {
            place = max(place, min(bytes.count, file.layout.end + min(directory.total, bytes.count)))
        }
        return place
    }

    private mutating func addAppleDepth(_ depth: CodedDepth, _ edit: PhotoEdit) throws {
        let image = try PlaneImage(
            depth.codes, quality: nil, kept: depth.stream?.bytes, limits: limits)
        codings.append("\(depth.mapping.quantity.rawValue): \(image.description)")
        try addIndexed(
            image.jpeg, XMPPacketBuilder(AppleMetadata.properties(of: depth, edit.carried)).serialized(),
            of: [.depth, .disparity])
    }

    private mutating func addAppleMatte(_ plane: PhotoEdit.MattePlane) throws {
        let image = try PlaneImage(
            SamplePlane(
                width: plane.matte.width, height: plane.matte.height, bitDepth: 8,
                codes: .uint8(plane.matte.coverage)), quality: nil, kept: nil, limits: limits)
        codings.append("\(plane.kind.rawValue): \(image.description)")
        try addIndexed(
            image.jpeg,
            XMPPacketBuilder(AppleMetadata.properties(ofMatte: plane.kind, plane.carried)).serialized(),
            of: [plane.kind])
    }

    private mutating func addIndexed(_ jpeg: [UInt8], _ xmp: [UInt8], of kinds: [PlaneKind]) throws {
        let place = try placeForImage(of: kinds)
        let count = (file.index?.entries.count ?? 1) + 1
        let image = try MultiPictureJPEG.auxiliaryImage(.init(jpeg: jpeg, xmp: xmp), imageCount: count)
        try file.announceImages()
        file.insertIndexed(image, at: place)
        warnOfVideo(behind: place)
    }

    /// Some readers find a motion photo's video by its distance from the end of the file, others by the directory.
    private mutating func warnOfVideo(behind place: Int) {
        guard directory?.hasVideo == true, place >= bytes.count else { return }
        diagnostics.append(
            .warning(
                .omittedMetadata,
                "the images follow the video of this motion photo: readers that count from the end of the file do not find it"
            ))
    }

    // MARK: Google

    private mutating func addGDepth(_ depth: CodedDepth, _ confidence: SamplePlane?) throws {
        let image = try pngBytes(of: depth.inGoogleOrder)
        codings.append("\(depth.mapping.quantity.rawValue): PNG, \(depth.codes.bitDepth) bits, exact")
        var properties = try GoogleMetadata.gDepth(depth, photo: photo.description)
        var data = [XMPProperty(.gDepth, "Data", .text(encodeBase64(image)))]
        if let confidence {
            properties.append(XMPProperty(.gDepth, "ConfidenceMime", .text("image/png")))
            data.append(XMPProperty(.gDepth, "Confidence", .text(encodeBase64(try pngBytes(of: confidence)))))
        }
        additions.append(XMPPacketBuilder(properties))
        extendedAdditions.append(XMPPacketBuilder(data))
        if depth.calibration != nil {
            diagnostics.append(
                .note(.omittedMetadata, "GDepth has no place for the camera's intrinsics; they are omitted"))
        }
        noteAccuracy(of: depth)
    }

    private mutating func noteAccuracy(of depth: CodedDepth) {
        guard depth.scale == .absolute else { return }
        diagnostics.append(
            .note(
                .omittedMetadata,
                "the form has no place for accuracy: values are read as 'relative' from now on"))
    }

    private mutating func addDynamicDepth(_ depth: CodedDepth, _ confidence: SamplePlane?) throws {
        let image = try pngBytes(of: depth.inGoogleOrder)
        codings.append("\(depth.mapping.quantity.rawValue): PNG, \(depth.codes.bitDepth) bits, exact")
        var items = [(name: "Depth", uri: "android/depthmap", bytes: image)]
        if let confidence {
            items.append(("Confidence", "android/confidencemap", try pngBytes(of: confidence)))
        }
        // Removes the cameras of an older depth map: two of them would contradict each other.
        for name in ["Cameras", "Profiles"] {
            let name = XMLName(DynamicDepthNames.device, name)
            main.remove(where: { $0 == name })
            extended.remove(where: { $0 == name })
        }
        var properties = try GoogleMetadata.dynamicDepth(
            depth, hasConfidence: confidence != nil, original: directory?.originalURI)
        if var list = directory {
            guard list.total <= bytes.count - file.layout.end else {
                throw PhotoEditingError.brokenDirectory
            }
            for item in items {
                let place = list.append(name: item.name, uri: item.uri, length: item.bytes.count)
                file.insert(item.bytes, at: file.layout.end + place)
            }
            directory = list
        } else {
            guard !hasFixedDirectory else { throw PhotoEditingError.unusableDirectory }
            properties.append(
                GoogleMetadata.directory(items.map { ($0.uri, $0.bytes.count) }))
            for item in items { file.insert(item.bytes, at: file.layout.end) }
        }
        additions.append(XMPPacketBuilder(properties))
        noteAccuracy(of: depth)
        if depth.calibration?.distortion != nil || depth.calibration?.extrinsics != nil {
            diagnostics.append(
                .note(
                    .omittedMetadata,
                    "lens distortion, extrinsics and pixel size are dropped: isobath writes intrinsics only as dynamic-depth"
                ))
        }
    }

    // MARK: XMP

    private mutating func writeXMP() throws {
        directory?.write(main: &main, extended: &extended)
        for addition in extendedAdditions {
            if extended.bytes.isEmpty {
                extended = try XMPDocument(Self.emptyPacket, limits: limits, at: 0)
            }
            var addition = addition
            addition.usesAttributes = true
            try extended.add(description: addition.description(of: main.resource))
        }
        var segments: [[UInt8]]?
        if extended.isChanged {
            let packet = extended.serialized
            let name = ExtendedXMPSegments.name(of: packet)
            segments = ExtendedXMPSegments.segments(of: packet, name: name)
            let link = XMLName("http://ns.adobe.com/xmp/note/", "HasExtendedXMP")
            main.remove(where: { $0 == link })
            additions.append(XMPPacketBuilder([XMPProperty(.note, "HasExtendedXMP", .text(name))]))
            additions[additions.count - 1].usesAttributes = true
        }
        for addition in additions {
            if main.bytes.isEmpty { main = try XMPDocument(Self.emptyPacket, limits: limits, at: 0) }
            try main.add(description: addition.description(of: main.resource))
        }
        if main.isChanged {
            let packet = main.serialized
            guard packet.count <= 65_502 else {
                throw PhotoEditingError.noRoom("the photo's main XMP packet (65,502 bytes)")
            }
            try file.setXMP(packet)
        }
        if let segments { try file.setExtendedXMP(segments) }
    }

    private static let emptyPacket = Array(
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Isobath">
           <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
           </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """.utf8)
}

extension AuxiliaryPlane {
    /// The parts of a JPEG file that are removed with a plane.
    fileprivate enum Removal {
        /// The stream after the photo.
        case stream
        /// The properties in the photo's XMP.
        case properties
    }

    /// How a plane is removed from a JPEG file; `nil` if it is kept.
    fileprivate var removal: Removal? {
        switch carrier {
        case .appleMPF, .mpf, .googleContainer, .googleDynamicDepth: .stream
        case .googleGDepth: .properties
        case .heifAuxiliary, .heifToneMap, .xdm, .samsung, .huawei, .xiaomi, .vivo, .nubia, .leia, .dngDepth,
            .dngSemanticMask, .jxlExtraChannel, .depthImage, .sideBySide:
            nil
        }
    }

    /// The offset of a plane that is a separate stream in the file.
    fileprivate var streamStart: Int? {
        switch location {
        case .jpegStream(let range), .pngStream(let range): range.lowerBound
        default: nil
        }
    }
}

package import Bytes
package import DepthMaps
package import DepthTypes
internal import PhotoFormats
internal import PhotoWriting
package import Scenes

/// The planes to insert into a photo, and to remove from it.
package struct PhotoEdit: Sendable {
    /// A matte of a kind.
    package struct MattePlane: Sendable {
        /// The kind of the matte.
        package var kind: PlaneKind
        /// The coverage, upright or in the frame of ``PhotoEdit/frame``.
        package var matte: Matte
        /// Apple's properties from the source of the matte.
        var carried: [XMPProperty] = []

        /// A matte of a kind.
        package init(kind: PlaneKind, matte: Matte) {
            self.kind = kind
            self.matte = matte
        }
    }

    /// Apple's gain map: the logarithmic gain from the photo to its HDR rendition.
    package struct GainMapPlane: Sendable {
        /// The samples, upright or in the frame of ``PhotoEdit/frame``.
        package var codes: SamplePlane
        /// `HDRGainMapVersion`, and the headroom unless only the maker note has it.
        var carried: [XMPProperty]
    }

    /// The form of the inserted planes in the photo.
    package var form: DepthForm
    /// The depth; `nil` to insert no depth.
    package var depth: CodedDepth?
    /// Apple's properties that belong to the depth.
    var carried: [XMPProperty] = []
    /// How far each sample of the depth can be trusted.
    package var confidence: SamplePlane?
    /// Mattes of different kinds.
    package var mattes: [MattePlane] = []
    /// The gain map, for `apple-jpeg`.
    package var gainMap: GainMapPlane?
    /// Planes to remove, in any form.
    package var removedKinds: Set<PlaneKind> = []
    /// Whether planes of the inserted kinds are removed first; otherwise they are an error.
    package var replaces = false
    /// The frame of the inserted map and mattes.
    package var frame = PixelOrientation.upright

    /// An edit that changes nothing yet.
    package init(form: DepthForm) {
        self.form = form
    }
}

/// A photo after an edit.
package struct EditedPhoto: Sendable {
    /// The complete file.
    package var bytes: [UInt8]
    /// Defects of the photo, assumptions, and parts of the file that some readers can no longer read.
    package var diagnostics: [Diagnostic]
    /// How each inserted plane is coded, for people.
    package var codings: [String]
}

extension PhotoEdit {
    /// Edits the photo in a file.
    ///
    /// All other bytes of the photo are kept. The result is read again before it is returned, and its picture is compared
    /// with the one before, pixel by pixel unless the coded bytes are the same.
    ///
    /// Throws ``PhotoEditingError``, ``ContainerError`` if the photo cannot be read.
    package func apply(to bytes: [UInt8], limits: DecodingLimits = DecodingLimits()) throws -> EditedPhoto {
        let photo = try DepthPhoto(MemorySource(bytes), limits: limits)
        if let error = photo.description.readError { throw error }
        var ready = try prepared(for: photo)
        let remarks = ready.carryMetadata(of: photo)
        var edited: EditedPhoto
        switch (photo.format, form) {
        case (.heif, .appleHEIC):
            var editor = try HEIFPhotoEditor(photo, bytes, limits: limits)
            edited = try editor.apply(ready)
        case (.jpeg, .appleHEIC), (.avif, .appleHEIC), (.dng, .appleHEIC), (.jpegXL, .appleHEIC):
            throw PhotoEditingError.notHEVC(photo.format.rawValue)
        case (.jpeg, .appleJPEG), (.jpeg, .gDepth), (.jpeg, .dynamicDepth):
            var editor = try JPEGPhotoEditor(photo, bytes, limits: limits)
            edited = try editor.apply(ready)
        case (.heif, _), (.avif, _), (.dng, _), (.jpegXL, _):
            throw PhotoEditingError.unsuitableFormat(photo.format.rawValue, form)
        }
        let result = try verified(edited.bytes, from: photo, ready, limits: limits)
        edited.diagnostics += remarks + photo.diagnostics.filter { $0.error != nil }
        edited.diagnostics += try PictureComparison(before: (photo, bytes), after: (result, edited.bytes))
            .verify(without: ready.removedKinds.union(ready.losesOriginal(of: photo) ? [.original] : []))
        return edited
    }

    /// The edit with maps in the photo's stored frame, after all checks that do not need the bytes.
    private func prepared(for photo: DepthPhoto) throws -> PhotoEdit {
        var edit = self
        let description = photo.description
        let upright = description.orientation.size(width: description.width, height: description.height)
        let size = PixelSize(width: upright.width, height: upright.height)
        let turn = description.orientation.inverse
        func check(_ width: Int, _ height: Int) throws {
            var map = PixelSize(width: width, height: height)
            if frame == .stored {
                let turned = description.orientation.size(width: width, height: height)
                map = PixelSize(width: turned.width, height: turned.height)
            }
            guard map.hasSameAspect(as: size) else {
                throw PhotoEditingError.differentView(photo: size, map: map)
            }
        }
        if let depth {
            try check(depth.codes.width, depth.codes.height)
            if frame == .upright {
                edit.depth?.codes = depth.codes.oriented(by: turn)
                edit.depth?.calibration = depth.calibration?.oriented(by: turn)
            }
            if let stream = depth.stream, frame == .stored || stream.orientation != description.orientation {
                edit.depth?.stream = nil
            }
        }
        if let confidence, frame == .upright { edit.confidence = confidence.oriented(by: turn) }
        for (index, plane) in mattes.enumerated() {
            guard form.holdsMattes else { throw PhotoEditingError.noPlace(plane.kind, form) }
            try check(plane.matte.width, plane.matte.height)
            if frame == .upright { edit.mattes[index].matte = plane.matte.oriented(by: turn) }
        }
        if let gainMap {
            guard form == .appleJPEG else { throw PhotoEditingError.noPlace(.gainMap, form) }
            if frame == .upright { edit.gainMap?.codes = gainMap.codes.oriented(by: turn) }
        }
        edit.removedKinds = try kindsToRemove(from: photo)
        return edit
    }

    /// The kinds whose planes are removed.
    private func kindsToRemove(from photo: DepthPhoto) throws -> Set<PlaneKind> {
        let present = Set(photo.planes.map(\.kind))
        for kind in removedKinds where !present.contains(kind) {
            throw photo.describe().absence(of: kind)
        }
        var added = Set(mattes.map(\.kind))
        if gainMap != nil { added.insert(.gainMap) }
        if depth != nil { added.formUnion([.depth, .disparity]) }
        let clashing = photo.planes.map(\.kind).filter { added.contains($0) && !removedKinds.contains($0) }
        if let first = clashing.first, !replaces { throw PhotoEditingError.exists(first) }
        var kinds = removedKinds.union(clashing)
        // The confidence of a removed depth map is removed as well.
        if kinds.contains(where: \.isDepth), present.contains(.confidence) { kinds.insert(.confidence) }
        return kinds
    }

    /// Reads the result, and checks that all planes of the photo and all inserted ones are there.
    private func verified(
        _ bytes: [UInt8], from photo: DepthPhoto, _ edit: PhotoEdit, limits: DecodingLimits
    ) throws -> DepthPhoto {
        let result: DepthPhoto
        do {
            result = try DepthPhoto(MemorySource(bytes), limits: limits)
        } catch {
            throw PhotoEditingError.verification("\(error)")
        }
        let (old, new) = (photo.description, result.description)
        guard (old.width, old.height, old.orientation) == (new.width, new.height, new.orientation) else {
            throw PhotoEditingError.verification("the photo's size or orientation is another")
        }
        let losesOriginal = edit.losesOriginal(of: photo)
        var expected = photo.storedPlanes.filter { plane in
            !edit.removedKinds.contains(plane.kind)
                && !(losesOriginal && plane.kind == .original && plane.carrier == .googleGDepth)
        }.map(\.kind)
        expected += edit.mattes.map(\.kind)
        if edit.gainMap != nil { expected.append(.gainMap) }
        if edit.confidence != nil, form.holdsConfidence { expected.append(.confidence) }
        if let depth = edit.depth {
            expected.append(depth.mapping.quantity == .depth ? .depth : .disparity)
        }
        let found = result.planes.map(\.kind)
        guard expected.map(\.rawValue).sorted() == found.map(\.rawValue).sorted() else {
            throw PhotoEditingError.verification(
                "planes are \(found.map(\.rawValue).joined(separator: ", ")), not "
                    + expected.map(\.rawValue).joined(separator: ", "))
        }
        if let unreadable = result.readErrors.first, photo.readErrors.isEmpty {
            throw PhotoEditingError.verification("\(unreadable)")
        }
        guard let depth = edit.depth else { return result }
        let plane = try result.describe().requirePlane(nil)
        guard plane.calibration != nil || depth.calibration == nil || form == .gDepth else {
            throw PhotoEditingError.verification("the calibration is lost")
        }
        try verifyValues(of: plane, in: result, depth)
        return result
    }

    /// Whether removing the depth map also removes GDepth's picture, which readers expect beside one.
    private func losesOriginal(of photo: DepthPhoto) -> Bool {
        form != .gDepth
            && photo.storedPlanes.contains {
                $0.carrier == .googleGDepth && $0.kind.isDepth && removedKinds.contains($0.kind)
            }
    }

    /// Checks that the values of codes match the inserted ones, to a hundredth of a step.
    private func verifyValues(of plane: PlaneDescription, in result: DepthPhoto, _ depth: CodedDepth) throws {
        guard let mapping = plane.mapping, mapping.quantity == depth.mapping.quantity else {
            throw PhotoEditingError.verification("the depth has another quantity")
        }
        guard mapping.hasUnit == depth.mapping.hasUnit else {
            throw mapping.hasUnit
                ? PhotoEditingError.takenForMeters : .verification("the depth has no unit")
        }
        let codes = try result.codes(of: plane, frame: .stored)
        let isFalling = mapping.high < mapping.low
        let highest = codes.maximumCode
        guard (codes.width, codes.height) == (depth.codes.width, depth.codes.height),
            highest == depth.codes.maximumCode,
            codes.values.elementsEqual(depth.codes.values, by: { isFalling ? highest - $0 == $1 : $0 == $1 })
        else { throw PhotoEditingError.verification("the codes of the depth are others") }
        guard
            (mapping.unknownCode, mapping.storesHalves)
                == (depth.mapping.unknownCode, depth.mapping.storesHalves)
        else { throw PhotoEditingError.verification("other samples are unknown") }
        guard !mapping.storesHalves else { return }
        let step = abs(depth.mapping.high - depth.mapping.low) / Float(highest)
        for code in [depth.mapping.lowCode, highest] {
            let value = mapping.value(ofCode: isFalling ? highest - code : code)
            let wanted = depth.mapping.value(ofCode: code)
            guard abs(value - wanted) <= max(step / 100, wanted.ulp * 4) else {
                throw PhotoEditingError.verification("code \(code) stands for \(value), not \(wanted)")
            }
        }
    }
}

extension SamplePlane {
    /// All codes as integers.
    var values: [Int] { codes.apply({ $0.map { Int($0) } }, { $0.map { Int($0) } }) }
}

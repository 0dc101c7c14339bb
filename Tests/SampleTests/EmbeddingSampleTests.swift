import Bytes
import DepthMaps
import Isobath
import PhotoFormats
import TestSupport
import Testing

@testable import PhotoEditing

/// Every real photo, into every form that its format can carry. Depth without a unit is given a range.
@Suite("Embedding into samples", .needsSamples)
struct EmbeddingSampleTests {
    private static let names = SampleFolder.allPhotos.filter { name in
        ["apple-heic", "apple-jpeg", "gdepth", "dynamic-depth", "apple-spatial", "gainmap"].contains {
            name.hasPrefix($0 + "/")
        }
    }

    @Test(
        "Depth that is taken out and put in again has the same codes, and the photo its bytes",
        arguments: names)
    func roundTrip(name: String) throws {
        let source = try FileSource(path: SampleFolder.photos.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard let plane = try? photo.describe().requirePlane(nil), plane.readError == nil else { return }
        var reading = ReadingOptions()
        if !plane.scale.hasUnit { reading.range = 0.5...20 }
        let scene = try DepthScene(storedIn: MemorySource(bytes), reading: reading)
        let forms: [DepthForm] = photo.format == .heif ? [.appleHEIC] : [.appleJPEG, .gDepth, .dynamicDepth]
        for form in forms {
            let coding = form.adapted(DepthCoding())
            var edit = PhotoEdit(form: form)
            edit.depth = try scene.coded(coding)
            if form.holdsConfidence { edit.confidence = try DepthScene(photo).samples(of: .confidence) }
            edit.replaces = true
            let edited = try edit.apply(to: bytes)
            let result = try DepthPhoto(MemorySource(edited.bytes))
            let found = try result.describe().requirePlane(nil)
            #expect(found.kind == plane.kind, "\(form)")
            let (old, new) = (try photo.codes(of: plane), try result.codes(of: found))
            let isTurned =
                ((plane.mapping?.high ?? 0) < (plane.mapping?.low ?? 0))
                != ((found.mapping?.high ?? 0) < (found.mapping?.low ?? 0))
            #expect((isTurned ? new.complemented : new).codes == old.codes, "\(form)")
            #expect(result.description.orientation == photo.description.orientation)
            #expect(try pictureBytes(of: edited.bytes, result) == pictureBytes(of: bytes, photo), "\(form)")
            #expect(try result.container.photoExif().bytes == photo.container.photoExif().bytes)
            guard plane.scale.hasUnit else {
                // The codes span the given range from one end to the other, in 1/m.
                guard case .uint8(let codes) = old.codes else { continue }
                let values = try DepthScene(result).disparity().reciprocalMeters
                // In GDepth, code 0 is the nearest.
                let wrong = zip(values, codes).filter { abs($0 - (2 - 1.95 * Float($1) / 255)) > 1e-4 }
                #expect(values.count == codes.count && wrong.isEmpty, "\(form)")
                continue
            }
            let (before, after) = (try DepthScene(photo).disparity(), try DepthScene(result).disparity())
            let most = zip(before.reciprocalMeters, after.reciprocalMeters).map { abs($0 - $1) }.max() ?? 1
            let step = abs((plane.mapping?.high ?? 0) - (plane.mapping?.low ?? 0)) / 255
            #expect(most <= max(step / 2, 1e-5), "\(form): \(most)")
            if form == .appleJPEG || form == .appleHEIC {
                #expect(found.accuracy == plane.accuracy)
                expectSame(found.calibration, plane.calibration, "\(form)")
                #expect(found.blur == plane.blur || plane.blur?.focalPoint != nil)
            }
            for kept in photo.planes
            where kept.codec == "jpeg" && !kept.kind.isDepth && kept.kind != .confidence {
                guard
                    let again = result.planes.first(where: { $0.kind == kept.kind && $0.index == kept.index })
                else { continue }
                #expect(
                    try result.codedBytes(of: again) == photo.codedBytes(of: kept), "\(form) \(kept.kind)")
            }
            if form == .dynamicDepth {
                expectSame(found.calibration, plane.calibration, "\(form)", withLens: false)
            }
        }
    }

    /// The example in README: `embed edited.jpg --depth portrait.heic`.
    @Test("A copy of a photo that lost its depth gets it back", arguments: names)
    func editedCopy(name: String) throws {
        let source = try FileSource(path: SampleFolder.photos.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard let plane = try? photo.describe().requirePlane(nil), plane.scale.hasUnit else { return }
        let copy = try PhotoConversion(form: .appleJPEG).photoWithoutDepth(bytes, limits: DecodingLimits())
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try DepthScene(photo).coded(DepthForm.appleJPEG.adapted(DepthCoding()))
        let result = try DepthPhoto(MemorySource(edit.apply(to: copy.bytes).bytes))
        #expect(try result.describe().requirePlane(nil).kind == plane.kind)
        #expect(try DepthScene(result).disparity().width == DepthScene(photo).disparity().width)
    }

    private static let appleNames = names.filter { name in
        ["apple-heic", "apple-jpeg", "apple-spatial"].contains { name.hasPrefix($0 + "/") }
    }

    @Test(
        "Everything that an iPhone writes beside a plane keeps its text in the same form",
        arguments: appleNames)
    func settings(name: String) throws {
        let source = try FileSource(path: SampleFolder.photos.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard (try? photo.describe().requirePlane(nil)) != nil else { return }
        let form: DepthForm = photo.format == .heif ? .appleHEIC : .appleJPEG
        let edited = try PhotoConversion(form: form).convert(DepthScene(photo), photo: bytes)
        let result = try DepthPhoto(MemorySource(edited.bytes))
        #expect(result.planes.map(\.kind) == photo.planes.map(\.kind))
        for (old, new) in zip(photo.storedPlanes, result.storedPlanes) {
            let found = try texts(result, new)
            for (key, text) in try texts(photo, old) {
                // A doubtful camera makes depth relative, and the written photo declares that.
                if key.hasSuffix("/Accuracy"),
                    photo.container.diagnostics.contains(where: { $0.code == .doubtfulCamera })
                {
                    continue
                }
                // Some writers print numbers with more digits than others.
                let isSame =
                    found[key] == text || Double(text).map { Double(found[key] ?? "") == $0 } ?? false
                #expect(isSame, "\(old.kind) \(key): \(text), \(found[key] ?? "missing")")
            }
        }
    }

    private func texts(_ photo: DepthPhoto, _ plane: AuxiliaryPlane) throws -> [String: String] {
        Dictionary(
            try photo.container.planeXMP(plane).all.compactMap { property in
                property.value.text.map { (property.namespace + property.name, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Numbers of two cameras, to 1e-6 of the larger ones.
    private func expectSame(
        _ found: CameraCalibration?, _ wanted: CameraCalibration?, _ comment: Comment, withLens: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func numbers(_ camera: CameraCalibration?) -> [Double] {
            guard let camera else { return [] }
            var numbers = [
                camera.focalLengthX, camera.focalLengthY, camera.principalPointX, camera.principalPointY,
                Double(camera.width), Double(camera.height),
            ]
            guard withLens else { return numbers }
            numbers.append(camera.pixelSize ?? -1)
            if let lens = camera.distortion {
                numbers += lens.coefficients + lens.inverseCoefficients + [lens.centerX, lens.centerY]
            }
            // Apple's readers require all values, so a camera without a pose gets the pose of the origin.
            if wanted?.extrinsics != nil, let place = camera.extrinsics {
                numbers += place.rotation + place.translation
            }
            return numbers
        }
        let (first, second) = (numbers(found), numbers(wanted))
        #expect(first.count == second.count, comment, sourceLocation: sourceLocation)
        for (one, other) in zip(first, second) {
            #expect(abs(one - other) <= 1e-6 * max(1, abs(other)), comment, sourceLocation: sourceLocation)
        }
    }

    /// The coded picture: the scan of a JPEG, or the data of the items that make the primary image of a HEIF file.
    private func pictureBytes(of bytes: [UInt8], _ photo: DepthPhoto) throws -> [UInt8] {
        if photo.format == .jpeg {
            let layout = try JPEGLayout(MemorySource(bytes), limits: DecodingLimits())
            return Array(bytes[layout.scan..<layout.end])
        }
        let file = try HEIFStructure(bytes)
        let primary = file.graph.primaryItem
        let tiles = file.graph.references.filter { $0.type == "dimg" && $0.from == primary }.flatMap(\.to)
        return ([primary] + tiles).flatMap { file.data(of: $0) }
    }

    @Test("Mattes that are taken out and put in again are the same", arguments: names)
    func mattes(name: String) throws {
        let source = try FileSource(path: SampleFolder.photos.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        let kinds = photo.planes.filter { $0.kind.isMatte && $0.readError == nil }.map(\.kind)
        guard !kinds.isEmpty else { return }
        var edit = PhotoEdit(form: .standard(for: bytes))
        for kind in kinds {
            edit.mattes.append(.init(kind: kind, matte: try #require(try DepthScene(photo).matte(kind))))
        }
        edit.replaces = true
        let result = try DepthPhoto(MemorySource(edit.apply(to: bytes).bytes))
        for kind in kinds {
            #expect(try DepthScene(result).matte(kind) == DepthScene(photo).matte(kind), "\(kind)")
        }
        let found: [String] = result.planes.map(\.kind.rawValue).sorted()
        let wanted: [String] = photo.planes.map(\.kind.rawValue).sorted()
        #expect(found == wanted)
    }

    @Test(
        "Photos of other formats become JPEG with the same depth",
        arguments: names.filter { $0.hasSuffix(".heic") })
    func converted(name: String) throws {
        let source = try FileSource(path: SampleFolder.photos.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard let plane = try? photo.describe().requirePlane(nil), plane.scale.hasUnit else { return }
        for form in [DepthForm.appleJPEG, .gDepth, .dynamicDepth] {
            let edited = try PhotoConversion(form: form).convert(DepthScene(photo), photo: bytes)
            let result = try DepthPhoto(MemorySource(edited.bytes))
            let found = try result.describe().requirePlane(nil)
            let codes = try result.codes(of: found)
            let isTurned = (found.mapping?.high ?? 0) < (found.mapping?.low ?? 0)
            #expect(try (isTurned ? codes.complemented : codes).codes == photo.codes(of: plane).codes)
            #expect(result.description.make == photo.description.make)
            #expect(result.description.orientation == photo.description.orientation)
            let (before, after) = (try DepthScene(photo).disparity(), try DepthScene(result).disparity())
            let most = zip(before.reciprocalMeters, after.reciprocalMeters).map { abs($0 - $1) }.max() ?? 1
            #expect(most <= max((plane.mapping?.step?.magnitude ?? 0) / 2, 1e-5), "\(form)")
            if form == .appleJPEG { #expect(found.accuracy == plane.accuracy) }
            if form != .gDepth {
                expectSame(found.calibration, plane.calibration, "\(form)", withLens: form == .appleJPEG)
            }
        }
    }
}

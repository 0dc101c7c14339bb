import Bytes
import DepthMaps
import DepthTypes
import Foundation
import PhotoEditing
import PhotoFormats
import Scenes
import TestSupport
import Testing

@Suite("Putting depth into JPEG photos")
struct JPEGEmbeddingTests {
    private static let forms: [DepthForm] = [.appleJPEG, .gDepth, .dynamicDepth]

    /// Photos without depth, and with depth in every form, beside gain maps, mattes and directories.
    private static let photos = [
        "plain.jpg", "portrait.jpg", "portrait-rotated.jpg", "gdepth-portrait.jpg", "gdepth-linear-ray.jpg",
        "dynamic-depth.jpg", "dynamic-depth-ultrahdr.jpg", "stereo.mpo",
    ]

    private func coded(
        _ name: String, _ form: DepthForm, _ reading: ReadingOptions = ReadingOptions()
    ) throws -> CodedDepth {
        var coding = DepthCoding()
        coding.needsDistances = form.needsDistances
        return try DepthScene(storedIn: TestImages.path(name), reading: reading).coded(coding)
    }

    @Test(
        "A map without a unit keeps its range in GDepth of a photo of Lens Blur, and is refused where it would be read as meters"
    )
    func withoutUnit() throws {
        let bytes = try TestImages.bytes("gdepth-lens-blur.jpg")
        let before = try DepthPhoto(MemorySource(bytes))
        var edit = PhotoEdit(form: .gDepth)
        edit.depth = try DepthScene(before).coded(DepthForm.gDepth.adapted(DepthCoding()))
        edit.replaces = true
        let edited = try edit.apply(to: bytes)
        let after = try DepthPhoto(MemorySource(edited.bytes))
        let plane = try after.describe().requirePlane(nil)
        #expect(plane.scale == .unitless)
        // Near is 14 and far 200, of no unit.
        #expect(plane.mapping?.low == 1 / 14 && plane.mapping?.high == 1 / 200)
        #expect(try after.codes(of: plane) == before.codes(of: before.describe().requirePlane(nil)))
        #expect(after.planes.map(\.kind) == before.planes.map(\.kind))
        #expect(throws: PhotoEditingError.takenForMeters) {
            try edit.apply(to: TestImages.bytes("plain.jpg"))
        }
        // Forms that need a unit, and ranges that begin at 0.
        for form in [DepthForm.appleJPEG, .dynamicDepth] {
            #expect(throws: DepthCodingError.noUnit) {
                try DepthScene(before).coded(form.adapted(DepthCoding()))
            }
        }
        #expect(throws: DepthCodingError.noUnit) {
            try DepthScene(storedIn: TestImages.path("samsung-dualshot.jpg"))
                .coded(DepthForm.gDepth.adapted(DepthCoding()))
        }
    }

    @Test(
        "Codes, range and camera of a map come back as they were",
        arguments: photos.flatMap { photo in forms.map { (photo, $0) } })
    func roundTrip(photo: String, form: DepthForm) throws {
        // The map is from another file, in another container: its codes are read without an editor.
        let source = try DepthPhoto(contentsOf: TestImages.path("portrait.heic"))
        let stored = try source.describe().requirePlane(nil)
        let bytes = try TestImages.bytes(photo)
        var edit = PhotoEdit(form: form)
        edit.depth = try coded("portrait.heic", form)
        edit.replaces = true
        let edited = try edit.apply(to: bytes)
        let result = try DepthPhoto(MemorySource(edited.bytes))
        let plane = try result.describe().requirePlane(nil)
        #expect(plane.kind == .disparity)
        #expect(plane.accuracy == .relative)
        let wanted = try source.codes(of: stored)
        var found = try result.codes(of: plane)
        if form != .appleJPEG { found = found.complemented }
        #expect(found.codes == wanted.codes)
        let mapping = try #require(plane.mapping)
        let range = (min(mapping.low, mapping.high), max(mapping.low, mapping.high))
        let expected = try #require(stored.mapping)
        #expect(abs(range.0 - expected.low) <= expected.low.ulp * 2)
        #expect(abs(range.1 - expected.high) <= expected.high.ulp * 2)
        guard form != .gDepth else { return }
        let camera = try #require(plane.calibration?.oriented(by: plane.orientation))
        let original = try #require(stored.calibration?.oriented(by: stored.orientation))
        #expect(abs(camera.focalLengthX - original.focalLengthX) < 1e-6)
        #expect(abs(camera.principalPointX - original.principalPointX) < 1e-6)
        #expect(abs(camera.principalPointY - original.principalPointY) < 1e-6)
        if form == .appleJPEG {
            #expect(camera.distortion?.coefficients == original.distortion?.coefficients)
            #expect(camera.pixelSize == original.pixelSize)
        }
    }

    @Test(
        "The coded photo, Exif, color profile and other planes keep their bytes",
        arguments: photos.flatMap { photo in forms.map { (photo, $0) } })
    func unchanged(photo: String, form: DepthForm) throws {
        let bytes = try TestImages.bytes(photo)
        var edit = PhotoEdit(form: form)
        edit.depth = try coded("portrait.heic", form)
        edit.replaces = true
        let edited = try edit.apply(to: bytes).bytes
        #expect(try scans(of: edited) == scans(of: bytes))
        for signature in ["Exif\0\0", "ICC_PROFILE\0"] {
            #expect(try segments(of: edited, signature) == segments(of: bytes, signature))
        }
        let (before, after) = (try DepthPhoto(MemorySource(bytes)), try DepthPhoto(MemorySource(edited)))
        let kept = before.planes.filter { !$0.kind.isDepth && $0.kind != .confidence && $0.codec == "jpeg" }
        for plane in kept where plane.source != "google-gdepth" {
            let found = try #require(after.planes.first { $0.kind == plane.kind && $0.index == plane.index })
            #expect(try after.codedBytes(of: found) == before.codedBytes(of: plane), "\(plane.kind)")
        }
    }

    private func scans(of bytes: [UInt8]) throws -> [UInt8] {
        let layout = try JPEGLayout(MemorySource(bytes), limits: DecodingLimits())
        return Array(bytes[layout.scan..<layout.end])
    }

    private func segments(of bytes: [UInt8], _ signature: String) throws -> [[UInt8]] {
        let layout = try JPEGLayout(MemorySource(bytes), limits: DecodingLimits())
        return layout.segments.map { Array(bytes[$0.payload]) }.filter {
            $0.starts(with: Array(signature.utf8))
        }
    }

    @Test(
        "A map given upright is turned to the photo's stored pixels", arguments: Orientation.allCases,
        forms)
    func orientations(orientation: Orientation, form: DepthForm) throws {
        var bytes = try TestImages.bytes("portrait-rotated.jpg")
        // Orientation (0x0112), one short: 6 in this file, big-endian.
        let field: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]
        let place = try #require(bytes.firstRange(of: field))
        bytes[place.upperBound - 1] = UInt8(orientation.rawValue)
        let size = orientation.size(width: 720, height: 960)
        let (width, height) = (size.width / 10, size.height / 10)
        let values = (0..<width * height).map { 1 + Float($0 % width) / 100 + Float($0 / width) / 50 }
        var coding = DepthCoding()
        coding.needsDistances = form.needsDistances
        let map = DepthMap(width: width, height: height, meters: values, scale: .absolute)
        var edit = PhotoEdit(form: form)
        edit.depth = try DecodedPlane(map).coded(coding)
        edit.replaces = true
        let result = try DepthPhoto(MemorySource(edit.apply(to: bytes).bytes))
        let found = try DepthScene(result).depth()
        #expect((found.width, found.height) == (width, height))
        let step = (values.max() ?? 0) - (values.min() ?? 0)
        for (value, wanted) in zip(found.meters, values) {
            #expect(abs(value - wanted) <= step / 255 / 2 * 1.001)
        }
    }

    @Test("Sixteen bits keep values to half a step of 65,535", arguments: forms)
    func sixteenBits(form: DepthForm) throws {
        let values = (0..<96 * 72).map { 0.8 + Float($0) / 1000 }
        var coding = DepthCoding()
        coding.bitDepth = 16
        coding.needsDistances = form.needsDistances
        let map = DepthMap(width: 96, height: 72, meters: values, scale: .absolute)
        var edit = PhotoEdit(form: form)
        edit.depth = try DecodedPlane(map).coded(coding)
        let result = try DepthPhoto(MemorySource(edit.apply(to: TestImages.bytes("plain.jpg")).bytes))
        let found = try DepthScene(result).depth().meters
        let most = zip(found, values).map { abs($0 - $1) }.max() ?? 1
        #expect(most <= 6.912 / 65_535 / 2 + 1e-6)
        let accuracy: DepthAccuracy = form == .appleJPEG ? .absolute : .relative
        #expect(try result.describe().requirePlane(nil).accuracy == accuracy)
    }

    @Test("Mattes go beside the depth and come back as they were")
    func mattes() throws {
        let coverage = (0..<96 * 72).map { UInt8(($0 * 37) % 256) }
        var edit = PhotoEdit(form: .appleJPEG)
        for kind in [PlaneKind.matte, .skin, .sky] {
            edit.mattes.append(.init(kind: kind, matte: Matte(width: 96, height: 72, coverage: coverage)))
        }
        let bytes = try TestImages.bytes("plain.jpg")
        let result = try DepthPhoto(MemorySource(edit.apply(to: bytes).bytes))
        #expect(result.planes.map(\.kind) == [.matte, .skin, .sky])
        for plane in result.planes { #expect(try result.codes(of: plane).codes == .uint8(coverage)) }
        edit.form = .gDepth
        #expect(throws: PhotoEditingError.noPlace(.matte, .gDepth)) { try edit.apply(to: bytes) }
    }

    @Test("Planes can be taken out, and what was put in leaves nothing behind")
    func removing() throws {
        for form in Self.forms {
            let bytes = try TestImages.bytes("plain.jpg")
            var edit = PhotoEdit(form: form)
            edit.depth = try coded("portrait.heic", form)
            let with = try edit.apply(to: bytes).bytes
            var removal = PhotoEdit(form: form)
            removal.removedKinds = [.disparity]
            let without = try removal.apply(to: with).bytes
            #expect(try DepthPhoto(MemorySource(without)).planes.isEmpty)
            #expect(without.count < bytes.count + 4000)
        }
        var nothing = PhotoEdit(form: .appleJPEG)
        nothing.removedKinds = [.hair]
        #expect(throws: SceneError.noPlane(.hair, available: [.disparity, .matte])) {
            try nothing.apply(to: TestImages.bytes("portrait.jpg"))
        }
    }

    @Test("With a gain map, what the photo's own segments say of it is removed")
    func removingGainMap() throws {
        var bytes = try TestImages.bytes("dynamic-depth-ultrahdr.jpg")
        let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
        let payload = name + [0, 0, 0, 0]
        bytes.insert(contentsOf: [0xFF, 0xE2, 0, UInt8(payload.count + 2)] + payload, at: 2)
        var edit = PhotoEdit(form: .dynamicDepth)
        edit.removedKinds = [.gainMap]
        let edited = try edit.apply(to: bytes).bytes
        #expect(try !DepthPhoto(MemorySource(edited)).planes.map(\.kind).contains(.gainMap))
        #expect(!edited.indices.contains { edited[$0...].starts(with: name) })
    }

    @Test("Forms without a place for accuracy say that it is lost")
    func lostAccuracy() throws {
        for (name, isLost) in [("absolute-depth.heic", true), ("portrait.heic", false)] {
            for form in [DepthForm.gDepth, .dynamicDepth] {
                var edit = PhotoEdit(form: form)
                edit.depth = try coded(name, form)
                let edited = try edit.apply(to: TestImages.bytes("plain.jpg"))
                #expect(
                    edited.diagnostics.contains { $0.message.contains("no place for accuracy") } == isLost)
            }
        }
    }

    @Test("What cannot be embedded is refused with its reason")
    func refusals() throws {
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try coded("portrait.heic", .appleJPEG)
        #expect(throws: PhotoEditingError.exists(.disparity)) {
            try edit.apply(to: TestImages.bytes("portrait.jpg"))
        }
        edit.replaces = true
        #expect(throws: PhotoEditingError.cannotRemove(.disparity, source: "samsung-sef")) {
            try edit.apply(to: TestImages.bytes("samsung-dualshot.jpg"))
        }
        #expect(throws: DepthCodingError.noUnit) { try coded("samsung-dualshot.jpg", .appleJPEG) }
        let wide = DepthMap(width: 40, height: 10, meters: .init(repeating: 1, count: 400), scale: .absolute)
        edit.depth = try DecodedPlane(wide).coded(DepthCoding())
        #expect(throws: PhotoEditingError.self) { try edit.apply(to: TestImages.bytes("plain.jpg")) }
        let holes = DepthMap(width: 2, height: 1, meters: [1, .nan], scale: .absolute)
        #expect(throws: DepthCodingError.unknownSamples(1)) { try DecodedPlane(holes).coded(DepthCoding()) }
    }

    @Test("Samples without a distance are refused in Google's forms, or clipped to a far distance")
    func infinity() throws {
        let map = DisparityMap(width: 3, height: 1, reciprocalMeters: [0, 0.5, 1], scale: .absolute)
        var coding = DepthCoding()
        #expect(try DecodedPlane(map).coded(coding).mapping.low == 0)
        coding.needsDistances = true
        #expect(throws: DepthCodingError.withoutDistance(1)) { try DecodedPlane(map).coded(coding) }
        coding.far = 10
        let coded = try DecodedPlane(map).coded(coding)
        #expect(coded.mapping.low == 0.1)
        #expect(coded.diagnostics.contains { $0.code == .clippedSamples })
    }

    @Test("A map without a unit takes the range that is given, as an absolute one")
    func givenRange() throws {
        var reading = ReadingOptions()
        reading.range = 0.5...4
        let coded = try coded("samsung-dualshot.jpg", .appleJPEG, reading)
        #expect((coded.mapping.low, coded.mapping.high) == (0.25, 2))
        #expect(coded.scale == .absolute)
    }

    @Test("Rounding to 8 bits says what a step is in meters")
    func step() throws {
        let values = (0..<1000).map { 1 + Float($0) / 500 }
        let map = DepthMap(width: 100, height: 10, meters: values, scale: .absolute)
        let remark = try #require(try DecodedPlane(map).coded(DepthCoding()).diagnostics.first)
        // From 1 to 2.998 m in 255 steps.
        #expect(remark.message == "8 bits hold it in steps of 0.00784 m")
    }

    @Test("A stale index is repaired, and trailers stay")
    func trailers() throws {
        for name in ["oppo.jpg", "samsung-dualshot.jpg"] {
            let bytes = try TestImages.bytes(name)
            let before = try DepthPhoto(MemorySource(bytes))
            var edit = PhotoEdit(form: .appleJPEG)
            edit.mattes = [
                .init(
                    kind: .matte, matte: Matte(width: 4, height: 3, coverage: .init(repeating: 9, count: 12)))
            ]
            let edited = try edit.apply(to: bytes).bytes
            let after = try DepthPhoto(MemorySource(edited))
            #expect(after.trailers.map(\.type) == before.trailers.map(\.type))
            #expect(edited.suffix(64) == bytes.suffix(64))
        }
    }
}

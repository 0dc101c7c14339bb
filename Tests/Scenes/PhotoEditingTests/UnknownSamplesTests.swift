import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

@testable import PhotoEditing

@Suite("Maps with unknown samples in photos")
struct UnknownSamplesTests {
    private static let photos: [(name: String, form: DepthForm)] = [
        ("plain.jpg", .appleJPEG), ("portrait-rotated.jpg", .appleJPEG), ("plain.heic", .appleHEIC),
        ("portrait-rotated.heic", .appleHEIC),
    ]

    /// Every 7th sample is unknown; the others are `value` of their index.
    private func map(_ photo: String, value: (Int) -> Float) throws -> DepthMap {
        let description = try DepthPhoto(contentsOf: TestImages.path(photo)).description
        let size = description.orientation.size(width: description.width, height: description.height)
        let (width, height) = (size.width / 10, size.height / 10)
        return DepthMap(
            width: width, height: height,
            meters: (0..<width * height).map { $0 % 7 == 3 ? .nan : value($0) }, scale: .absolute)
    }

    private func embedded(_ map: DepthMap, in photo: (name: String, form: DepthForm)) throws -> (
        DepthPhoto, [Diagnostic]
    ) {
        var edit = PhotoEdit(form: photo.form)
        let coded = try DecodedPlane(map).coded(photo.form.adapted(DepthCoding()))
        edit.depth = coded
        edit.replaces = true
        let edited = try edit.apply(to: TestImages.bytes(photo.name))
        return (try DepthPhoto(MemorySource(edited.bytes)), coded.diagnostics)
    }

    @Test("Infinite disparity, which depth 0 becomes, is unknown, and not the nearest distance")
    func infiniteDisparity() throws {
        let values = (0..<96 * 72).map { $0 % 5 == 2 ? Float.infinity : 0.25 + Float($0) / 9999 }
        let map = DisparityMap(width: 96, height: 72, reciprocalMeters: values, scale: .absolute)
        for bits in [8, 16] {
            var coding = DepthForm.appleJPEG.adapted(DepthCoding())
            coding.bitDepth = bits
            let coded = try DecodedPlane(map).coded(coding)
            guard case .uint16(let codes) = coded.codes.codes else {
                Issue.record("maps with unknown samples have 16 bits")
                return
            }
            #expect(coded.mapping.unknownCode == 0)
            #expect(zip(codes, values).allSatisfy { ($0 == 0) == $1.isInfinite })
        }
    }

    @Test("They stay unknown, and the others are kept to half a step of 65,534", arguments: photos)
    func onALine(photo: (name: String, form: DepthForm)) throws {
        let map = try map(photo.name) { 0.7 + Float($0) / 3000 }
        let (result, remarks) = try embedded(map, in: photo)
        let plane = try result.describe().requirePlane(nil)
        #expect(plane.bitDepth == 16)
        #expect(plane.codec == "jpeg")
        #expect(plane.mapping?.unknownCode == 0)
        let found = try DepthScene(result).depth().meters
        #expect(found.map(\.isNaN) == map.meters.map(\.isNaN))
        let finite = map.meters.filter(\.isFinite)
        let half = ((finite.max() ?? 0) - (finite.min() ?? 0)) / 65_534 / 2
        for (value, wanted) in zip(found, map.meters) where wanted.isFinite {
            #expect(abs(value - wanted) <= half * 1.001 + wanted.ulp)
        }
        let missing = map.meters.count(where: \.isNaN)
        #expect(remarks.contains { $0.message.hasPrefix("\(missing) samples are unknown: ") })
        // A map that is inserted again keeps every code.
        let again = try DepthScene(result).coded(photo.form.adapted(DepthCoding()))
        #expect(try again.codes == result.codes(of: plane))
        #expect(again.mapping.unknownCode == 0)
    }

    @Test("Values of binary16 come back bit for bit", arguments: photos)
    func halves(photo: (name: String, form: DepthForm)) throws {
        let map = try map(photo.name) { Float(Float16(0.0007 + Float($0) / 700)) }
        let (result, _) = try embedded(map, in: photo)
        #expect(try result.describe().requirePlane(nil).mapping?.storesHalves == true)
        let found = try DepthScene(result).depth().meters
        func patterns(_ values: [Float]) -> [UInt32] { values.map { $0.isNaN ? UInt32.max : $0.bitPattern } }
        #expect(patterns(found) == patterns(map.meters))
        // As IEEE 754 has them: 1.0 is 0x3C00, and a quiet NaN 0x7E00.
        let one = DepthMap(
            width: 4, height: 3, meters: [1, .nan] + .init(repeating: 2, count: 10), scale: .absolute)
        let coded = try DecodedPlane(one).coded(photo.form.adapted(DepthCoding()))
        #expect(coded.codes.codes == .uint16([0x3C00, 0x7E00] + .init(repeating: 0x4000, count: 10)))
    }

    @Test("Disparity at infinity stays 0, and unknown disparity unknown")
    func disparity() throws {
        let values: [Float] = (0..<96 * 72).map { index in
            if index % 5 == 0 { return .nan }
            return Float(index % 97) / 96.5
        }
        let map = DisparityMap(width: 96, height: 72, reciprocalMeters: values, scale: .absolute)
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try DecodedPlane(map).coded(DepthForm.appleJPEG.adapted(DepthCoding()))
        let result = try DepthPhoto(MemorySource(edit.apply(to: TestImages.bytes("plain.jpg")).bytes))
        let found = try DepthScene(result).disparity().reciprocalMeters
        #expect(found.map(\.isNaN) == values.map(\.isNaN))
        for (sample, value) in zip(found, values) where !value.isNaN {
            #expect(abs(sample - value) < 1 / 65_534)
        }
        #expect(found[97] == 0)
    }

    @Test(
        "Google's forms have no code for them; the count is said",
        arguments: [DepthForm.gDepth, .dynamicDepth])
    func refused(form: DepthForm) throws {
        let map = try map("plain.jpg") { 1 + Float($0) }
        let missing = map.meters.count(where: \.isNaN)
        #expect(throws: DepthCodingError.unknownSamples(missing)) {
            try DecodedPlane(map).coded(form.adapted(DepthCoding()))
        }
    }

    @Test("Depth at infinity is given the farthest distance, and the count is said")
    func infinite() throws {
        let map = DepthMap(width: 4, height: 1, meters: [1, 2.3, .infinity, 9.1], scale: .absolute)
        let coded = try DecodedPlane(map).coded(DepthForm.appleJPEG.adapted(DepthCoding()))
        #expect(coded.codes.values[2] == 255)
        #expect(
            coded.diagnostics.contains {
                $0.message == "1 samples at infinity are given the farthest distance"
            })
    }
}

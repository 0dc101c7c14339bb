import ByteParsing
import DepthCore
import ImageContainers
import Isobath
import PhotoEditing
import TestSupport
import Testing

/// Every real photo whose depth has a unit, into every form that its format can carry.
@Suite("Embedding into samples", .enabled(if: Samples.isAvailable))
struct EmbeddingSampleTests {
    private static let names = Samples.all.filter { name in
        ["apple-heic", "apple-jpeg", "gdepth", "dynamic-depth", "apple-spatial", "gainmap"].contains {
            name.hasPrefix($0 + "/")
        }
    }

    @Test(
        "Depth that is taken out and put in again has the same codes, and the photo its bytes",
        arguments: names)
    func roundTrip(name: String) throws {
        let source = try FileSource(path: Samples.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard let plane = try? photo.depthPlane(), plane.readError == nil, plane.scale.isMetric else {
            return
        }
        let forms: [DepthForm] = photo.format == "heif" ? [.appleHEIC] : [.appleJPEG, .gDepth, .dynamicDepth]
        for form in forms {
            var coding = DepthCoding()
            coding.needsDistances = form.needsDistances
            var edit = PhotoEdit(form: form)
            edit.depth = try DepthInput.photo(photo).coded(coding)
            if form.holdsConfidence { edit.confidence = try DepthInput.photo(photo).samples(of: .confidence) }
            edit.replaces = true
            let edited = try edit.apply(to: bytes)
            let result = try DepthPhoto(MemorySource(edited.bytes))
            let found = try result.depthPlane()
            #expect(found.kind == plane.kind, "\(form)")
            let (old, new) = (try photo.codes(of: plane), try result.codes(of: found))
            let isTurned =
                ((plane.mapping?.high ?? 0) < (plane.mapping?.low ?? 0))
                != ((found.mapping?.high ?? 0) < (found.mapping?.low ?? 0))
            #expect((isTurned ? new.complemented : new).codes == old.codes, "\(form)")
            let (before, after) = (try photo.disparityMap(), try result.disparityMap())
            let most = zip(before.reciprocalMeters, after.reciprocalMeters).map { abs($0 - $1) }.max() ?? 1
            let step = abs((plane.mapping?.high ?? 0) - (plane.mapping?.low ?? 0)) / 255
            #expect(most <= max(step / 2, 1e-5), "\(form): \(most)")
            #expect(result.description.orientation == photo.description.orientation)
            if form == .appleJPEG || form == .appleHEIC {
                #expect(found.accuracy == plane.accuracy)
                #expect(found.calibration?.focalLengthX == plane.calibration?.focalLengthX)
                #expect(
                    found.calibration?.distortion?.coefficients == plane.calibration?.distortion?.coefficients
                )
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
            #expect(try result.container.photoExif().bytes == photo.container.photoExif().bytes)
        }
    }

    @Test(
        "Photos of other formats become JPEG with the same depth",
        arguments: names.filter { $0.hasSuffix(".heic") })
    func converted(name: String) throws {
        let source = try FileSource(path: Samples.path(name))
        let bytes = try source.read(0..<source.byteCount)
        let photo = try DepthPhoto(MemorySource(bytes))
        guard let plane = try? photo.depthPlane(), plane.scale.isMetric else { return }
        let edited = try PhotoConversion(form: .appleJPEG).convert(.photo(photo), photo: bytes)
        let result = try DepthPhoto(MemorySource(edited.bytes))
        #expect(try result.codes(of: result.depthPlane()).codes == photo.codes(of: plane).codes)
        #expect(result.description.make == photo.description.make)
        #expect(result.description.orientation == photo.description.orientation)
    }
}

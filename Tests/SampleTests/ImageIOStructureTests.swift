import Bytes
import Isobath
import PhotoFormats
import TestSupport
import Testing

@testable import PhotoEditing

/// A file with a disparity map that ImageIO inserted. It is the model for insertions into HEIF photos.
@Suite("The structure that ImageIO writes", .needsSamples)
struct ImageIOStructureTests {
    private static let name = "apple-heic/imageio-written-disparity.heic"
    private static let type = "urn:mpeg:hevc:2015:auxid:2"

    /// The sample, and the same file after its depth was inserted again.
    private func files() throws -> (golden: HEIFStructure, ours: HEIFStructure) {
        let source = try FileSource(path: SampleFolder.photos.path(Self.name))
        let bytes = try source.read(0..<source.byteCount)
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DepthScene(storedIn: MemorySource(bytes)).coded(DepthCoding())
        edit.replaces = true
        return (try HEIFStructure(bytes), try HEIFStructure(edit.apply(to: bytes).bytes))
    }

    @Test("The boxes are the same, in their order")
    func boxes() throws {
        let (golden, ours) = try files()
        // Inserted data is in a separate `mdat`, so that the photo's data keeps its offset.
        #expect(ours.boxes == golden.boxes + ["mdat"])
        #expect(ours.metaBoxes == golden.metaBoxes)
        #expect(ours.graph.items.count == golden.graph.items.count)
    }

    @Test("The auxiliary item has the same type, flags, properties and references")
    func item() throws {
        let (golden, ours) = try files()
        let wanted = try #require(golden.auxiliaryItem(Self.type))
        let found = try #require(ours.auxiliaryItem(Self.type))
        #expect(try #require(ours.entry(of: found)) == #require(golden.entry(of: wanted)))
        // The order may differ: it matters only for transformations, and there is only one.
        #expect(ours.properties(of: found).sorted() == golden.properties(of: wanted).sorted())
        func references(_ file: HEIFStructure, _ item: Int) -> [String] {
            file.graph.references.filter { $0.from == item || $0.to.contains(item) }.map { reference in
                let other = reference.from == item ? reference.to.first ?? 0 : reference.from
                let kind = other == file.graph.primaryItem ? "the photo" : file.entry(of: other)?.type ?? ""
                return reference.type.description
                    + (reference.from == item ? " to " : " from ") + kind
            }.sorted()
        }
        #expect(references(ours, found) == references(golden, wanted))
    }

    @Test("XMP has the same keys, the portrait's score and the strength of its light among them")
    func xmp() throws {
        let (golden, ours) = try files()
        let wanted = try golden.xmpKeys(of: try #require(golden.auxiliaryItem(Self.type)))
        let found = try ours.xmpKeys(of: try #require(ours.auxiliaryItem(Self.type)))
        #expect(found == wanted)
        #expect(wanted.contains("http://ns.apple.com/portraitLightingEffect/2.0/EffectStrength"))
    }

    @Test("The plane is coded in the same profile, with the same range in its SEI message")
    func coding() throws {
        let (golden, ours) = try files()
        func property(_ name: FourCharacterCode, _ file: HEIFStructure) throws -> [UInt8] {
            let item = try #require(file.auxiliaryItem(Self.type))
            let use = try #require(
                file.graph.associations(of: item).first { file.graph.type(ofProperty: $0.number) == name })
            return file.graph.properties[use.number - 1].box
        }
        // The complete auxC; of hvcC only the profile, compatibility and constraint bytes (ISO/IEC 14496-15 §8.3.3.1).
        #expect(try property("auxC", ours) == property("auxC", golden))
        #expect(try Array(property("hvcC", ours)[8..<20]) == Array(property("hvcC", golden)[8..<20]))
    }
}

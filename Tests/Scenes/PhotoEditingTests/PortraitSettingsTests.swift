import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

@testable import PhotoEditing

@Suite("Apple's portrait settings beside a depth map")
struct PortraitSettingsTests {
    /// The keys that an iPhone 14 writes, as exiftool prints them, with invented values.
    private static let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
          xmlns:depthData="http://ns.apple.com/depthData/1.0/"
          xmlns:depthBlurEffect="http://ns.apple.com/depthBlurEffect/1.0/"
          xmlns:portraitLightingEffect="http://ns.apple.com/portraitLightingEffect/2.0/"
          xmlns:later="http://ns.apple.com/laterEffect/1.0/">
        <apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType><apdi:NativeFormat>1751411059</apdi:NativeFormat>
        <apdi:StoredFormat>1278226488</apdi:StoredFormat><apdi:IntMinValue>0</apdi:IntMinValue>
        <apdi:IntMaxValue>255</apdi:IntMaxValue><apdi:FloatMinValue>0.500000</apdi:FloatMinValue>
        <apdi:FloatMaxValue>2.500000</apdi:FloatMaxValue><depthData:DepthDataVersion>85538</depthData:DepthDataVersion>
        <depthData:Quality>high</depthData:Quality><depthData:Accuracy>relative</depthData:Accuracy>
        <depthData:Filtered>True</depthData:Filtered><depthData:PortraitScore>0.978223</depthData:PortraitScore>
        <depthData:PortraitScoreIsHigh>True</depthData:PortraitScoreIsHigh>
        <depthBlurEffect:SimulatedAperture>4.5</depthBlurEffect:SimulatedAperture>
        <depthBlurEffect:RenderingParameters>UkVORAEAAAA=</depthBlurEffect:RenderingParameters>
        <portraitLightingEffect:EffectStrength>0.500000</portraitLightingEffect:EffectStrength>
        <later:Steps><rdf:Seq><rdf:li>a &amp; b</rdf:li><rdf:li>2</rdf:li></rdf:Seq></later:Steps>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """

    private static let settings = [
        "PortraitScore": "0.978223", "PortraitScoreIsHigh": "True", "SimulatedAperture": "4.5",
        "RenderingParameters": "UkVORAEAAAA=", "EffectStrength": "0.500000", "Steps": "a & b, 2",
    ]

    /// A photo with this packet on its disparity, and a matte behind it of the version that iOS 12 wrote.
    private func photo() throws -> [UInt8] {
        func plane(_ level: UInt8) throws -> [UInt8] {
            let codes = (0..<96 * 72).map { UInt8($0 / 96) &+ level }
            let samples = SamplePlane(width: 96, height: 72, bitDepth: 8, codes: .uint8(codes))
            return try PlaneImage(samples, quality: nil, kept: nil, limits: DecodingLimits()).jpeg
        }
        var file = MultiPictureJPEG(primary: .init(jpeg: try TestImages.bytes("plain.jpg")))
        file.auxiliaries.append(.init(jpeg: try plane(20), xmp: Array(Self.packet.utf8)))
        let matte =
            try PixelDataInfo(
                auxiliaryImageType: "depth", auxiliaryImageSubType: "portraiteffectsmatte",
                nativeFormat: "L008"
            ).properties() + [.portraitEffectsMatteVersion(65536)]
        file.auxiliaries.append(.init(jpeg: try plane(3), xmp: try XMPPacketBuilder(matte).serialized()))
        return try file.serialized()
    }

    /// The properties of a plane by name, the items of arrays joined.
    private func properties(_ bytes: [UInt8], _ kind: (PlaneKind) -> Bool) throws -> [String: String] {
        let photo = try DepthPhoto(MemorySource(bytes))
        let plane = try #require(photo.storedPlanes.first { kind($0.kind) })
        return Dictionary(
            try photo.container.planeXMP(plane).all.map { property in
                let items = property.value.items?.compactMap(\.text).joined(separator: ", ")
                return (property.name, property.value.text ?? items ?? "")
            }, uniquingKeysWith: { first, _ in first })
    }

    private func expectSettings(_ bytes: [UInt8]) throws {
        let found = try properties(bytes, \.isDepth)
        for (name, value) in Self.settings { #expect(found[name] == value, "\(name)") }
    }

    private func map(_ form: DepthForm, metric: Bool = true) throws -> CodedDepth {
        let values = (0..<96 * 72).map { 1 + Float($0 % 96) / 96 }
        let map = DepthMap(width: 96, height: 72, meters: values, scale: .absolute)
        return try DecodedPlane(map).coded(form.adapted(DepthCoding()))
    }

    @Test("They stay in the same form, and so do the version and the order of the planes")
    func sameForm() throws {
        let bytes = try photo()
        let input = try DepthPhoto(MemorySource(bytes))
        let edited = try PhotoConversion(form: .appleJPEG).convert(DepthScene(input), photo: bytes)
        try expectSettings(edited.bytes)
        #expect(try properties(edited.bytes, \.isDepth)["DepthDataVersion"] == "85538")
        #expect(
            try DepthPhoto(MemorySource(edited.bytes)).planes.map(\.kind) == [.disparity, .matte])
        #expect(try properties(edited.bytes) { $0 == .matte }["PortraitEffectsMatteVersion"] == "65536")
    }

    @Test("They stay when the map is replaced by one that has none")
    func replaced() throws {
        let bytes = try photo()
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try map(.appleJPEG)
        edit.replaces = true
        let edited = try edit.apply(to: bytes)
        try expectSettings(edited.bytes)
        #expect(try properties(edited.bytes, \.isDepth)["Accuracy"] == "absolute")
        #expect(edited.diagnostics.isEmpty)
        #expect(try DepthPhoto(MemorySource(edited.bytes)).planes.map(\.kind) == [.depth, .matte])
        // The coverage of the matte is another, and its version the same.
        var matte = PhotoEdit(form: .appleJPEG)
        matte.mattes = [
            .init(kind: .matte, matte: Matte(width: 4, height: 3, coverage: .init(repeating: 9, count: 12)))
        ]
        matte.replaces = true
        #expect(
            try properties(matte.apply(to: bytes).bytes) { $0 == .matte }["PortraitEffectsMatteVersion"]
                == "65536")
    }

    @Test("A HEIC photo takes them with the map, and keeps them when the map is replaced")
    func heif() throws {
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DepthScene(storedIn: MemorySource(photo())).coded(DepthCoding())
        edit.replaces = true
        let first = try edit.apply(to: TestImages.bytes("plain.heic")).bytes
        try expectSettings(first)
        edit.depth = try map(.appleHEIC)
        try expectSettings(try edit.apply(to: first).bytes)
    }

    @Test("A photo keeps its own settings, and those of the map are named")
    func otherPhoto() throws {
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try DepthScene(storedIn: TestImages.path("portrait.heic")).coded(DepthCoding())
        edit.replaces = true
        let others = try #require(edit.depth).xmp
        let edited = try edit.apply(to: photo())
        try expectSettings(edited.bytes)
        let names = AppleMetadata.portrait(from: others).map(\.name)
        #expect(!names.isEmpty)
        let remark = try #require(edited.diagnostics.first { $0.code == .omittedMetadata }).message
        #expect(names.allSatisfy(remark.contains))
    }

    @Test("Google's forms hold none of them: they are named", arguments: [DepthForm.gDepth, .dynamicDepth])
    func google(form: DepthForm) throws {
        var edit = PhotoEdit(form: form)
        edit.depth = try map(form)
        edit.replaces = true
        let remarks = try edit.apply(to: photo()).diagnostics.map(\.message).joined(separator: "\n")
        for name in Self.settings.keys { #expect(remarks.contains(name)) }
    }

    /// A map of a raster has no camera, and shows the same view.
    @Test("The camera of a plane that is replaced is kept, with a remark")
    func camera() throws {
        let bytes = try TestImages.bytes("portrait.jpg")
        let before = try DepthPhoto(MemorySource(bytes)).describe().requirePlane(nil)
        var edit = PhotoEdit(form: .appleJPEG)
        edit.depth = try map(.appleJPEG)
        edit.replaces = true
        let edited = try edit.apply(to: bytes)
        let after = try DepthPhoto(MemorySource(edited.bytes)).describe().requirePlane(nil)
        #expect(after.calibration?.focalLengthX == before.calibration?.focalLengthX)
        #expect(edited.diagnostics.contains { $0.code == .keptCamera })
    }

    @Test("The JPEG preview of a DNG is the picture of a photo with its depth")
    func dng() throws {
        let bytes = try TestImages.bytes("depth.dng")
        let photo = try DepthPhoto(MemorySource(bytes))
        let edited = try PhotoConversion(form: .appleJPEG).convert(DepthScene(photo), photo: bytes)
        let result = try DepthPhoto(MemorySource(edited.bytes))
        #expect(result.planes.map(\.kind).contains(try photo.describe().requirePlane(nil).kind))
        let (found, wanted) = (try result.image(), try photo.image())
        #expect((found.width, found.height) == (wanted.width, wanted.height))
    }

    /// Tables of two dependent images (CIPA DC-007 §5.2.3.3) count from 1, the photo first.
    @Test("Numbers of dependent images follow an image that is put in before them")
    func dependents() {
        var block = MultiPictureBlock()
        block.entries[0].dependents = 2 << 16 | 3
        block.entries += [10, 20].map { MultiPictureBlock.Entry(attributes: 0, size: 5, offset: $0) }
        block.insert(MultiPictureBlock.Entry(attributes: 0, size: 5, offset: 15), at: 2)
        #expect(block.entries.map(\.offset) == [0, 10, 15, 20])
        #expect(block.entries[0].dependents == 2 << 16 | 4)
    }
}

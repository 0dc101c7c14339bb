import Bytes
import DepthMaps
import DepthTypes
import PhotoEditing
import PhotoFormats
import Scenes
import TestSupport
import Testing

/// The table “What each form keeps” of the article on editing photos, cell by cell.
@Suite("The table of what photos keep in another form")
struct TranscodingTableTests {
    /// A photo, and the data besides depth that each form keeps.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// Planes besides depth in a form; a form that is missing refuses the photo.
        var planes: [DepthForm: Set<PlaneKind>]
        /// The forms that keep the camera's intrinsics.
        var intrinsics: Set<DepthForm> = []
        /// Whether the map has no unit, so that a range must be given.
        var isUnitless = false
        /// A part of each form's remark on omitted data.
        var remarks: [DepthForm: [String]] = [:]
        var testDescription: String { name }
    }

    private static let mattes: Set<PlaneKind> = [.matte, .skin, .hair, .teeth, .glasses, .sky]
    private static let mattesLost = ["gain-map", "mattes"]
    private static func vendor(_ name: String, _ remark: String) -> Row {
        Row(
            name: name, planes: [.appleJPEG: [], .gDepth: [], .dynamicDepth: []], isUnitless: true,
            remarks: [.appleJPEG: [remark], .gDepth: [remark], .dynamicDepth: [remark]])
    }

    static let rows: [Row] = {
        var rows = [
            Row(
                name: "portrait.heic",
                planes: [
                    .appleJPEG: mattes.union([.gainMap]), .appleHEIC: mattes.union([.gainMap]), .gDepth: [],
                    .dynamicDepth: [],
                ],
                intrinsics: [.appleJPEG, .appleHEIC, .dynamicDepth],
                remarks: [.gDepth: mattesLost + ["intrinsics"], .dynamicDepth: mattesLost])
        ]
        rows += [
            Row(
                name: "portrait.jpg",
                planes: [
                    .appleJPEG: [.matte], .gDepth: [.matte], .dynamicDepth: [.matte],
                ],
                intrinsics: [.appleJPEG, .dynamicDepth], remarks: [.gDepth: ["intrinsics"]])
        ]
        rows += [
            Row(
                name: "gdepth-portrait.jpg",
                planes: [.appleJPEG: [], .gDepth: [.original], .dynamicDepth: []])
        ]
        rows += [
            Row(
                name: "dynamic-depth.jpg",
                planes: [
                    .appleJPEG: [.original], .gDepth: [.original, .confidence],
                    .dynamicDepth: [.original, .confidence],
                ],
                intrinsics: [.appleJPEG, .dynamicDepth],
                remarks: [.appleJPEG: ["confidence"], .gDepth: ["intrinsics"]])
        ]
        rows += [
            vendor("samsung-dualshot.jpg", "(samsung-sef) is omitted: original"),
            vendor("huawei-edof.jpg", "(huawei-edof) is omitted: original"),
            vendor("vivo.jpg", "(vivo) is omitted"),
            vendor("xiaomi-pmpd.jpg", "(xiaomi-pmpd) is omitted"),
            vendor("leia-lif.jpg", "(leia-lif) is omitted"),
        ]
        return rows
    }()

    @Test("Each form keeps what its cell says, and remarks name what it leaves out", arguments: rows)
    func cells(row: Row) throws {
        let bytes = try TestImages.bytes(row.name)
        let photo = try DepthPhoto(MemorySource(bytes))
        let depth = try photo.describe().requirePlane(nil)
        for form in DepthForm.allCases {
            let conversion = PhotoConversion(form: form)
            var reading = ReadingOptions()
            if row.isUnitless {
                #expect(throws: (any Error).self) { try conversion.convert(DepthScene(photo), photo: bytes) }
                reading.range = 0.5...20
            }
            let scene = try DepthScene(storedIn: MemorySource(bytes), reading: reading)
            guard let planes = row.planes[form] else {
                let error = #expect(throws: (any Error).self) {
                    try conversion.convert(scene, photo: bytes)
                }
                #expect("\(try #require(error))".contains("HEVC"), "\(form)")
                continue
            }
            let edited = try conversion.convert(scene, photo: bytes)
            let result = try DepthPhoto(MemorySource(edited.bytes))
            #expect(Set(result.planes.map(\.kind)).subtracting([.depth, .disparity]) == planes, "\(form)")
            let new = try result.describe().requirePlane(nil)
            #expect((new.calibration != nil) == row.intrinsics.contains(form), "\(form)")
            // A range that is given is as good as a unit that is; Google's forms do not state it.
            let isGiven = row.isUnitless && form == .appleJPEG
            #expect(new.accuracy == (isGiven ? .absolute : .relative), "\(form)")
            // Codes may be complemented.
            let (codes, wanted) = (try result.codes(of: new), try photo.codes(of: depth))
            #expect(codes.codes == wanted.codes || codes.complemented.codes == wanted.codes, "\(form)")
            if !row.isUnitless {
                let (values, truth) = (try DepthScene(result).disparity(), try DepthScene(photo).disparity())
                #expect(values.reciprocalMeters.count == truth.reciprocalMeters.count)
                let worst = zip(values.reciprocalMeters, truth.reciprocalMeters).map { abs($0 - $1) }.max()
                #expect(try #require(worst) < 1e-6, "\(form)")
            }
            let messages = edited.diagnostics.map(\.message)
            for remark in row.remarks[form] ?? [] {
                #expect(messages.contains { $0.contains(remark) }, "\(form): \(remark) in \(messages)")
            }
        }
    }
}

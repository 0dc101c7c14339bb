import DepthTypes
import PhotoBuilders
import Scenes
import TestSupport
import Testing

@Suite("Declared value ranges")
struct ValueRangeTests {
    /// The same disparity plane in both containers; only HEIC has an SEI message.
    enum Container: CaseIterable {
        case heic, jpeg

        func file(_ file: DepthFile) throws -> DamagedPhoto {
            try DamagedPhoto(
                self == .heic ? file.heic() : file.jpeg(photo: try TestImages.bytes("plain.jpg")))
        }
    }

    private func file(
        _ container: Container, low: String?, high: String?, message: ClosedRange<Double>? = 0.25...1
    )
        throws -> DamagedPhoto
    {
        var file = DepthFile()
        file.xmp = DepthFile.packet(low: low, high: high)
        file.message = message
        return try container.file(file)
    }

    @Test("The declared range comes from XMP", arguments: Container.allCases)
    func declared(container: Container) throws {
        let plane = try file(container, low: "0.500000", high: "2.000000").plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.5, 2])
        #expect(plane.text("unit") == "1/m")
        #expect(plane.text("accuracy") == "absolute")
    }

    @Test(
        "An invalid range makes its plane unreadable and no other",
        arguments: Container.allCases,
        [("2.0", "0.5"), ("nan", "2.0"), ("0.5", "nan"), ("-inf", "2.0"), ("0.5", "inf"), ("0", "1e300")])
    func impossible(container: Container, range: (String, String)) throws {
        let damaged = try file(container, low: range.0, high: range.1)
        try damaged.expectFailure(of: nil, "not a valid range")
        try damaged.expectFailure(of: "disparity", "XMP at byte")
        let record = try damaged.info()
        #expect(record.texts("warnings").contains { $0.contains("the disparity plane cannot be read") })
        let plane = try #require(record.objects("planes").first { $0.text("kind") == "disparity" })
        #expect(plane.isNull("minimum") && plane.isNull("unit"))
        #expect(try damaged.extract("matte").width == 480)
    }

    @Test(
        "A range of any size can be written in every form",
        arguments: Container.allCases,
        [("0", "1e-45"), ("0", "1e-40"), ("-3.4e38", "3.4e38"), ("1e-38", "3e38")])
    func extreme(container: Container, range: (String, String)) throws {
        let damaged = try file(container, low: range.0, high: range.1)
        #expect(try damaged.extract(nil).width == 192)
        #expect(try damaged.extract(nil, .preview).width == 192)
        #expect(try damaged.extract(nil, .millimeters).width == 192)
        #expect(try damaged.extract(nil, as: .depth).width == 192)
        #expect(try damaged.extract(nil, as: .depth, format: .tiff).width == 192)
    }

    @Test("A range of disparities below 0 is infinitely far", arguments: Container.allCases)
    func negative(container: Container) throws {
        let changed = try file(container, low: "-1", high: "-0.5")
        #expect(Set(try changed.extract(nil, format: .tiff).samples) == [0])
    }

    @Test("A range with equal ends is a constant plane", arguments: Container.allCases)
    func constant(container: Container) throws {
        let damaged = try file(container, low: "0.500000", high: "0.500000")
        let plane = try damaged.plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.5, 0.5])
        #expect(Set(try damaged.extract(nil, format: .tiff).samples) == [0.5])
        #expect(Set(try damaged.extract(nil, as: .depth, format: .tiff).samples) == [2])
        let normalized = try damaged.extract(nil)
        #expect([normalized.record?.number("minimum"), normalized.record?.number("maximum")] == [0.5, 0.5])
        #expect(Set(try damaged.extract(nil, .millimeters).samples) == [2000])
        #expect(Set(try damaged.extract(nil, as: .depth).samples) == [0])
        try damaged.extract(nil, .preview)
    }

    @Test("A range missing from XMP comes from the SEI message")
    func missing() throws {
        let damaged = try file(.heic, low: nil, high: nil)
        let plane = try damaged.plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.25, 1])
        #expect(plane.text("unit") == "1/m")
        #expect(try damaged.info().texts("warnings") == [])
    }

    @Test("Without XMP the range comes from the SEI message")
    func noPacket() throws {
        var file = DepthFile()
        file.xmp = nil
        let damaged = try Container.heic.file(file)
        let plane = try damaged.plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.25, 1])
        #expect(plane.text("accuracy") == "relative")
        // The face has the highest code, and so the largest disparity.
        #expect(try damaged.extract(nil, format: .tiff)[87, 54] == 1)
    }

    @Test(
        "A plane without a declared range is read as 0 to 1 without a unit, with a warning",
        arguments: Container.allCases)
    func undeclared(container: Container) throws {
        let damaged = try file(container, low: nil, high: nil, message: nil)
        let record = try damaged.info()
        let plane = try #require(record.objects("planes").first { $0.text("kind") == "disparity" })
        for field in ["unit", "minimum", "maximum"] { #expect(plane.isNull(field), "\(field)") }
        #expect(plane.text("accuracy") == "unknown")
        #expect(
            record.texts("warnings").contains {
                $0.contains("declares no range of values; codes are read as 0…1")
            })
        let written = try damaged.extract(nil, format: .tiff)
        // Code 0 is unknown.
        let known = written.samples.filter(\.isFinite)
        #expect(known.max() == 1 && known.min() ?? 0 > 0 && known.count < written.samples.count)
        let values = try #require(written.record)
        #expect(values.isNull("unit"))
        #expect(values.text("accuracy") == "unknown")
    }

    @Test("A plane without a unit is never written in millimeters", arguments: Container.allCases)
    func millimeters(container: Container) throws {
        let damaged = try file(container, low: nil, high: nil, message: nil)
        let error = #expect(throws: SceneError.self) { try damaged.extract(nil, .millimeters) }
        #expect("\(error as Any)".contains("has no unit"))
    }

    @Test("A half-declared range is undeclared and gives a warning", arguments: Container.allCases)
    func half(container: Container) throws {
        let damaged = try file(container, low: "0.5", high: "much", message: nil)
        let record = try damaged.info()
        #expect(record.texts("warnings").contains { $0.contains("are not two numbers") })
        #expect(record.objects("planes").first { $0.text("kind") == "disparity" }?.isNull("minimum") == true)
    }

    @Test(
        "Six decimals in XMP are restored to the exact binary16 range", arguments: Container.allCases)
    func halves(container: Container) throws {
        let plane = try file(container, low: "0.049988", high: "0.708984").plane("disparity")
        #expect([plane.number("minimum"), plane.number("maximum")] == [0.04998779296875, 0.708984375])
    }
}

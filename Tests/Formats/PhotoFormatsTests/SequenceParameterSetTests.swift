import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("SequenceParameterSet")
struct SequenceParameterSetTests {
    /// The configuration of a test image's coded picture, and its parameter set.
    private func coded(_ name: String, plane kind: PlaneKind?) throws -> (HEVCConfiguration, unit: [UInt8]) {
        let source = MemorySource(try TestImages.bytes(name))
        let container = try parseContainer(source, limits: DecodingLimits())
        let location =
            kind.map { kind in container.planes.first { $0.kind == kind }?.location }
            ?? container.photo.location
        let image =
            switch try container.codedImage(at: try #require(location)) {
            case .picture(let image): image
            case .grid(let grid): try #require(grid.tiles.first)
            default: throw CancellationError()
            }
        guard case .hevc(let configuration) = image.configuration else { throw CancellationError() }
        let units = configuration.units
        return (
            configuration,
            try #require(units.first { NALUnitType.of($0) == NALUnitType.sequenceParameterSet })
        )
    }

    @Test(
        "Size, chroma format and bit depth of x265's streams are read",
        arguments: [
            (nil, 512, 512, 1), (.disparity, 192, 144, 0), (.matte, 480, 360, 0), (.gainMap, 480, 360, 0),
        ] as [(PlaneKind?, Int, Int, Int)])
    func known(kind: PlaneKind?, width: Int, height: Int, chromaFormat: Int) throws {
        let (configuration, unit) = try coded("portrait.heic", plane: kind)
        let set = try SequenceParameterSet(parsing: unit, at: 0, in: StructurePath())
        #expect([set.window.width, set.window.height] == [width, height])
        #expect([set.window.left, set.window.top] == [0, 0])
        // A multiple of a coding block, which has at least 8 pixels.
        #expect(set.codedWidth % 8 == 0 && set.codedWidth >= width && set.codedWidth < width + 64)
        #expect(set.codedHeight % 8 == 0 && set.codedHeight >= height && set.codedHeight < height + 64)
        #expect(set.chromaFormat == chromaFormat)
        #expect(configuration.chromaFormat == chromaFormat)
        #expect([set.lumaBitDepth, configuration.bitDepth] == [8, 8])
        #expect(set.color?.isFullRange == true)
    }

    @Test("A truncated parameter set is an error with an offset, unless only unused fields are missing")
    func truncated() throws {
        let (_, unit) = try coded("portrait.heic", plane: .disparity)
        let whole = try SequenceParameterSet(parsing: unit, at: 0, in: StructurePath())
        for count in unit.indices {
            do throws(ContainerError) {
                let part = try SequenceParameterSet(
                    parsing: Array(unit.prefix(count)), at: 900, in: StructurePath())
                #expect(part == whole)
                #expect(count > unit.count / 2)
            } catch {
                #expect(error.code == "truncated")
                #expect((900...900 + count).contains(error.offset ?? -1))
            }
        }
    }

    @Test("A damaged parameter set is read or refused, and never crashes")
    func damaged() throws {
        let (_, unit) = try coded("portrait.heic", plane: nil)
        var mutants = MutantCount()
        for index in unit.indices {
            for bit in 0..<8 {
                var copy = unit
                copy[index] ^= 1 << bit
                mutants.add { _ = try SequenceParameterSet(parsing: copy, at: 0, in: StructurePath()) }
            }
        }
        mutants.expectBoth()
    }

    @Test(
        "NAL units must cover the data exactly",
        arguments: [("00000002 4001", 1), ("00000002 4001 00000003 420100", 2)])
    func units(dump: String, count: Int) throws {
        #expect(
            try nalUnitRanges(
                in: hex(dump), lengthSize: 4, limits: DecodingLimits(), at: 0, in: StructurePath()
            ).count == count)
    }

    @Test(
        "Missing or leftover bytes between NAL units are an error",
        arguments: ["", "00000003 4001", "00000002 4001 00", "00000001 40"])
    func uncovered(dump: String) {
        #expect(throws: ContainerError.self) {
            try nalUnitRanges(
                in: hex(dump), lengthSize: 4, limits: DecodingLimits(), at: 0, in: StructurePath())
        }
    }
}

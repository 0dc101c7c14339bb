import Bytes
internal import DepthTypes
import Foundation
import MovieWriting
import TestFrames
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

@Suite("The lens of Cinematic movies")
struct LensMetadataTests {
    private static let lenses: [(focus: Float, fNumber: Float)] = (0..<8).map {
        (0.25 + Float($0) / 16, [2, 2.8, 4, 5.6, 8, 11, 16, 4.5][$0])
    }

    private static func movie(_ samples: [[UInt8]], numbers: (Int, Int) = (1, 2)) -> [UInt8] {
        let start =
            box("ftyp", Array("qt  ".utf8) + bigEndian(0)) + box("moov", [])
        return LensTrack.adding(samples, to: start)
    }

    private func metadata(_ bytes: [UInt8]) throws -> LensMetadata? {
        let file = MemorySource(bytes)
        let structure = try MovieStructure(of: file, limits: DecodingLimits())
        return try LensMetadata(structure, in: file, limits: DecodingLimits())
    }

    @Test("Each frame has the focus and the f-number of the sample at its time")
    func values() throws {
        let bytes = Self.movie(
            Self.lenses.map { LensTrack.sample(focus: $0.focus, fNumber: $0.fNumber) })
        let metadata = try #require(try metadata(bytes))
        for (index, expected) in Self.lenses.enumerated() {
            // In the middle, and as rounded by the ticks of a track of 1/90000 s.
            for time in [(Double(index) + 0.5) / 30, Double(index) / 30 - 0.00001] {
                let lens = try metadata.lens(at: max(0, time))
                #expect(lens.focusDisparity == expected.focus && lens.fNumber == expected.fNumber)
            }
        }
        // The last sample holds.
        #expect(try metadata.lens(at: 9).fNumber == 4.5)
    }

    @Test("Values that are no lens are not stated")
    func invalid() throws {
        let samples = [(Float.nan, 0), (1, -2), (0.5, .infinity)].map {
            LensTrack.sample(focus: $0.0, fNumber: $0.1)
        }
        let metadata = try #require(try metadata(Self.movie(samples)))
        let found = try (0..<3).map { try metadata.lens(at: Double($0) / 30) }
        #expect(found.map(\.focusDisparity) == [nil, 1, 0.5] && found.allSatisfy { $0.fNumber == nil })
    }

    @Test("A movie without the keys has no lens")
    func missing() throws {
        let bytes = Self.movie([LensTrack.sample(focus: 1, fNumber: 2)])
        #expect(try metadata(bytes.replacing("aperture-".utf8, with: "exposure-".utf8)) != nil)
        let without = bytes.replacing("-float".utf8, with: "-other".utf8)
        #expect(try metadata(without) == nil)
    }

    @Test("Every cut and every changed byte gives a lens or an error")
    func damage() throws {
        let bytes = Self.movie(
            Self.lenses.map { LensTrack.sample(focus: $0.focus, fNumber: $0.fNumber) })
        for count in 0..<bytes.count { _ = try? metadata(Array(bytes[..<count]))?.lens(at: 0.1) }
        for offset in bytes.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var other = bytes
                other[offset] = value
                _ = try? metadata(other)?.lens(at: 0.1)
            }
        }
        // A table that declares more samples than there are.
        let sizes = try #require(bytes.indices.first { bytes[$0...].starts(with: "stsz".utf8) })
        var other = bytes
        other[sizes + 15] = 9
        let error = try #require(throws: ContainerError.self) { _ = try metadata(other) }
        #expect(error.code == "truncated")
    }

    @Test(
        "Frames of a movie in Cinematic mode have the lens",
        .needsMovies, .needsFFmpeg)
    func frames() throws {
        let folder = TemporaryFolder()
        let movie = [UInt8](try Data(contentsOf: URL(filePath: SampleFolder.movies.path("dish.mov"))))
        let samples = (0..<30).map {
            LensTrack.sample(focus: Float($0) / 32, fNumber: 2 + Float($0) / 8)
        }
        let path = try folder.write(LensTrack.adding(samples, to: movie), to: "lens.mov")
        let source = try MovieSource(contentsOf: path, limits: DecodingLimits())
        var (frame, index) = (TestFrame(), 0)
        while try source.advance() != nil {
            try source.read([], into: &frame)
            #expect(
                frame.lens?.focusDisparity == Float(index) / 32
                    && frame.lens?.fNumber == 2 + Float(index) / 8)
            index += 1
        }
        #expect(index == 30 && source.diagnostics.map(\.code) == ["cinematic-depth"])
    }
}

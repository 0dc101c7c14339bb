import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import Movies
internal import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Color in a movie beside depth")
struct ColorBesideDepthTests {
    /// A movie of ten gray pictures, 30 a second: n is 20 · n + 20 bright.
    private func movie(in folder: TemporaryFolder) throws -> StoredMovie {
        let frames = (0..<10).map { index in
            let gray = UInt8(20 * index + 20)
            var frame = RenderedFrame()
            frame.picture = FramePlane(
                width: 32, height: 32,
                samples: [RGB<UInt8>](repeating: RGB(red: gray, green: gray, blue: gray), count: 1024))
            frame.time = Double(index) / 30
            return frame
        }
        try folder.writeMovie(frames, to: "rgb.mkv", codec: .ffv1)
        return try #require(StoredMovie("rgb.mkv", in: RecordingFolder(folder.path)))
    }

    /// 10 ms late, the picture of the same number is nearest; 20 ms late, the next one; 17 ms of 33 is nearer to the next.
    @Test(
        "The picture that is nearest in time is taken, on either side",
        .needsFFmpeg,
        arguments: [(0.0, 0), (0.010, 0), (-0.010, 0), (0.0155, 0), (0.0175, 1), (0.020, 1)])
    func nearest(offset: Double, step: Int) throws {
        let folder = TemporaryFolder()
        var draft = RecordingDraft(.strayScanner)
        draft.movie = try movie(in: folder)
        for number in 1..<8 {
            var frame = RecordedFrame(number: number, time: Double(number) / 30)
            frame.movie = MoviePart(time: Double(number) / 30 + offset, planes: [.picture])
            draft.frames.append(frame)
        }
        var finisher = RecordingFinisher(draft: draft, reading: ReadingOptions(), limits: DecodingLimits())
        let recording = try finisher.recording(at: folder.path)
        let decoder = RecordingReader(recording)
        var frame = TestFrame()
        // Going back opens the movie again.
        for index in [0, 1, 2, 3, 4, 5, 6, 2, 2, 6, 0] {
            try decoder.read(.measured, ofFrameAt: index, into: &frame)
            let gray = frame.color.samples.first.map { Int($0.green) } ?? 0
            // Colors pass through YUV of 8 bits.
            #expect(abs(gray - (20 * (index + 1 + step) + 20)) <= 2, "frame \(index)")
        }
    }
}

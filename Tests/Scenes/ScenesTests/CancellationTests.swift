import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import Scenes
import Synchronization
import Testing

/// A wall that leans, with squares on it, 4 MP large.
private final class LargeSource: SceneSource {
    static let size = PixelSize(width: 2400, height: 1600)
    /// Whether its depth has been requested.
    let isRead = Mutex(false)

    func describe() -> SceneDescription {
        var scene = SceneDescription()
        scene.colorSize = Self.size
        scene.depth = .init(size: PixelSize(width: 300, height: 200), quantity: .disparity, scale: .absolute)
        return scene
    }

    func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) {
        switch id {
        case .picture: plane = DecodedPlane(color())
        case .plane(.disparity, 0): plane = DecodedPlane(disparity())
        case .eye, .gainMap, .plane: return
        }
    }

    func color() -> ColorImage {
        let pixels = (0..<Self.size.width * Self.size.height).map { index in
            let isDark = (index % Self.size.width / 50 + index / Self.size.width / 50) % 2 == 0
            return RGB<UInt8>(red: isDark ? 40 : 200, green: 90, blue: UInt8(index % 251))
        }
        return ColorImage(
            width: Self.size.width, height: Self.size.height, pixels: .uint8(pixels), colorProfile: [])
    }

    private func disparity() -> DisparityMap {
        isRead.withLock { $0 = true }
        return DisparityMap(
            width: 300, height: 200,
            reciprocalMeters: (0..<60000).map { 0.1 + Float($0 % 300) / 100 + ($0 % 1700 < 500 ? 1 : 0) },
            scale: .absolute)
    }

    func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) { (PictureMetadata(), []) }
    var diagnostics: [Diagnostic] { [] }
}

@Suite("Cancelling and limiting work on scenes", .serialized)
struct CancellationTests {
    private static let everything: [(name: String, work: @Sendable (DepthScene) throws -> Void)] = [
        ("blur", { _ = try $0.blurred() }), ("composite", { _ = try $0.composited(over: .none) }),
        ("subject", { _ = try $0.subject() }),
        ("insert", { scene in _ = try scene.inserting(Picture(try scene.color()), at: 1) }),
        (
            "cloud",
            { scene in
                var export = CloudExport()
                export.isAtPhotoResolution = true
                _ = try scene.cloud(export)
            }
        ), ("upsampling", { scene in _ = try scene.depth().upsampled(guidedBy: scene.color()) }),
    ]

    @Test("A blur that is cancelled while it works ends with that error, and leaves the scene as it was")
    func blur() async throws {
        let source = LargeSource()
        let scene = DepthScene(source)
        let task = Task { () -> Bool in
            do throws {
                _ = try scene.blurred()
                return false
            } catch is CancellationError {
                return true
            }
        }
        // A separate thread, because tasks may wait for tasks of other tests.
        Thread.detachNewThread {
            while !source.isRead.withLock(\.self) { usleep(1000) }
            task.cancel()
        }
        #expect(try await task.value)
        // Decoded planes stay, and missing planes are decoded now.
        let color = try scene.color()
        guard case .uint8(let found) = color.pixels,
            case .uint8(let expected) = LargeSource().color().pixels
        else { return #expect(Bool(false)) }
        #expect(found == expected)
    }

    @Test("Everything that takes long ends with the same error", arguments: 0..<everything.count)
    func all(index: Int) async {
        let scene = DepthScene(LargeSource())
        let task = Task { try Self.everything[index].work(scene) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A limit of threads changes no result")
    func limit() throws {
        let scene = DepthScene(LargeSource())
        let blurred = try scene.blurred().color
        let limited = try DepthScene.withThreadLimit(1) { try scene.blurred().color }
        guard case .uint8(let first) = blurred.pixels, case .uint8(let second) = limited.pixels else {
            return #expect(Bool(false))
        }
        #expect(first == second)
    }
}

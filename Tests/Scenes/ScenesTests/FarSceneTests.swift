import Bytes
import DepthMaps
import Scenes
import Synchronization
import TestSupport
import Testing

@Suite("Scenes whose bytes are far away")
struct FarSceneTests {
    private struct Offline: Error, CustomStringConvertible {
        let description = "HTTP 503"
    }

    @Test(
        "A closure that reads ranges gives the depth of the file, in few calls",
        arguments: ["portrait.heic", "portrait.jpg", "absolute-depth.heic", "gdepth-portrait.jpg"])
    func depth(name: String) throws {
        let bytes = try TestImages.bytes(name)
        let calls = Mutex(0)
        let scene = try DepthScene(byteCount: bytes.count) { ranges in
            calls.withLock { $0 += 1 }
            return ranges.map { Array(bytes[$0]) }
        }
        let (near, far) = (try DepthScene(contentsOf: TestImages.path(name)).depth(), try scene.depth())
        #expect(near.samples.map(\.bitPattern) == far.samples.map(\.bitPattern) && near.width == far.width)
        let count = calls.withLock(\.self)
        #expect(count <= 3)
    }

    @Test("What the closure throws is the error's message, and fewer bytes than asked for are an error")
    func errors() throws {
        let offline = #expect(throws: ContainerError.self) {
            try DepthScene(byteCount: 1000) { _ in throw Offline() }
        }
        #expect(offline?.message == "cannot be read: HTTP 503")
        let short = #expect(throws: ContainerError.self) {
            try DepthScene(byteCount: 1000) { $0.map { [UInt8](repeating: 0, count: $0.count / 2) } }
        }
        #expect(short?.code == "unreadable")
    }
}

import Foundation
import Glibc

/// A file system of a few kilobytes that one thread sees, for tests of full disks. Needs the right to mount.
enum SmallDisk {
    private typealias Unshare = @convention(c) (CInt) -> CInt
    private typealias Mount =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, CUnsignedLong,
            UnsafePointer<CChar>?
        ) -> CInt

    /// Whether a thread can mount a private file system here.
    static let isAvailable = with(kilobytes: 64, at: "/tmp") { true } ?? false

    /// Runs `body` on a thread with a private, empty file system of `kilobytes` at `path`; `nil` if the system refuses
    /// that.
    static func with<Value: Sendable>(
        kilobytes: Int, at path: String, _ body: @escaping @Sendable () -> Value
    ) -> Value? {
        let result = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            if mountTemporary(kilobytes, at: path) { result.value = body() }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        done.wait()
        return result.value
    }

    /// The file system goes with the thread, which alone has the mounts (unshare(2), CLONE_NEWNS; mount(2), MS_REC and MS_PRIVATE).
    private static func mountTemporary(_ kilobytes: Int, at path: String) -> Bool {
        guard let unshare = unsafe dlsym(nil, "unshare"), let mount = unsafe dlsym(nil, "mount") else {
            return false
        }
        // SAFETY: the signatures match the manual pages.
        let (separate, add) = unsafe (
            unsafeBitCast(unshare, to: Unshare.self), unsafeBitCast(mount, to: Mount.self)
        )
        return unsafe separate(0x2_0000) == 0 && add("none", "/", nil, 0x4000 | 0x4_0000, nil) == 0
            && add("none", path, "tmpfs", 0, "size=\(kilobytes)k") == 0
    }

    private final class Box<Value>: @unchecked Sendable {
        var value: Value?
    }
}

internal import Bytes
internal import CCodecShims

/// Lets C libraries read a ``ByteSource`` piece by piece.
final class SourceReader {
    private let source: any ByteSource
    /// Why a read failed: more precise than the library's message.
    private(set) var failure: ContainerError?

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Calls `body` with the callbacks, which are valid only for that call.
    func callAsFunction(_ body: (UnsafePointer<isobath_source>) -> Int32) -> Int32 {
        var callbacks = unsafe isobath_source()
        // SAFETY: the reader outlives the call; the callback reverses this cast.
        unsafe callbacks.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe callbacks.size = UInt64(source.byteCount)
        unsafe callbacks.read = { context, offset, buffer, size in
            guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
            let reader = unsafe Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
            return unsafe reader.read(
                at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }
        let code = unsafe body(&callbacks)
        return withExtendedLifetime(self) { code }
    }

    private func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        guard let place = Int(exactly: offset), place <= source.byteCount else { return 0 }
        do throws(ContainerError) {
            let bytes = try source.readPrefix(at: place, count: buffer.count)
            unsafe buffer.copyBytes(from: bytes)
            return Int64(bytes.count)
        } catch {
            failure = failure ?? error
            return -1
        }
    }
}

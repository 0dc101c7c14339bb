internal import Bytes
public import CIsobath
internal import CSystemShims
internal import DepthMaps
internal import Glibc
internal import Synchronization

/// The pointer for a function's result.
typealias ResultPlace<Value> = UnsafeMutablePointer<Value?>
/// The pointer for a function's error.
public typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<isobath_error>?>

/// Runs `body`, and stores its result or error where the caller's pointers lead.
///
/// Meanwhile a `fork` in another thread waits, unless `isForkAwaited` is false.
func answer<Value>(
    _ result: ResultPlace<Value>?, _ error: ErrorPlace?, isForkAwaited: Bool = true,
    _ body: () throws -> Value
) -> isobath_status {
    unsafe error?.pointee = nil
    unsafe result?.pointee = nil
    do {
        guard let result = unsafe result else { throw InvalidArgument("the pointer to the result is NULL") }
        unsafe result.pointee = try counted(isForkAwaited, body)
        return isobath_status(ISOBATH_OK)
    } catch let failure {
        let description = FailureDescription(failure)
        if let error = unsafe error { unsafe error.pointee = description.handedOut() }
        return description.status
    }
}

/// The same for a function on a photo.
func answer<Value>(
    _ photo: OpaquePointer?, _ result: ResultPlace<Value>?, _ error: ErrorPlace?,
    _ body: (PhotoHandle) throws -> Value
) -> isobath_status {
    let handle = unsafe PhotoHandle.at(photo)
    return unsafe answer(result, error, isForkAwaited: handle?.isReadByCaller != true) {
        guard let handle else { throw InvalidArgument("the photo is NULL") }
        return try body(handle)
    }
}

private func counted<Value>(_ isForkAwaited: Bool, _ body: () throws -> Value) rethrows -> Value {
    let calls = callCount.wrappingAdd(1, ordering: .relaxed).newValue
    defer { callCount.wrappingSubtract(1, ordering: .relaxed) }
    let limit = threadLimit(ofEachOf: calls)
    guard isForkAwaited else { return try limited(to: limit, body) }
    let isForked = isobath_begin_call() != 0
    defer { isobath_end_call() }
    return try limited(to: isForked ? 1 : limit, body)
}

private func limited<Value>(to limit: Int, _ body: () throws -> Value) rethrows -> Value {
    limit > 0 ? try withThreadLimit(limit, body) : try body()
}

/// How many threads each of this many calls may use, so that together they use all cores; 0 for no limit.
private func threadLimit(ofEachOf calls: Int) -> Int {
    let given = threadLimit.load(ordering: .relaxed)
    return given == 0 && calls > 1 ? max(1, coreCount / calls) : given
}

/// The number of calls in progress.
private let callCount = Atomic(0)

/// How many threads a call may use; 0 for one per core.
private let threadLimit = Atomic(0)

/// `isobath_set_thread_limit`
@_cdecl("isobath_set_thread_limit")
public func setThreadLimit(_ limit: Int32) { threadLimit.store(max(0, Int(limit)), ordering: .relaxed) }

/// An invalid argument of the caller.
struct InvalidArgument: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The options of a caller, whose header may be older or newer than this library. The structure begins with its size.
///
/// Throws if the size is missing, and if an unknown member is set.
func options<Options>(_ given: UnsafePointer<Options>?, else zero: Options) throws(InvalidArgument) -> Options
{
    guard let given = unsafe given else { return zero }
    let known = MemoryLayout<Options>.size
    // SAFETY: the caller declares the size of its structure, and no other bytes are read.
    let start = unsafe UnsafeRawPointer(given)
    let size = unsafe start.load(as: Int.self)
    guard size >= MemoryLayout<Int>.size, size < 1 << 16 else {
        throw InvalidArgument("struct_size is \(size), not the size of the structure")
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size)
    guard unsafe bytes.dropFirst(known).allSatisfy({ $0 == 0 }) else {
        throw InvalidArgument("an option is set that this version of the library lacks")
    }
    var options = zero
    unsafe withUnsafeMutableBytes(of: &options) { copy in
        unsafe copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(known)))
    }
    return options
}

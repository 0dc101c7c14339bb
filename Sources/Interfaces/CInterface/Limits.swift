internal import Bytes
public import CIsobath
internal import Embedded

/// The object behind `isobath_limits`.
final class LimitsHandle {
    var limits = DecodingLimits()

    static func at(_ handle: OpaquePointer?) -> LimitsHandle? {
        // SAFETY: the handle comes from `createLimits` and is not freed yet.
        unsafe handle.map {
            unsafe Unmanaged<LimitsHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }
}

/// `isobath_limits_create`
@_cdecl("isobath_limits_create")
public func createLimits() -> OpaquePointer? {
    unsafe OpaquePointer(Unmanaged.passRetained(LimitsHandle()).toOpaque())
}

/// `isobath_limits_set`
@_cdecl("isobath_limits_set")
public func setLimit(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: Int64, _ error: ErrorPlace?
) -> isobath_status {
    var done: Void?
    return unsafe answer(&done, error) {
        guard let handle = unsafe LimitsHandle.at(handle) else {
            throw InvalidArgument("the limits are NULL")
        }
        let text = try unsafe requiredText(name, "name of a limit")
        guard let name = DecodingLimits.Name(rawValue: text) else {
            throw InvalidArgument("there is no limit named '\(text)'")
        }
        guard value >= 0 else { throw InvalidArgument("the limit '\(text)' must not be negative: \(value)") }
        guard value <= name.maximum else {
            throw InvalidArgument("the limit '\(text)' must be at most \(name.maximum), not \(value)")
        }
        handle.limits[name] = Int(value)
    }
}

/// `isobath_limits_get`
@_cdecl("isobath_limits_get")
public func limit(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> Int64 {
    guard let handle = unsafe LimitsHandle.at(handle),
        let name = unsafe text(name).flatMap(DecodingLimits.Name.init)
    else { return -1 }
    return Int64(handle.limits[name])
}

/// `isobath_limits_set_changes_process`
@_cdecl("isobath_limits_set_changes_process")
public func setChangesProcess(_ handle: OpaquePointer?, _ changes: Int32) {
    unsafe LimitsHandle.at(handle)?.limits.changesProcess = changes != 0
}

/// `isobath_limit_names`
@_cdecl("isobath_limit_names")
public func limitNames() -> UnsafeMutablePointer<CChar>? {
    unsafe copied(JSONValue.array(DecodingLimits.Name.allCases.map { .text($0.rawValue) }).serialized)
}

/// `isobath_limits_free`
@_cdecl("isobath_limits_free")
public func freeLimits(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    // SAFETY: the handle comes from `createLimits`.
    unsafe Unmanaged<LimitsHandle>.fromOpaque(UnsafeRawPointer(handle)).release()
}

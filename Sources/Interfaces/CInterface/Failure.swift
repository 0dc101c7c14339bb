internal import Bytes
public import CIsobath
internal import Embedded
internal import Glibc
internal import Scenes

/// The fields of `isobath_error`.
struct FailureDescription {
    let status: isobath_status
    let code: String
    let message: String
    let place: String
    let offset: Int?

    init(_ error: any Error) {
        if let error = error as? InvalidArgument {
            (status, code) = (isobath_status(ISOBATH_INVALID_ARGUMENT), "invalid-argument")
            (message, place, offset) = (error.description, "", nil)
            return
        }
        let failure = error as? FileFailure
        let record = errorRecord(failure?.error ?? error)
        code = record["code"]?.text ?? ""
        message = (failure.map { "\($0.file): " } ?? "") + (record["message"]?.text ?? "")
        place = record["where"]?.text ?? ""
        offset = record["offset"]?.integer
        status = isobath_status(Self.status(ofCode: code))
    }

    private static func status(ofCode code: String) -> Int {
        switch code {
        case "unreadable": ISOBATH_UNREADABLE
        case "unrecognized": ISOBATH_UNRECOGNIZED
        case "truncated", "overflow", "malformed", "damaged": ISOBATH_DAMAGED
        case "unsupported": ISOBATH_UNSUPPORTED
        case "limit-exceeded": ISOBATH_LIMIT_EXCEEDED
        case "no-plane": ISOBATH_NO_PLANE
        case "not-written": ISOBATH_NOT_WRITTEN
        default: ISOBATH_UNSUITABLE
        }
    }

    /// The description in memory that the caller frees.
    func handedOut() -> UnsafeMutablePointer<isobath_error> {
        let error = UnsafeMutablePointer<isobath_error>.allocate(capacity: 1)
        // SAFETY: the texts are copies that `freeError` frees.
        unsafe error.initialize(
            to: isobath_error(
                status: status, code: copied(code), message: copied(message), where: copied(place),
                offset: Int64(offset ?? -1)))
        return unsafe error
    }
}

/// An error about a file besides the photo.
struct FileFailure: Error {
    var file: String
    var error: any Error
}

/// A copy of the text that `isobath_string_free` frees.
func copied(_ text: String) -> UnsafeMutablePointer<CChar>? { unsafe strdup(text) }

/// `isobath_error_free`
@_cdecl("isobath_error_free")
public func freeError(_ error: UnsafeMutablePointer<isobath_error>?) {
    guard let error = unsafe error else { return }
    // SAFETY: `handedOut` made the structure and its texts.
    unsafe free(UnsafeMutablePointer(mutating: error.pointee.code))
    unsafe free(UnsafeMutablePointer(mutating: error.pointee.message))
    unsafe free(UnsafeMutablePointer(mutating: error.pointee.where))
    unsafe error.deallocate()
}

/// `isobath_string_free`
@_cdecl("isobath_string_free")
public func freeText(_ text: UnsafeMutablePointer<CChar>?) { unsafe free(text) }

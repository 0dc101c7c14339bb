internal import Bytes
internal import DepthTypes

/// Text of the caller; `nil` for NULL.
func text(_ given: UnsafePointer<CChar>?) -> String? {
    unsafe given.map { unsafe String(cString: $0) }
}

/// Required text of the caller.
func requiredText(_ given: UnsafePointer<CChar>?, _ what: String) throws(InvalidArgument) -> String {
    guard let text = unsafe text(given) else { throw InvalidArgument("the \(what) is NULL") }
    return text
}

/// A path of the caller, with any bytes; `nil` for NULL.
func path(_ given: UnsafePointer<CChar>?) -> String? {
    guard var place = unsafe given else { return nil }
    var bytes: [UInt8] = []
    // SAFETY: a zero byte ends the path.
    while case let byte = unsafe UInt8(bitPattern: place.pointee), byte != 0 {
        bytes.append(byte)
        unsafe place += 1
    }
    return String(fileNameBytes: bytes)
}

/// The kind of plane with the caller's name.
func planeKind(_ given: UnsafePointer<CChar>?) throws(InvalidArgument) -> PlaneKind {
    try unsafe planeKind(named: requiredText(given, "kind of a plane"))
}

/// The kind of plane with this name; `portrait` is the portrait matte.
func planeKind(named name: String) throws(InvalidArgument) -> PlaneKind {
    if name == "portrait" { return .matte }
    guard let kind = PlaneKind(rawValue: name) else {
        let names = PlaneKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw InvalidArgument("there is no kind of plane named '\(name)'; there are \(names)")
    }
    return kind
}

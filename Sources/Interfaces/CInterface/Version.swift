internal import CIsobath
internal import Scenes

/// `isobath_abi_version`
@_cdecl("isobath_abi_version")
public func abiVersion() -> UInt32 { UInt32(ISOBATH_ABI_VERSION) }

/// `isobath_version`
@_cdecl("isobath_version")
public func version() -> UnsafePointer<CChar>? { unsafe versionText.pointer }

private let versionText = PermanentText(isobathVersion)

/// Text that is never freed.
@safe private struct PermanentText: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>?

    // SAFETY: nothing writes or frees the copy.
    init(_ text: String) { unsafe pointer = UnsafePointer(copied(text)) }
}

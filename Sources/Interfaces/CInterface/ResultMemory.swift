internal import Glibc

/// The memory of a result that the caller owns: its structure, and everything that the structure points to. Freed as one.
///
/// Every result structure begins with a pointer to its `ResultMemory`.
@safe final class ResultMemory {
    private var kept: [AnyObject] = []
    private var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
    private var structure: UnsafeMutableRawPointer?

    /// Owns nothing yet.
    init() {}

    deinit {
        // SAFETY: the texts are unshared copies, and `handOut` allocated the structure.
        unsafe texts.forEach { unsafe free($0) }
        unsafe structure?.deallocate()
    }

    /// The address of the elements, valid as long as this memory; `nil` without elements. They are copied only if the
    /// array is shared.
    func keep<Element: BitwiseCopyable>(_ elements: consuming [Element]) -> UnsafeMutablePointer<Element>? {
        let storage = Storage(elements)
        kept.append(storage)
        return unsafe storage.address
    }

    /// The address of the text, valid as long as this memory.
    func keep(_ text: String) -> UnsafePointer<CChar>? {
        let copy = unsafe copied(text)
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
    }

    /// A structure whose first member becomes a pointer to this memory; the caller frees it with ``release(_:)``.
    func handOut<Record>(_ record: Record) -> UnsafeMutablePointer<Record> {
        let place = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        // SAFETY: the first member of the structure has the size of a pointer.
        unsafe place.initialize(to: record)
        unsafe structure = UnsafeMutableRawPointer(place)
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe UnsafeMutableRawPointer(place).storeBytes(of: owner, as: UnsafeMutableRawPointer.self)
        return unsafe place
    }

    /// Frees a structure that was handed out.
    static func release(_ record: UnsafeMutableRawPointer?) {
        guard let record = unsafe record else { return }
        // SAFETY: `handOut` wrote the owner there, and retained it.
        let owner = unsafe record.load(as: UnsafeRawPointer.self)
        unsafe Unmanaged<ResultMemory>.fromOpaque(owner).release()
    }
}

/// An unshared array, whose elements keep their address.
@safe private final class Storage<Element: BitwiseCopyable> {
    private var elements: [Element]
    /// `nil` for no elements.
    let address: UnsafeMutablePointer<Element>?

    init(_ elements: consuming [Element]) {
        self.elements = elements
        // SAFETY: elements of an array that is neither changed nor freed stay in place, and this object neither changes nor
        // shares it. On Linux, arrays are always contiguous.
        unsafe address = self.elements.withUnsafeMutableBufferPointer { $0.baseAddress }
    }
}

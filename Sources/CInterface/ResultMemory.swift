internal import Glibc

/// The memory of a result that a caller holds: its structure, and what the structure points to. Freed as one.
///
/// Every structure of results begins with a pointer to its `ResultMemory`.
@safe final class ResultMemory {
    private var kept: [AnyObject] = []
    private var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
    private var structure: UnsafeMutableRawPointer?

    /// Nothing yet.
    init() {}

    deinit {
        // SAFETY: the texts are copies that are nowhere else, and the structure is memory that `handOut` took.
        unsafe texts.forEach { unsafe free($0) }
        unsafe structure?.deallocate()
    }

    /// The elements at an address that lasts as long as this memory; `nil` for none. They are copied only where something
    /// else has the array, too.
    func keep<Element: BitwiseCopyable>(_ elements: consuming [Element]) -> UnsafeMutablePointer<Element>? {
        let storage = Storage(elements)
        kept.append(storage)
        return unsafe storage.address
    }

    /// The text at an address that lasts as long as this memory.
    func keep(_ text: String) -> UnsafePointer<CChar>? {
        let copy = unsafe copied(text)
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
    }

    /// A structure whose first member is a pointer, which becomes one to this memory; the caller frees it with ``release(_:)``.
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

/// An array that nothing else has, whose elements keep their address.
@safe private final class Storage<Element: BitwiseCopyable> {
    private var elements: [Element]
    /// `nil` for no elements.
    let address: UnsafeMutablePointer<Element>?

    init(_ elements: consuming [Element]) {
        self.elements = elements
        // SAFETY: elements of an array that is neither changed nor freed stay where they are, and this object neither changes nor
        // shares it. On Linux, no array is stored in any other way than in one piece.
        unsafe address = self.elements.withUnsafeMutableBufferPointer { $0.baseAddress }
    }
}

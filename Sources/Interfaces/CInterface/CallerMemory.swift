/// Copies this many values of the caller, who need not align them.
func copied<Element: BitwiseCopyable>(_ start: UnsafeRawPointer, count elementCount: Int) -> [Element] {
    unsafe [Element](unsafeUninitializedCapacity: elementCount) { output, count in
        let bytes = elementCount * MemoryLayout<Element>.stride
        // SAFETY: the output has space for all of them, and they are trivial values.
        unsafe UnsafeMutableRawBufferPointer(output)
            .copyMemory(from: UnsafeRawBufferPointer(start: start, count: bytes))
        count = elementCount
    }
}

/// Copies the ICC profile of the caller; empty for NULL.
func colorProfile(_ start: UnsafePointer<UInt8>?, _ size: Int) throws(InvalidArgument) -> [UInt8] {
    guard size >= 0, unsafe size == 0 || start != nil else {
        throw InvalidArgument("color_profile is NULL or has a negative size (\(size))")
    }
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
}

internal import Bytes
internal import CCodecShims

extension DecodingLimits {
    /// The memory that a decoder may use beside `taken` bytes, which were checked; at most `most`.
    func budget(beside taken: Int, most: Int = .max) -> isobath_budget {
        isobath_budget(limit: max(0, min(self[.memoryBytes] - taken, most)), asked: 0)
    }

    /// The error for a decoder that exceeded its budget.
    func memoryError(
        _ budget: isobath_budget, beside taken: Int, at offset: Int? = nil, in path: StructurePath
    ) -> ContainerError {
        let (wanted, overflow) = taken.addingReportingOverflow(Int(clamping: budget.asked))
        let (total, limit) = (overflow ? .max : wanted, self[.memoryBytes])
        // A decoder may get less than the limit leaves, if an image of its size cannot need more.
        guard total > limit else {
            return ContainerError(
                .damaged(
                    detail:
                        "the decoder requests \(budget.asked) bytes, more than an image of this size needs"),
                at: offset, in: path)
        }
        return ContainerError(
            .limitExceeded(.memoryBytes, limit: limit, requested: total), at: offset, in: path)
    }
}

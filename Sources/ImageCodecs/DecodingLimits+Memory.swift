internal import ByteParsing
internal import CCodecShims

extension DecodingLimits {
    /// What is left for a decoder where `taken` bytes, which were checked, are held beside it; `most` at most.
    func budget(beside taken: Int, most: Int = .max) -> isobath_budget {
        isobath_budget(limit: max(0, min(self[.memoryBytes] - taken, most)), asked: 0)
    }

    /// The error for a decoder that wanted more than its budget.
    func memoryError(
        _ budget: isobath_budget, beside taken: Int, at offset: Int? = nil, in path: StructurePath
    ) -> ContainerError {
        let (wanted, overflow) = taken.addingReportingOverflow(Int(clamping: budget.asked))
        let (total, limit) = (overflow ? .max : wanted, self[.memoryBytes])
        // A decoder may have less than is left where an image of its size cannot need more.
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

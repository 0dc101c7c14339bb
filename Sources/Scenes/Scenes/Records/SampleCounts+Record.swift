package import Bytes
package import DepthTypes
package import Embedded

extension SampleCounts {
    /// The number of each kind, for records.
    package var record: JSONValue {
        .object(SampleKind.allCases.map { ("\($0)", .integer(self[$0])) })
    }

    /// A remark on samples that are unknown by a rule instead of a declaration in the file; `nil` without any. `noData` is the value
    /// that is declared. The default code is for inputs whose rule the caller can change.
    package func remark(_ code: Diagnostic.Code = .noDataSamples, noData: Float = .nan) -> Diagnostic? {
        guard unknown > 0 else { return nil }
        let isWhole = noData == noData.rounded() && abs(noData) < 1e9
        let names: [(SampleKind, String)] = [
            (.noData, isWhole ? "\(Int(noData))" : "\(noData)"), (.zero, "0"), (.negative, "negative"),
            (.notFinite, "not finite"), (.nothingHit, "the greatest, far beyond others: nothing was hit"),
        ]
        let rule = names.filter { self[$0.0] > 0 }.map(\.1).joined(separator: ", ")
        return .note(code, "\(unknown) of \(total) stored samples mean unknown (\(rule))")
    }

    /// A remark on frames, whose samples of 0 are expected to be unknown: only if nothing was hit at others.
    package var remarkOnMisses: Diagnostic? { self[.nothingHit] > 0 ? remark(.unknownSamples) : nil }

    /// Throws ``SceneError/noKnownSample(_:)`` if no sample of many has a value.
    package func requireKnown() throws(SceneError) {
        if total > 0, unknown == total { throw .noKnownSample(total) }
    }
}

extension [Float] {
    /// Throws ``SceneError/noKnownSample(_:)`` if all of several values are unknown.
    package func requireKnown() throws(SceneError) {
        if !isEmpty, allSatisfy(\.isNaN) { throw .noKnownSample(count) }
    }
}

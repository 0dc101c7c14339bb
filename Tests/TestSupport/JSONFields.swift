internal import Foundation

extension [String: Any] {
    /// An object among the fields; empty if missing.
    public func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }

    /// A list of objects; empty if missing.
    public func objects(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }

    /// A number; `nil` for anything else.
    public func number(_ name: String) -> Double? { (self[name] as? NSNumber)?.doubleValue }

    /// An integer; `nil` for anything else.
    public func integer(_ name: String) -> Int? { number(name).flatMap(Int.init(exactly:)) }

    /// Text; `nil` for anything else.
    public func text(_ name: String) -> String? { self[name] as? String }

    /// A list of numbers; empty if missing.
    public func numbers(_ name: String) -> [Double] {
        (self[name] as? [Any] ?? []).compactMap { ($0 as? NSNumber)?.doubleValue }
    }

    /// A list of texts; empty if missing.
    public func texts(_ name: String) -> [String] { self[name] as? [String] ?? [] }

    /// Whether a field is there and `null`.
    public func isNull(_ name: String) -> Bool { self[name] is NSNull }
}

/// Whether two lists of numbers agree within a relative tolerance.
public func agree(_ found: [Double], _ expected: [Double], within share: Double = 1e-12) -> Bool {
    found.count == expected.count
        && zip(found, expected).allSatisfy { abs($0 - $1) <= share * max(abs($1), 1e-300) || $0 == $1 }
}

internal import Bytes
internal import Embedded

extension NetworkProfile {
    /// Reads a profile written by a person, a JSON object. `like` names the profile to start from; without it, `meaning` is
    /// required.
    ///
    /// ```json
    /// {"like": "u2net", "size": 512, "filter": "bilinear", "divisor": 255, "mean": [0, 0, 0], "deviation": [1, 1, 1]}
    /// ```
    ///
    /// Throws ``NetworkError/profile(_:)``.
    init(_ json: JSONValue) throws(NetworkError) {
        guard case .object(let fields) = json else { throw .profile("it is not a JSON object") }
        var profile = try Self.beginning(json)
        for (name, value) in fields {
            switch name {
            case "like": break
            case "name": profile.name = try value.requiredText(name)
            case "meaning": profile.meaning = try value.choice(name)
            case "size": profile.size = try value.count(name)
            case "multiple": profile.multiple = try value.count(name)
            case "fitting": profile.fitting = try value.choice(name)
            case "filter": profile.filter = try value.choice(name)
            case "divisor": profile.divisor = try Divisor(value)
            case "mean": profile.mean = try value.channels(name)
            case "deviation": profile.deviation = try value.channels(name)
            case "channels": profile.isBlueFirst = try value.choice(name, ["rgb": false, "bgr": true])
            case "activation": profile.activation = try value.choice(name)
            case "output": profile.output = try value.requiredText(name)
            case "focalLengthOutput": profile.focalLengthOutput = try value.requiredText(name)
            case "scaleOutput": profile.scaleOutput = try value.requiredText(name)
            case "validityOutput": profile.validityOutput = try value.requiredText(name)
            case "canonicalFocalLength": profile.canonicalFocalLength = Float(try value.count(name))
            case "tokenCount": profile.tokenCount = try value.count(name)
            case "labels":
                guard case .array(let labels) = value else { throw .profile("'labels' is not an array") }
                profile.labels = try labels.map { (label) throws(NetworkError) in try label.requiredText(name)
                }
            default: throw .profile("it has an unknown field '\(name)'")
            }
        }
        guard profile.deviation.allSatisfy({ $0 != 0 }) else { throw .profile("'deviation' must not be 0") }
        self = profile
    }

    private static func beginning(_ json: JSONValue) throws(NetworkError) -> NetworkProfile {
        guard let like = json["like"]?.text else {
            guard json["meaning"] != nil else { throw .profile("it needs 'like' or 'meaning'") }
            return NetworkProfile(
                name: "own", meaning: try json["meaning"]?.choice("meaning") ?? .matte, size: 512)
        }
        guard var profile = NetworkProfile(named: like) else {
            throw .profile("there is no profile '\(like)'; there are \(NetworkProfile.names)")
        }
        profile.name = "own"
        return profile
    }

    package static var names: String { table.map(\.name).joined(separator: ", ") }
}

extension NetworkProfile.Divisor {
    fileprivate init(_ value: JSONValue) throws(NetworkError) {
        if value.text == "maximum" {
            self = .maximum
        } else if let number = value.double, number != 0, number.isFinite {
            self = .number(Float(number))
        } else {
            throw .profile("'divisor' is neither a number nor \"maximum\"")
        }
    }
}

extension JSONValue {
    fileprivate func requiredText(_ name: String) throws(NetworkError) -> String {
        guard let text else { throw .profile("'\(name)' is not text") }
        return text
    }

    fileprivate func count(_ name: String) throws(NetworkError) -> Int {
        guard let count = integer, (1...16384).contains(count) else {
            throw .profile("'\(name)' is not a whole number of 1 to 16384")
        }
        return count
    }

    fileprivate func channels(_ name: String) throws(NetworkError) -> [Float] {
        let numbers = numbers ?? double.map { [$0, $0, $0] } ?? []
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else {
            throw .profile("'\(name)' is neither a number nor three")
        }
        return numbers.map { Float($0) }
    }

    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(NetworkError) -> Choice where Choice.RawValue == String {
        guard let choice = text.flatMap(Choice.init(rawValue:)) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .profile("'\(name)' is not one of \(names)")
        }
        return choice
    }

    fileprivate func choice<Value>(
        _ name: String, _ values: KeyValuePairs<String, Value>
    ) throws(NetworkError) -> Value {
        guard let value = values.first(where: { $0.key == text })?.value else {
            throw .profile("'\(name)' is not one of \(values.map(\.key).joined(separator: ", "))")
        }
        return value
    }
}

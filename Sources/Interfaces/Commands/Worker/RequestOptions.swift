internal import ArgumentParser
internal import Embedded
internal import Isobath
internal import Scenes

/// The options of a request, decoded into the option groups of its subcommand.
///
/// A subcommand is `Decodable`, with one key for each flag and each group. ArgumentParser decodes it from arguments,
/// and this type from JSON: each flag that a request gives replaces the default, and then the groups check themselves.
/// So a flag is declared once for both.
final class RequestOptions {
    private var left: [String: JSONValue] = [:]
    /// The names of the flags that were given.
    private(set) var given: [String] = []

    /// Throws `ValidationError` for an option that is given twice.
    init(_ options: [(String, JSONValue)]) throws {
        for (name, value) in options where left.updateValue(value, forKey: name) != nil {
            throw ValidationError("'\(name.prefix(100))' is given twice")
        }
    }

    /// The subcommand with these options. `outputs` are the flags that the field `output` of the request sets.
    ///
    /// Throws for a value that a flag does not accept, for a combination that the subcommand refuses, and for an option
    /// that it does not have.
    func decode<Command: ParsableCommand>(
        _ type: Command.Type, outputs: [String: String]
    ) throws -> Command {
        left.merge(outputs.mapValues(JSONValue.text)) { $1 }
        var command = try Command(from: GroupDecoder(options: self, defaults: Command.parse(["input"])))
        if let name = left.keys.min() {
            if let advice = RemovedFlags.instead[name] {
                throw ValidationError("'\(name)' is gone; \(advice)")
            }
            let message = "'\(name.prefix(100))' is not an option of \(Command._commandName)"
            let near = UsageMessage.nearest(to: name, among: known)
            throw ValidationError(message + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        given.removeAll { outputs[$0] != nil }
        try command.validate()
        return command
    }

    private var known: [String] = []

    /// The value of an option, which is removed; `nil` if it is missing or `null`.
    fileprivate func take(_ name: String) -> JSONValue? {
        known.append(name)
        guard let value = left.removeValue(forKey: name) else { return nil }
        if case .null = value { return nil }
        return value
    }

    fileprivate func note(_ name: String) { given.append(name) }
}

/// Decodes a group of flags, or a subcommand.
private struct GroupDecoder: Decoder {
    let options: RequestOptions
    /// The same group without any flag.
    let defaults: any ParsableArguments

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(GroupContainer(options: options, defaults: Mirror(reflecting: defaults)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotAGroup() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotAGroup() }
}

/// The flags of a group, by the names of their properties.
private struct GroupContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let options: RequestOptions
    let defaults: Mirror

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Property: Decodable>(_ type: Property.Type, forKey key: Key) throws -> Property {
        // The storage of a property with a wrapper has an underscore before its name.
        guard let property = defaults.descendant("_" + key.stringValue) as? Property else {
            throw NotAGroup()
        }
        guard var flag = property as? any RequestProperty else { return property }
        try flag.read(flagName(key.stringValue), from: options)
        return flag as? Property ?? property
    }

    /// The flag of a property: `min-confidence` for `minConfidence`.
    private func flagName(_ property: String) -> String {
        property.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw NotAGroup() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotAGroup() }
    func superDecoder() throws -> any Decoder { throw NotAGroup() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotAGroup() }
}

/// The error for parts of `Decodable` that groups of flags do not use.
private struct NotAGroup: Error {}

/// A property of a group that a request can set.
private protocol RequestProperty {
    /// Replaces the default if the request gives the flag `name`.
    mutating func read(_ name: String, from options: RequestOptions) throws
}

extension OptionGroup: RequestProperty {
    fileprivate mutating func read(_ name: String, from options: RequestOptions) throws {
        wrappedValue = try Value(from: GroupDecoder(options: options, defaults: wrappedValue))
        try wrappedValue.validate()
    }
}

extension Option: RequestProperty {
    fileprivate mutating func read(_ name: String, from options: RequestOptions) throws {
        guard let json = options.take(name) else { return }
        wrappedValue = try json.value(for: name)
        options.note(name)
    }
}

extension Flag: RequestProperty {
    fileprivate mutating func read(_ name: String, from options: RequestOptions) throws {
        if let isOn: Bool = try options.take(name)?.value(for: name) {
            set(isOn, isOn ? name : "no-" + name, options)
        }
        guard Value.self == Bool?.self else { return }
        let opposite = "no-" + name
        guard let isOff: Bool = try options.take(opposite)?.value(for: opposite), isOff else { return }
        guard !options.given.contains(name) else {
            throw ValidationError("'\(name)' and '\(opposite)' exclude each other")
        }
        set(false, opposite, options)
    }

    private mutating func set(_ isOn: Bool, _ name: String, _ options: RequestOptions) {
        guard isOn || Value.self == Bool?.self, let value = isOn as? Value else { return }
        wrappedValue = value
        options.note(name)
    }
}

extension JSONValue {
    /// The value of a flag. Throws `ValidationError` that names the flag.
    fileprivate func value<Value>(for name: String) throws -> Value {
        do {
            return try value()
        } catch let error as WrongValue {
            throw ValidationError("'\(name)' is \(serialized.prefix(100)); it must be \(error.rule)")
        }
    }

    /// Throws ``WrongValue``.
    fileprivate func value<Value>() throws -> Value {
        if let type = Value.self as? any RequestValue.Type, let value = try type.value(of: self) as? Value {
            return value
        }
        guard let type = Value.self as? any ExpressibleByArgument.Type else {
            throw WrongValue(rule: "missing")
        }
        guard let argument, let value = type.init(argument: argument) as? Value else {
            throw WrongValue(rule: type.rule)
        }
        return value
    }

    /// Text, or the digits of a number.
    private var argument: String? {
        switch self {
        case .text(let text): text
        case .integer, .number: serialized
        default: nil
        }
    }
}

extension ExpressibleByArgument {
    /// What values are.
    fileprivate static var rule: String {
        allValueStrings.isEmpty
            ? "what the flag takes on the command line" : OutputOptions.list(allValueStrings)
    }
}

/// The error for a value that a flag does not accept.
private struct WrongValue: Error {
    /// What it must be.
    var rule: String
}

/// A type of values that are more than text in JSON.
private protocol RequestValue {
    /// Throws ``WrongValue``.
    static func value(of json: JSONValue) throws -> Self
}

extension Bool: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Bool {
        guard case .bool(let value) = json else { throw WrongValue(rule: "true or false") }
        return value
    }
}

extension Int: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Int {
        guard let number = json.integer ?? json.text.flatMap({ Int($0) }) else {
            throw WrongValue(rule: "a whole number")
        }
        return number
    }
}

extension Float: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Float { Float(try Double.value(of: json)) }
}

extension Double: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Double {
        guard let number = json.double ?? json.text.flatMap({ Double(decimal: $0) }) else {
            throw WrongValue(rule: "a number")
        }
        return number
    }
}

extension Optional: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Wrapped? { try json.value() as Wrapped }
}

/// Flags that may be repeated: a list, or one value.
extension Array: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> [Element] {
        if case .array(let elements) = json { return try elements.map { try $0.value() } }
        return [try json.value()]
    }
}

extension ReadingOptions.NoData: RequestValue {
    fileprivate static func value(of json: JSONValue) throws -> Self {
        guard let value = Self(json.text ?? json.serialized) else {
            throw WrongValue(rule: "a number or none")
        }
        return value
    }
}

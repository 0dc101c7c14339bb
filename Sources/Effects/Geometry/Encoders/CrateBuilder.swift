/// The binary form of Universal Scene Description (`.usdc`, "crate"), version 0.8.0: arrays, then tables of tokens, strings, fields,
/// sets of fields, paths and specs.
///
/// Layouts follow OpenUSD's `pxr/usd/sdf/crateFile.cpp`, `crateDataTypes.h` and `integerCoding.cpp`. The format requires its
/// tables in LZ4 blocks; these blocks contain only literals: tables are small, and arrays need not be compressed.
struct CrateBuilder {
    private var bytes: [UInt8] = []
    // In coded paths, token 0 means no token.
    private var tokens = [";-)"]
    private var tokenNumbers: [String: UInt32] = [:]
    private var strings: [UInt32] = []
    private var pathNumbers: [String: UInt32] = [:]
    private var fieldTokens: [UInt32] = []
    private var fieldValues: [UInt8] = []
    private var fieldSets: [UInt32] = []
    private var specPaths: [UInt32] = []
    private var specFieldSets: [UInt32] = []
    private var specKinds: [UInt32] = []
    private var paths: [PathEntry] = []

    /// A path in the order of the tree.
    private struct PathEntry {
        var number: UInt32
        /// The token of its last name; negative for a property.
        var token: Int32
        /// The distance to the next sibling, if it has both children and a sibling; 0 with a sibling only, -1 with children
        /// only, -2 with neither.
        var jump: Int32
    }

    private static let headerSize = 88

    /// The bytes of a file with this root, whose fields are the layer's.
    static func file(_ root: Item) -> [UInt8] {
        var builder = CrateBuilder()
        return builder.build(root)
    }

    private mutating func build(_ root: Item) -> [UInt8] {
        bytes = [UInt8](repeating: 0, count: Self.headerSize)
        number(root, path: "/")
        add(root, path: "/")
        addPaths([root], parent: nil)
        var sections: [(name: String, start: Int, size: Int)] = []
        appendSection("TOKENS", &sections) { builder in
            let text = builder.tokens.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0] }
            builder.bytes.append(littleEndian: UInt64(builder.tokens.count))
            builder.bytes.append(littleEndian: UInt64(text.count))
            builder.append(block: text)
        }
        appendSection("STRINGS", &sections) { builder in
            builder.bytes.append(littleEndian: UInt64(builder.strings.count))
            for string in builder.strings { builder.bytes.append(littleEndian: string) }
        }
        appendSection("FIELDS", &sections) { builder in
            builder.bytes.append(littleEndian: UInt64(builder.fieldTokens.count))
            builder.append(integers: builder.fieldTokens.map { Int32($0) })
            builder.append(block: builder.fieldValues)
        }
        appendSection("FIELDSETS", &sections) { builder in
            builder.bytes.append(littleEndian: UInt64(builder.fieldSets.count))
            builder.append(integers: builder.fieldSets.map { Int32(bitPattern: $0) })
        }
        appendSection("PATHS", &sections) { builder in
            builder.bytes.append(littleEndian: UInt64(builder.paths.count))
            builder.bytes.append(littleEndian: UInt64(builder.paths.count))
            builder.append(integers: builder.paths.map { Int32($0.number) })
            builder.append(integers: builder.paths.map(\.token))
            builder.append(integers: builder.paths.map(\.jump))
        }
        appendSection("SPECS", &sections) { builder in
            builder.bytes.append(littleEndian: UInt64(builder.specPaths.count))
            for column in [builder.specPaths, builder.specFieldSets, builder.specKinds] {
                builder.append(integers: column.map { Int32($0) })
            }
        }
        let contents = bytes.count
        bytes.append(littleEndian: UInt64(sections.count))
        for section in sections {
            let name = Array(section.name.utf8)
            bytes += name + [UInt8](repeating: 0, count: 16 - name.count)
            bytes.append(littleEndian: UInt64(section.start))
            bytes.append(littleEndian: UInt64(section.size))
        }
        var header = Array("PXR-USDC".utf8) + [0, 8, 0, 0, 0, 0, 0, 0]
        header.append(littleEndian: UInt64(contents))
        bytes.replaceSubrange(0..<header.count, with: header)
        return bytes
    }

    private mutating func appendSection(
        _ name: String, _ sections: inout [(name: String, start: Int, size: Int)],
        _ append: (inout CrateBuilder) -> Void
    ) {
        let start = bytes.count
        append(&self)
        sections.append((name, start, bytes.count - start))
    }

    /// Appends the size of a block, and the block: one chunk (0) of LZ4 with a single run of literals.
    private mutating func append(block: [UInt8]) {
        var coded: [UInt8] = [0]
        coded.append(UInt8(min(block.count, 15)) << 4)
        if block.count >= 15 {
            var rest = block.count - 15
            while rest >= 255 {
                coded.append(255)
                rest -= 255
            }
            coded.append(UInt8(rest))
        }
        coded += block
        bytes.append(littleEndian: UInt64(coded.count))
        bytes += coded
    }

    /// Appends numbers as successive differences: the most common difference, then two bits for each number (0 the most
    /// common, 1 to 3 in one, two or four bytes), four to a byte from the lowest bits on, then the others in bytes.
    private mutating func append(integers: [Int32]) {
        var last: Int32 = 0
        let steps = integers.map { number -> Int32 in
            defer { last = number }
            return number &- last
        }
        var counts: [Int32: Int] = [:]
        for step in steps { counts[step, default: 0] += 1 }
        let common = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
        var codes = [UInt8](repeating: 0, count: (steps.count * 2 + 7) / 8)
        var rest: [UInt8] = []
        for (index, step) in steps.enumerated() where step != common {
            let code: UInt8
            if let byte = Int8(exactly: step) {
                code = 1
                rest.append(littleEndian: byte)
            } else if let word = Int16(exactly: step) {
                code = 2
                rest.append(littleEndian: word)
            } else {
                code = 3
                rest.append(littleEndian: step)
            }
            codes[index / 4] |= code << UInt8(index % 4 * 2)
        }
        var coded: [UInt8] = []
        coded.append(littleEndian: common)
        append(block: coded + codes + rest)
    }

    /// Numbers paths in the order of the tree.
    private mutating func number(_ item: Item, path: String) {
        pathNumbers[path] = UInt32(pathNumbers.count)
        for child in item.children { number(child, path: Self.path(of: child, in: path)) }
    }

    private static func path(of child: Item, in parent: String) -> String {
        guard child.kind == .prim else { return "\(parent).\(child.name)" }
        return parent == "/" ? "/\(child.name)" : "\(parent)/\(child.name)"
    }

    /// Appends the fields and the spec of an item and of all its descendants.
    private mutating func add(_ item: Item, path: String) {
        var all = item.fields
        let prims = item.children.filter { $0.kind == .prim }.map(\.name)
        let properties = item.children.filter { $0.kind != .prim }.map(\.name)
        if !prims.isEmpty { all.append(("primChildren", .tokens(prims))) }
        if !properties.isEmpty { all.append(("properties", .tokens(properties))) }
        let first = UInt32(fieldSets.count)
        for (name, value) in all {
            let representation = representation(of: value)
            fieldSets.append(UInt32(fieldTokens.count))
            fieldTokens.append(token(name))
            fieldValues.append(littleEndian: representation)
        }
        fieldSets.append(.max)
        specPaths.append(pathNumbers[path] ?? 0)
        specFieldSets.append(first)
        specKinds.append(item.kind.rawValue)
        for child in item.children { add(child, path: Self.path(of: child, in: path)) }
    }

    /// Adds the tree of paths: each item, then its descendants, then its next sibling.
    private mutating func addPaths(_ siblings: [Item], parent: String?) {
        for (index, item) in siblings.enumerated() {
            let path = parent.map { Self.path(of: item, in: $0) } ?? "/"
            let hasNext = index + 1 < siblings.count
            let name = parent == nil ? 0 : Int32(token(item.name))
            let isProperty = item.kind == .attribute || item.kind == .relationship
            let place = paths.count
            paths.append(
                PathEntry(
                    number: pathNumbers[path] ?? 0, token: isProperty ? -name : name, jump: hasNext ? 0 : -2))
            guard !item.children.isEmpty else { continue }
            addPaths(item.children, parent: path)
            paths[place].jump = hasNext ? Int32(paths.count - place) : -1
        }
    }

    private mutating func token(_ text: String) -> UInt32 {
        if let known = tokenNumbers[text] { return known }
        let number = UInt32(tokens.count)
        tokens.append(text)
        tokenNumbers[text] = number
        return number
    }

    /// A value in 64 bits: its type, and either itself or the offset where it was appended.
    private mutating func representation(of value: Value) -> UInt64 {
        func inlined(_ type: UInt64, _ payload: UInt32) -> UInt64 { 1 << 62 | type << 48 | UInt64(payload) }
        switch value {
        case .bool(let value): return inlined(1, value ? 1 : 0)
        case .one: return inlined(3, 1)
        case .float(let value): return inlined(8, value.bitPattern)
        // A double that is exact as a float is inlined as one.
        case .double(let value): return inlined(9, value.bitPattern)
        case .string(let text):
            strings.append(token(text))
            return inlined(10, UInt32(strings.count - 1))
        case .token(let text): return inlined(11, token(text))
        case .asset(let name): return inlined(12, token(name))
        case .definition: return inlined(42, 0)
        case .uniform: return inlined(44, 1)
        case .tokenList(let items):
            return appended(32) { builder in
                let numbers = items.map { builder.token($0) }
                builder.appendList(numbers, header: 3)
            }
        case .pathList(let paths):
            return appended(34) { builder in
                builder.appendList(paths.map { builder.pathNumbers[$0] ?? 0 }, header: 3)
            }
        case .tokens(let names):
            return appended(41) { builder in
                let numbers = names.map { builder.token($0) }
                builder.appendList(numbers, header: nil)
            }
        case .oneVector3(let vector): return appended(24) { $0.append(vector) }
        case .vector3(let vectors):
            var elements: [UInt8] = []
            elements.reserveCapacity(vectors.count * 12)
            for vector in vectors { elements.append(vector) }
            return representation(of: .array(.vector3, count: vectors.count, elements))
        case .array(let type, let count, let elements):
            guard count > 0 else { return 1 << 63 | type.rawValue << 48 }
            return 1 << 63
                | appended(type.rawValue) {
                    $0.bytes.append(littleEndian: UInt64(count))
                    $0.bytes += elements
                }
        }
    }

    /// Appends a value at a multiple of eight bytes.
    private mutating func appended(_ type: UInt64, _ append: (inout CrateBuilder) -> Void) -> UInt64 {
        while bytes.count % 8 != 0 { bytes.append(0) }
        let place = UInt64(bytes.count)
        append(&self)
        return type << 48 | place
    }

    /// A list of numbers. A list that edits others follows a header of flags: 1 explicit, 2 with explicit items.
    private mutating func appendList(_ numbers: [UInt32], header: UInt8?) {
        if let header { bytes.append(header) }
        bytes.append(littleEndian: UInt64(numbers.count))
        for number in numbers { bytes.append(littleEndian: number) }
    }

    private mutating func append(_ vector: SIMD3<Float>) { bytes.append(vector) }
}

extension [UInt8] {
    /// Appends three floats.
    mutating func append(_ vector: SIMD3<Float>) {
        for axis in 0..<3 { append(littleEndian: vector[axis].bitPattern) }
    }
}

extension CrateBuilder {
    /// The value of a field.
    enum Value {
        case bool(Bool)
        /// The integer 1.
        case one
        case double(Float)
        case float(Float)
        case token(String)
        case string(String)
        /// The name of a file in the same package.
        case asset(String)
        /// `def`, the only specifier in use.
        case definition
        /// A value that never changes.
        case uniform
        /// Items that replace items of weaker layers.
        case tokenList([String])
        /// Targets of a relationship or of a connection.
        case pathList([String])
        /// Names of children.
        case tokens([String])
        case vector3([SIMD3<Float>])
        case oneVector3(SIMD3<Float>)
        /// Little-endian elements of an array.
        case array(ElementType, count: Int, [UInt8])
    }

    /// The elements of an array, by their number in `crateDataTypes.h`.
    enum ElementType: UInt64 {
        case int32 = 3
        case vector2 = 20
        case vector3 = 24
    }

    /// A prim or a property.
    struct Item {
        /// The kind of item, by its number in `SdfSpecType`.
        enum Kind: UInt32 {
            case attribute = 1
            case prim = 6
            case root = 7
            case relationship = 8
        }

        var name: String
        var kind: Kind
        var fields: [(name: String, value: Value)] = []
        var children: [Item] = []

        /// A prim of a schema.
        static func prim(
            _ name: String, _ type: String, fields: [(name: String, value: Value)] = [], _ children: [Item]
        ) -> Item {
            Item(
                name: name, kind: .prim,
                fields: [("specifier", .definition), ("typeName", .token(type))] + fields, children: children)
        }

        /// An attribute with a value; `uniform` if it never changes.
        static func attribute(
            _ name: String, _ type: String, _ value: Value? = nil, isUniform: Bool = false,
            interpolation: String? = nil, connectedTo source: String? = nil
        ) -> Item {
            var fields: [(name: String, value: Value)] = [("typeName", .token(type))]
            if isUniform { fields.append(("variability", .uniform)) }
            if let interpolation { fields.append(("interpolation", .token(interpolation))) }
            if let source { fields.append(("connectionPaths", .pathList([source]))) }
            if let value { fields.append(("default", value)) }
            return Item(name: name, kind: .attribute, fields: fields)
        }

        /// A relationship to another prim.
        static func relationship(_ name: String, to target: String) -> Item {
            Item(
                name: name, kind: .relationship,
                fields: [("variability", .uniform), ("targetPaths", .pathList([target]))])
        }
    }
}

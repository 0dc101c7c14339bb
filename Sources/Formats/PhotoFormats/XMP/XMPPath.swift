/// The path to a value in XMP, through structures and arrays.
package struct XMPPath: Hashable, Sendable {
    /// One step of a path.
    package enum Step: Hashable, Sendable {
        /// Into a property or field, by namespace URI and name.
        case property(namespace: String, name: String)
        /// To an item of an array, starting at 0.
        case item(Int)
    }

    /// The steps from the top of the packet.
    package private(set) var steps: [Step] = []

    /// The path to a property.
    package init(_ namespace: String, _ name: String) {
        steps = [.property(namespace: namespace, name: name)]
    }

    /// The path extended to a field of a structure.
    package func field(_ namespace: String, _ name: String) -> XMPPath {
        appending(.property(namespace: namespace, name: name))
    }

    /// The path extended to an item of an array.
    package func item(_ index: Int) -> XMPPath { appending(.item(index)) }

    private func appending(_ step: Step) -> XMPPath {
        var path = self
        path.steps.append(step)
        return path
    }
}

extension XMPProperties {
    /// The value at a path; `nil` if missing.
    package subscript(path: XMPPath) -> XMPValue? {
        var value = XMPValue.structure(self)
        for step in path.steps {
            switch (step, value) {
            case (.property(let namespace, let name), .structure(let fields)):
                guard let next = fields[namespace, name] else { return nil }
                value = next
            case (.item(let index), .array(let items)):
                guard items.indices.contains(index) else { return nil }
                value = items[index]
            default: return nil
            }
        }
        return value
    }
}

package import Bytes
package import Embedded

/// An XMP packet with the range of every element and attribute, for changing some and keeping all other bytes.
package struct XMPDocument {
    /// An element.
    package struct Node {
        package var name: XMLName
        package var parent: Int?
        /// The start tag; the only tag of an element without content.
        package var startTag: Range<Int>
        /// The end tag; empty for a self-closing element.
        package var endTag: Range<Int>
        /// Attributes, and namespace declarations.
        package var attributes: [PlacedAttribute]

        /// The complete element.
        package var range: Range<Int> { startTag.lowerBound..<endTag.upperBound }
    }

    package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    package let bytes: [UInt8]
    package private(set) var nodes: [Node] = []
    private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

    /// Parses a packet. Throws if it is not well-formed or exceeds a limit.
    package init(_ packet: [UInt8], limits: DecodingLimits, at offset: Int) throws(ContainerError) {
        let packet = packet.withoutTrailingZeros
        bytes = packet
        guard !packet.isEmpty else { return }
        var open: [Int] = []
        var nodes: [Node] = []
        try parsePlacedXML(packet, limits: limits, at: offset, in: StructurePath("XMP")) {
            (event, tag) throws(ContainerError) in
            switch event {
            case .start(let name, let attributes):
                nodes.append(
                    Node(
                        name: name, parent: open.last, startTag: tag,
                        endTag: tag.upperBound..<tag.upperBound,
                        attributes: PlacedAttribute.all(attributes, in: tag, of: packet)))
                open.append(nodes.count - 1)
            case .text: break
            case .end:
                guard let index = open.popLast() else { return }
                if !tag.isEmpty { nodes[index].endTag = tag }
            }
        }
        self.nodes = nodes
    }

    // MARK: Queries

    /// The elements of a name, in document order.
    package func indices(of name: XMLName) -> [Int] { nodes.indices.filter { nodes[$0].name == name } }

    /// The elements directly in another one.
    package func children(of parent: Int) -> [Int] { nodes.indices.filter { nodes[$0].parent == parent } }

    /// The resource that the packet describes (`rdf:about`); empty for the file that contains it.
    package var resource: String {
        let description = nodes.first { $0.name == XMLName(Self.rdf, "Description") }
        let about = description?.attributes.first { $0.name?.local == "about" }
        return about?.text ?? ""
    }

    // MARK: Changes

    /// Whether there are changes.
    package var isChanged: Bool { !edits.isEmpty }

    /// Replaces a range.
    package mutating func replace(_ range: Range<Int>, with new: [UInt8] = []) { edits.append((range, new)) }

    /// Removes every element and attribute that satisfies a condition, and the namespace declarations that satisfy
    /// `declaration`.
    package mutating func remove(
        where condition: (XMLName) -> Bool, declarations declaration: (String) -> Bool = { _ in false }
    ) {
        var removed: Set<Int> = []
        for (index, node) in nodes.enumerated() {
            if let parent = node.parent, removed.contains(parent) {
                removed.insert(index)
            } else if condition(node.name) {
                removed.insert(index)
                replace(node.range)
            } else {
                for attribute in node.attributes
                where attribute.name.map(condition) ?? declaration(attribute.text) {
                    replace(attribute.range)
                }
            }
        }
    }

    /// Removes everything in namespaces with this prefix, declarations included.
    package mutating func remove(namespace: String) {
        remove(
            where: { $0.namespace.hasPrefix(namespace) }, declarations: { $0.hasPrefix(namespace) })
    }

    /// Adds a description after the last one. Throws if the element for descriptions is missing.
    package mutating func add(description: [UInt8]) throws(ContainerError) {
        guard let root = nodes.first(where: { $0.name == XMLName(Self.rdf, "RDF") }) else {
            throw ContainerError(
                .malformed(rule: "the photo's XMP has no rdf:RDF element to add to"), in: StructurePath("XMP")
            )
        }
        guard root.endTag.isEmpty else {
            return replace(root.endTag.lowerBound..<root.endTag.lowerBound, with: description)
        }
        let name = bytes[(root.startTag.lowerBound + 1)..<root.startTag.upperBound]
            .prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        let end = root.startTag.upperBound
        replace(
            end - 2..<end, with: Array(">\n".utf8) + description + Array("</".utf8) + name + Array(">".utf8))
    }

    /// The packet with all changes.
    package var serialized: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.bytes.count })
        var place = 0
        let ordered = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, edit) in ordered where edit.range.lowerBound >= place {
            output += bytes[place..<edit.range.lowerBound]
            output += edit.bytes
            place = edit.range.upperBound
        }
        return output + bytes[place...]
    }
}

internal import Embedded
internal import PhotoFormats

/// The directory of files after a photo, with changes. Items are removed; new ones are inserted before the first that is not
/// an image, such as the video of a motion photo, otherwise at the end.
struct DirectoryEditor {
    private let items: [ContainerDirectory.Item]
    private let starts: [Int]
    /// The bytes of all items after the photo in the file.
    let total: Int
    private let isInMain: Bool
    private let isDynamicDepth: Bool
    /// The elements of the items.
    private let elements: [Range<Int>]
    private let end: Int
    private var removed: Set<Int> = []
    private var appended: [(name: String, uri: String, length: Int)] = []

    /// `nil` if the packets do not have the directory in an editable form.
    init?(_ list: ContainerDirectory, main: XMPDocument, extended: XMPDocument) {
        let names = [DynamicDepthNames.container, DynamicDepthNames.laterContainer]
        for (document, isMain) in [(main, true), (extended, false)] {
            for container in names {
                guard let node = document.indices(of: XMLName(container, "Directory")).first,
                    let sequence = document.children(of: node).first,
                    document.nodes[sequence].name == XMLName(XMPDocument.rdf, "Seq")
                else { continue }
                let children = document.children(of: sequence)
                guard children.count == list.items.count, !document.nodes[sequence].endTag.isEmpty else {
                    continue
                }
                items = list.items
                (starts, total) = (list.starts, list.total)
                elements = children.map { document.nodes[$0].range }
                end = document.nodes[sequence].endTag.lowerBound
                isInMain = isMain
                isDynamicDepth = container == DynamicDepthNames.container
                return
            }
        }
        return nil
    }

    /// Whether a file that is not an image is after the photo.
    var hasVideo: Bool { items.dropFirst().contains { !$0.isImage && $0.length > 0 } }

    /// The name of the picture from before an effect was rendered into the photo.
    var originalURI: String? {
        items.first { ["android/original_image", "Original"].contains($0.name) }?.uri
    }

    private func index(ofItemAt offset: Int) -> Int? {
        items.indices.dropFirst().first { starts[$0] == offset && items[$0].length > 0 }
    }

    /// The end of the item at an offset from the photo's end; `nil` if there is no such item.
    func end(ofItemAt offset: Int) -> Int? {
        index(ofItemAt: offset).map { starts[$0] + items[$0].length + items[$0].padding }
    }

    /// Removes the item at an offset from the photo's end. Returns whether there is one.
    mutating func remove(itemAt offset: Int) -> Bool {
        guard let index = index(ofItemAt: offset) else { return false }
        removed.insert(index)
        return true
    }

    /// Inserts an item, and returns the offset from the photo's end, in the old file, where its bytes go.
    mutating func append(name: String, uri: String, length: Int) -> Int {
        appended.append((name, uri, length))
        return firstVideo.map { starts[$0] } ?? total
    }

    private var firstVideo: Int? {
        items.indices.dropFirst().first { !items[$0].isImage && items[$0].length > 0 }
    }

    /// Makes the changes in the packet with the directory.
    func write(main: inout XMPDocument, extended: inout XMPDocument) {
        if isInMain { write(to: &main) } else { write(to: &extended) }
    }

    private func write(to document: inout XMPDocument) {
        for index in removed { document.replace(elements[index]) }
        let place = firstVideo.map { elements[$0].lowerBound } ?? end
        let (container, item) =
            isDynamicDepth
            ? (DynamicDepthNames.container, DynamicDepthNames.item)
            : (DynamicDepthNames.laterContainer, DynamicDepthNames.laterItem)
        for new in appended {
            let names =
                isDynamicDepth
                ? "Item:DataURI=\"\(new.uri)\"" : "Item:Semantic=\"\(new.name)\" Item:URI=\"\(new.uri)\""
            let text = """
                <rdf:li xmlns:rdf="\(XMPDocument.rdf)" rdf:parseType="Resource">\
                <Container:Item xmlns:Container="\(container)" xmlns:Item="\(item)" \
                Item:Mime="image/png" Item:Length="\(new.length)" \(names)/></rdf:li>

                """
            document.replace(place..<place, with: Array(text.utf8))
        }
    }
}

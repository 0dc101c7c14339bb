internal import Bytes
internal import Scenes

/// The first page of an album: thumbnails of its photos with information on their planes, for filtering and sorting.
package struct AlbumPage: Sendable {
    /// The document, UTF-8.
    package let bytes: [UInt8]
    /// How many photos and recordings there are, for people.
    package let contents: String

    /// A photo of an album. Addresses are unescaped paths relative to the album's folder.
    package struct Photo: Sendable {
        let entry: AlbumEntry
        let page: String
        let thumbnail: String
        let depth: String?

        /// A photo that may have no small picture of its depth.
        package init(_ entry: AlbumEntry, page: String, thumbnail: String, depth: String?) {
            (self.entry, self.page, self.thumbnail, self.depth) = (entry, page, thumbnail, depth)
        }
    }

    /// A page of photos in this order.
    package init(title: String, _ photos: [Photo], options: PageOptions = PageOptions()) {
        let items = photos.map {
            $0.entry.item(
                page: $0.page.asAddress, thumbnail: $0.thumbnail.asAddress, depth: $0.depth?.asAddress)
        }
        let count = photos.count { $0.entry.samples > 0 }
        let recordings = photos.count { $0.entry.frames != nil }
        contents =
            Self.counted(photos.count - recordings, "photo")
            + (recordings > 0 ? " and \(Self.counted(recordings, "recording"))" : "")
        let facts = "\(contents), \(count) with depth"
        let values: [String: [UInt8]] = [
            "title": Array(title.asHeading.forPage.utf8), "facts": Array(facts.utf8),
            "photos": Array(items.joined().utf8),
        ]
        // Browsers disagree on whether a page and a picture on disk have the same origin.
        bytes = PageResources.album.document(
            values, options, running: ["album.js"], pictures: " 'self' file:")
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension String {
    /// A relative path as a relative address (RFC 3986 §4.2): bytes other than letters, digits, `-`, `.`, `_`, `~` and `/`
    /// are escaped.
    package var asAddress: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = fileNameBytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

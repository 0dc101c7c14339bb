import Foundation
import TestSupport
import Testing

/// A page that the tool wrote.
struct WrittenPage {
    let text: String
    /// The description of what the page shows.
    let scene: [String: Any]

    init(_ name: String, in folder: borrowing TemporaryFolder) throws {
        text = try folder.text(of: name)
        let data = Data(try #require(Self.block("scene", of: text)).utf8)
        scene = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private static func block(_ name: String, of page: String) -> String? {
        page.firstRange(of: "id=\"\(name)\">").map { String(page[$0.upperBound...].prefix { $0 != "<" }) }
    }

    /// The content of the data element with this name; `nil` if there is none.
    func block(_ name: String) -> String? { Self.block(name, of: text) }

    /// The picture in the data element with this name.
    func raster(_ name: String, in folder: borrowing TemporaryFolder) throws -> RasterFile {
        let bytes = try #require(block(name).flatMap { Data(base64Encoded: $0) })
        return try RasterFile(folder.write(bytes, to: "block.png"))
    }

    /// The first picture of the page.
    func photo(in folder: borrowing TemporaryFolder) throws -> RasterFile {
        let start = try #require(text.firstRange(of: "data:image/jpeg;base64,")).upperBound
        let bytes = try #require(Data(base64Encoded: String(text[start...].prefix { $0 != "\"" })))
        return try RasterFile(folder.write(bytes, to: "photo.jpg"))
    }
}

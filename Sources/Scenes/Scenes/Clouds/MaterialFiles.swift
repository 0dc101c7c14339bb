internal import Bytes

/// The files beside an OBJ file with a texture: `<stem>.mtl` and `<stem>-texture.jpg`.
///
/// OBJ and MTL files refer to them by name. In the stem, each byte that is not an ASCII letter, a digit, `.`, `_` or `-`
/// becomes `_`: readers end names at spaces, differ in taking escapes literally, and differ in encodings.
package struct MaterialFiles: Hashable, Sendable {
    /// The name of the material library.
    let libraryName: String
    /// The name of the picture.
    let textureName: String
    private let folder: String

    /// Names the files that go beside an OBJ file.
    package init(besideFile path: String) {
        folder = String(path.dropLast(path.lastPathComponent.count))
        let safe = path.pathStem.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        let text = String(decoding: safe, as: UTF8.self)
        (libraryName, textureName) = ("\(text).mtl", "\(text)-texture.jpg")
    }

    /// The path of the material library.
    package var libraryPath: String { folder + libraryName }

    /// The path of the picture.
    package var texturePath: String { folder + textureName }
}

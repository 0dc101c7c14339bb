import Bytes
import TestSupport

@testable import PhotoFormats

/// A hand-made JPEG photo with XMP and a trailer. Its pixels cannot be decoded.
struct GooglePhoto {
    /// The content of `rdf:Description`, elements only.
    var properties = ""
    /// The bytes after the image.
    var trailer: [UInt8] = []

    static let namespaces = [
        ("GDepth", "http://ns.google.com/photos/1.0/depthmap/"),
        ("GImage", "http://ns.google.com/photos/1.0/image/"),
        ("Container", "http://ns.google.com/photos/1.0/container/"),
        ("Item", "http://ns.google.com/photos/1.0/container/item/"),
        ("Device", "http://ns.google.com/photos/dd/1.0/device/"),
        ("Camera", "http://ns.google.com/photos/dd/1.0/camera/"),
        ("DepthMap", "http://ns.google.com/photos/dd/1.0/depthmap/"),
        ("ImagingModel", "http://ns.google.com/photos/dd/1.0/imagingmodel/"),
    ]

    /// A gray image with a meaningless scan.
    static func image(width: UInt8 = 8, height: UInt8 = 6, xmp: [UInt8] = []) -> [UInt8] {
        var head = hex("FFD8")
        if !xmp.isEmpty {
            let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp
            head += hex("FFE1") + bigEndian(payload.count + 2, 2) + payload
        }
        return head + hex("FFC0 000B 08 00") + [height] + hex("00") + [width] + hex("01 01 11 00")
            + hex("FFDA 0008 01 0100 00 3F 00 1234 FF00 56 FFD9")
    }

    /// A directory of the newer kind.
    static func directory(_ items: [(semantic: String, length: String, padding: String)]) -> String {
        let entries = [("Primary", "0", "0")] + items
        let list = entries.map { semantic, length, padding in
            "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='image/jpeg' Item:Semantic='\(semantic)' "
                + "Item:Length='\(length)' Item:Padding='\(padding)'/></rdf:li>"
        }
        return "<Container:Directory><rdf:Seq>\(list.joined())</rdf:Seq></Container:Directory>"
    }

    /// One camera with a depth map of 1 to 4 meters, and further properties.
    static func camera(_ more: String = "<DepthMap:Units>Meters</DepthMap:Units>", model: String = "")
        -> String
    {
        "<Device:Cameras><rdf:Seq><rdf:li rdf:parseType='Resource'><Camera:DepthMap rdf:parseType='Resource'>"
            + "<DepthMap:Format>RangeInverse</DepthMap:Format><DepthMap:Near>1</DepthMap:Near>"
            + "<DepthMap:Far>4</DepthMap:Far>\(more)</Camera:DepthMap>"
            + "<Camera:ImagingModel rdf:parseType='Resource'>\(model)</Camera:ImagingModel>"
            + "</rdf:li></rdf:Seq></Device:Cameras>"
    }

    var bytesOfFile: [UInt8] {
        let declarations = Self.namespaces.map { "xmlns:\($0.0)='\($0.1)'" }.joined(separator: " ")
        let packet =
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \(declarations)>"
            + properties + "</rdf:Description></rdf:RDF>"
        return Self.image(width: 16, height: 12, xmp: Array(packet.utf8)) + trailer
    }

    func parsed(_ limits: DecodingLimits = DecodingLimits()) throws -> any PhotoContainer {
        try parseContainer(MemorySource(bytesOfFile), limits: limits)
    }
}

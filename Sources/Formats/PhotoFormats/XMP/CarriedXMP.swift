package import Bytes
package import DepthTypes
internal import Embedded

/// A copy of a photo's XMP packet for a picture of the photo's upright pixels: all other bytes unchanged, without
/// descriptions of planes, offsets and payloads of the photo's file.
///
/// It omits depth, gain maps and mattes (Apple, Adobe), stereo, GDepth, GImage, GFocus, GAudio, Dynamic Depth, XDM,
/// GContainer, motion photos, and the link to extended XMP. `tiff:Orientation` becomes 1. If the photo was turned, it also
/// omits regions (`mwg-rs`) and sizes, since these refer to stored pixels. Throws if the packet is broken.
package func xmpForUprightCopy(
    _ packet: [UInt8], orientation: Orientation, limits: DecodingLimits, at offset: Int = 0
) throws(ContainerError) -> [UInt8] {
    let document = packet.withoutTrailingZeros
    guard !document.isEmpty else { return [] }
    var cutter = PacketCutter(document: document, rule: CarriedProperties(isTurned: orientation != .up))
    try parsePlacedXML(document, limits: limits, at: offset, in: StructurePath("XMP")) {
        (event, tag) throws(ContainerError) in
        cutter.receive(event, tag)
    }
    return cutter.result
}

/// The properties that are valid for another picture.
private struct CarriedProperties {
    let isTurned: Bool

    private static let leftOut = [
        "http://ns.google.com/photos/1.0/depthmap/", "http://ns.google.com/photos/1.0/image/",
        "http://ns.google.com/photos/1.0/focus/", "http://ns.google.com/photos/1.0/audio/",
        "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/dd/1.0/",
        "http://ns.xdm.org/photos/1.0/", "http://ns.apple.com/depthData/",
        "http://ns.apple.com/depthBlurEffect/",
        "http://ns.apple.com/portraitEffectsMatte/", "http://ns.apple.com/semanticSegmentationMatte/",
        "http://ns.apple.com/portraitLightingEffect/", "http://ns.apple.com/pixeldatainfo/",
        "http://ns.apple.com/HDRGainMap/", "http://ns.apple.com/image/", "http://ns.adobe.com/hdr-gain-map/",
    ]
    private static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
    static let tiff = "http://ns.adobe.com/tiff/1.0/"

    /// Whether everything in a namespace is omitted; its URI may have more parts (`…/container/item/`).
    func leavesOut(namespace: String) -> Bool {
        Self.leftOut.contains { namespace.hasPrefix($0) } || isTurned && namespace == Self.regions
    }

    func leavesOut(_ name: XMLName) -> Bool {
        switch name.namespace {
        case "http://ns.adobe.com/xmp/note/": name.local == "HasExtendedXMP"
        case "http://ns.google.com/photos/1.0/camera/":
            ["MicroVideo", "MotionPhoto", "SpecialTypeID", "Portrait"].contains { name.local.hasPrefix($0) }
        case Self.tiff: isTurned && (name.local == "ImageWidth" || name.local == "ImageLength")
        case "http://ns.adobe.com/exif/1.0/":
            isTurned && (name.local == "PixelXDimension" || name.local == "PixelYDimension")
        default: leavesOut(namespace: name.namespace)
        }
    }

    func isOrientation(_ name: XMLName) -> Bool { name == XMLName(Self.tiff, "Orientation") }
}

/// Removes elements and attributes from a document by their ranges of bytes.
private struct PacketCutter {
    private let document: [UInt8]
    private let rule: CarriedProperties
    private var kept: [UInt8] = []
    /// The end of the copied or omitted part of the document.
    private var place = 0
    private var depth = 0
    /// The depth of the element that is being omitted.
    private var cutDepth: Int?
    /// The depth of the element whose content becomes `1`.
    private var orientationDepth: Int?

    init(document: [UInt8], rule: CarriedProperties) {
        self.document = document
        self.rule = rule
        kept.reserveCapacity(document.count)
    }

    var result: [UInt8] { kept + document[place...] }

    mutating func receive(_ event: XMLEvent, _ tag: Range<Int>) {
        switch event {
        case .start(let name, let attributes):
            depth += 1
            guard cutDepth == nil, orientationDepth == nil else { return }
            if rule.leavesOut(name) {
                keep(upTo: tag.lowerBound)
                cutDepth = depth
            } else {
                edit(attributes, in: tag)
                if rule.isOrientation(name) {
                    keep(upTo: tag.upperBound)
                    orientationDepth = depth
                }
            }
        case .text: break
        case .end:
            if cutDepth == depth {
                place = tag.upperBound
                cutDepth = nil
            } else if orientationDepth == depth {
                if !tag.isEmpty { kept.append(UInt8(ascii: "1")) }
                place = tag.lowerBound
                orientationDepth = nil
            }
            depth -= 1
        }
    }

    private mutating func keep(upTo end: Int) {
        guard place < end else { return }
        kept += document[place..<end]
        place = end
    }

    private mutating func edit(_ attributes: [(name: XMLName, value: String)], in tag: Range<Int>) {
        for attribute in PlacedAttribute.all(attributes, in: tag, of: document) {
            guard let name = attribute.name else {
                if rule.leavesOut(namespace: attribute.text) { cut(attribute.range) }
                continue
            }
            if rule.leavesOut(name) {
                cut(attribute.range)
            } else if rule.isOrientation(name) {
                cut(attribute.value)
                kept.append(UInt8(ascii: "1"))
            }
        }
    }

    private mutating func cut(_ range: Range<Int>) {
        keep(upTo: range.lowerBound)
        place = range.upperBound
    }
}

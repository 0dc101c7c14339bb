internal import DepthTypes
package import PhotoWriting

/// A photo with a disparity plane and a portrait matte, any part of which can be damaged.
package struct DepthFile {
    /// An undamaged one.
    package init() {}

    /// The disparity plane's packet; `nil` for none.
    package var xmp: [UInt8]? = DepthFile.packet(low: "0.500000", high: "2.000000")
    /// The range in the SEI message of a HEIC; `nil` for no message.
    package var message: ClosedRange<Double>? = 0.25...1
    /// The size that a HEIC declares for the plane.
    package var declaredSize = (width: 192, height: 144)
    /// The type that a HEIC declares for the plane.
    package var type = "urn:mpeg:hevc:2015:auxid:2"
    /// Replaces the plane's item in a HEIC.
    package var plane: HEIFItem?
    /// A final change to a HEIC.
    package var change: (inout HEIFFileBuilder) -> Void = { _ in }

    package static let photo: ItemID = 1
    package static let matte: ItemID = 2
    package static let packet: ItemID = 3
    /// The plane's data comes last in the file.
    package static let disparity: ItemID = 4

    /// A packet with a range, if any, and more properties of the namespaces `apdi`, `depthData` and `blur`.
    package static func packet(low: String?, high: String?, more: String = "") -> [UInt8] {
        let range = [("Min", low), ("Max", high)].map { name, value in
            value.map { "<apdi:Float\(name)Value>\($0)</apdi:Float\(name)Value>" } ?? ""
        }
        return Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
            xmlns:depthData="http://ns.apple.com/depthData/1.0/"
            xmlns:blur="http://ns.apple.com/depthBlurEffect/1.0/">
            <apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType><apdi:NativeFormat>1751411059</apdi:NativeFormat>
            <apdi:IntMinValue>0</apdi:IntMinValue><apdi:IntMaxValue>255</apdi:IntMaxValue>\(range.joined())
            <depthData:Accuracy>absolute</depthData:Accuracy>\(more)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// An image item of a test image's plane.
    package static func item(
        _ coded: CodedPlane, size: (width: Int, height: Int)? = nil, _ more: [ItemProperty]
    )
        -> HEIFItem
    {
        let size = ItemProperty.imageSpatialExtents(
            width: UInt32(size?.width ?? coded.width), height: UInt32(size?.height ?? coded.height))
        return .hevcImage(
            nalUnits: coded.nalUnits, properties: [.hevcConfiguration(coded.configuration), size] + more)
    }

    /// The property that makes an item the disparity plane.
    package func planeType() throws -> ItemProperty {
        let subtype = try message.map {
            try DepthRepresentationEncoder(.disparity, dMin: $0.lowerBound, dMax: $0.upperBound)
                .auxiliarySubtype()
        }
        return try .auxiliaryType(type, subtype: subtype ?? [])
    }

    /// The file as HEIC.
    package func heic() throws -> [UInt8] {
        let coded = try CodedPlane.hevc(.disparity)
        let matteType = try ItemProperty.auxiliaryType("urn:com:apple:photo:2018:aux:portraiteffectsmatte")
        var file = HEIFFileBuilder()
        file.add(Self.item(coded, []), id: Self.photo)
        file.add(Self.item(try CodedPlane.hevc(.matte), [matteType]), id: Self.matte)
        if let xmp { file.add(.xmp(xmp), id: Self.packet) }
        file.add(
            try plane ?? Self.item(coded, size: declaredSize, [try planeType()]), id: Self.disparity)
        file.primaryItem = Self.photo
        file.addReference(.auxiliary, from: Self.disparity, to: [Self.photo])
        file.addReference(.auxiliary, from: Self.matte, to: [Self.photo])
        if xmp != nil { file.addReference(.contentDescription, from: Self.packet, to: [Self.disparity]) }
        change(&file)
        return try file.serialized()
    }

    /// The file as JPEG; a missing packet is an empty one.
    package func jpeg(photo: [UInt8]) throws -> [UInt8] {
        var file = MultiPictureJPEG(primary: .init(jpeg: photo))
        file.auxiliaries.append(.init(jpeg: try CodedPlane.jpeg(.disparity), xmp: xmp ?? Array("<x/>".utf8)))
        file.auxiliaries.append(.init(jpeg: try CodedPlane.jpeg(.matte)))
        return try file.serialized()
    }
}

import Bytes
import DepthTypes
import Embedded

@testable import PhotoFormats
@testable import RasterFormats
@testable import Scenes

extension Target {
    /// What stands inside of containers.
    static let metadata: [Target] = [
        Target(name: "xmp", run: readXMP) { file in
            guard let container = file.container, let packet = try? container.photoXMPPacket() else {
                return []
            }
            return ([packet.bytes] + file.packetsOfPlanes).filter { !$0.isEmpty }
        },
        Target(name: "google", run: readGooglePhoto) { file in
            guard let container = file.container, let packet = try? container.photoXMPPacket(),
                let behind = file.behindPhoto
            else { return [] }
            let packets = [packet.bytes] + [file.extendedPacket].compactMap(\.self)
            return packets.flatMap { packet in [packet + [0] + behind, packet] }
        },
        Target(name: "exif", run: readExif) { file in
            let block = file.container.flatMap { try? $0.photoExif().bytes } ?? []
            return ([block] + [file.multiPictureBlock].compactMap(\.self)).filter { !$0.isEmpty }
        },
        Target(name: "hevc", run: readHEVC) { file in file.parameterSets },
        Target(name: "records", run: readRecords) { file in
            guard let input = try? DepthScene(storedIn: MemorySource(file.bytes)) else { return [] }
            return [Array(input.record(path: file.name).serialized.utf8)] + recordSeeds
        },
    ]

    private static let recordSeeds: [[UInt8]] = [
        #"{"quantity": "disparity", "unit": "1/m", "minimum": 0.05, "maximum": 0.7, "unknown": null, "accuracy": "relative"}"#,
        #"{"intrinsics": {"fx": 150.0, "fy": 1.5e2, "cx": 60, "cy": 45, "width": 120, "height": 90}}"#,
        "cam0=[1758.23 0 953.34; 0 1758.23 552.29; 0 0 1]\ndoffs=0\nbaseline=111.53\nwidth=1920\nheight=1080\n",
    ].map { Array($0.utf8) }
}

private let limits = DecodingLimits()

/// A packet by itself: as properties, as what Apple's cameras say in it, and as what goes into another picture.
@Sendable private func readXMP(_ bytes: [UInt8]) {
    let path = StructurePath("XMP")
    let carried = try? xmpForUprightCopy(bytes, orientation: .right, limits: limits)
    do throws(ContainerError) {
        let properties = try XMPProperties(parsing: bytes, limits: limits, at: 0, in: path)
        let metadata = AppleAuxiliaryMetadata(properties, limits: limits, at: 0, in: path)
        _ = metadata.quantity
        for diagnostic in metadata.diagnostics { examine(.text("\(diagnostic)")) }
        promise(carried != nil, "XMP that can be read can be carried")
        if let carried, !carried.isEmpty {
            promise(
                (try? XMPProperties(parsing: carried, limits: limits, at: 0, in: path)) != nil,
                "XMP is carried as XML")
        }
    } catch {
        promise(carried == nil || bytes.allSatisfy { $0 == 0 }, "XMP that cannot be read is not carried")
        examine(error)
    }
}

/// A packet up to the first NUL, and what stands behind the photo: the packet is the photo's own XMP, then its extended
/// XMP, in two segments.
@Sendable private func readGooglePhoto(_ bytes: [UInt8]) {
    let end = bytes.firstIndex(of: 0) ?? bytes.count
    let (packet, behind) = (Array(bytes[..<end]), bytes[min(end + 1, bytes.count)...])
    if packet.count < 65_000 { readStructure(minimalJPEG([xmpSegment(packet)]) + behind) }
    readStructure(minimalJPEG(extendedXMPSegments(packet)) + behind)
}

/// The directories of an Exif block, which may be a multi-picture index as well.
@Sendable private func readExif(_ bytes: [UInt8]) {
    do throws(ContainerError) {
        let index = try MultiPictureIndex(parsing: bytes, at: 0, limits: limits)
        for entry in index.entries { promise(entry.offset >= 0 && entry.size >= 0, "sizes are not negative") }
    } catch {
        examine(error)
    }
    do throws(ContainerError) {
        let exif = try ExifInformation(parsing: bytes, at: 0, in: StructurePath("Exif"), limits: limits)
        for text in [exif.make, exif.model].compactMap(\.self) { examine(.text(text)) }
    } catch {
        examine(error)
    }
    do throws(ContainerError) {
        let carried = try exifForUprightCopy(bytes, width: 120, height: 90, limits: limits)
        promise(carried.count == bytes.count, "Exif is carried at its size")
        let exif = try? ExifInformation(parsing: carried, at: 0, in: StructurePath("Exif"), limits: limits)
        promise([nil, 1].contains(exif?.orientation), "carried Exif is upright")
    } catch {
        examine(error)
    }
}

/// A sequence parameter set.
@Sendable private func readHEVC(_ bytes: [UInt8]) {
    do throws(ContainerError) {
        let set = try SequenceParameterSet(parsing: bytes, at: 0, in: StructurePath("hvcC"))
        promise(set.codedWidth >= 0 && set.codedHeight >= 0, "a picture has no negative size")
    } catch {
        examine(error)
    }
}

/// JSON as files and sidecars hold it, and calibration in text.
@Sendable private func readRecords(_ bytes: [UInt8]) {
    do throws(ContainerError) {
        let json = try JSONValue(parsing: bytes, limits: limits)
        examine(json)
        if let camera = CameraCalibration(json) {
            promise(camera.width > 0 && camera.height > 0, "a camera has pixels")
        }
        if let record = SampleEncoding(json) {
            _ = record.value(ofCode: 1, highest: 255)
        }
    } catch {
        examine(error)
    }
    do throws(ContainerError) {
        _ = try StereoCalibration(parsing: bytes)
    } catch {
        examine(error)
    }
}

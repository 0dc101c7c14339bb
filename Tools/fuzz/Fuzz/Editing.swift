import Bytes
import DepthMaps
import DepthTypes
import HEVCEncoding
import PhotoBuilders
import PhotoEditing
import PhotoFormats
import PhotoWriting
import Scenes

extension Target {
    /// What writes: photos that depth is put into, and the lossless coder of planes.
    static let editing: [Target] = [
        // The first byte chooses the form, and whether samples are unknown; the rest is a photo.
        Target(name: "edit") { bytes in
            guard let choice = bytes.first else { return }
            edit(Array(bytes.dropFirst()), choice)
        } seeds: { file in
            guard file.isNamed(".jpg", ".mpo", ".heic") else { return [] }
            return [0, 1, 2, 3, 0x40, 0x41].map { [$0] + file.bytes }
        },
        // Width and height less 1, two bytes each, then samples; what is missing repeats.
        Target(name: "hevc-encoder") { bytes in
            encode(bytes)
        } seeds: { file in
            guard file.isNamed("plain.jpg") else { return [] }
            let samples = Array(file.bytes.dropFirst(600).prefix(500))
            return planeSizes.map { size in
                [size.width - 1, size.height - 1].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + samples
            }
        },
    ]
}

/// Around the sizes of blocks (8, 16, 32, 64), and the longest lines.
private let planeSizes: [(width: Int, height: Int)] = [
    (1, 1), (7, 9), (8, 8), (17, 15), (33, 31), (63, 65), (64, 64), (130, 66), (4096, 1), (1, 4096),
    (4095, 4),
]

private let limits = {
    var limits = DecodingLimits()
    limits[.pixels] = 1 << 20
    return limits
}()

/// A photo that can be read stays readable, with what was put in, and shows the same pixels.
private func edit(_ bytes: [UInt8], _ choice: UInt8) {
    guard let photo = try? DepthPhoto(MemorySource(bytes), limits: limits) else { return }
    let size = photo.description.orientation.size(
        width: photo.description.width, height: photo.description.height)
    let (width, height) = (max(1, size.width / 40), max(1, size.height / 40))
    let hasHoles = choice & 0x40 != 0
    let values = (0..<width * height).map { index -> Float in
        hasHoles && index % 5 == 1 ? .nan : 1 + Float(index % 97) / 50
    }
    let form = DepthForm.allCases[Int(choice) % DepthForm.allCases.count]
    var edit = PhotoEdit(form: form)
    edit.replaces = choice & 0x80 == 0
    let edited: [UInt8]
    do {
        let map = DepthMap(width: width, height: height, meters: values, scale: .absolute)
        edit.depth = try DecodedPlane(map).coded(form.adapted(DepthCoding()))
        edited = try edit.apply(to: bytes, limits: limits).bytes
    } catch {
        return examine(error)
    }
    do {
        let result = try DepthPhoto(MemorySource(edited), limits: limits)
        promise(result.planes.contains { $0.kind == .depth }, "what was put in is there")
        if let before = try? DepthPhoto(MemorySource(firstImage(of: bytes)), limits: limits).image() {
            promise(try result.image().pixels == before.pixels, "the photo's pixels are unchanged")
        } else {
            _ = try? result.image()
        }
        if hasHoles, form.holdsUnknown, edit.replaces {
            let found = try DepthScene(result).depth().meters
            promise(
                found.map { $0.isNaN } == values.map { $0.isNaN }, "what is unknown stays unknown")
        }
    } catch {
        broken("what was written can be read: \(error)")
    }
}

/// A photo without what follows the first image of a JPEG file. libjpeg-turbo takes a bad Huffman code for a zero while many bytes
/// follow, and reports it where few follow: whether a damaged photo can be read depends on how much of the file is decoded.
private func firstImage(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return bytes }
    var isInScan = false
    for index in bytes.indices.dropFirst() where bytes[index - 1] == 0xFF {
        isInScan = isInScan || bytes[index] == 0xDA
        if isInScan, bytes[index] == 0xD9 { return Array(bytes[...index]) }
    }
    return bytes
}

/// Decoding gives what was coded, by libde265.
private func encode(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    // Up to 4096 either way, and no more samples than take a moment with AddressSanitizer.
    let width = (Int(bytes[0]) << 8 | Int(bytes[1])) % 4096 + 1
    let height = min((Int(bytes[2]) << 8 | Int(bytes[3])) % 4096 + 1, max(1, (1 << 14) / width))
    let rest = bytes.dropFirst(4)
    let samples = (0..<width * height).map { rest[rest.startIndex + $0 % rest.count] }
    let picture = LosslessHEVCPicture(width: width, height: height, samples: samples)
    do {
        var file = HEIFFileBuilder()
        file.primaryItem = file.add(
            .hevcImage(
                nalUnits: picture.data,
                properties: [
                    .hevcConfiguration(picture.configuration),
                    .imageSpatialExtents(width: UInt32(width), height: UInt32(height)),
                ]))
        let image = try DepthPhoto(MemorySource(file.serialized())).image()
        guard case .uint8(let pixels) = image.pixels else { broken("8 bits stay 8 bits") }
        promise(pixels.map(\.green) == samples, "lossless HEVC is lossless")
    } catch {
        broken("what was coded decodes: \(error)")
    }
}

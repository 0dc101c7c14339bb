import Bytes

@testable import PhotoFormats
@testable import Scenes

extension Target {
    /// Whole files, as far as their structure goes.
    static let containers: [Target] = [
        container("jpeg") { $0.isNamed(".jpg", ".jps", ".mpo") },
        container("heif") { $0.isNamed(".heic", ".avif") },
        container("dng") { $0.isNamed(".dng") },
        container("jxl") { $0.isNamed(".jxl") },
    ]

    private static func container(
        _ name: String, _ takes: @escaping @Sendable (Picture) -> Bool
    ) -> Target {
        Target(name: name) { bytes in
            readStructure(bytes)
        } seeds: { file in
            takes(file) ? [file.bytes] : []
        }
    }
}

/// Opens a photo and decodes nothing.
func readStructure(_ bytes: [UInt8]) {
    do throws(ContainerError) {
        // The name makes a pair of any JPEG without another sign of one.
        let photo = try DepthPhoto(MemorySource(bytes), named: "photo.jps")
        examine(photo, byteCount: bytes.count)
    } catch {
        examine(error)
    }
}

package import Bytes
internal import DepthTypes
package import Embedded
internal import PhotoFormats

extension DepthPhoto {
    package func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        .info(
            path: path, container: format.rawValue, width: description.width, height: description.height,
            orientation: description.orientation,
            camera: (description.make, description.model, description.focalLength35mm),
            planes: planes.map { $0.record() }, stereo: description.stereo?.record ?? .null,
            trailers: trailers.map(\.record), warnings: (container.diagnostics + readErrors).map(describing))
    }
}

internal import Bytes
internal import DepthTypes
internal import Glibc

extension VendorDiscoveryTarget {
    /// Reports which values of planes are not distances, and which cameras cannot be right.
    mutating func describeDoubts() {
        for index in planes.indices {
            var plane = planes[index]
            remarkOnUnknownValues(of: plane)
            doubtCamera(of: &plane)
            planes[index] = plane
        }
    }

    private mutating func remarkOnUnknownValues(of plane: AuxiliaryPlane) {
        guard plane.kind.isDepth, plane.readError == nil, let mapping = plane.mapping,
            mapping.isDeclared, mapping.exceedsDistances
        else { return }
        let unit = mapping.quantity.unit
        diagnostics.append(
            .note(
                .unknownValues,
                "the \(plane.kind.rawValue) plane declares values from \(min(mapping.low, mapping.high).short) "
                    + "\(unit) on; those \(mapping.quantity == .depth ? "of 0 and less are unknown" : "below 0 are infinitely far")"
            ))
    }

    /// Compares the two focal lengths of a camera. Every phone has square pixels: if the lengths differ, Exif's focal length
    /// may show which one is right, and distances are not trusted.
    private mutating func doubtCamera(of plane: inout AuxiliaryPlane) {
        guard var camera = plane.calibration, camera.focalLengthX > 0, camera.focalLengthY > 0 else { return }
        let lengths = [camera.focalLengthX, camera.focalLengthY]
        guard abs(lengths[0] / lengths[1] - 1) > 0.02 else { return }
        var remark =
            "the camera's focal lengths differ: \(Float(lengths[0]).short) px across and "
            + "\(Float(lengths[1]).short) px down"
        let diagonal = hypot(Double(camera.width), Double(camera.height))
        let millimeters = photo.focalLength35mm ?? 0
        // Exif rounds to integer millimeters, and does not include a crop for stabilization.
        let stated = Double(millimeters) * diagonal / hypot(36, 24)
        let fitting = lengths.filter { abs($0 - stated) <= 0.05 * stated }
        if fitting.count == 1 {
            (camera.focalLengthX, camera.focalLengthY) = (fitting[0], fitting[0])
            plane.calibration = camera
            if plane.accuracy == .absolute { plane.accuracy = .relative }
            remark +=
                "; \(Float(fitting[0]).short) px agrees with Exif's \(millimeters) mm and is used for both"
        } else {
            remark += "; both are kept"
        }
        guard !diagnostics.contains(where: { $0.message == remark }) else { return }
        diagnostics.append(.warning(.doubtfulCamera, remark))
    }
}

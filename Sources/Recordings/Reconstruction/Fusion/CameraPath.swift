package import DepthTypes
package import Embedded
package import Recordings
package import Scenes

/// The camera's path in a recording, as a file.
package struct CameraPath: Sendable {
    private let recording: Recording
    private let indices: [Int]

    /// The path of the selected frames that have a pose.
    package init(_ recording: Recording, _ selection: FrameSelection) {
        self.recording = recording
        indices = selection.indices(in: recording).filter { recording.frames[$0].pose != nil }
    }

    /// A PLY file in text: a vertex for each frame, its time, and edges from each to the next.
    package var ply: [UInt8] {
        let edges = max(0, indices.count - 1)
        var text = """
            ply
            format ascii 1.0
            comment camera path in the coordinates of \(recording.worldName), meters
            element vertex \(indices.count)
            property float x
            property float y
            property float z
            property double time
            element edge \(edges)
            property int vertex1
            property int vertex2
            end_header

            """
        for index in indices {
            let frame = recording.frames[index]
            guard let place = frame.pose.map({ SIMD3<Float>($0.position) }) else { continue }
            text += "\(place.x) \(place.y) \(place.z) \(frame.time ?? 0)\n"
        }
        for index in 0..<edges { text += "\(index) \(index + 1)\n" }
        return Array(text.utf8)
    }

    /// nerfstudio's `transforms.json`: camera-to-world with axes as in OpenGL, pixel coordinates from a corner.
    ///
    /// Paths are relative to `folder`, which the file is written to: readers look for them from there.
    package func transforms(in folder: String) -> JSONValue {
        let frames = indices.map { index -> JSONValue in
            let frame = recording.frames[index]
            var fields: [(String, JSONValue)] = [("timestamp", .optional(frame.time))]
            if let name = recording.colorPath(of: frame, from: folder) {
                fields.insert(("file_path", .text(name)), at: 0)
            }
            if let name = recording.depthPath(of: frame, from: folder) {
                fields.append(("depth_file_path", .text(name)))
            }
            if let camera = recording.calibration(of: frame) { fields += camera.transformsFields }
            if let pose = frame.pose { fields.append(("transform_matrix", pose.transformMatrix)) }
            return .object(fields)
        }
        let lens = indices.lazy.compactMap { recording.calibration(of: recording.frames[$0])?.lens }.first
        var fields: [(String, JSONValue)] = [("camera_model", LensCoefficients.transformsModel(of: lens))]
        if let units = recording.unitsPerMeter {
            fields.append(("depth_unit_scale_factor", .number(1 / units)))
        }
        return .object(fields + [("frames", .array(frames))])
    }
}

extension CameraCalibration {
    /// The intrinsics and the lens in `transforms.json`: pixel coordinates from a corner.
    package var transformsFields: [(String, JSONValue)] {
        [
            ("fl_x", .number(focalLengthX)), ("fl_y", .number(focalLengthY)),
            ("cx", .number(principalPointX + 0.5)), ("cy", .number(principalPointY + 0.5)),
            ("w", .integer(width)), ("h", .integer(height)),
        ] + (lens.map { $0.transformsFields(upTo: reach) } ?? [])
    }

    /// The largest radius √((X/Z)² + (Y/Z)²) of its rays, at a corner of the picture.
    private var reach: Double {
        let (focal, center) = (SIMD2(focalLengthX, focalLengthY), SIMD2(principalPointX, principalPointY))
        let (right, bottom) = (Double(width - 1), Double(height - 1))
        return [SIMD2(0, 0), SIMD2(right, 0), SIMD2(0, bottom), SIMD2(right, bottom)].map { corner in
            let ray = lens?.ray(corner, focal: focal, center: center) ?? (corner - center) / focal
            return (ray * ray).sum().squareRoot()
        }.max() ?? 1
    }
}

extension LensCoefficients {
    /// The model of nerfstudio for a camera with this lens, or without one: Brush refuses `PINHOLE`.
    static func transformsModel(of lens: LensCoefficients?) -> JSONValue {
        .text(lens?.isFisheye == true ? "OPENCV_FISHEYE" : "OPENCV")
    }

    /// The coefficients of that model. It has no quotient of polynomials, so the polynomial that fits best up to a radius replaces
    /// it.
    fileprivate func transformsFields(upTo radius: Double) -> [(String, JSONValue)] {
        let fitted = polynomial(upTo: radius)
        let (k, p) = (fitted.radial, fitted.tangential)
        let last = isFisheye ? [("k4", radialBelow.x)] : [("p1", p.x), ("p2", p.y)]
        return ([("k1", k.x), ("k2", k.y), ("k3", k.z)] + last).map { ($0, .number($1)) }
    }
}

extension CameraPose {
    /// The pose in `transforms.json`: camera-to-world with axes as in OpenGL, row by row.
    package var transformMatrix: JSONValue {
        let pose = stored(in: .cameraToWorldOpenGL)
        let rows = (0..<3).map { row in
            JSONValue.numbers([pose.right[row], pose.down[row], pose.forward[row], pose.position[row]])
        }
        return .array(rows + [.numbers([0, 0, 0, 1])])
    }
}

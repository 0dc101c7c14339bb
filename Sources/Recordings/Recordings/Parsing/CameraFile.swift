internal import Bytes
internal import DepthTypes
internal import Scenes

extension CameraFile {
    private static let textNames = [
        "calibration.txt", "camera-intrinsics.txt", "camera_intrinsics.txt", "intrinsics.txt", "cam_K.txt",
        "camera.txt",
    ]
    /// A folder with more JSON files has one for each frame.
    private static let mostFiles = 16
    private static let mostBytes = 1 << 16

    /// The first such file of a folder, by name; `nil` without one. Damaged JSON files are reported.
    init?(in folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft) {
        let names = folder.files.filter { $0.hasSuffix(".json") }.prefix(Self.mostFiles)
        for name in names where folder.size(of: name) < Self.mostBytes {
            do throws(ContainerError) {
                guard let camera = CameraFile(try folder.json(name, limits)) else { continue }
                self = camera
                return
            } catch {
                draft.diagnostics.append(Diagnostic(error, .unreadableLines, name))
            }
        }
        for name in Self.textNames where folder.holds(name) && folder.size(of: name) < Self.mostBytes {
            guard let numbers = try? folder.numbers(name, limits), let camera = CameraFile(numbers)
            else {
                continue
            }
            self = camera
            return
        }
        return nil
    }
}

extension RecordingDraft {
    /// Uses a camera that a file beside the frames describes, and the unit of the depth if the file states it.
    mutating func use(_ camera: CameraFile) {
        (intrinsics, cameraFrame, cameraOrigin) = (camera.intrinsics, camera.size, .file)
        guard let units = camera.unitsPerMeter else { return }
        (coding.depth.unitsPerMeter, coding.depth.isUnitCertain) = (units, true)
    }
}

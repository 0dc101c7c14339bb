internal import Isobath
internal import Recordings

/// What an input of the command line turned out to be.
enum PhotoOrRecording {
    /// A photo or a raster.
    case input(DepthInput)
    /// A recording.
    case recording(Recording)
}

/// Opens an input that may be a photo, a raster or a recording. What is neither has the error of a photo.
func openPhotoOrRecording(
    _ path: String, reading: RasterInterpretation, limits: DecodingLimits
) throws -> PhotoOrRecording {
    do {
        return .input(try openInput(path, reading: reading, limits: limits))
    } catch let error as ContainerError where path != "-" && error.mayBeRecording {
        return .recording(
            try openRecording(path, reading: RecordingReading(reading), limits: limits, else: error))
    }
}

/// Opens a recording; what is none has the `error` that it had as a photo.
func openRecording(
    _ path: String, reading: RecordingReading, limits: DecodingLimits, else error: ContainerError
) throws -> Recording {
    do {
        return try Recording(contentsOf: path, reading: reading, limits: limits)
    } catch let other as ContainerError where other == Recording.unrecognized {
        throw error
    }
}

extension ContainerError {
    /// Whether what is no photo may be a recording: a folder, or a file of an unknown kind.
    var mayBeRecording: Bool {
        switch reason {
        case .folder, .unrecognized, .possiblyHeaderless: true
        default: false
        }
    }
}

extension RecordingReading {
    /// What the flags for rasters say of a recording.
    init(_ reading: RasterInterpretation) {
        self.init()
        unitsPerMeter = reading.scale
        focalLength = reading.focalLength
        principalPoint = reading.principalPoint.map { SIMD2($0.x, $0.y) }
    }
}

package import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// Decodes frames of a recording, in any order. Reuses its memory from frame to frame; use one per thread.
package struct FrameDecoder {
    let recording: Recording
    var lzfse = LZFSEDecoder()
    /// The stored bytes of a part.
    var coded: [UInt8] = []
    var unpacked: [UInt8] = []
    /// Samples of a PNG file.
    var codes8: [UInt8] = []
    var codes16: [UInt16] = []
    /// How many samples of the last depth map are stored of each kind.
    var counts = SampleCounts()
    /// Determined when the first matte is read.
    var matteScale: MatteScale?
    var memory = StoreMemory()
    /// Depth as measured, before registration to the pictures' view.
    var measured = FramePlane<Float>()
    /// A frame of a movie before it is split, or its depth is registered.
    var scratch = FramePlanes()
    var turning = FrameTurning()
    private var registration: DepthRegistration?
    /// How frames are seen by the camera that measured the depth; `nil` for the pictures' view.
    private let surface: SurfaceView.Lens?
    private var projection: SurfaceProjection?

    /// A decoder for frames of a recording, in the pictures' view or as the camera sees them that measured the depth.
    init(_ recording: Recording, surface: SurfaceView.Lens? = nil) {
        self.surface = surface
        // Its recording must not refer to a reader, which refers to a decoder.
        self.recording = recording.copy
    }

    /// Decodes planes of the frame at an index of ``Recording/frames``, at their stored sizes and orientation, into an empty frame.
    ///
    /// Frames of a movie are decoded in order: going back opens it again. Throws as ``readFiles(_:ofFrameAt:colorAtLeast:into:)``
    /// does, or ``MovieError``. Planes in separate files are decoded all the same if those in a movie cannot be.
    mutating func read(
        _ planes: Set<PlaneID>, ofFrameAt index: Int, into frame: inout FramePlanes
    ) throws {
        let movie = Result {
            if let part = recording.frames[index].movie { try readMovie(planes, of: part, into: &frame) }
        }
        try readFiles(planes, ofFrameAt: index, into: &frame)
        try movie.get()
    }

    /// Brings a decoded frame to the view of the camera that measured its depth, unless that is the pictures' view.
    mutating func bringToSurface(
        _ frame: inout FramePlanes, ofFrameAt index: Int
    ) throws(ContainerError) {
        guard let view = recording.surfaceView(of: recording.frames[index], surface) else { return }
        if projection?.view != view {
            let (size, measured) = (view.size, view.measured)
            let count = try recording.limits.pixelCount(width: size.width, height: size.height)
            let other = try recording.limits.pixelCount(width: measured.width, height: measured.height)
            try recording.limits.checkMemory(
                pixels: max(count, other), bytesPerPixel: SurfaceView.bytesPerSample)
            projection = SurfaceProjection(view)
        }
        projection?.apply(to: &frame)
    }

    /// Decodes planes that are in no movie, and leaves others unchanged.
    ///
    /// With `colorSize`, the color picture may be reduced to at least that size, if that is faster. Throws ``ContainerError``, with
    /// the name of the file, if something cannot be decoded.
    mutating func readFiles(
        _ planes: Set<PlaneID>, ofFrameAt index: Int, colorAtLeast colorSize: PixelSize? = nil,
        into frame: inout FramePlanes
    ) throws(ContainerError) {
        let item = recording.frames[index]
        if planes.contains(.depth), let part = item.depth {
            defer { frame.counts = counts }
            try inFile(of: part) { (decoder) throws(ContainerError) in
                guard let registration = try decoder.prepareRegistration() else {
                    return try decoder.readDepth(part, into: &frame.depth)
                }
                var measured = FramePlane<Float>()
                swap(&measured, &decoder.measured)
                defer { swap(&measured, &decoder.measured) }
                try decoder.readDepth(part, into: &measured)
                try registration.check(measured)
                registration.register(measured, into: &frame.depth)
            }
        }
        if planes.contains(.confidence), let part = item.confidence {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readConfidence(part, into: &frame.confidence)
            }
        }
        if planes.contains(.matte), let part = item.matte {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readMatte(part, into: &frame.matte)
            }
        }
        if planes.contains(.picture), let part = item.color {
            try inFile(of: part) { (decoder) throws(ContainerError) in
                try decoder.readColor(part, atLeast: colorSize, into: &frame.color)
            }
        }
    }

    /// The bytes of the recording's sound, if it is stored beside the frames.
    package mutating func sound() throws(ContainerError) -> [UInt8]? {
        guard let part = recording.sound else { return nil }
        try load(part)
        return coded
    }

    /// Adds the name of the file to errors of `body`.
    private mutating func inFile(
        of part: any FramePart, _ body: (inout FrameDecoder) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        do throws(ContainerError) {
            try body(&self)
        } catch {
            throw part.name.map(error.inFile) ?? error
        }
    }

    /// Reads the stored bytes of a part into ``coded``.
    mutating func load(_ part: any FramePart) throws(ContainerError) {
        try part.read(into: &coded, &memory, recording.limits)
    }

    /// The registration of depth to the pictures' view, created on first use; `nil` if depth is in that view already.
    mutating func prepareRegistration() throws(ContainerError) -> DepthRegistration? {
        guard registration == nil, let wanted = recording.coding.registration,
            surface == nil || recording.cameraOrigin == .given
        else { return registration }
        // A ray for each sample, and samples before and after.
        let count = try recording.limits.pixelCount(width: wanted.depth.width, height: wanted.depth.height)
        try recording.limits.checkMemory(pixels: count, bytesPerPixel: 24)
        registration = DepthRegistration(wanted.cameras, depth: wanted.depth, color: wanted.color)
        return registration
    }
}

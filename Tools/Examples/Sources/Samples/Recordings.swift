import Isobath

// The code of the last three examples of the article. Tools/Examples/run compares.

func readFrames() throws {
    let recording = try Recording(contentsOf: "room")
    print("\(recording.frameCount) frames, \(recording.poses.count { $0 != nil }) with a pose")
    for frame in recording.frames(from: 0, to: 5) {
        let time = frame.description.time ?? 0
        print("\(time) s: nearest at \(try frame.depth().meters.filter(\.isFinite).min() ?? .nan) m")
    }
}

func fuse() throws {
    let recording = try Recording(contentsOf: "room")
    var options = FusionOptions(voxelSize: 0.02)
    options.far = 5
    let room = try recording.fused(options)
    try room.write(to: "room.ply")
}

func writeMovie() throws {
    let recording = try Recording(contentsOf: "room")
    try MovieWriter.write(to: "soft.gif", rate: 15) { movie in
        for frame in recording.frames() { try movie.append(frame.blurred(), at: frame.description.time) }
    }
}

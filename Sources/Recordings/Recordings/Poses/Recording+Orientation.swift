package import DepthTypes

extension RecordingLayout {
    /// The upward direction in the world of its poses, if that is aligned with gravity (ARKit: y, ARKitScenes: z, TartanAir: −y);
    /// `nil` for an arbitrary world.
    var up: SIMD3<Double>? {
        switch self {
        case .strayScanner, .record3DArchive, .record3DFolder, .scannerApp, .polycam, .nerfCapture,
            .multiScan:
            SIMD3(0, 1, 0)
        case .arkitScenes: SIMD3(0, 0, 1)
        case .tartanAir: SIMD3(0, -1, 0)
        default: nil
        }
    }
}

extension Recording {
    /// The orientation that turns all frames upright: the orientation of most frames, by gravity, in quarter turns.
    /// `nil` if undetermined, as when the camera always looked down.
    package var orientation: Orientation? {
        guard let up else { return nil }
        var votes = [0, 0, 0, 0]
        // A thousand frames suffice.
        for index in stride(from: 0, to: frames.count, by: max(1, frames.count / 1000)) {
            guard let pose = frames[index].pose, let turns = pose.quarterTurns(up: up) else { continue }
            votes[turns] += 1
        }
        guard let most = votes.max(), most > 0, let turns = votes.firstIndex(of: most) else { return nil }
        return Orientation(quarterTurnsAnticlockwise: 4 - turns)
    }
}

extension CameraPose {
    /// The clockwise quarter turns that turn a picture upright; `nil` if the camera looks more up or down than ahead.
    func quarterTurns(up: SIMD3<Double>) -> Int? {
        let (x, y) = ((up * right).sum(), (up * down).sum())
        guard x * x + y * y > 0.25 else { return nil }
        if abs(y) >= abs(x) { return y < 0 ? 0 : 2 }
        // Up is on the left: a clockwise turn brings it to the top.
        return x < 0 ? 1 : 3
    }

    /// The pose of a camera that is turned together with its picture, clockwise by quarter turns.
    package func turned(quarters: Int) -> CameraPose {
        var pose = self
        switch quarters % 4 {
        case 1: (pose.right, pose.down) = (-down, right)
        case 2: (pose.right, pose.down) = (-right, -down)
        case 3: (pose.right, pose.down) = (down, -right)
        default: break
        }
        return pose
    }

    /// The pose of a camera in the axes of another one, if both are turned together with their pictures.
    func turnedRelative(quarters: Int) -> CameraPose {
        CameraPose.identity.turned(quarters: quarters).inverse.appending(turned(quarters: quarters))
    }
}

extension Orientation {
    /// Clockwise quarter turns; 0 for orientations that also mirror.
    package var quarterTurns: Int {
        switch self {
        case .right: 1
        case .down: 2
        case .left: 3
        default: 0
        }
    }
}

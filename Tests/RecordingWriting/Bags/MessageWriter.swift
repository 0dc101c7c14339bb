package import DepthTypes

/// Writes the fields of a message of ROS, in either serialization.
package struct MessageWriter {
    package enum Encoding: Sendable {
        case ros1
        case cdr(isBigEndian: Bool)
    }

    package private(set) var bytes: [UInt8] = []
    private let encoding: Encoding

    package init(_ encoding: Encoding) {
        self.encoding = encoding
        if case .cdr(let isBigEndian) = encoding { bytes = [0, isBigEndian ? 0 : 1, 0, 0] }
    }

    private var isROS1: Bool { if case .ros1 = encoding { true } else { false } }

    package mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        let size = Number.bitWidth / 8
        // CDR counts from behind its first 4 bytes.
        while !isROS1, (bytes.count - 4) % size != 0 { bytes.append(0) }
        let little = (0..<size).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
        if case .cdr(isBigEndian: true) = encoding { bytes += little.reversed() } else { bytes += little }
    }

    package mutating func add(_ numbers: [Double]) { for number in numbers { add(number.bitPattern) } }

    package mutating func add(_ text: String) {
        let text = Array(text.utf8) + (isROS1 ? [] : [0])
        add(UInt32(text.count))
        bytes += text
    }

    /// A sequence of bytes.
    package mutating func addBytes(_ content: [UInt8]) {
        add(UInt32(content.count))
        bytes += content
    }

    /// `std_msgs/Header`.
    package mutating func addHeader(_ time: Double, _ frame: String) {
        if isROS1 { add(UInt32(1)) }
        let seconds = time.rounded(.down)
        add(UInt32(seconds))
        add(UInt32(((time - seconds) * 1e9).rounded()))
        add(frame)
    }

    /// A position and a quaternion x, y, z, w.
    package mutating func add(_ pose: CameraPose) {
        add(pose.translation)
        let r = pose.rotation
        add(RoomScene.quaternion((0..<3).map { Array(r[3 * $0..<3 * $0 + 3]) + [0] }))
    }
}

/// A message of a bag.
package struct RecordedMessage: Sendable {
    package var topic: String
    /// The type as in ROS 1.
    package var type: String
    /// The time of recording, in seconds.
    package var time: Double
    package var write: @Sendable (inout MessageWriter) -> Void

    package init(
        _ topic: String, _ type: String, at time: Double = 0,
        _ write: @escaping @Sendable (inout MessageWriter) -> Void
    ) {
        (self.topic, self.type, self.time, self.write) = (topic, type, time, write)
    }

    /// The message in a serialization.
    package func bytes(_ encoding: MessageWriter.Encoding) -> [UInt8] {
        var writer = MessageWriter(encoding)
        write(&writer)
        return writer.bytes
    }

    /// `sensor_msgs/Image` of a time of the camera's clock. Rows have equal parts of `pixels`.
    package static func image(
        _ topic: String, _ encoding: String, _ size: PixelSize, _ pixels: [UInt8], time: Double,
        frame: String = "0", isBigEndian: Bool = false, at recorded: Double = 0
    ) -> RecordedMessage {
        RecordedMessage(topic, "sensor_msgs/Image", at: recorded) { writer in
            writer.addHeader(time, frame)
            writer.add(UInt32(size.height))
            writer.add(UInt32(size.width))
            writer.add(encoding)
            writer.add(UInt8(isBigEndian ? 1 : 0))
            writer.add(UInt32(pixels.count / size.height))
            writer.addBytes(pixels)
        }
    }

    /// `sensor_msgs/CompressedImage`
    package static func compressed(
        _ topic: String, _ format: String, _ content: [UInt8], time: Double, frame: String = "0"
    ) -> RecordedMessage {
        RecordedMessage(topic, "sensor_msgs/CompressedImage", at: time) { writer in
            writer.addHeader(time, frame)
            writer.add(format)
            writer.addBytes(content)
        }
    }

    /// `sensor_msgs/CameraInfo`. `rectified` is the focal length of P.
    package static func camera(
        _ topic: String, _ focalLength: Double, _ size: PixelSize, model: String = "plumb_bob",
        _ lens: [Double] = [0, 0, 0, 0, 0], rectified: Double? = nil, frame: String = "0"
    ) -> RecordedMessage {
        let (cx, cy) = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
        let other = rectified ?? focalLength
        return RecordedMessage(topic, "sensor_msgs/CameraInfo") { writer in
            writer.addHeader(0, frame)
            writer.add(UInt32(size.height))
            writer.add(UInt32(size.width))
            writer.add(model)
            writer.add(UInt32(lens.count))
            writer.add(lens)
            writer.add([focalLength, 0, cx, 0, focalLength, cy, 0, 0, 1])
            writer.add([1, 0, 0, 0, 1, 0, 0, 0, 1])
            writer.add([other, 0, cx, 0, 0, other, cy, 0, 0, 0, 1, 0])
            for _ in 0..<6 { writer.add(UInt32(0)) }
            writer.add(UInt8(0))
        }
    }

    /// `tf2_msgs/TFMessage` of one transform.
    package static func transform(
        _ topic: String, _ pose: CameraPose, of child: String, in parent: String, time: Double
    ) -> RecordedMessage {
        RecordedMessage(topic, "tf2_msgs/TFMessage", at: time) { writer in
            writer.add(UInt32(1))
            writer.addHeader(time, parent)
            writer.add(child)
            writer.add(pose)
        }
    }

    /// `nav_msgs/Odometry`, or `geometry_msgs/PoseStamped` without a child.
    package static func body(
        _ topic: String, _ pose: CameraPose, of child: String?, time: Double
    ) -> RecordedMessage {
        RecordedMessage(
            topic, child == nil ? "geometry_msgs/PoseStamped" : "nav_msgs/Odometry", at: time
        ) { writer in
            writer.addHeader(time, "world")
            if let child { writer.add(child) }
            writer.add(pose)
            if child != nil { writer.add([Double](repeating: 0, count: 36 + 6 + 36)) }
        }
    }
}

/// A topic of a bag: a name under which messages of one type are recorded.
package struct BagTopic: Hashable, Sendable {
    /// The use of a topic in a recording. The raw value is its name in JSON.
    package enum Role: String, Sendable {
        case depth
        case color
        case poses
    }

    /// The name, as in `/camera/depth/image_raw`.
    package let name: String
    /// The type of its messages as in ROS 1, such as `sensor_msgs/Image`; empty if the bag stores no type.
    package let type: String
    /// How its messages are serialized.
    let encoding: MessageEncoding
    /// How many messages there are.
    package internal(set) var count = 0
    /// The times of recording of the first and the last message, in seconds on the recorder's clock.
    private var (first, last) = (Double.infinity, -Double.infinity)
    /// What the recording uses it for; `nil` if it does not.
    package internal(set) var role: Role?

    init(_ name: String, type: String, encoding: MessageEncoding) {
        self.name = name
        // ROS 2 has sensor_msgs/msg/Image.
        self.type = type.split(separator: "/", omittingEmptySubsequences: false).filter { $0 != "msg" }
            .joined(separator: "/")
        self.encoding = encoding
    }

    /// Counts a message.
    mutating func add(at time: Double) {
        count += 1
        (first, last) = (min(first, time), max(last, time))
    }

    /// Messages a second, from the first to the last; `nil` for fewer than two, and if all have one time.
    package var rate: Double? {
        let seconds = last - first
        return count > 1 && seconds > 0 && seconds.isFinite ? Double(count - 1) / seconds : nil
    }

    /// Whether it is the option of RealSense's recorder for the unit of depth.
    var isDepthUnits: Bool {
        ["/option/Depth Units/value", "/option/Depth_Units/value"].contains(where: name.hasSuffix)
    }

    /// The parts of the name.
    var path: [Substring] { name.split(separator: "/") }
}

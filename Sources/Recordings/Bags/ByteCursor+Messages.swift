internal import ByteParsing

extension ByteCursor {
    /// Reads the header of many messages (`std_msgs/Header`), and returns its time in seconds.
    @_lifetime(self: copy self)
    mutating func readStampedHeader() throws(ContainerError) -> Double {
        try skip(4)
        let time = Double(try readUInt32()) + Double(try readUInt32()) / 1e9
        try skip(try readUInt32())
        return time
    }

    /// Reads a text with its length.
    @_lifetime(self: copy self)
    mutating func readText() throws(ContainerError) -> String {
        String(decoding: try readBytes(try readUInt32()), as: UTF8.self)
    }

    /// Reads Float64 numbers without validation.
    @_lifetime(self: copy self)
    mutating func readDoubles(_ count: Int) throws(ContainerError) -> [Double] {
        var numbers: [Double] = []
        for _ in 0..<count { numbers.append(Double(bitPattern: try read())) }
        return numbers
    }
}

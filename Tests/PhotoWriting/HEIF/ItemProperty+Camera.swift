@testable package import PhotoWriting

extension ItemProperty {
    /// `cmin`: a camera's focal length and principal point, as fractions of the image's width and height, with 30 fractional
    /// bits (ISO/IEC 23008-12, third edition).
    package static func cameraIntrinsics(
        focalLength: Double, principalPoint: SIMD2<Double>
    ) throws(ContainerWritingError) -> ItemProperty {
        var writer = ByteWriter()
        writer.append(UInt32(30 << 8))
        for value in [focalLength, principalPoint.x, principalPoint.y] {
            guard let scaled = Int32(exactly: (value * 1_073_741_824).rounded()) else {
                throw .notRepresentable(field: "cmin", value: "\(value)")
            }
            writer.append(scaled)
        }
        return ItemProperty(type: "cmin", payload: writer.bytes, isEssential: false)
    }

    /// `cmex`: the camera's position to the right, in micrometers; it omits the other coordinates.
    package static func cameraPosition(micrometers: Int32) -> ItemProperty {
        var writer = ByteWriter()
        writer.append(UInt32(micrometers == 0 ? 0 : 1))
        if micrometers != 0 { writer.append(micrometers) }
        return ItemProperty(type: "cmex", payload: writer.bytes, isEssential: false)
    }
}

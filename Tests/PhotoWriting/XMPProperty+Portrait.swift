@testable package import PhotoWriting

extension XMPProperty {
    /// The f-number that the camera's portrait mode simulated.
    package static func simulatedAperture(_ fNumber: Double) throws(ContainerWritingError) -> XMPProperty {
        let text = try DecimalText.sixDecimals(fNumber, field: "depthBlurEffect:SimulatedAperture")
        return XMPProperty(.depthBlurEffect, "SimulatedAperture", .text(text))
    }

    /// The camera's blur parameters, as base64 text that is passed on unchanged: its contents are private.
    package static func renderingParameters(base64 text: String) -> XMPProperty {
        XMPProperty(.depthBlurEffect, "RenderingParameters", .text(text))
    }
}

internal import CLCMS
package import DepthMaps

extension TransferFunction {
    /// The curve of an RGB profile that consists of three curves and a matrix (ICC.1, "three-component matrix-based"); an
    /// empty array means sRGB.
    ///
    /// `nil` if the profile has another form or cannot be read, if its channels differ by more than 1/255, or if its curve
    /// does not rise from 0 to 1.
    package init?(profile: [UInt8]) {
        guard !profile.isEmpty else {
            self = .sRGB
            return
        }
        guard let opened = try? ColorProfile(profile), unsafe cmsIsMatrixShaper(opened.handle) != 0 else {
            return nil
        }
        let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap {
            Self.curve($0, in: opened)
        }
        guard curves.count == 3, Self.agree(curves), let light = Self.rising(curves[1]) else { return nil }
        self.init(light: light)
    }

    private static func curve(_ tag: cmsTagSignature, in profile: borrowing ColorProfile) -> [Float]? {
        guard let curve = unsafe cmsReadTag(profile.handle, tag) else { return nil }
        let samples = sRGB.light.count
        return (0..<samples).map {
            // SAFETY: tags with these signatures are tone curves, whatever their type in the file.
            unsafe cmsEvalToneCurveFloat(OpaquePointer(curve), Float($0) / Float(samples - 1))
        }
    }

    private static func agree(_ curves: [[Float]]) -> Bool {
        curves[1].indices.allSatisfy {
            abs(curves[0][$0] - curves[1][$0]) <= 1 / 255 && abs(curves[2][$0] - curves[1][$0]) <= 1 / 255
        }
    }

    /// The samples with exact ends; `nil` if they fall, or if an end is off by more than 1/255.
    private static func rising(_ samples: [Float]) -> [Float]? {
        guard let first = samples.first, let last = samples.last, abs(first) <= 1 / 255,
            abs(last - 1) <= 1 / 255
        else { return nil }
        var light = samples
        light[0] = 0
        light[light.count - 1] = 1
        for index in light.indices.dropFirst() where !(light[index] >= light[index - 1] && light[index] <= 1)
        {
            return nil
        }
        return light
    }
}

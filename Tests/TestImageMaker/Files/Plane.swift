import PhotoBuilders
import PhotoWriting

/// An auxiliary image: samples, and what both containers say about them.
struct Plane {
    var raster: Raster
    /// The `auxC` type.
    var urn: String
    /// The `auxC` subtype.
    var subtype: [UInt8] = []
    var packet: XMPPacketBuilder
}

extension Plane {
    static let disparityRange = 0.04998779296875...0.708984375
    static let distanceRange = 1.4091796875...20.0

    static func disparity(_ posture: Posture) throws -> Plane {
        let range = disparityRange
        let info = PixelDataInfo(
            auxiliaryImageType: "disparity", nativeFormat: "hdis", codeRange: 0...255, valueRange: range)
        let data = DepthDataInfo(accuracy: .relative, calibration: posture.calibration)
        let raster = Render.plane(width: reduced(192), height: reduced(144), Render.disparityShare)
        let meaning = DepthRepresentationEncoder(.disparity, dMin: range.lowerBound, dMax: range.upperBound)
        return Plane(
            raster: posture.stored(raster), urn: "urn:mpeg:hevc:2015:auxid:2",
            subtype: try meaning.auxiliarySubtype(),
            packet: XMPPacketBuilder(try data.properties() + info.properties() + [.simulatedAperture(4.5)]))
    }

    static func distance(_ posture: Posture) throws -> Plane {
        let range = distanceRange
        let info = PixelDataInfo(
            auxiliaryImageType: "depth", nativeFormat: "hdep", codeRange: 0...255, valueRange: range)
        let data = DepthDataInfo(accuracy: .absolute, calibration: posture.calibration)
        let raster = Render.plane(width: reduced(192), height: reduced(144), Render.distanceShare)
        let meaning = DepthRepresentationEncoder(.distance, zNear: range.lowerBound, zFar: range.upperBound)
        return Plane(
            raster: posture.stored(raster), urn: "urn:mpeg:hevc:2015:auxid:2",
            subtype: try meaning.auxiliarySubtype(),
            packet: XMPPacketBuilder(try data.properties() + info.properties()))
    }

    static func portraitMatte(_ posture: Posture) throws -> Plane {
        let info = PixelDataInfo(
            auxiliaryImageType: "depth", auxiliaryImageSubType: "portraiteffectsmatte", nativeFormat: "L008")
        return Plane(
            raster: matte(posture, \.portrait), urn: "urn:com:apple:photo:2018:aux:portraiteffectsmatte",
            packet: XMPPacketBuilder(try info.properties() + [.portraitEffectsMatteVersion()]))
    }

    static func semanticMattes(_ posture: Posture) -> [Plane] {
        let sky = Render.plane(width: reduced(480), height: reduced(360)) { ray in
            let (x, y) = Figure.card(ray)
            return Background.sky(ray) * (1 - FigureMattes(x, y).portrait)
        }
        let mattes = [
            ("2019:aux:semanticskinmatte", matte(posture, \.skin)),
            ("2019:aux:semantichairmatte", matte(posture, \.hair)),
            ("2019:aux:semanticteethmatte", matte(posture, \.teeth)),
            ("2020:aux:semanticglassesmatte", matte(posture, \.glasses)),
            ("2020:aux:semanticskymatte", posture.stored(sky)),
        ]
        return mattes.map { name, raster in
            Plane(
                raster: raster, urn: "urn:com:apple:photo:" + name,
                packet: XMPPacketBuilder([.semanticSegmentationMatteVersion()]))
        }
    }

    static func gainMap(_ posture: Posture) -> Plane {
        Plane(
            raster: posture.stored(Render.plane(width: reduced(480), height: reduced(360), Render.gain)),
            urn: "urn:com:apple:photo:2020:aux:hdrgainmap", packet: XMPPacketBuilder([.hdrGainMapVersion()]))
    }

    private static func matte(_ posture: Posture, _ kind: KeyPath<FigureMattes, Double>) -> Raster {
        posture.stored(
            Render.plane(width: reduced(480), height: reduced(360)) { ray in
                let (x, y) = Figure.card(ray)
                return FigureMattes(x, y)[keyPath: kind]
            })
    }
}

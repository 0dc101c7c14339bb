import DepthMaps
import DepthTypes
import Foundation
import Geometry
import TestSupport
import Testing

@Suite("Splats")
struct SplatTests {
    /// A splat as viewers read it.
    private struct ReadSplat {
        var position: SIMD3<Double>
        var normal: SIMD3<Double>
        /// Red, green and blue, 0…1.
        var color: SIMD3<Double>
        var opacity: Double
        var scale: SIMD3<Double>
        /// x, y, z, w
        var rotation: SIMD4<Double>

        /// The disc's axes in space: the columns of the rotation matrix of a quaternion.
        var axes: [SIMD3<Double>] {
            let (x, y, z, w) = (rotation.x, rotation.y, rotation.z, rotation.w)
            return [
                SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
                SIMD3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
                SIMD3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
            ]
        }

        /// The covariance in the image at focal length 1: xx, xy, yy.
        var projected: SIMD3<Double> {
            var sum = SIMD3<Double>.zero
            for (axis, scale) in zip(axes, [scale.x, scale.y, scale.z]) {
                let moved = axis * scale
                let x = (moved.x - moved.z * position.x / position.z) / position.z
                let y = (moved.y - moved.z * position.y / position.z) / position.z
                sum += SIMD3(x * x, x * y, y * y)
            }
            return sum
        }
    }

    /// Reads the layout of "3D Gaussian Splatting".
    private func splats(_ bytes: [UInt8]) throws -> [ReadSplat] {
        let end = Array("end_header\n".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: end) }) + end.count
        let header = String(decoding: bytes[..<start], as: UTF8.self)
        let names = header.split(separator: "\n").filter { $0.hasPrefix("property") }
        #expect(
            names.map { $0.dropFirst("property float ".count) } == [
                "x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0",
                "scale_1",
                "scale_2", "rot_0", "rot_1", "rot_2", "rot_3",
            ])
        try #require((bytes.count - start) % 68 == 0)
        return stride(from: start, to: bytes.count, by: 68).map { place in
            func vector(_ index: Int) -> SIMD3<Double> {
                SIMD3((0..<3).map { Double(bytes.float(at: place + 4 * (index + $0))) })
            }
            let (logarithms, last) = (vector(10), vector(14))
            return ReadSplat(
                position: vector(0), normal: vector(3), color: 0.5 + vector(6) * 0.5 / Double.pi.squareRoot(),
                opacity: 1 / (1 + exp(-Double(bytes.float(at: place + 36)))),
                scale: SIMD3(exp(logarithms.x), exp(logarithms.y), exp(logarithms.z)),
                rotation: SIMD4(last.x, last.y, last.z, Double(bytes.float(at: place + 52))))
        }
    }

    private func splats(of cloud: some CloudSource) throws -> [ReadSplat] {
        try splats(try cloud.bytes(CloudFormat.ply.encoder(cloud.header)))
    }

    /// A map of the plane (0.3, −0.2, 0.5) · P = 1, seen with a focal length of 100.
    private func slantedPlane(_ options: CloudOptions) throws -> GridCloud {
        let meters = (0..<40 * 30).map { index -> Float in
            let (x, y) = ((Float(index % 40) - 19.5) / 100, (Float(index / 40) - 14.5) / 100)
            return 1 / (0.3 * x - 0.2 * y + 0.5)
        }
        let map = DepthMap.of(meters, width: 40)
        let camera = CameraCalibration(focalLength: 100, width: 40, height: 30)
        let unprojection = try Unprojection(camera, width: 40, height: 30, axes: .opencv)
        return GridCloud(
            map, unprojection,
            colors: [RGB<UInt8>](repeating: RGB(red: 255, green: 51, blue: 0), count: 1200),
            options: options)
    }

    @Test("Splats of a slanted plane lie in it, and are round from the camera", arguments: [1, 2])
    func footprint(stride: Int) throws {
        var options = CloudOptions()
        (options.hasSplats, options.stride) = (true, stride)
        let splats = try splats(of: slantedPlane(options))
        #expect(splats.count == 1200 / (stride * stride))
        let plane = SIMD3(0.3, -0.2, 0.5)
        let normal = plane / -(plane * plane).sum().squareRoot()
        // A standard deviation of 1/√2 of the distance to the next sample.
        let variance = 0.5 * Double(stride * stride) / 10_000
        for splat in splats {
            #expect(((splat.normal - normal) * (splat.normal - normal)).sum() < 1e-6)
            #expect((splat.axes[2] * normal).sum() > 0.99999)
            #expect(abs((splat.rotation * splat.rotation).sum() - 1) < 1e-5)
            #expect(splat.opacity > 0.9999)
            let error = splat.color - SIMD3(1, 0.2, 0)
            #expect(abs(error.x) + abs(error.y) + abs(error.z) < 1e-5)
            let covariance = splat.projected
            // Rays are up to 14° off the axis, where a circle across the ray is 6 % larger in the image, 3 % in one axis.
            #expect(abs(covariance.x / variance - 1) < 0.12 && abs(covariance.z / variance - 1) < 0.12)
            #expect(abs(covariance.y / variance) < 0.06)
            #expect(splat.scale.z < splat.scale.y * 0.2 && splat.scale.z > 0)
        }
    }

    @Test("Fewer points have larger splats")
    func thinned() throws {
        var options = CloudOptions()
        options.hasSplats = true
        func spacing(_ cloud: some CloudSource) throws -> Double {
            let splat = try #require(try splats(of: cloud).first)
            return splat.scale.y / splat.position.z
        }
        let full = try spacing(slantedPlane(options))
        options.maximumCount = 300
        #expect(abs(try spacing(slantedPlane(options)) / full - 2) < 1e-4)
        let grid = try slantedPlane(CloudOptions())
        #expect(grid.header.splatSpacing == nil)
        options.maximumCount = nil
        let points = try slantedPlane(options).collected()
        #expect(abs(try spacing(points.limited(to: 300)) / full - 2) < 1e-4)
        let voxels = try points.downsampled(voxelSize: 0.1)
        for splat in try splats(of: voxels) {
            #expect(abs(splat.scale.x - 0.1 * 0.5.squareRoot()) < 1e-6 && splat.scale.y == splat.scale.x)
        }
    }

    @Test("A surface seen at a grazing angle has bounded discs")
    func grazing() throws {
        var cloud = PointCloud(positions: [SIMD3(0, 0, 2)], normals: [SIMD3(1, 0, 0)])
        cloud.splatSpacing = .angle(0.01)
        let splat = try splats(of: cloud)[0]
        #expect(abs(splat.scale.x / splat.scale.y - 4) < 1e-4)
        // Stretched along the ray.
        #expect(abs(splat.axes[0].z) > 0.9999)
        // Points without a color are gray: 188 of 255.
        #expect(abs(splat.color.x - 188.0 / 255) < 1e-6 && splat.color.x == splat.color.z)
    }

    @Test(
        "Every rotation is the one to its normal",
        arguments: [
            SIMD3<Float>(0, 0, 1), SIMD3(0, 0, -1), SIMD3(1, 0, 0), SIMD3(-1, 0, 0), SIMD3(0, 1, 0),
            SIMD3(0, -1, 0), SIMD3(0.6, 0, -0.8), SIMD3(0, -0.6, 0.8),
        ])
    func rotations(normal: SIMD3<Float>) throws {
        for spacing in [SplatSpacing.length(0.1), .angle(0.01)] {
            var cloud = PointCloud(positions: [SIMD3(0.5, -0.25, 2)], normals: [normal])
            cloud.splatSpacing = spacing
            let axis = try splats(of: cloud)[0].axes[2]
            #expect((axis * SIMD3<Double>(normal)).sum() > 0.99999)
        }
    }

    @Test("GLB splats are points with the attributes of KHR_gaussian_splatting")
    func glb() throws {
        var cloud = twoPoints
        cloud.splatSpacing = .length(0.02)
        let bytes = cloud.bytes(try CloudFormat.glb.encoder(cloud.header))
        let length = bytes.littleEndian(at: 12)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes[20..<20 + length])) as? [String: Any])
        #expect(json.texts("extensionsUsed").contains("KHR_gaussian_splatting"))
        let primitive = try #require(json.objects("meshes").first?.objects("primitives").first)
        #expect(primitive.integer("mode") == 0)
        let splatting = primitive.object("extensions").object("KHR_gaussian_splatting")
        #expect(splatting.text("kernel") == "ellipse")
        #expect(splatting.text("colorSpace") == "srgb_rec709_display")
        func values(_ name: String, _ type: String) throws -> [Float] {
            let index = try #require(primitive.object("attributes").integer(name))
            let accessor = json.objects("accessors")[index]
            #expect(accessor.text("type") == type && accessor.integer("componentType") == 5126)
            #expect(accessor.integer("count") == 2)
            let stride = try #require(json.objects("bufferViews")[0].integer("byteStride"))
            // The second point.
            let place = 28 + length + stride + (accessor.integer("byteOffset") ?? 0)
            let count = ["SCALAR": 1, "VEC3": 3, "VEC4": 4][type] ?? 0
            return (0..<count).map { bytes.float(at: place + 4 * $0) }
        }
        let prefix = "KHR_gaussian_splatting:"
        #expect(try values("POSITION", "VEC3") == [0, 0.25, 3])
        // Of 255, 0 and 128: linear light in COLOR_0; (c − ½) · 2 √π here.
        #expect(try values("COLOR_0", "VEC3") == [1, 0, 0.2158605])
        let color = try values(prefix + "SH_DEGREE_0_COEF_0", "VEC3")
        for (value, expected) in zip(color, [1.7724539, -1.7724539, 0.0069508] as [Float]) {
            #expect(abs(value - expected) < 1e-5)
        }
        #expect(try values(prefix + "OPACITY", "SCALAR") == [1])
        let scale = try values(prefix + "SCALE", "VEC3")
        #expect(abs(scale[0] - 0.0141421) < 1e-6 && scale[1] == scale[0] && scale[2] > 0)
        // x, y, z, w: the third axis, 2 (xz + wy), 2 (yz − wx), 1 − 2 (x² + y²), is the normal (0, 1, 0).
        let turn = try values(prefix + "ROTATION", "VEC4")
        #expect(abs(2 * (turn[1] * turn[2] - turn[3] * turn[0]) - 1) < 1e-5)
    }

    @Test("Other formats refuse splats, and so do meshes", arguments: CloudFormat.allCases)
    func formats(format: CloudFormat) throws {
        var cloud = twoPoints
        cloud.splatSpacing = .length(0.02)
        if [.ply, .glb].contains(format) {
            _ = try format.encoder(cloud.header)
        } else {
            #expect(throws: CloudError.noSplatsInFormat(format)) { try format.encoder(cloud.header) }
        }
    }
}

internal import DepthMaps

/// A mesh as a scene of Universal Scene Description, in meters with y up, that shows the unlit photo or colors of vertices: a
/// `Mesh` and a `UsdPreviewSurface` that emits the colors and reflects nothing.
package struct USDScene {
    private let mesh: TriangleMesh
    private let textureName: String?
    private let comments: [String]

    /// The scene of a mesh with OpenGL axes. `textureName` is the file of its texture in the same package; `nil` for the
    /// colors of vertices.
    package init(_ mesh: some MeshSource, textureName: String?) {
        comments = mesh.vertices.header.comments
        self.mesh = mesh.collected()
        self.textureName = textureName
    }

    /// The bytes of a binary file (`.usdc`).
    package var crate: [UInt8] {
        let material = hasColors ? [self.material] : []
        let root = CrateBuilder.Item.prim("Root", "Xform", [surface] + material)
        return CrateBuilder.file(
            CrateBuilder.Item(
                name: "", kind: .root,
                fields: [
                    ("defaultPrim", .token("Root")), ("metersPerUnit", .double(1)), ("upAxis", .token("Y")),
                    ("documentation", .string(comments.joined(separator: "\n"))),
                ], children: [root]))
    }

    private var hasColors: Bool { textureName != nil || !mesh.vertices.colors.isEmpty }

    private var surface: CrateBuilder.Item {
        let points = mesh.vertices.positions
        var (low, high) = (points.first ?? .zero, points.first ?? .zero)
        for point in points { (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point)) }
        var counts: [UInt8] = []
        var corners: [UInt8] = []
        counts.reserveCapacity(mesh.triangles.count * 4)
        corners.reserveCapacity(mesh.triangles.count * 12)
        for triangle in mesh.triangles {
            counts.append(littleEndian: UInt32(3))
            for corner in [triangle.first, triangle.second, triangle.third] {
                corners.append(littleEndian: corner)
            }
        }
        var properties: [CrateBuilder.Item] = []
        properties.append(.attribute("doubleSided", "bool", .bool(true), isUniform: true))
        properties.append(.attribute("extent", "float3[]", .vector3([low, high])))
        properties.append(
            .attribute("faceVertexCounts", "int[]", .array(.int32, count: mesh.triangles.count, counts)))
        properties.append(
            .attribute("faceVertexIndices", "int[]", .array(.int32, count: mesh.triangles.count * 3, corners))
        )
        properties.append(.attribute("points", "point3f[]", .vector3(points)))
        if !mesh.vertices.normals.isEmpty {
            properties.append(
                .attribute("normals", "normal3f[]", .vector3(mesh.vertices.normals), interpolation: "vertex"))
        }
        if textureName != nil {
            properties.append(
                .attribute("primvars:st", "texCoord2f[]", textureCoordinates, interpolation: "vertex"))
        } else if hasColors {
            properties.append(
                .attribute("primvars:displayColor", "color3f[]", colors, interpolation: "vertex"))
        }
        properties.append(
            .attribute("subdivisionScheme", "token", .token("none"), isUniform: true))
        guard hasColors else { return .prim("Surface", "Mesh", properties) }
        properties.append(.relationship("material:binding", to: "/Root/Material"))
        return .prim(
            "Surface", "Mesh", fields: [("apiSchemas", .tokenList(["MaterialBindingAPI"]))], properties)
    }

    /// Measured from the lower edge.
    private var textureCoordinates: CrateBuilder.Value {
        let places = mesh.vertices.textureCoordinates
        var bytes: [UInt8] = []
        bytes.reserveCapacity(places.count * 8)
        for place in places {
            bytes.append(littleEndian: place.x.bitPattern)
            bytes.append(littleEndian: (1 - place.y).bitPattern)
        }
        return .array(.vector2, count: places.count, bytes)
    }

    /// Linear light.
    private var colors: CrateBuilder.Value {
        .vector3(
            mesh.vertices.colors.map { color in
                SIMD3(
                    lightOfCodes[Int(color.red)], lightOfCodes[Int(color.green)],
                    lightOfCodes[Int(color.blue)])
            })
    }

    private var material: CrateBuilder.Item {
        let source = textureName == nil ? "Reader.outputs:result" : "Texture.outputs:rgb"
        let black = CrateBuilder.Value.oneVector3(.zero)
        var surface: [CrateBuilder.Item] = []
        surface.append(.attribute("info:id", "token", .token("UsdPreviewSurface"), isUniform: true))
        surface.append(.attribute("inputs:diffuseColor", "color3f", black))
        surface.append(
            .attribute("inputs:emissiveColor", "color3f", connectedTo: "/Root/Material/\(source)"))
        surface.append(.attribute("inputs:roughness", "float", .float(1)))
        surface.append(.attribute("inputs:specularColor", "color3f", black))
        surface.append(.attribute("inputs:useSpecularWorkflow", "int", .one))
        surface.append(.attribute("outputs:surface", "token"))
        let isTextured = textureName != nil
        var reader: [CrateBuilder.Item] = []
        reader.append(
            .attribute(
                "info:id", "token", .token("UsdPrimvarReader_float\(isTextured ? 2 : 3)"), isUniform: true))
        reader.append(
            .attribute("inputs:varname", "string", .string(isTextured ? "st" : "displayColor")))
        reader.append(.attribute("outputs:result", isTextured ? "float2" : "float3"))
        var children: [CrateBuilder.Item] = []
        children.append(
            .attribute("outputs:surface", "token", connectedTo: "/Root/Material/Shader.outputs:surface"))
        children.append(.prim("Shader", "Shader", surface))
        children.append(.prim("Reader", "Shader", reader))
        if let textureName { children.append(texture(textureName)) }
        return .prim("Material", "Material", children)
    }

    private func texture(_ name: String) -> CrateBuilder.Item {
        var texture: [CrateBuilder.Item] = []
        texture.append(.attribute("info:id", "token", .token("UsdUVTexture"), isUniform: true))
        texture.append(.attribute("inputs:file", "asset", .asset(name)))
        texture.append(.attribute("inputs:sourceColorSpace", "token", .token("sRGB")))
        texture.append(
            .attribute("inputs:st", "float2", connectedTo: "/Root/Material/Reader.outputs:result"))
        texture.append(.attribute("inputs:wrapS", "token", .token("clamp")))
        texture.append(.attribute("inputs:wrapT", "token", .token("clamp")))
        texture.append(.attribute("outputs:rgb", "float3"))
        return .prim("Texture", "Shader", texture)
    }
}

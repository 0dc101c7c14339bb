/// The JSON chunk of a GLB file.
struct GLBDocument {
    private let layout: GLBLayout

    init(_ layout: GLBLayout) { self.layout = layout }

    /// The complete text, ASCII.
    var text: String {
        guard !layout.isEmpty else {
            return object([("asset", asset), ("scene", "0"), ("scenes", "[{}]")] + orphanBuffer)
        }
        var fields = [
            ("asset", asset), ("scene", "0"), ("scenes", #"[{"nodes":[0]}]"#), ("nodes", #"[{"mesh":0}]"#),
            ("meshes", "[\(object([("primitives", "[\(primitive)]")]))]"),
            ("materials", "[\(material)]"), ("accessors", "[\(accessors.joined(separator: ","))]"),
            ("bufferViews", "[\(bufferViews.joined(separator: ","))]"),
            ("buffers", #"[{"byteLength":\#(layout.binarySize)}]"#),
        ]
        let extensions =
            (isUnlit ? ["KHR_materials_unlit"] : []) + (hasSplats ? ["KHR_gaussian_splatting"] : [])
        if !extensions.isEmpty {
            fields.append(("extensionsUsed", "[\(extensions.map(quoted).joined(separator: ","))]"))
        }
        if hasTexture {
            fields += [
                ("textures", #"[{"sampler":0,"source":0}]"#),
                // Linear, with mipmaps; edges are clamped.
                (
                    "samplers",
                    #"[{"magFilter":9729,"minFilter":9987,"wrapS":33071,"wrapT":33071}]"#
                ),
                (
                    "images",
                    #"[{"mimeType":"image/jpeg","bufferView":\#(layout.triangleCount == nil ? 1 : 2)}]"#
                ),
            ]
        }
        return object(fields)
    }

    /// Data in a binary chunk that nothing refers to.
    private var orphanBuffer: [(String, String)] {
        layout.binarySize == 0 ? [] : [("buffers", #"[{"byteLength":\#(layout.binarySize)}]"#)]
    }

    private var hasSplats: Bool { layout.splatOffset != nil }

    private var hasTexture: Bool { layout.textureOffset != nil }

    /// Points have no faces, so they are unlit; a surface without any color must be lit to be visible.
    private var isUnlit: Bool { layout.triangleCount == nil || hasTexture || layout.colorOffset != nil }

    private var asset: String {
        var fields = [("version", "\"2.0\"")]
        if !layout.header.tool.isEmpty { fields.append(("generator", quoted(layout.header.tool))) }
        let comments = layout.header.comments
        if !comments.isEmpty {
            let lines = comments.map(quoted).joined(separator: ",")
            fields.append(("extras", object([("comments", "[\(lines)]")])))
        }
        return object(fields)
    }

    private var primitive: String {
        var names = ["POSITION"]
        if layout.normalOffset != nil { names.append("NORMAL") }
        if layout.textureOffset != nil { names.append("TEXCOORD_0") }
        if layout.colorOffset != nil { names.append("COLOR_0") }
        if hasSplats { names += Self.splatFields.map { "KHR_gaussian_splatting:\($0.name)" } }
        let attributes = object(names.enumerated().map { ($1, "\($0)") })
        var fields = [("attributes", attributes), ("material", "0")]
        if hasSplats { fields.append(("extensions", Self.splatExtension)) }
        if layout.triangleCount == nil {
            fields.append(("mode", "0"))
        } else {
            fields.append(("indices", "\(names.count)"))
        }
        return object(fields)
    }

    /// The attributes of a splat in order, with their numbers of floats.
    private static let splatFields: [(name: String, length: Int)] = [
        ("ROTATION", 4), ("SCALE", 3), ("OPACITY", 1), ("SH_DEGREE_0_COEF_0", 3),
    ]

    /// Colors are sRGB values, to be blended as they are.
    private static let splatExtension =
        #"{"KHR_gaussian_splatting":{"kernel":"ellipse","colorSpace":"srgb_rec709_display","#
        + #""projection":"perspective","sortingMethod":"cameraDistance"}}"#

    private var material: String {
        var surface = [("metallicFactor", "0")]
        if hasTexture { surface.append(("baseColorTexture", #"{"index":0}"#)) }
        var fields = [("pbrMetallicRoughness", object(surface))]
        if layout.triangleCount != nil { fields.append(("doubleSided", "true")) }
        if isUnlit { fields.append(("extensions", #"{"KHR_materials_unlit":{}}"#)) }
        return object(fields)
    }

    private var accessors: [String] {
        let count = layout.header.pointCount
        func vector(_ length: Int, at offset: Int, _ more: [(String, String)] = []) -> String {
            object(
                [
                    ("bufferView", "0"), ("byteOffset", "\(offset)"), ("componentType", "\(float)"),
                    ("count", "\(count)"), ("type", length == 1 ? "\"SCALAR\"" : "\"VEC\(length)\""),
                ] + more)
        }
        let (float, integer) = (5126, 5125)
        let bounds = [
            ("min", numbers(layout.header.minimum)), ("max", numbers(layout.header.maximum)),
        ]
        var accessors = [vector(3, at: 0, bounds)]
        if let offset = layout.normalOffset { accessors.append(vector(3, at: offset)) }
        if let offset = layout.textureOffset { accessors.append(vector(2, at: offset)) }
        if let offset = layout.colorOffset { accessors.append(vector(3, at: offset)) }
        if var offset = layout.splatOffset {
            for field in Self.splatFields {
                accessors.append(vector(field.length, at: offset))
                offset += field.length * 4
            }
        }
        if let triangleCount = layout.triangleCount {
            accessors.append(
                #"{"bufferView":1,"componentType":\#(integer),"count":\#(triangleCount * 3),"type":"SCALAR"}"#
            )
        }
        return accessors
    }

    private var bufferViews: [String] {
        func view(_ offset: Int, _ size: Int, _ more: [(String, String)] = []) -> String {
            object([("buffer", "0"), ("byteOffset", "\(offset)"), ("byteLength", "\(size)")] + more)
        }
        let (vertices, triangles) = (layout.vertexSize, layout.triangleSize)
        var views = [view(0, vertices, [("byteStride", "\(layout.stride)"), ("target", "34962")])]
        if layout.triangleCount != nil { views.append(view(vertices, triangles, [("target", "34963")])) }
        if hasTexture { views.append(view(vertices + triangles, layout.textureSize)) }
        return views
    }

    /// Each float as its exact stored value, for readers of any number type.
    private func numbers(_ point: SIMD3<Float>) -> String {
        "[\(Double(point.x)),\(Double(point.y)),\(Double(point.z))]"
    }

    private func object(_ fields: [(String, String)]) -> String {
        "{\(fields.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    /// Printable ASCII as a JSON string.
    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

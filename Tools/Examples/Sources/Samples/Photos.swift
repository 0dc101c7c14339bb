import Isobath

// The code of the first seven examples of the article. Tools/Examples/run compares.

func measure() throws {
    let scene = try DepthScene(contentsOf: "portrait.heic")
    let depth = try scene.depth()
    if let meters = depth.at(NormalizedPoint(x: 0.5, y: 0.5)) {
        print("\(meters) m in the middle, \(depth.scale)")
    }
    try depth.write(to: "depth.exr")
}

func cutOut() throws {
    let scene = try DepthScene(contentsOf: "portrait.heic")
    let subject = try scene.subject()
    try subject.over(.none).write(to: "cutout.png")
    try subject.over(.color(.white)).write(to: "white.jpg")
}

func refocus() throws {
    let scene = try DepthScene(contentsOf: "portrait.heic")
    var options = BlurOptions()
    options.focus = NormalizedPoint(x: 0.5, y: 0.4)
    options.fNumber = 1.4
    try scene.blurred(options).write(to: "soft.jpg")
}

func insert() throws {
    let scene = try DepthScene(contentsOf: "portrait.heic")
    let sign = try Picture(contentsOf: "cutout.png")
    let picture = try scene.inserting(sign, at: 4, center: NormalizedPoint(x: 0.3, y: 0.5), width: 1)
    try picture.write(to: "behind.jpg")
}

func makeCloud() throws {
    let scene = try DepthScene(contentsOf: "portrait.heic").treated(fillingHoles: true)
    var options = CloudExport()
    options.options.far = 10
    options.removesOutliers = true
    let cloud = try scene.cloud(options)
    let bytes = try cloud.encoded(as: .ply)
    print("\(cloud.pointCount) points in \(bytes.count) bytes")
}

func makeMesh() throws {
    var options = CloudExport()
    (options.isMesh, options.hasTexture) = (true, true)
    try DepthScene(contentsOf: "portrait.heic").cloud(options).write(to: "portrait.glb")
}

func embed() throws {
    let map = try DepthScene(contentsOf: "portrait.heic").depth().filled()
    let photo = try PhotoEditor(contentsOf: "portrait.heic").replacing(depth: map, bitDepth: 16)
    try photo.write(to: "edited.heic")
}

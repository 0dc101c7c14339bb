import Glibc
import Isobath

// Writes a photo's depth as a colored point cloud, without points that stand alone.
guard CommandLine.arguments.count == 3 else {
    print("usage: Cloud PHOTO CLOUD.ply")
    exit(64)
}
var options = CloudExport()
options.removesOutliers = true
let cloud = try DepthScene(contentsOf: CommandLine.arguments[1]).cloud(options)
try cloud.write(to: CommandLine.arguments[2])
print("\(cloud.pointCount) points, scale \(cloud.scale)")

internal import DepthTypes
internal import Embedded
internal import PhotoFormats

extension CameraCalibration {
    /// The calibration in the JSON of a record; `nil` when intrinsics are missing or invalid.
    init?(_ json: JSONValue) {
        guard let intrinsics = json["intrinsics"], let fx = intrinsics["fx"]?.double,
            let fy = intrinsics["fy"]?.double, let cx = intrinsics["cx"]?.double,
            let cy = intrinsics["cy"]?.double, let width = intrinsics["width"]?.integer,
            let height = intrinsics["height"]?.integer,
            fx > 0, fy > 0, [fx, fy, cx, cy].allSatisfy(\.isFinite), width > 0, height > 0
        else { return nil }
        self.init(
            focalLengthX: fx, focalLengthY: fy, principalPointX: cx, principalPointY: cy, width: width,
            height: height)
        if let lens = json["distortion"], let coefficients = lens["coefficients"]?.numbers,
            let inverse = lens["inverseCoefficients"]?.numbers, let x = lens["centerX"]?.double,
            let y = lens["centerY"]?.double
        {
            distortion = LensDistortion(
                coefficients: coefficients, inverseCoefficients: inverse, centerX: x, centerY: y)
        }
        if let pose = json["extrinsics"], let rotation = pose["rotation"]?.numbers,
            let translation = pose["translation"]?.numbers, rotation.count == 9, translation.count == 3
        {
            extrinsics = Extrinsics(rotation: rotation, translation: translation)
        }
        pixelSize = json["pixelSize"]?.double
        lens = json["lens"]?["coefficients"]?.numbers.flatMap {
            LensCoefficients($0, isFisheye: json["lens"]?["model"]?.text == "OPENCV_FISHEYE")
        }
    }
}

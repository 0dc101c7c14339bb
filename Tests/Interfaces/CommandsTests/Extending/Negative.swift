import DepthMaps
import Scenes

extension FrameEffect {
    /// A new effect in one file: the picture of each frame with its colors inverted.
    static var negative: FrameEffect {
        FrameEffect([.picture]) { frame, output in
            let picture = FramePlane(try frame.color())
            output.picture = FramePlane(
                width: picture.width, height: picture.height,
                samples: picture.samples.map {
                    RGB(red: 255 - $0.red, green: 255 - $0.green, blue: 255 - $0.blue)
                })
        }
    }
}

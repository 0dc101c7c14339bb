extension BackgroundFit {
    /// The size at which the visible part of a picture has as many pixels as the frame, but at most the size of the
    /// picture.
    package func leastSize(
        of picture: (width: Int, height: Int), toFill frame: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        let across = Double(frame.width) / Double(max(1, picture.width))
        let down = Double(frame.height) / Double(max(1, picture.height))
        let scales =
            switch self {
            case .cover: (max(across, down), max(across, down))
            case .contain: (min(across, down), min(across, down))
            case .stretch: (across, down)
            }
        return (
            Int((Double(picture.width) * min(1, scales.0)).rounded(.up)),
            Int((Double(picture.height) * min(1, scales.1)).rounded(.up))
        )
    }
}

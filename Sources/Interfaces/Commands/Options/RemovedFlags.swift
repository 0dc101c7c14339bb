/// Flags of former versions, and what to use instead. No other code knows them. Where only a value of a flag was removed,
/// the key is the flag and the value, such as `to record3d`.
enum RemovedFlags {
    /// By name, without dashes.
    static let instead = [
        "serve": "use 'isobath view FOLDER -o album/'",
        "port": "use 'isobath view FOLDER -o album/'",
        "no-pages": "use 'isobath view FOLDER -o album/'",
        "place": "pages do not store locations",
        "tar-input": "use 'isobath worker', which takes the bytes of each photo",
        "tar-output": "use 'isobath worker', which takes the bytes of each photo",
        "ffmpeg": "both eyes of spatial videos need FFmpeg's libraries, 7.1 or newer",
        "to record3d": "use '--to rgbd'",
        "min-hits": "a voxel must be seen in 2 frames where there are 8, else in 1",
        "no-ghost-filter": "voxels that other frames see through are always removed",
        "refine-poses": "stored poses are used as they are",
        "recorded-focus": "the unit of a recorded focus is not public; '--focus' chooses a point",
        "grain": "blur always removes the photo's grain",
        "stereo": "use 'convert --to side-by-side' or 'convert --to anaglyph'",
        "quilt": "use 'convert --to side-by-side'",
        "aspect": "use 'convert --to side-by-side'",
        "pivot": "the point of the camera's focus, a face or the subject does not move",
        "half": "'--to rgbd' writes both at full width",
        "depth-left": "'--to rgbd' writes the depth to the right of the picture",
        "black-near": "'--to rgbd' shows near as white",
        "original": "'embed' stores depth and mattes only",
        "plane-quality": "planes are coded without loss",
        "flat": "use 'info --json' and jq: .planes has an object for each plane",
        "stats": "use '--json', which reports milliseconds",
        "equalize": "'--colormap' colors a preview",
        "recycle": "isolated processes are replaced after 10,000 inputs",
        "filter": "use '--smooth', '--fill-holes' and '--min-confidence', which apply to frames, too",
        "focal": "use '--camera PIXELS'",
        "principal": "use '--camera F,CX,CY'",
        "calibration": "use '--camera FILE'",
        "sidecar": "'--json' prints the record, which '--camera' reads",
        "color-format": "use '--raw FORMAT,WxH'",
        "color-size": "use '--raw FORMAT,WxH'",
        "depth-format": "use '--raw-depth FORMAT,WxH'",
        "depth-size": "use '--raw-depth FORMAT,WxH'",
        "depth-input": "use '--raw-depth FORMAT,WxH,FILE'",
        "near-is": "use '--quantity', which is disparity if white is near, and depth if black is",
        "byte-order":
            "a PGM is big-endian; without its header, '--raw-depth gray16le,WxH' reads little-endian samples",
        "output-directory": "use '-o DIR/'",
        "no-decontaminate": "use '--no-refine', which keeps the colors of soft edges, too",
        "runtime": "set ISOBATH_ONNXRUNTIME to the file of the library",
        "labels": "name the classes in the JSON of '--model-profile'",
    ]

    /// The message about the first of these flags among arguments, up to `--`; `nil` without one.
    static func problem(in arguments: [String]) -> String? {
        let words = arguments.prefix { $0 != "--" }.flatMap { argument in
            argument.hasPrefix("--")
                ? argument.split(separator: "=", maxSplits: 1).map(String.init) : [argument]
        }
        for (word, value) in zip(words, words.dropFirst() + [""]) where word.hasPrefix("--") {
            let flag = String(word.dropFirst(2))
            for name in [flag, "\(flag) \(value)"] {
                if let advice = instead[name] { return "'--\(name)' is gone; \(advice)" }
            }
        }
        return nil
    }
}

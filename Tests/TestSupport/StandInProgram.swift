internal import Foundation

/// A shell script that acts as `ffmpeg`. It answers `-version`. Otherwise it keeps its arguments and its input, and runs
/// some commands.
public struct StandInProgram {
    /// The path of the script.
    public let path: String

    /// `name` is a file in a folder; `version` the version it claims, and `commands` what follows, where `$0` is the
    /// script, and `cat "$0.y4m"` writes `frames`.
    public init(
        _ name: String = "ffmpeg", in folder: borrowing TemporaryFolder, version: String = "7.1.1-0+deb13u1",
        frames: [UInt8] = [], _ commands: String = "cat \"$0.y4m\""
    ) throws {
        let script = """
            #!/bin/sh
            if [ "$1" = -version ]; then echo "ffmpeg version \(version) Copyright (c) 2000-2025"; exit; fi
            printf '%s\\n' "$@" > "$0.arguments"
            cat > "$0.input"
            \(commands)
            """
        path = folder.file(name)
        try folder.write(frames, to: name + ".y4m")
        // Another process writes the script. A process that another test starts at that moment would
        // otherwise keep it open for writing, and then it cannot be run (ETXTBSY).
        let text = try folder.write(Array(script.utf8), to: name + ".txt")
        let copy = try Process.run(URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", text, path])
        copy.waitUntilExit()
    }

    /// A stream of gray frames with these codes of brightness, in 4:2:0.
    public static func frames(_ codes: [UInt8], width: Int, height: Int) -> [UInt8] {
        let chroma = [UInt8](repeating: 128, count: 2 * ((width + 1) / 2) * ((height + 1) / 2))
        return codes.reduce(into: Array("YUV4MPEG2 W\(width) H\(height) F30:1 Ip A1:1 C420mpeg2\n".utf8)) {
            $0 += Array("FRAME\n".utf8) + [UInt8](repeating: $1, count: width * height) + chroma
        }
    }
}

/// A program of FFmpeg 7.1 or newer, for tests of real movies: named by `ISOBATH_FFMPEG`, or the first `ffmpeg` of PATH.
public let newFFmpeg: String? = {
    let variables = ProcessInfo.processInfo.environment
    let folders = (variables["PATH"] ?? "").split(separator: ":").map { "\($0)/ffmpeg" }
    guard
        let path = variables["ISOBATH_FFMPEG"]
            ?? folders.first(where: FileManager.default.isExecutableFile(atPath:))
    else { return nil }
    let process = Process()
    (process.executableURL, process.arguments) = (
        URL(filePath: path), ["-hide_banner", "-h", "decoder=hevc"]
    )
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return nil }
    let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return answer.contains("view_ids") ? path : nil
}()

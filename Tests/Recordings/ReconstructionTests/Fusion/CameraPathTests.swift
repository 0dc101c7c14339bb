import Embedded
import Foundation
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Files of the camera's path")
struct CameraPathTests {
    @Test("Paths in transforms.json lead from its folder to the files of the recording")
    func paths() throws {
        let folder = TemporaryFolder()
        try folder.folder("out/deep")
        let path = try RecordingWriter().write(.nerfstudio, into: folder)
        let listed = try Recording(contentsOf: path)
        let json = CameraPath(listed, FrameSelection()).transforms(in: folder.file("out/deep"))
        let object = try JSONSerialization.jsonObject(with: Data("\(json.serialized)".utf8)) as? [String: Any]
        let frames = try #require(object?["frames"] as? [[String: Any]])
        #expect(frames.count == 6)
        for frame in frames {
            for key in ["file_path", "depth_file_path"] {
                let name = try #require(frame[key] as? String)
                #expect(name.hasPrefix("../../"))
                #expect(FileManager.default.fileExists(atPath: folder.file("out/deep") + "/" + name))
            }
        }
    }
}

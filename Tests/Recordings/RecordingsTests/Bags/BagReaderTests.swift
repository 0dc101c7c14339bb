import Bytes
import DepthTypes
import RecordingWriting
import TestSupport
import Testing

@testable import Recordings

@Suite("Bags")
struct BagReaderTests {
    @Test("A bag of ROS 1 gives the values that were written", arguments: BagWriter.Packing.ofROS1)
    func ros1(packing: BagWriter.Packing) throws {
        let recording = try openedBag(KnownBag.bag.rosBag(packing))
        try expectKnown(recording)
        #expect(recording.layout == .rosBag)
    }

    @Test("An MCAP file gives the values that were written", arguments: BagWriter.Packing.ofMCAP)
    func mcap(packing: BagWriter.Packing) throws {
        for isBigEndian in [false, true] {
            let recording = try openedBag(KnownBag.bag.mcap(packing, isBigEndian: isBigEndian))
            try expectKnown(recording)
            #expect(recording.layout == .mcap && recording.diagnostics.isEmpty)
        }
        try expectKnown(try openedBag(KnownBag.bag.mcap(isChunked: false)))
        try expectKnown(try openedBag(KnownBag.bag.mcap(packing, encoding: "ros1")))
    }

    @Test(
        "A database of rosbag2 gives the values that were written, also with compressed messages, and compressed",
        .needsSystemLibraries)
    func database() throws {
        for isPacked in [false, true] {
            let recording = try openedBag(KnownBag.bag.database(isPacked: isPacked))
            try expectKnown(recording)
            #expect(recording.layout == .rosbag2)
        }
        try expectKnown(try openedBag(SystemLibrary.zstandard(KnownBag.bag.database())))
        try expectKnown(try openedBag(SystemLibrary.zstandard(KnownBag.bag.mcap())))
    }

    @Test(
        "A folder of rosbag2 is read file by file, and a missing one is reported",
        .needsSystemLibraries)
    func folder() throws {
        let folder = TemporaryFolder()
        for (index, chunk) in KnownBag.bag.chunks.enumerated() {
            try folder.write(BagWriter(chunk).database(), to: "bag_\(index).db3")
        }
        let list = "rosbag2_bagfile_information:\n  relative_file_paths:\n    - bag_0.db3\n    - bag_1.db3\n"
        try folder.write(text: list + "    - ../bag_2.db3\n  ros_distro: humble\n", to: "metadata.yaml")
        let recording = try Recording(contentsOf: folder.path)
        try expectKnown(recording)
        #expect(recording.diagnostics.contains { $0.message.contains("bag_2.db3") })
        #expect(Recording.isRecording(folder: folder.path))
    }

    @Test("The default limit of input grows with the bag, and any other limit stays")
    func inputLimit() {
        var limits = DecodingLimits()
        #expect(BagFormat.limits(limits, ofBytes: 1 << 20)[.inputBytes] == 1 << 31)
        #expect(BagFormat.limits(limits, ofBytes: 1 << 33)[.inputBytes] == 1 << 37)
        limits[.inputBytes] = 1000
        #expect(BagFormat.limits(limits, ofBytes: 1 << 33)[.inputBytes] == 1000)
    }
}

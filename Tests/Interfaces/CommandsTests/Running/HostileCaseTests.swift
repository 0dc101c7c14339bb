import Foundation
import TestSupport
import Testing

@Suite(
    "Small files that took much memory or time once",
    .needsCases)
struct HostileCaseTests {
    private let folder = TemporaryFolder()

    @Test(
        "They end with an error, within little memory and time",
        arguments: [
            ("mcap-names/names4.mcap", "unpacked bytes exceed the limit"),
            ("bag-bz2-time/bz2-5.bag", "unpacked bytes exceed the limit"),
            ("db3-generated/gen-5.db3", "refused: 'messages.data' is a generated column"),
            ("s10-sqlite-generated-column/gen2000.db3", "refused: 'messages.data' is a generated column"),
            ("db3-virtual/v-fts5.db3", "refused: 'topics' is a virtual table"),
        ])
    func bag(name: String, message: String) throws {
        // 2 seconds of processor time, and 1 GB of addresses.
        let run = try Tool.shell(
            #"ulimit -t 2 -v 1000000; exec "$0" "$@""#, ["info", SampleFolder.cases.path(name)])
        #expect(run.status == 1 && run.messages.contains(message), "\(run.messages)")
    }

    @Test("A frame that does not match its checksum is damaged, and not a wrong map")
    func checksum() throws {
        let path = folder.file("x.npy")
        try Tool.run(
            "extract --frame 0 \(SampleFolder.cases.path("sens-adler/flip.sens")) -o \(path)", status: 1,
            says: "incorrect data check")
        #expect(folder.contents == [])
    }

    @Test("Fusion ends at the limit of memory with an error that names it and the voxels")
    func fusion() throws {
        let run = try Tool.shell(
            #"ulimit -v 2000000; exec "$0" "$@""#,
            [
                "cloud", SampleFolder.cases.path("s11-fusion-memory/rec"), "--voxel", "0.0005", "--limit",
                "memory-bytes=1000000000", "-o", folder.file("s.ply"),
            ])
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("--voxel") && run.messages.contains("memory-bytes"))
        #expect(folder.contents == [])
    }
}

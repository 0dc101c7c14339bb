import Foundation
import Glibc
import TestSupport
import Testing

@Suite("isobath view --serve")
struct ServeTests {
    /// A folder with photos, one of them in a subfolder, a file that is not a photo, and links that lead out of the
    /// folder.
    private func photos(_ folder: borrowing TemporaryFolder) throws -> String {
        let photos = folder.file("photos")
        let files = FileManager.default
        try files.createDirectory(atPath: photos + "/sub/.d", withIntermediateDirectories: true)
        try files.createDirectory(atPath: folder.file("secret"), withIntermediateDirectories: true)
        for (name, copy) in [
            ("portrait.heic", "photos/a.heic"), ("absolute-depth.jpg", "photos/sub/b 1%.jpg"),
            ("plain.jpg", "secret/c.jpg"), ("plain.jpg", "photos/.hidden.jpg"),
            ("plain.jpg", "photos/sub/.d/e.jpg"),
        ] {
            try files.copyItem(atPath: TestImages.path(name), toPath: folder.file(copy))
        }
        try "text".write(toFile: photos + "/notes.txt", atomically: true, encoding: .utf8)
        try files.createSymbolicLink(atPath: photos + "/link.jpg", withDestinationPath: "../secret/c.jpg")
        try files.createSymbolicLink(atPath: photos + "/out", withDestinationPath: folder.file("secret"))
        return photos
    }

    @Test(
        "The pages of a folder are those of its album, and nothing is written",
        arguments: [[], ["--isolate"]])
    func pages(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder), flags)
        let root = "/\(server.token)/"
        let index = try server.get(root)
        let text = String(decoding: index.body, as: UTF8.self)
        #expect(index.status == 200 && text.components(separatedBy: "<li ").count == 3)
        #expect(text.contains("href=\"sub/b%201%25.jpg.html\"") && !text.contains("link.jpg"))
        #expect(index.head.contains("Cache-Control: no-store") && index.head.contains("nosniff"))
        #expect(index.head.contains("Content-Security-Policy: default-src 'none'; script-src 'sha256-"))
        let page = try server.get(root + "sub/b%201%25.jpg.html")
        #expect(page.status == 200 && page.head.contains("Content-Type: text/html"))
        #expect(
            String(decoding: page.body, as: UTF8.self).contains("<a href=\"../index.html\">All photos</a>"))
        // Another time from the cache, with the same bytes.
        #expect(try server.get(root + "sub/b%201%25.jpg.html").body == page.body)
        #expect(try server.get(root + "index.html").body == index.body)
        let thumbnail = try server.get(root + "thumbnails/a.heic.jpg")
        #expect(thumbnail.status == 200)
        try Data(thumbnail.body).write(to: URL(filePath: folder.file("t.jpg")))
        let raster = try RasterFile(folder.file("t.jpg"))
        #expect(raster.width == 320 && raster.height == 240 && raster.exif.isEmpty)
        #expect(folder.contents.sorted() == ["photos", "secret", "t.jpg"])
        #expect(server.interrupt() == 0)
    }

    @Test(
        "A photo without depth has that of the image beside it, unless that is a link",
        arguments: [[], ["--isolate"]])
    func companions(flags: [String]) throws {
        let folder = try TemporaryFolder()
        let photos = try photos(folder)
        try folder.write(try TestImages.bytes("pair.jpg"), to: "photos/pair.jpg")
        try folder.write(try TestImages.bytes("pair_depth.png"), to: "photos/pair_depth.png")
        try folder.write(try TestImages.bytes("pair.jpg"), to: "photos/other.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: photos + "/other_depth.png", withDestinationPath: "pair_depth.png")
        let server = try PageServerProcess(photos, flags)
        let root = "/\(server.token)/"
        let index = String(decoding: try server.get(root).body, as: UTF8.self)
        func item(_ name: String) -> Substring? {
            index.split(separator: "\n").first { $0.contains("data-name=\"\(name)\"") }
        }
        // 192 × 144 samples beside one, and none beside the other.
        #expect(item("pair.jpg")?.contains("data-samples=\"27648\"") == true)
        #expect(item("other.jpg")?.contains("data-samples=\"0\"") == true)
        let page = try server.get(root + "pair.jpg.html")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == 200 && text.contains("id=\"depth\"") && text.contains("\"hasPhoto\": true"))
        #expect(try server.get(root + "thumbnails/pair.jpg.jpg").status == 200)
        // Depth in colors is made where there is depth.
        #expect(item("pair.jpg")?.contains("data-depth=\"depths/pair.jpg.jpg\"") == true)
        #expect(item("other.jpg")?.contains("data-depth") == false)
        #expect(try server.get(root + "depths/pair.jpg.jpg").body.starts(with: [0xFF, 0xD8]))
        #expect(try server.get(root + "depths/other.jpg.jpg").status != 200)
    }

    @Test("A recording has a page of its own, and nothing outside of it is read")
    func recordings() throws {
        let (folder, recording) = (try TemporaryFolder(), try TemporaryFolder())
        try RecordingTests.write(recording)
        let photos = try photos(folder)
        let files = FileManager.default
        try files.copyItem(atPath: recording.path, toPath: photos + "/sub/walk")
        let server = try PageServerProcess(photos)
        let root = "/\(server.token)/"
        let index = String(decoding: try server.get(root).body, as: UTF8.self)
        #expect(index.components(separatedBy: "<li ").count == 4)
        #expect(index.contains("href=\"sub/walk.html\"") && index.contains("recording of 4 frames"))
        let page = try server.get(root + "sub/walk.html")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == 200 && text.contains("<a href=\"../index.html\">All photos</a>"))
        #expect(text.contains("\"total\": 4") && text.contains("id=\"cloud-positions\""))
        #expect(try server.get(root + "thumbnails/sub/walk.jpg").status == 200)
        // The index does not list the recording's files as photos of the folder.
        #expect(!index.contains("frame-000000"))
        // A map that becomes a link removes a frame.
        let map = photos + "/sub/walk/frame-000003.depth.png"
        try files.moveItem(atPath: map, toPath: folder.file("secret/map.png"))
        try files.createSymbolicLink(atPath: map, withDestinationPath: folder.file("secret/map.png"))
        let less = String(decoding: try server.get(root + "sub/walk.html").body, as: UTF8.self)
        #expect(less.contains("\"total\": 3"))
        // Isolated processes are handed the bytes of photos only.
        let isolated = try PageServerProcess(photos, ["--isolate"])
        #expect(try isolated.get("/\(isolated.token)/sub/walk.html").status == 404)
    }

    @Test("HEAD has the fields of GET and no body; other methods are refused")
    func methods() throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder))
        let path = "/\(server.token)/thumbnails/a.heic.jpg"
        let (whole, head) = (try server.get(path), try server.get(path, method: "HEAD"))
        #expect(head.head == whole.head && head.body.isEmpty && !whole.body.isEmpty)
        #expect(whole.head.contains("Content-Length: \(whole.body.count)"))
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"] {
            let answer = try server.get(path, method: method)
            #expect(answer.status == 405 && answer.head.contains("Allow: GET, HEAD"), "\(method)")
        }
    }

    @Test("Nothing outside of the folder is reached, by whichever path")
    func traversal() throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder))
        let root = "/\(server.token)/"
        for path in [
            "link.jpg.html", "out/c.jpg.html", "thumbnails/link.jpg.jpg", "thumbnails/out/c.jpg.jpg",
            "sub.html", "no.jpg.html", "notes.txt", "a.heic", "sub/", "sub", "thumbnails/", "thumbnails",
            ".hidden.jpg.html", "%2ehidden.jpg.html", "thumbnails/.hidden.jpg.jpg", "sub/.d/e.jpg.html",
            "sub/%2Ed/e.jpg.html", "thumbnails/sub/.d/e.jpg.jpg",
            "thumbnails/index.html", ".html", "thumbnails/.jpg", "sub/.html",
        ] {
            let answer = try server.get(root + path)
            #expect(answer.status == 404, "\(path): \(answer.status)")
        }
        for path in [
            "../secret/c.jpg.html", "%2e%2e/secret/c.jpg.html", "sub/../a.heic.html", "sub/./b.html",
            "..%2Fsecret%2Fc.jpg.html", "%2Fetc%2Fpasswd.html", "a.heic%00.html", "//a.heic.html", "%zz.html",
            "%2", "a.heic.html?x=1", "a.heic.html#x", "\u{e9}.html",
        ] {
            let answer = try server.get(root + path)
            #expect(answer.status == 400, "\(path): \(answer.status)")
        }
        // A photo that cannot be read is an answer with the reason.
        let text = try server.get(root + "notes.txt.html")
        #expect(text.status == 422 && String(decoding: text.body, as: UTF8.self).hasPrefix("notes.txt: "))
        // A file that becomes a link while it is served is not followed either.
        let file = folder.file("photos/a.heic")
        #expect(try server.get(root + "a.heic.html").status == 200)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "../secret/c.jpg")
        #expect(try server.get(root + "a.heic.html").status == 404)
    }

    @Test("Without the token, and for another host, nothing is shown")
    func strangers() throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder))
        #expect(server.token.count == 32 && server.token.allSatisfy(\.isHexDigit))
        for path in [
            "/", "/index.html", "/a.heic.html", "/\(server.token)", "/\(server.token.dropLast())x/",
            "/favicon.ico",
        ] {
            let answer = try server.get(path)
            #expect(answer.status == 404 && answer.body == Array("404 Not Found\n".utf8), "\(path)")
        }
        let path = "/\(server.token)/"
        for host in [
            "evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:\(server.port)",
            "127.0.0.1.evil.example:\(server.port)",
        ] {
            #expect(try server.get(path, host: host).status == 421, "\(host)")
        }
        #expect(try server.get(path, host: "LOCALHOST:\(server.port)").status == 200)
        let other = try PageServerProcess(folder.file("photos"))
        #expect(other.token != server.token && other.port != server.port)
        // The port is bound on 127.0.0.1, and on no other address of this computer.
        var listening: [String] = []
        let port = String(server.port, radix: 16, uppercase: true)
        for name in ["tcp", "tcp6"] {
            let table = (try? String(contentsOfFile: "/proc/net/\(name)", encoding: .utf8)) ?? ""
            for line in table.split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count > 3, fields[3] == "0A" else { continue }
                let address = String(fields[1])
                if address.hasSuffix(":\(port)") || address.hasSuffix(":0\(port)") {
                    listening.append(address)
                }
            }
        }
        #expect(listening.count == 1 && listening[0].hasPrefix("0100007F:"))
    }

    @Test("Requests that are none have one answer each, and the server goes on")
    func badRequests() throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder))
        let host = "Host: 127.0.0.1:\(server.port)\r\n"
        let line = "GET /\(server.token)/ HTTP/1.1\r\n"
        var cases: [(request: String, status: Int)] = []
        let bad: [String] = [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\(line)\r\n",
            "\(line)\(host)\(host)\r\n", "\(line)\(host) folded: x\r\n\r\n", "\(line)\(host)Name : x\r\n\r\n",
            "\(line)\(host)noColon\r\n\r\n", "\(line)\(host)Content-Length: 4\r\n\r\nbody",
            "\(line)\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "\(line)\(host)A: \u{0}\r\n\r\n",
            "\(line)\(host)A: x\rB: y\r\n\r\n", "GET http://127.0.0.1/ HTTP/1.1\r\n\(host)\r\n",
            "GET * HTTP/1.1\r\n\(host)\r\n", "GET  /\(server.token)/ HTTP/1.1\r\n\(host)\r\n",
            "GET /\(server.token)/ FTP/1\r\n\(host)\r\n",
        ]
        for request in bad { cases.append((request, 400)) }
        cases.append(("GET /\(server.token)/ HTTP/2.0\r\n\(host)\r\n", 505))
        let long = String(repeating: "x", count: 9000)
        cases.append(("\(line)\(host)A: \(long)\r\n\r\n", 431))
        cases.append(("GET /\(long)\(long)", 431))
        for (request, status) in cases {
            let answer = try server.answer(to: request.utf8)
            #expect(
                answer.text.hasPrefix("HTTP/1.1 \(status) "),
                "\(request.debugDescription.prefix(80)): \(answer.text.prefix(40))")
        }
        var generator = SplitMix(seed: 7)
        for _ in 0..<200 {
            let length = Int(generator.next() % 300)
            let noise =
                (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) } + Array("\r\n\r\n".utf8)
            let answer = try server.answer(to: noise)
            #expect(answer.text.hasPrefix("HTTP/1.1 400 "))
        }
        #expect(try server.get("/\(server.token)/").status == 200)
    }

    @Test("A client that sends nothing is dismissed, and does not hold up others")
    func slow() throws {
        let folder = try TemporaryFolder()
        let server = try PageServerProcess(photos(folder))
        let slow = Thread {
            let answer = try? server.answer(to: "GET /".utf8)
            #expect(answer?.text.hasPrefix("HTTP/1.1 408 ") == true)
        }
        slow.start()
        #expect(try server.get("/\(server.token)/").status == 200)
        #expect(!slow.isFinished)
        while !slow.isFinished { usleep(100_000) }
        #expect(server.interrupt() == 0)
    }

    @Test("Usage: one folder, and nothing that is written")
    func usage() throws {
        let folder = try TemporaryFolder()
        let photos = try photos(folder)
        for arguments in [
            ["--serve"], ["--serve", photos, photos], ["--serve", photos + "/a.heic"],
            ["--serve", photos, "-o", "a.html"], ["--serve", photos, "--output-directory", "a"],
            ["--serve", photos, "--force"], [photos, "--output-directory", "a", "--port", "8000"],
            ["--serve", photos, "--port", "99999"], ["--serve", photos + "/none"],
        ] {
            #expect(try Tool.run(["view"] + arguments, folder: folder.path).status == 64, "\(arguments)")
        }
        let first = try PageServerProcess(photos)
        let second = try Tool.run(["view", "--serve", photos, "--port", "\(first.port)"])
        #expect(second.status == 1 && second.messages.contains("no server can listen on 127.0.0.1"))
    }
}

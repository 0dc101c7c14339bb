import Glibc
import Isobath

// Cuts the subject out of a photo, and writes it on a transparent and on a white background.
guard CommandLine.arguments.count == 4 else {
    print("usage: CutOut PHOTO CUTOUT.png WHITE.jpg")
    exit(64)
}
let scene = try DepthScene(contentsOf: CommandLine.arguments[1])
let subject = try scene.subject()  // the portrait matte, or a mask from the depth
try subject.over(.none).write(to: CommandLine.arguments[2])
try subject.over(.color(.white)).write(to: CommandLine.arguments[3])

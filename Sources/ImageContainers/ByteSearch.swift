/// Whether bytes hold a mark: a search that skips ahead (Horspool's), so that metadata of megabytes costs no parse.
///
/// - Parameter mark: ASCII, not empty.
func contains(_ bytes: [UInt8], mark: StaticString) -> Bool {
    let wanted = mark.withUTF8Buffer { unsafe Array($0) }
    guard let last = wanted.indices.last else { return true }
    // How far the mark may move when its last place holds a byte: to that byte's last occurrence before the end.
    var shifts = [Int](repeating: wanted.count, count: 256)
    for index in 0..<last { shifts[Int(wanted[index])] = last - index }
    let (text, wantedSpan) = (bytes.span, wanted.span)
    var end = last
    while end < text.count {
        var index = last
        while text[end - last + index] == wantedSpan[index] {
            if index == 0 { return true }
            index -= 1
        }
        end += shifts[Int(text[end])]
    }
    return false
}

/// Namespaces of Dynamic Depth and of the directories of files behind a photo.
enum DynamicDepthNames {
    static let device = "http://ns.google.com/photos/dd/1.0/device/"
    static let camera = "http://ns.google.com/photos/dd/1.0/camera/"
    /// The directory of Dynamic Depth, and its items.
    static let container = "http://ns.google.com/photos/dd/1.0/container/"
    static let item = "http://ns.google.com/photos/dd/1.0/item/"
    /// The directory of Ultra HDR and later phones, and its items.
    static let laterContainer = "http://ns.google.com/photos/1.0/container/"
    static let laterItem = "http://ns.google.com/photos/1.0/container/item/"
}

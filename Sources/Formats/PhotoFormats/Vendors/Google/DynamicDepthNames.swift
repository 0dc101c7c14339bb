/// Namespaces of Dynamic Depth 1.0 and of the directories of files after a photo.
package enum DynamicDepthNames {
    /// The common start of all namespaces of Dynamic Depth.
    package static let all = "http://ns.google.com/photos/dd/1.0/"
    /// Cameras and the directory.
    package static let device = all + "device/"
    package static let camera = all + "camera/"
    static let depthMap = all + "depthmap/"
    static let image = all + "image/"
    static let imagingModel = all + "imagingmodel/"
    /// The directory of Dynamic Depth.
    package static let container = all + "container/"
    /// An item of that directory.
    package static let item = all + "item/"
    /// The directory of Ultra HDR and later phones.
    package static let laterContainer = "http://ns.google.com/photos/1.0/container/"
    /// An item of that directory.
    package static let laterItem = laterContainer + "item/"
}

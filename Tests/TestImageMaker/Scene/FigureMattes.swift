/// What shows of the figure at one point: how much of it covers the background, and how much of that is what.
struct FigureMattes {
    var portrait = 0.0
    var skin = 0.0
    var hair = 0.0
    var teeth = 0.0
    var glasses = 0.0

    /// Lays something over what is there: it hides the rest as far as it covers.
    mutating func cover(_ amount: Double, _ kind: WritableKeyPath<FigureMattes, Double>? = nil) {
        let visible = 1 - amount
        skin *= visible
        hair *= visible
        teeth *= visible
        glasses *= visible
        portrait = amount + portrait * visible
        if let kind { self[keyPath: kind] += amount }
    }

    /// Paints from back to front, and tells `paint` of every layer.
    init(_ x: Double, _ y: Double, paint: (Figure.Layer, Double) -> Void = { _, _ in }) {
        for layer in Figure.Layer.allCases {
            let amount = layer.amount(x, y)
            guard amount > 0 else { continue }
            cover(amount, layer.kind)
            paint(layer, amount)
        }
    }
}

extension Figure {
    /// From back to front.
    enum Layer: CaseIterable {
        case strands, hairBack, hairLong, torso, neckline, neck, ears, face, mouth, teeth, fringe, glasses

        /// The matte that the layer belongs to; a mouth belongs to none.
        var kind: WritableKeyPath<FigureMattes, Double>? {
            switch self {
            case .strands, .hairBack, .hairLong, .fringe: \.hair
            case .neckline, .neck, .ears, .face: \.skin
            case .teeth: \.teeth
            case .glasses: \.glasses
            case .torso, .mouth: nil
            }
        }

        func amount(_ x: Double, _ y: Double) -> Double {
            switch self {
            case .strands: Strand.all.reduce(0) { max($0, $1.amount(x, y)) }
            case .hairBack: soft(Figure.hairBack.distance(x, y), Figure.hairSoftness)
            case .hairLong: soft(Figure.hairLong.distance(x, y), Figure.hairSoftness)
            case .torso: soft(Figure.torso.distance(x, y), Figure.clothSoftness)
            case .neckline: soft(Figure.neckline.distance(x, y), Figure.skinSoftness)
            case .neck: soft(Figure.neck.distance(x, y), Figure.skinSoftness)
            case .ears: soft(Figure.ears.map { $0.distance(x, y) }.reduce(1, min), Figure.skinSoftness)
            case .face: soft(Figure.face.distance(x, y), Figure.skinSoftness)
            case .mouth: soft(Figure.mouth(x, y) - 0.002, Figure.skinSoftness)
            case .teeth: soft(Figure.mouth(x, y), Figure.skinSoftness)
            case .fringe: soft(Figure.fringe(x, y), Figure.hairSoftness)
            case .glasses: soft(Figure.glasses(x, y), Figure.skinSoftness)
            }
        }

        private func soft(_ distance: Double, _ softness: Double) -> Double {
            coverage(distance, softness: softness)
        }
    }
}

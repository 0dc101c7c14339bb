import DepthTypes
import Testing

@testable import Reconstruction

@Suite("Small linear algebra of odometry")
struct Matrix6Tests {
    /// The matrix min(i, j) + 1: its inverse is tridiagonal with 2, −1, and 1 at the end.
    private static var staircase: Matrix6 {
        var matrix = Matrix6()
        for row in 0..<6 {
            for column in 0..<6 { matrix[row, column] = Double(min(row, column) + 1) }
        }
        return matrix
    }

    @Test("The inverse of a known matrix")
    func inverse() throws {
        let inverse = try #require(Self.staircase.inverse)
        for row in 0..<6 {
            for column in 0..<6 {
                let expected = row == column ? (row == 5 ? 1.0 : 2) : abs(row - column) == 1 ? -1 : 0
                #expect(abs(inverse[row, column] - expected) < 1e-12)
            }
        }
    }

    /// They are 1 / (2 − 2·cos((2k − 1)·π / 13)) for k from 1 to 6.
    @Test("The eigenvalues of a known matrix")
    func eigenvalues() {
        let expected = [
            0.265_187_8, 0.318_864_4, 0.446_214_8, 0.774_719_2, 1.988_156_5, 17.206_857_3,
        ]
        let values = Self.staircase.eigenvalues
        for (value, known) in zip(values, expected) {
            #expect(abs(value - known) < 1e-6 * known, "\(values)")
        }
    }

    @Test("A matrix that is not positive definite has no inverse")
    func singular() {
        #expect(Matrix6().inverse == nil)
        #expect(Matrix6().eigenvalues == [0, 0, 0, 0, 0, 0])
    }

    /// A quarter turn about the vertical axis takes z to x.
    @Test("A rotation vector is a turn about its axis, and back")
    func turn() {
        let twist = Twist(1, 2, 3, 0, .pi / 2, 0, 0, 0)
        let pose = CameraPose(twist)
        let offset = pose.world(SIMD3(0, 0, 1)) - SIMD3(2, 2, 3)
        #expect((offset * offset).sum() < 1e-24)
        let rest = pose.twist - twist
        #expect((rest * rest).sum() < 1e-20)
        #expect(pose.appending(pose.inverse).twist.motion(at: 1) < 1e-12)
    }
}

"""Point clouds and meshes that isobath writes, read by others: number, bounds and the color of one point are the same
in every format."""

import pathlib
import subprocess

import laspy
import numpy as np
import plyfile
import trimesh

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "TestImages"
PICTURES = ["portrait.heic", "portrait-rotated.jpg", "absolute-depth.heic"]


class Found:
    """What a reader finds in a file. `colors` are sRGB, 0…255; `triangles` is None for points."""

    def __init__(self, positions, colors=None, triangles=None):
        self.positions = np.asarray(positions, np.float64)
        self.colors = None if colors is None or len(colors) == 0 else np.asarray(colors, np.float64)[:, :3]
        self.triangles = None if triangles is None else np.asarray(triangles)

    def corners(self):
        """The corners of all triangles as points: what is the same whatever order a reader brings vertices into."""
        places = self.triangles.reshape(-1)
        colors = self.colors[places] if self.colors is not None else None
        return Found(self.positions[places], colors)

    def must_equal(self, other, step=1e-6, shade=0.5):
        """The same as another's, positions within `step` and a part in 10⁶, colors within `shade`."""
        assert len(self.positions) == len(other.positions), f"{len(self.positions)} points, not {len(other.positions)}"
        for bound in (np.min, np.max):
            ours, theirs = bound(self.positions, axis=0), bound(other.positions, axis=0)
            assert np.allclose(ours, theirs, rtol=1e-6, atol=step), f"bounds {ours}, not {theirs}"
        if self.triangles is not None:
            assert np.array_equal(self.triangles, other.triangles), "other triangles"
        for probe in (len(self.positions) // 3, int(np.argmax(self.positions[:, 2]))):
            ours, theirs = self.positions[probe], other.positions[probe]
            assert np.allclose(ours, theirs, rtol=1e-6, atol=step), f"point {probe} at {ours}, not {theirs}"
            if self.colors is None or other.colors is None:
                continue
            ours, theirs = self.colors[probe], other.colors[probe]
            assert np.abs(ours - theirs).max() <= shade, f"point {probe} has color {ours}, not {theirs}"


def with_plyfile(path):
    file = plyfile.PlyData.read(path)
    vertices = file["vertex"]
    triangles = np.vstack(file["face"]["vertex_indices"]) if "face" in file else None
    columns = lambda names: np.stack([vertices[name] for name in names.split()], axis=1)
    return Found(columns("x y z"), columns("red green blue"), triangles)


def with_laspy(path):
    file = laspy.read(path)
    found = Found(file.xyz, np.stack([file.red, file.green, file.blue], axis=1) / 257)
    assert np.allclose(file.header.mins, file.xyz.min(axis=0), atol=1e-9), "the header has other bounds"
    assert np.allclose(file.header.maxs, file.xyz.max(axis=0), atol=1e-9)
    assert file.header.generating_software.startswith("isobath"), file.header.generating_software
    return found


def with_trimesh(path):
    loaded = trimesh.load(path, process=False)
    if isinstance(loaded, trimesh.Scene):
        (loaded,) = loaded.geometry.values()
    if isinstance(loaded, trimesh.PointCloud):
        colors = np.asarray(loaded.colors, np.float64)
        # trimesh hands out the linear light of glTF as it is, in eight bits.
        return Found(loaded.vertices, srgb(colors[:, :3] / 255) if path.suffix == ".glb" else colors)
    visual = loaded.visual.to_color() if loaded.visual.kind == "texture" else loaded.visual
    return Found(loaded.vertices, visual.vertex_colors, loaded.faces)


def with_pcd_rules(path):
    """A reader of our own: the format is eleven lines, and trimesh does not read it."""
    header, data = path.read_bytes().split(b"DATA binary\n", 1)
    fields = dict(line.split(" ", 1) for line in header.decode("ascii").splitlines() if line[0] != "#")
    names, count = fields["FIELDS"].split(), int(fields["POINTS"])
    table = np.frombuffer(data, "<f4").reshape(count, len(names))
    code = np.ascontiguousarray(table[:, names.index("rgb")]).view("<u4")
    return Found(table[:, :3], np.stack([code >> 16, code >> 8 & 255, code & 255], axis=1))


def with_open3d(path, is_mesh):
    import open3d

    if not is_mesh:
        cloud = open3d.io.read_point_cloud(str(path))
        return Found(cloud.points, np.asarray(cloud.colors) * 255)
    mesh = open3d.io.read_triangle_mesh(str(path))
    assert path.suffix == ".ply" or any(not image.is_empty() for image in mesh.textures), "no texture"
    return Found(mesh.vertices, np.asarray(mesh.vertex_colors) * 255, mesh.triangles)


def with_usd(path):
    """OpenUSD reads the package, and none of its validators finds a fault."""
    from pxr import Usd, UsdGeom, UsdShade, UsdValidation

    stage = Usd.Stage.Open(str(path))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    faults = UsdValidation.ValidationContext(validators).Validate(stage)
    assert not faults, [fault.GetMessage() for fault in faults]
    assert (UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)) == ("Y", 1)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Surface"))
    assert set(mesh.GetFaceVertexCountsAttr().Get()) == {3}
    material, _ = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()
    assert material.GetSurfaceOutput().GetConnectedSources()[0]
    texture = UsdShade.Shader(stage.GetPrimAtPath("/Root/Material/Texture")).GetInput("file").Get()
    assert texture.resolvedPath.endswith("[photo.jpg]"), texture
    places = np.asarray(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st").Get())
    assert len(places) == len(mesh.GetPointsAttr().Get()) and places.min() > 0 and places.max() < 1
    triangles = np.asarray(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    return Found(np.asarray(mesh.GetPointsAttr().Get()), None, triangles)


def srgb(light):
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255


def run(tool, folder, check, has_open3d):
    """Counts its checks by `check(name, run)`."""

    def write(picture, name, *flags):
        path = folder / f"{pathlib.Path(picture).stem}-{name}"
        command = [tool, "cloud", str(IMAGES / picture), "-o", str(path), "--force", "--quiet", *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"exit {done.returncode}: {done.stderr.strip()}"
        return path

    def points(picture):
        wanted = with_plyfile(write(picture, "points.ply"))
        # The face is the nearest thing; it is in the upper half, and skin.
        nearest = int(np.argmax(wanted.positions[:, 2]))
        assert wanted.positions[nearest][1] > 0 and np.ptp(wanted.colors[nearest]) > 20
        with_trimesh(write(picture, "points.ply")).must_equal(wanted)
        with_trimesh(write(picture, "points.obj")).must_equal(wanted)
        # A step of trimesh's eight bits of light is up to thirteen codes of sRGB in the dark, two in the light.
        with_trimesh(write(picture, "points.glb")).must_equal(wanted, shade=2)
        with_pcd_rules(write(picture, "points.pcd")).must_equal(wanted)
        with_laspy(write(picture, "points.las")).must_equal(wanted)
        if has_open3d:
            for name in ["points.ply", "points.pcd"]:
                with_open3d(write(picture, name), False).must_equal(wanted)

    def meshes(picture):
        # All samples: the corners of fewer triangles lie at edges, where a texel is not like the mean around it.
        whole = ["--max-error", "0"]
        wanted = with_plyfile(write(picture, "mesh.ply", "--mesh", *whole))
        corners = wanted.positions[wanted.triangles]
        facing = np.einsum(
            "ij,ij->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), -corners.mean(axis=1))
        assert (facing > 0).all(), f"{(facing <= 0).sum()} triangles face away from the camera"
        with_trimesh(write(picture, "mesh.ply", "--mesh", *whole)).must_equal(wanted)
        # A texel is a twenty-fifth of a sample here, which is the mean of all of them.
        with_trimesh(write(picture, "mesh.obj", "--mesh", *whole)).must_equal(wanted, shade=40)
        with_trimesh(write(picture, "mesh.glb", "--mesh", *whole)).must_equal(wanted, shade=40)
        with_usd(write(picture, "mesh.usdz", "--mesh", *whole)).must_equal(wanted)
        fewer = with_plyfile(write(picture, "mesh.ply", "--mesh"))
        assert len(fewer.triangles) * 2 < len(wanted.triangles)
        for name, read in [("mesh.glb", with_trimesh), ("mesh.usdz", with_usd)]:
            read(write(picture, name, "--mesh")).must_equal(fewer, shade=255)
        if has_open3d:
            for name in ["mesh.ply", "mesh.obj", "mesh.glb"]:
                found = with_open3d(write(picture, name, "--mesh", *whole), True)
                assert len(found.positions) == len(wanted.positions)
                found.corners().must_equal(wanted.corners())

    for picture in PICTURES:
        check(f"points of {picture}", lambda picture=picture: points(picture))
        check(f"mesh of {picture}", lambda picture=picture: meshes(picture))

"""Recordings of color, depth and poses, and movies with depth."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from ctypes import POINTER, byref, c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ._cloud import Cloud, cloud_of
from ._errors import MissingFileError, NotWrittenError, UnreadableError
from ._files import encoded
from ._library import CloudRecord, DataSetOptions, FusionOptions, call, library, take_text
from ._limits import Limits
from ._photo import Handle, Photo, open_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from . import _numpy as np


def open_recording(
    path: str | os.PathLike[str] | os.PathLike[bytes],
    *,
    scale: float | None = None,
    camera: float | Sequence[float] | str | os.PathLike[str] | None = None,
    color: str | os.PathLike[str] | None = None,
    poses: str | os.PathLike[str] | None = None,
    pose_convention: str | None = None,
    topics: str | Iterable[str] | None = None,
    limits: Limits | None = None,
) -> Recording:
    """Opens a recording and reads its lists and headers. Its contents determine the layout. Decodes nothing.

    Args:
        path: A folder, an archive, a movie with depth, or a pattern of numbered depth images such as `depth-%04d.png`.
        scale: The divisor that converts stored depths to meters; None: the recording's own.
        camera: Numbers in pixels of the depth, from the center of the first: a focal length, (f, cx, cy) or
            (fx, fy, cx, cy). Or a file, as `isobath.open` takes it.
        color: The pattern of the pictures of numbered depth images, such as `rgb-%04d.png`.
        poses: A file with the poses, which replace those of the recording.
        pose_convention: How they are stored: camera-to-world-opencv, camera-to-world-opengl, world-to-camera-opencv,
            world-to-camera-opengl or ros-body; None: as the layout or that file says.
        topics: The topics of a ROS bag to read, by their names: of depth, pictures or poses. Others are chosen by type
            and name.
        limits: Limits on the work that its files may cause in decoders.

    Raises:
        ValueError: Topics are given, and it is not a bag.
        UnreadableError: The system cannot read it (MissingFileError: it does not exist).
        UnrecognizedError: It is not a readable recording, or a bag without one of the topics: the message lists them.
        DamagedError, UnsupportedError, LimitError: Its lists cannot be read.
        UnsuitableError: The folder holds several recordings, or FFmpeg's libraries, which read movies, are missing.
    """
    given = {
        "scale": scale,
        "camera": camera,
        "color": color,
        "poses": poses,
        "pose_convention": pose_convention,
        "topics": [topics] if isinstance(topics, str) else None if topics is None else list(topics),
        "limits": limits,
    }
    return Recording(path, **given)


class _RecordingHandle(Handle):
    __slots__ = ()

    def __del__(self, _library: Any = library) -> None:
        _library.isobath_recording_free(self.value)


class Recording:
    """The frames of a recording, sorted by time: made by `isobath.open_recording`.

        for frame in isobath.open_recording("capture.r3d"):
            print(frame.time, frame.pose, frame.depth().shape)

    `recording[12]` is a frame, `len(recording)` the number of frames. A frame decodes its planes on request.
    Recordings can be pickled.
    """

    def __init__(self, path: Any, **arguments: Any) -> None:
        self._source = path
        self._path = os.fsdecode(path)
        self._arguments = {key: value for key, value in arguments.items() if value is not None}
        self._handle = self._opened()
        self._count = int(self.info["frames"])

    def _opened(self) -> Handle:
        options, handle = open_options(self._arguments), c_void_p()
        path = self._source
        try:
            call(library.isobath_open_recording, encoded(path), byref(options), byref(handle), path=self._path)
        except UnreadableError as error:
            if os.path.lexists(path):
                raise
            raise MissingFileError(*error.__reduce__()[1]) from None
        return _RecordingHandle(handle)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Frame:
        if not -self._count <= index < self._count:
            raise IndexError(f"no frame {index}; the recording has {self._count}")
        return Frame(self, index % self._count)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self, index) for index in range(self._count))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_reopened, (self._source, self._arguments))

    def __repr__(self) -> str:
        return f"<isobath.Recording {self._path!r}: {self._count} frames, {self.info.get('layout')}>"

    @property
    def info(self) -> dict[str, Any]:
        """The recording in the schema `isobath.recording/1` of `isobath info --json`."""
        text = c_void_p()
        call(library.isobath_recording_json, self._handle.value, b"info", byref(text), path=self._path)
        return json.loads(take_text(text))  # type: ignore[no-any-return]

    @property
    def times(self) -> NDArray[np.float64]:
        """Seconds since the first frame, float64 (frames,). Decodes nothing."""
        return np.array(self._track["times"], dtype=np.float64)

    @property
    def poses(self) -> NDArray[np.float64]:
        """Camera to world, float64 (frames, 4, 4), in meters; nan where a pose is unknown. See `Frame.pose`. Decodes
        nothing."""
        unknown = np.full((4, 4), np.nan)
        poses = [unknown if pose is None else _matrix(pose) for pose in self._track["poses"]]
        return np.array(poses).reshape(-1, 4, 4)

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """Assumptions about the recording and losses, as `Photo.diagnostics`. Decodes nothing."""
        return self._track["diagnostics"]  # type: ignore[no-any-return]

    def followed(self, *, level: bool = False, axes: str = "opengl") -> Recording:
        """The recording with the path of its camera: `poses` of the result, and of its frames.

        If the recording has no poses, the camera is followed through all frames by depth and color (visual odometry),
        which decodes all of them, and the first frame is the world. Stored poses that contradict
        the frames around them are removed. `diagnostics` of the result tell how poses were found.

        Args:
            level: Turns the world upright, as in `fuse`.
            axes: Of a level world: "opengl" (y up) or "opencv" (y down).

        Raises:
            UnsuitableError: Frames have no depth in meters or no camera, the camera could not be followed, or nothing
                shows which direction is up.
        """
        return _FollowedRecording(self, _level_flags(level, axes))

    @property
    def _track(self) -> dict[str, Any]:
        text = c_void_p()
        call(library.isobath_recording_json, self._handle.value, b"track", byref(text), path=self._path)
        return json.loads(take_text(text))  # type: ignore[no-any-return]

    def arrays(self, every: int = 1, *, start: float = 0, end: float | None = None) -> FrameArrays:
        """Decodes many frames into one array of each kind, for training and batches.

        Args:
            every: Takes every n-th frame.
            start, end: The times of the frames, in seconds since the first, without `end`; None takes all that follow.

        Raises:
            ValueError: No frame is in the range.
            PlaneNotFoundError: Frames have no depth.
            DamagedError, UnsupportedError, LimitError, UnreadableError: A frame cannot be decoded.
        """
        if every < 1:
            raise ValueError(f"every must be 1 or more, not {every}")
        times = self.times
        indices = np.flatnonzero((times >= start) & (times < (np.inf if end is None else end)))[::every]
        if len(indices) == 0:
            raise ValueError(f"no frame is from {start} to {end} s; the recording has {self._count} frames")
        depth, color, cameras = [], [], []
        for index in indices:
            with self[int(index)] as frame:
                depth.append(np.asarray(frame.depth()))
                if frame.size is not None:
                    color.append(np.asarray(frame.image()))
                cameras.append(frame.camera.K)
        return FrameArrays(
            depth=np.stack(depth),
            color=np.stack(color) if len(color) == len(depth) else None,
            K=np.stack(cameras),
            pose=self.poses[indices],
            time=times[indices],
            index=indices,
        )

    def fuse(
        self,
        voxel_size: float = 0.01,
        *,
        near: float | None = None,
        far: float | None = None,
        start: float = 0,
        end: float | None = None,
        step: int = 1,
        level: bool = False,
        axes: str = "opengl",
        mesh: bool = False,
        maximum_triangles: int | None = None,
    ) -> Cloud:
        """Fuses all frames into one surface, in the coordinates of the poses: about one point for each square of a
        voxel's edge, with the mean color of the frames, or a mesh. Without any poses, the camera is followed by depth
        and color.

        Args:
            voxel_size: The edge of a voxel, in meters.
            near, far: The range of distances along the axis whose samples become points, in meters.
            start, end: The times of the frames, in seconds since the first, without `end`; None uses all that follow.
            step: Uses every n-th frame.
            level: Turns the world upright: by gravity if the poses are aligned with it, else by the floor, whose height
                becomes 0.
            axes: Of a level world: "opengl" (y up) or "opencv" (y down).
            mesh: Makes the surface of triangles. Pieces of fewer than 50 are omitted.
            maximum_triangles: The most triangles of a mesh, if that is possible; None for no maximum.

        Raises:
            UnsuitableError: Frames have no depth in meters or no camera, the camera could not be followed, or nothing
                shows which direction is up.
        """
        options = FusionOptions(
            struct_size=ctypes.sizeof(FusionOptions),
            voxel_size=voxel_size,
            near_distance=near or 0,
            far_distance=far or 0,
            step=step,
            start=start,
            end=0 if end is None else end,
            flags=_level_flags(level, axes) | (end is not None) << 2 | mesh << 3,
            maximum_triangles=maximum_triangles or 0,
        )
        record = POINTER(CloudRecord)()
        call(library.isobath_recording_fuse, self._handle.value, byref(options), byref(record), path=self._path)
        return cloud_of(record)

    def write_data_set(
        self,
        path: str | os.PathLike[str] | os.PathLike[bytes],
        form: Literal["nerfstudio", "colmap", "tum"],
        *,
        start: float = 0,
        end: float | None = None,
        step: int = 1,
        maximum_frames: int | None = None,
        sharpest: bool = False,
        quality: int | None = None,
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Writes frames into a folder that other programs read as a data set: pictures, depth, cameras and poses, and
        a fused cloud where the form has one. The files are those of `isobath convert --to`.

        Without any poses, the camera is followed by depth and color. The folder is complete or missing, never partial.

        Args:
            path: The folder.
            form: `nerfstudio` (transforms.json), `colmap` (a sparse model as text) or `tum` (lists by time).
            start, end: The times of the frames, in seconds since the first, without `end`; None uses all that follow.
            step: Uses every n-th frame.
            maximum_frames: The most frames, evenly chosen; None for all.
            sharpest: Uses the sharpest picture of each group of frames that `step` or `maximum_frames` makes.
            quality: The quality of JPEG pictures that are not copied from the recording, 1 to 100; None is 92.
            overwrite: Replaces an existing folder if it holds files of a data set and no others.

        Returns:
            What was written: the numbers of `frames`, and of those with `pictures` and `poses`; `points` of the cloud,
            None without one; `damagedFrames` that could not be decoded and are omitted, each with `index` and `error`;
            `diagnostics`, assumptions and losses, as in `Photo.diagnostics`.

        Raises:
            NotWrittenError: The folder exists and is not to be replaced, holds the recording, or cannot be written.
            UnsuitableError: Frames have no depth in meters or no camera, the camera could not be followed, the form
                needs pictures and there are none.
            DamagedError, UnsupportedError, LimitError, UnreadableError: No frame can be decoded.
        """
        if maximum_frames is not None and maximum_frames < 1:
            raise ValueError(f"maximum_frames must be 1 or more, not {maximum_frames}")
        options = DataSetOptions(
            struct_size=ctypes.sizeof(DataSetOptions),
            flags=(1 if overwrite else 0) | (2 if sharpest else 0) | (0 if end is None else 4),
            step=step,
            start=start,
            end=0 if end is None else end,
            maximum_frames=maximum_frames or 0,
            quality=quality or 0,
        )
        text, write = c_void_p(), library.isobath_recording_write_data_set
        arguments = (self._handle.value, form.encode(), encoded(path), byref(options), byref(text))
        try:
            call(write, *arguments, path=self._path)
        except NotWrittenError as error:
            raise NotWrittenError(*error.__reduce__()[1][:4], os.fsdecode(path)) from None
        return json.loads(take_text(text))  # type: ignore[no-any-return]


class _FollowedRecording(Recording):
    """A recording with poses: made by `Recording.followed`."""

    def __init__(self, recording: Recording, flags: int) -> None:
        self._recording = recording
        self._flags = flags
        super().__init__(recording._source)

    def _opened(self) -> Handle:
        handle, base = c_void_p(), self._recording._handle.value
        call(library.isobath_recording_follow, base, self._flags, byref(handle), path=self._path)
        return _RecordingHandle(handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_FollowedRecording, (self._recording, self._flags))


def _level_flags(level: bool, axes: str) -> int:
    if axes not in ("opengl", "opencv"):
        raise ValueError(f"axes must be 'opengl' or 'opencv', not {axes!r}")
    if axes == "opencv" and not level:
        raise ValueError("axes has no effect without level")
    return level | (axes == "opencv") << 1


@dataclass(frozen=True, eq=False)
class FrameArrays:
    """Frames of a recording, upright, N of them: made by `Recording.arrays`."""

    depth: NDArray[np.float32]
    """Meters, float32 (N, rows, columns), nan where unknown."""
    color: NDArray[np.uint8] | None
    """The pictures in sRGB, uint8 (N, rows, columns, 3), at their own size; None unless all frames have one."""
    K: NDArray[np.float64]
    """The intrinsics on the grid of the depth, float64 (N, 3, 3). See `Camera.K`."""
    pose: NDArray[np.float64]
    """Camera to world, float64 (N, 4, 4), nan where unknown. See `Frame.pose`."""
    time: NDArray[np.float64]
    """Seconds since the first frame of the recording, float64 (N,)."""
    index: NDArray[np.intp]
    """The index of each frame in the recording."""

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        color = "no color" if self.color is None else f"color {self.color.shape}"
        return f"<isobath.FrameArrays of {len(self)} frames: depth {self.depth.shape}, {color}>"


class Frame(Photo):
    """A frame of a recording, upright: it has all methods of a photo.

    If the recording has them, `depth()` is in meters, `image()` the picture, `samples("confidence")` 0 low, 1 medium,
    2 high, and `matte()` the subject. A frame caches what it decodes. `info` describes the recording.
    """

    def __init__(self, recording: Recording, index: int) -> None:
        self._recording = recording
        self._index = index
        super().__init__(None, name=recording._path)

    def _opened(self) -> Handle:
        handle = c_void_p()
        self._call(library.isobath_recording_frame, self._recording._handle.value, self._index, byref(handle))
        return Handle(handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Frame, (self._recording, self._index))

    def __repr__(self) -> str:
        return f"<isobath.Frame {self._index} of {self._path!r}: {self._contents}>"

    @property
    def index(self) -> int:
        """The index of the frame in the recording, from 0."""
        return self._index

    @property
    def time(self) -> float:
        """Seconds since the first frame."""
        return float(self._json("view")["time"])

    @property
    def pose(self) -> NDArray[np.float64] | None:
        """Camera to world, float64 (4, 4), in meters, or None if unknown, as after tracking was lost.

        A point p of the camera (x right, y down, z forward) is at `pose[:3, :3] @ p + pose[:3, 3]` in the world.
        """
        stored = self._json("view")["pose"]
        return None if stored is None else _matrix(stored)


def _matrix(stored: dict[str, Any]) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(stored["rotation"], (3, 3))
    pose[:3, 3] = stored["translation"]
    return pose


def _reopened(path: Any, arguments: dict[str, Any]) -> Recording:
    return Recording(path, **arguments)

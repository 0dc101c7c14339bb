"""Point clouds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._library import CloudRecord, library
from ._memory import owner, window

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray
else:
    from . import _numpy as np


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points and their attributes, or a mesh of them. The arrays of attributes have as many rows as `positions`, or are
    None."""

    positions: NDArray[np.float32]
    """x, y, z, float32 (n, 3), in meters subject to `scale`."""
    colors: NDArray[np.uint8] | None
    """Red, green, blue, uint8 (n, 3), sRGB."""
    normals: NDArray[np.float32] | None
    """Unit normals of the surface towards the camera, float32 (n, 3)."""
    confidences: NDArray[np.float32] | None
    """The confidence of each point, float32 (n,), 0…1."""
    scale: str
    """The accuracy of positions, as in `Photo.scale`."""
    triangles: NDArray[np.uint32] | None = None
    """Three indices of points each, uint32 (m, 3), counter-clockwise seen from the camera; None without a mesh."""

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        parts = [f"{len(self):,} points"]
        if self.triangles is not None:
            parts.append(f"{len(self.triangles):,} triangles")
        parts += [name for name in ("colors", "normals", "confidences") if getattr(self, name) is not None]
        return f"<isobath.Cloud: {', '.join(parts)}, {self.scale}>"

    def write(
        self, path: str | os.PathLike[str] | os.PathLike[bytes], *, overwrite: bool = False, text: bool = False
    ) -> None:
        """Writes the points in the format of the name's extension: PLY, PCD, OBJ, GLB or LAS; a mesh as PLY, OBJ, GLB
        or USDZ. The file is complete or missing.

        Args:
            overwrite: Replaces an existing file.
            text: Writes PLY or PCD as text.

        Raises:
            NotWrittenError: The file exists and `overwrite` is not set, its extension is unknown, or it cannot be
                written.
        """
        from ._results import write_cloud

        write_cloud(self, path, overwrite=overwrite, text=text)


def cloud_of(record: Any) -> Cloud:
    """The cloud that the library returned; its arrays are not copied."""
    contents: CloudRecord = record.contents
    held = owner(record, library.isobath_cloud_free)
    count = contents.point_count

    def rows(address: int | None, width: int, type_name: str) -> Any:
        shape = (count, width) if width > 1 else (count,)
        return window(held, address, shape, type_name) if address else None

    return Cloud(
        positions=window(held, contents.positions, (count, 3), "<f4"),
        colors=rows(contents.colors, 3, "|u1"),
        normals=rows(contents.normals, 3, "<f4"),
        confidences=rows(contents.confidences, 1, "<f4"),
        scale=contents.scale.decode(),
        triangles=window(held, contents.triangles, (contents.triangle_count, 3), "<u4") if contents.triangles else None,
    )

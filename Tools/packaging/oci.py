#!/usr/bin/env python3
"""Writes an OCI image layout with one layer: a folder that bundle.py made as /usr, and the C library of this machine.

    oci.py ROOT OUTPUT VERSION

The same input gives the same bytes: times are SOURCE_DATE_EPOCH, and everything belongs to root. There is no shell.
Specification: https://github.com/opencontainers/image-spec, version 1.1.
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

USER = 65532  # "nonroot" in other images
# Parts of older C libraries, empty today. ONNX Runtime, which users may mount, still names them.
OLD_PARTS = ["libdl.so.2", "libpthread.so.0", "librt.so.1"]


def system_libraries(root):
    """The files of this machine that programs in `root` are linked with, by the paths that the linker uses."""
    files = {}
    for path in [root / "bin/isobath", *sorted((root / "libexec/isobath").glob("*.so*"))]:
        shown = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
        for found in re.findall(r"(?:=> )?(/\S+) \(0x", shown):
            if not Path(found).resolve().is_relative_to(root.resolve()):
                files[found] = Path(found).resolve()
    folder = next(Path(name).parent for name in files if name.endswith("/libc.so.6"))
    return files | {str(folder / name): (folder / name).resolve() for name in OLD_PARTS}


def layer(root, time):
    """The bytes of the layer, without compression."""
    buffer = io.BytesIO()
    made = set()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:

        def add(name, content=None, mode=0o644, owner=0, link=None):
            for parent in list(reversed(Path(name).parents))[1:]:
                if str(parent) not in made:
                    add(str(parent), mode=0o755)
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.mode, entry.uid, entry.gid = time, mode, owner, owner
            made.add(name)
            if link:
                entry.type, entry.linkname = tarfile.SYMTYPE, link
            elif content is None:
                entry.type = tarfile.DIRTYPE
            else:
                entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content or b""))

        # As on Debian, where these are links.
        for name in ("lib", "lib64"):
            add(name, link=f"usr/{name}")
        for path in sorted(root.rglob("*")):
            name = f"usr/{path.relative_to(root)}"
            if path.is_file():
                add(name, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        for name, path in sorted(system_libraries(root).items()):
            merged = name if name.startswith("/usr/") else "/usr" + name
            add(merged.lstrip("/"), path.read_bytes(), 0o755)
        shell = "/sbin/nologin"
        add("etc/passwd", f"root:x:0:0:root:/root:{shell}\nisobath:x:{USER}:{USER}::/data:{shell}\n".encode())
        add("etc/group", f"root:x:0:\nisobath:x:{USER}:\n".encode())
        # Volumes are mounted here. Any user may write.
        add("data", mode=0o1777, owner=USER)
        add("tmp", mode=0o1777)
        texts = Path("/usr/share/doc/libc6/copyright")
        if texts.exists():
            add("usr/share/doc/libc6/copyright", texts.read_bytes())
    return buffer.getvalue()


def main():
    root, output, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    time = int(os.environ["SOURCE_DATE_EPOCH"])
    blobs = output / "blobs/sha256"
    blobs.mkdir(parents=True)

    def store(content, media_type):
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def store_json(value, media_type):
        return store(json.dumps(value, separators=(",", ":"), sort_keys=True).encode(), media_type)

    content = layer(root, time)
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    stored = store(gzip.compress(content, 9, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip")
    labels = {
        "org.opencontainers.image.title": "isobath",
        "org.opencontainers.image.description": "Depth maps, mattes and point clouds from photos",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    config = store_json(
        {
            "created": created,
            "architecture": "amd64",
            "os": "linux",
            "config": {
                "User": f"{USER}:{USER}",
                "Env": ["PATH=/usr/bin"],
                "Entrypoint": ["/usr/bin/isobath"],
                "Cmd": ["--help"],
                "WorkingDir": "/data",
                "Labels": labels,
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(content).hexdigest()}"]},
            "history": [{"created": created, "created_by": "Tools/package"}],
        },
        "application/vnd.oci.image.config.v1+json",
    )
    manifest = store_json(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": config,
            "layers": [stored],
            "annotations": labels,
        },
        "application/vnd.oci.image.manifest.v1+json",
    )
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    manifest["platform"] = {"architecture": "amd64", "os": "linux"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}
    (output / "index.json").write_text(json.dumps(index, separators=(",", ":"), sort_keys=True))
    (output / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    print(f"oci/blobs/sha256/{stored['digest'].removeprefix('sha256:')}")


main()

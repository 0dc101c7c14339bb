"""Tar files in and out, written and read by the `webdataset` package."""

import io
import json
import pathlib
import subprocess

import numpy as np
import webdataset

IMAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "TestImages"
PHOTOS = ["portrait.heic", "portrait.jpg", "absolute-depth.heic", "plain.jpg", "absolute-depth.jpg"]


def write(path, count):
    """A shard of photos with captions, as webdataset writes it."""
    with webdataset.TarWriter(str(path)) as shard:
        for number in range(count):
            name = PHOTOS[number % len(PHOTOS)]
            data = (IMAGES / name).read_bytes()
            if number == 7:
                data = data[:2000]
            shard.write({"__key__": f"{number:06}", name.split(".")[1]: data, "txt": f"caption {number}"})


def checks(isobath, folder, check, same):
    """Counted checks; `check` and `same` are those of check.py."""
    shard, planes = folder / "photos-000000.tar", folder / "planes-000000.tar"
    count = 25

    def extract(*flags):
        with shard.open("rb") as source, planes.open("wb") as target:
            return subprocess.run(
                [isobath, "extract", "--tar-input", "-", "--tar-output", "-", "--format", "npy", "--quiet", *flags],
                stdin=source, stdout=target, stderr=subprocess.PIPE, text=True, check=False)

    def round_trip(*flags):
        write(shard, count)
        done = extract(*flags)
        assert done.returncode == 1, f"exit {done.returncode}: {done.stderr}"
        samples = list(webdataset.WebDataset(str(planes), shardshuffle=False))
        assert [sample["__key__"] for sample in samples] == [f"{number:06}" for number in range(count)]
        for number, sample in enumerate(samples):
            name = PHOTOS[number % len(PHOTOS)]
            record = json.loads(sample["json"])
            assert record["schema"] == "isobath.extract/1", record
            arrays = [key for key in sample if key.endswith(".npy")]
            if number == 7 or name == "plain.jpg":
                code = "no-plane" if name == "plain.jpg" else None
                assert not arrays and record["errors"] and code in (None, record["errors"][0]["code"]), record
                continue
            alone = subprocess.run([isobath, "extract", str(IMAGES / name), "-o", "-", "--format", "npy", "--quiet"],
                                   stdout=subprocess.PIPE, check=True).stdout
            same(np.load(io.BytesIO(sample[arrays[0]])), np.load(io.BytesIO(alone)))

    check("webdataset reads the tar files that isobath writes", round_trip)
    check("webdataset reads the tar files that isobath writes --isolate", lambda: round_trip("--isolate"))

    def decoded():
        sample = next(iter(webdataset.WebDataset(str(planes), shardshuffle=False).decode()))
        array = sample["disparity.npy"]
        assert array.dtype == np.float32 and array.ndim == 2 and sample["json"]["outputs"], sample.keys()

    check("webdataset decodes planes and records", decoded)

"""The matte of a photo by a network: as short an onnxruntime script as there is, or rembg.

    matte_network.py onnxruntime|mask|cut-out|matting PHOTO U2NETP.onnx THREADS OUT.png

`onnxruntime` writes the network's own matte of 320 × 320, `mask` rembg's at the photo's size, `cut-out` rembg's
picture, `matting` rembg's picture with `alpha_matting`.
rembg is imported only where it is asked for: it loads Numba and SciPy.
"""

import os
import sys
from pathlib import Path

import onnxruntime
from PIL import Image, ImageOps
from pillow_heif import register_heif_opener


def options(threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    return options


def by_onnxruntime(picture, model, threads):
    import numpy

    small = numpy.asarray(picture.convert("RGB").resize((320, 320), Image.Resampling.LANCZOS), numpy.float32)
    small /= max(small.max(), 1e-6)
    tensor = (small - numpy.float32([0.485, 0.456, 0.406])) / numpy.float32([0.229, 0.224, 0.225])
    session = onnxruntime.InferenceSession(model, options(threads), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    answer = session.run(None, {name: tensor.transpose(2, 0, 1)[None]})[0][0, 0]
    answer = (answer - answer.min()) / (answer.max() - answer.min())
    return Image.fromarray((answer * 255).round().astype("uint8"))


def by_rembg(picture, model, threads, work):
    os.environ["U2NET_HOME"] = str(Path(model).parent)
    from rembg import new_session, remove

    session = new_session("u2netp", sess_opts=options(threads))
    return remove(picture, session=session, only_mask=work == "mask", alpha_matting=work == "matting")


if __name__ == "__main__":
    work, photo, model, threads, output = sys.argv[1:]
    register_heif_opener()
    picture = ImageOps.exif_transpose(Image.open(photo))
    if work == "onnxruntime":
        matte = by_onnxruntime(picture, model, int(threads))
    else:
        matte = by_rembg(picture, model, int(threads), work)
    matte.save(output)

/// Images of 7 × 5 samples, `(x²·37 + y·91 + x·y·13)·m` modulo 2 to the number of bits, m being 41 for 12 and 16 bits, else
/// 1; coded by libjpeg-turbo 3.1.3 (the last one by liblj92), in Python with imagecodecs 2026.3.6:
///
///     imagecodecs.jpeg8_encode(image, lossless=True, predictor=p, bitspersample=bits)   # its APP0 segment left out
///     imagecodecs.ljpeg_encode(image, bitspersample=16)
let losslessVectors: [(bits: Int, predictor: Int, base64: String)] = [
    (
        2, 1,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAEAAJREudWnAiJq06hET//Z"
    ),
    (
        2, 2,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAIAAJREvNXkzJkzRk0SaP/Z"
    ),
    (
        2, 3,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAMAAJREt104lxKFOKMTGP/Z"
    ),
    (
        2, 4,
        "/9j/wwALAgAFAAcBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAQL/2gAIAQEABAAAlES4VhFhUVhRhWP/2Q=="
    ),
    (
        2, 5,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAUAAJREuWmUzLkaZaGXM//Z"
    ),
    (
        2, 6,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAYAAJREsaoRZyi1KjGzH//Z"
    ),
    (
        2, 7,
        "/9j/wwALAgAFAAcBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQIA/9oACAEBAAcAAJREsaoTJsmpNQzhn//Z"
    ),
    (
        8, 1,
        "/9j/wwALCAAFAAcBAREA/8QAGAABAQEBAQAAAAAAAAAAAAAABwgGBQL/2gAIAQEAAQAAn/St5x7TRZb2U92N0JZqRb"
            + "34Rku6zmEtJlLZ/VTmerayRczbgFl//9k="
    ),
    (
        8, 2,
        "/9j/wwALCAAFAAcBAREA/8QAFwABAQEBAAAAAAAAAAAAAAAABwgCBv/aAAgBAQACAACf+lbzjaaLLbROlBUeN1SttD"
            + "qAh1OFEtTO60FR42ULbROgCHDdU//Z"
    ),
    (
        8, 3,
        "/9j/wwALCAAFAAcBAREA/8QAGQABAQADAQAAAAAAAAAAAAAABwgCBAUG/9oACAEBAAMAAJ/9K3nGaaLLdG8P3dJchA"
            + "W6a0Ege1U2WibFVqzOWVutNuYTiD2f/9k="
    ),
    (
        8, 4,
        "/9j/wwALCAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAABAcICQIG/9oACAEBAAQAAJ/9K71x2zUs2zYM0NNgzQ"
            + "1tmmwYbobBktG6GmmwYa2zYMNNN0N//9k="
    ),
    (
        8, 5,
        "/9j/wwALCAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAABgcIBQIE/9oACAEBAAUAAJ/JXeuO2alm2QSJdXvjO2"
            + "W2TBU36tdS9LRbaXm3JAxW2ZyvwRA12f/Z"
    ),
    (
        8, 6,
        "/9j/wwALCAAFAAcBAREA/8QAFwABAQEBAAAAAAAAAAAAAAAACAcGAv/aAAgBAQAGAAA/6W3zjumxat7sgMinFRt1vd"
            + "0Ej41qlotTpg0inFTNVvdkDD43KNv/2Q=="
    ),
    (
        8, 7,
        "/9j/wwALCAAFAAcBAREA/8QAGQABAQEAAwAAAAAAAAAAAAAABwgGAQIF/9oACAEBAAcAAJ/0recd00WW02eKkUJ6qd"
            + "bVOCrK0EWS1maG2K6Dma2whZv4QdXX/9k="
    ),
    (
        12, 1,
        "/9j/wwALDAAFAAcBAREA/8QAGAAAAwEBAAAAAAAAAAAAAAAACQsMCgf/2gAIAQEAAQAAn/29px80FL3KqEvuk0AO9z"
            + "mq497VGhiSULN8Tl5pEvzVkSWCugGj3+c1yk7aJIIChpvqc/NQmC//2Q=="
    ),
    (
        12, 2,
        "/9j/wwALDAAFAAcBAREA/8QAGAAAAwEBAAAAAAAAAAAAAAAACQsMCAr/2gAIAQEAAgAAn/29px+aCl7lVCX3SeqOr1"
            + "mlNzUfixASWqOr1mk7nR91iIktUdXsmjNzUfixASWqIrxmk7nR9rEP/9k="
    ),
    (
        12, 3,
        "/9j/wwALDAAFAAcBAREA/8QAGAAAAwEBAAAAAAAAAAAAAAAACQsMCgf/2gAIAQEAAwAAn/29px80FL3KqEvuk3SrIT"
            + "Tn2IKGD8SSKl0yyI079mCoJJV9RXTTkkXp77UJLGmrCRYuoWSET9//2Q=="
    ),
    (
        12, 4,
        "/9j/wwALDAAFAAcBAREA/8QAGAABAQEBAQAAAAAAAAAAAAAACgwJDQv/2gAIAQEABAAAn/8A17dxzQUvcqppfdJxCi"
            + "FUKxCnSFYhTJJCqFUKoViFOkK5JIVQrEKIV6QrEKZJIViFOkKoViFEK//Z"
    ),
    (
        12, 5,
        "/9j/wwALDAAFAAcBAREA/8QAGQABAQADAQAAAAAAAAAAAAAADAkICgsG/9oACAEBAAUAAD//AF7bj60CXsqpS90mUL"
            + "2+c5jaTMAVZJKCvQDvh5wuSu3klhB1DhfWdDtUmDJL1ZhdgLfI+9rl/wD/2Q=="
    ),
    (
        12, 6,
        "/9j/wwALDAAFAAcBAREA/8QAFwABAQEBAAAAAAAAAAAAAAAADAkKC//aAAgBAQAGAAA//wBe24+aBL2VUpe6T4r2mn"
            + "boR9bEmkpJVf007dOj8WIdJySq/ppG54fWxJpKSVXxNC3To/FiJJf/2Q=="
    ),
    (
        12, 7,
        "/9j/wwALDAAFAAcBAREA/8QAGAAAAwEBAAAAAAAAAAAAAAAACgsMCQj/2gAIAQEABwAAn/29u440FL3KqaX3SYKhpp"
            + "IiTugznKskhX2K5p5IyT2g1ySxpaxSLC1CpISf5Jc6TNbWRi2tSUk//9k="
    ),
    (
        16, 1,
        "/9j/wwALEAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAADA0ODwsQ/9oACAEBAAEAAPde1jjvaGpe7VV0EvOkyA"
            + "JnuP7arkLdq0NEOkyhdr40OXW0ty/6KsnSZhY4BqPgr7q7lNHbjpM5BdDdL62Ofe1Okwf/2Q=="
    ),
    (
        16, 2,
        "/9j/wwALEAAFAAcBAREA/8QAGQABAQEAAwAAAAAAAAAAAAAADQwOCw8Q/9oACAEBAAIAAPcvajju0Ope9qq9gl90mh"
            + "UJXqmktzsfjYjdJoVCV6ppLc7H42I3SaFQleqaS3Ox+NiN0mhUJXqmktzsfjYj/9k="
    ),
    (
        16, 3,
        "/9j/wwALEAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAADQ4PDAsQ/9oACAEBAAMAAPde0jjnaFpe3VVoJfuky0"
            + "qyQjk50BipyjXEDdJmKpmmXSIoTvUGavKu6TNX7RXO07RIypPdgat0mc1GrDeLKjUNUkLE/wD/2Q=="
    ),
    (
        16, 4,
        "/9j/wwALEAAFAAcBAREA/8QAGgABAQACAwAAAAAAAAAAAAAACgwNDgsPEP/aAAgBAQAEAAD3L25HHztDtL3uqr2CX3"
            + "SaFUKoVQqhVCt0mhVCqFUKoVQrdJoVQqhVCqFUK3SaFUKoVQqhVCv/2Q=="
    ),
    (
        16, 5,
        "/9j/wwALEAAFAAcBAREA/8QAGQABAQADAQAAAAAAAAAAAAAADQwLDg8Q/9oACAEBAAUAAPZe1HHdodpe91Vegl90nl"
            + "DKvlDmW03MDYq26TzC1gGj4L7ruVsdvdJ5yG0OS+2Oh7V5Jg3SdBXcMKArPk/v8ly//9k="
    ),
    (
        16, 6,
        "/9j/wwALEAAFAAcBAREA/8QAGQABAAIDAAAAAAAAAAAAAAAADA0OCw8Q/9oACAEBAAYAAOy9sjjztDaXu6quwS90ml"
            + "fU0rdGPzYl0m6TSvqaVujH5sS6TdJpX1NK3Rj82JdJuk0r6mlbox+bEuk//9k="
    ),
    (
        16, 7,
        "/9j/wwALEAAFAAcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAADA0ODwsQ/9oACAEBAAcAAPde1jjvaGpe7VV0EvOkzF"
            + "VmmukShPKgzrys6TNYGiu7T6JGqT6wNTpM5qasTxZo1GqSMxPzpM91bNj1kpFurU8ySf/Z"
    ),
    (
        16, 6,
        "/9j/xAAZAAEBAAMBAAAAAAAAAAAAAAAMDQ4PCxD/wwALEAAFAAcBABEA/9oACAEAAAYAAPde2jj3aHKXvNVXYJe6TS"
            + "vqaVujH5sS6TdJpX1NK3Rj82JdJuk0r6mlbox+bEuk3SaV9TSt0Y/NiXSY/9k="
    ),
]

"""random_marian.py FOLDER SIZE WORDS LINES - writes a network of Marian with random weights in 8 bits, as large as one of OPUS-MT
(opus) or Firefox (tiny), and lines for it: model.bin, vocab.spm, decoder.yml, lines.txt.

Each line has 24 of the words and with <eos> 25 tokens; so has its translation, since </s> has a bias that no other word
has and the length ends it. The vocabulary is one word a piece. Needs nothing but Python. """
import os
import random
import struct
import sys

MARK = "\u2581"
SIZES = {"opus": {"D": 512, "F": 2048, "encoder": 6, "decoder": 6, "ssru": 0, "activation": "swish"},
         "tiny": {"D": 256, "F": 1536, "encoder": 6, "decoder": 2, "ssru": 1, "activation": "relu"}}
folder, size, words, lines = sys.argv[1], SIZES[sys.argv[2]], int(sys.argv[3]), int(sys.argv[4])
D, F = size["D"], size["F"]
random.seed(1)
items = []
WHOLE = bytes.maketrans(b"\x80", b"\x7f")           # -128 becomes 127


def matrix(name, rows, columns, deviation):
    values = random.randbytes(rows * columns).translate(WHOLE)
    items.append((name, 0x4101, (rows, columns), values + struct.pack("<f", 73.9 / deviation)))


def vector(name, n, value):
    items.append((name, 0x404, (1, n), struct.pack("<f", value) * n))


def linear(name, rows, columns):
    """name has W, or b, where it has a brace."""
    matrix(name.format("W"), rows, columns, (2 / (rows + columns)) ** 0.5)
    vector(name.format("b"), columns, 0)


def norm(name):
    vector(name + "_ln_scale", D, 1)
    vector(name + "_ln_bias", D, 0)


def attention(name):
    for k in "qkvo":
        linear(f"{name}_{{}}{k}", D, D)
    norm(name + "_Wo")


def layer(name, is_decoder):
    if is_decoder and size["ssru"]:
        matrix(name + "_rnn_W", D, D, D ** -0.5)
        linear(name + "_rnn_{}f", D, D)
        norm(name + "_rnn_ffn")
    else:
        attention(name + "_self")
    if is_decoder:
        attention(name + "_context")
    linear(name + "_ffn_{}1", D, F)
    linear(name + "_ffn_{}2", F, D)
    norm(name + "_ffn_ffn")


def options():
    pairs = {"type": "transformer", "dim-emb": D, "enc-depth": size["encoder"], "dec-depth": size["decoder"],
             "transformer-heads": 8, "transformer-dim-ffn": F, "transformer-ffn-activation": size["activation"],
             "transformer-preprocess": '""', "transformer-postprocess": "dan", "transformer-postprocess-emb": "d",
             "transformer-postprocess-top": '""', "tied-embeddings-all": "true", "dim-vocabs": f"\n  - {words}\n  - {words}",
             "transformer-decoder-autoreg": "rnn" if size["ssru"] else "self-attention",
             "dec-cell": "ssru" if size["ssru"] else "gru", "transformer-tied-layers": "\n  []", "version": "v1.9.56"}
    return "".join(f"{key}: {value}\n" for key, value in pairs.items()).encode() + b"\0"


def network():
    matrix("Wemb", words, D, D ** -0.5)
    items.append(("decoder_ff_logit_out_b", 0x404, (1, words), struct.pack("<f", -1e4) + bytes(4 * words - 4)))
    for side in ("encoder", "decoder"):
        for n in range(size[side]):
            layer(f"{side}_l{n + 1}", side == "decoder")
    items.append(("special:model.yml", 0x101, (len(options()),), options()))


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def write_network():
    head = struct.pack("<QQ", 1, len(items))
    for name, kind, shape, values in items:
        head += struct.pack("<4Q", len(name) + 1, kind, len(shape), len(values) + -len(values) % 256)
    head += b"".join(name.encode() + b"\0" for name, *_ in items)
    head += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)
    padding = 256 - (len(head) + 8) % 256
    head += struct.pack("<Q", padding) + bytes(padding)
    write("model.bin", head + b"".join(values + bytes(-len(values) % 256) for *_, values in items))


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def write_vocabulary(pieces):
    out = b""
    for i, piece in enumerate(pieces):
        kind = {"</s>": 3, "<unk>": 2}.get(piece, 1)
        out += field(1, field(1, piece.encode()) + struct.pack("<Bf", 2 << 3 | 5, -1.0) + bytes([3 << 3, kind]))
    trainer = b"".join(varint(key << 3) + varint(value & 2**64 - 1) for key, value in ((3, 1), (40, 1), (41, -1), (42, 0)))
    write("vocab.spm", out + field(2, trainer) + field(3, field(1, b"identity")))


os.makedirs(folder, exist_ok=True)
network()
write_network()
own = [f"w{i}" for i in range(2, words)]
write_vocabulary(["</s>", "<unk>"] + [MARK + word for word in own])
write("decoder.yml", b"beam-size: 1\nnormalize: 1\nmax-length-factor: 1\n")
write("lines.txt", "".join(" ".join(random.choice(own) for _ in range(24)) + "\n" for _ in range(lines)).encode())

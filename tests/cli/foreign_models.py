"""foreign_models.py write FOLDER - writes one tiny transformer in the format of each program that attn convert reads, and
FOLDER/expected/NAME.json with its weights by attn's names.

foreign_models.py check EXPECTED MODEL [OPTION=VALUE...] - whether a converted model has exactly these weights, and these
options of the network besides.

foreign_models.py marian FOLDER [OPTION=VALUE...] - one of Marian with other options of special:model.yml.

foreign_models.py seeds FOLDER - writes the seeds of tests/fuzz/fuzz_import.c: still smaller ones, and damaged ones.

Needs nothing but Python. All weights are whole numbers / 64 between -1 and 1, which every type of these formats holds
exactly: 16 bits of a float, and 8 bits with a scale of 64. So every reader must give the same model, bit by bit. """
import hashlib
import json
import os
import struct
import sys
import tempfile
import zipfile
from math import cos, exp, log, sin

D, F, HEADS, LAYERS = (4, 4, 1, {"encoder": 1, "decoder": 1}) if sys.argv[1] == "seeds" \
    else (8, 12, 2, {"encoder": 2, "decoder": 2})
MARK = "\u2581"
TEXT = [MARK + "a", MARK + "b", "a", "b", "c", MARK, "'", ":x", "#", "\u00e9", "x", MARK + "y"]
PIECES = ["</s>", "<unk>"] + TEXT                   # in the order of the networks' ids
V = len(PIECES)


def number(name, i):
    """Value i of an array: the same for ever."""
    digest = hashlib.sha256(f"{name} {i}".encode()).digest()
    return (digest[0] * 256 + digest[1]) % 129 / 64 - 1


def matrix(name, rows, columns):
    return [[number(name, i * columns + j) for j in range(columns)] for i in range(rows)]


def vector(name, n):
    return [number(name, i) for i in range(n)]


def transposed(m):
    return [list(column) for column in zip(*m)]


def network(recurrence):
    """The weights by attn's names; matrices are (outputs, inputs)."""
    w = {"encoder.embedding.weight": matrix("embedding", V, D), "readout.output.bias": vector("output bias", V)}
    for side, layers in LAYERS.items():
        for layer in (f"{side}.layers.{n}" for n in range(layers)):
            def linear(name, rows, columns, dot="."):
                w[f"{layer}.{name}{dot}weight"] = matrix(layer + name, rows, columns)
                w[f"{layer}.{name}{dot}bias"] = vector(layer + name + "b", rows)

            def norm(name):
                w[f"{layer}.{name}.weight"] = vector(layer + name, D)
                w[f"{layer}.{name}.bias"] = vector(layer + name + "b", D)

            if side == "decoder" and recurrence:
                w[layer + ".ssru.weight"] = matrix(layer + "ssru", 2 * D, D)
                w[layer + ".ssru.bias"] = vector(layer + "ssru b", D)
            else:
                linear("self_attn.in_proj", 3 * D, D, "_")
                linear("self_attn.out_proj", D, D)
            if side == "decoder":
                linear("multihead_attn.in_proj", 3 * D, D, "_")
                linear("multihead_attn.out_proj", D, D)
            linear("linear1", F, D)
            linear("linear2", D, F)
            for k in range(3 if side == "decoder" else 2):
                norm(f"norm{k + 1}")
    return w


# ---- Marian ----

def parts(rows, count):
    size = len(rows) // count
    return [rows[k * size:(k + 1) * size] for k in range(count)]


def marian_arrays(w):
    """Names and values; matrices are (inputs, outputs), vectors (1, n)."""
    out = {"Wemb": w["encoder.embedding.weight"], "decoder_ff_logit_out_b": [w["readout.output.bias"]]}
    for side, layers in LAYERS.items():
        for n in range(layers):
            own, other = f"{side}.layers.{n}.", f"{side}_l{n + 1}_"

            def attention(mine, theirs, norm):
                for k, rows in zip("qkv", parts(w[f"{own}{mine}.in_proj_weight"], 3)):
                    out[f"{other}{theirs}_W{k}"] = transposed(rows)
                for k, values in zip("qkv", parts(w[f"{own}{mine}.in_proj_bias"], 3)):
                    out[f"{other}{theirs}_b{k}"] = [values]
                out[f"{other}{theirs}_Wo"] = transposed(w[f"{own}{mine}.out_proj.weight"])
                out[f"{other}{theirs}_bo"] = [w[f"{own}{mine}.out_proj.bias"]]
                layer_norm(f"{theirs}_Wo", norm)

            def layer_norm(theirs, mine):
                out[f"{other}{theirs}_ln_scale"] = [w[f"{own}{mine}.weight"]]
                out[f"{other}{theirs}_ln_bias"] = [w[f"{own}{mine}.bias"]]

            if own + "ssru.weight" in w:
                for name, rows in zip(("rnn_W", "rnn_Wf"), parts(w[own + "ssru.weight"], 2)):
                    out[other + name] = transposed(rows)
                out[other + "rnn_bf"] = [w[own + "ssru.bias"]]
                layer_norm("rnn_ffn", "norm1")
            else:
                attention("self_attn", "self", "norm1")
            if side == "decoder":
                attention("multihead_attn", "context", "norm2")
            for k in (1, 2):
                out[f"{other}ffn_W{k}"] = transposed(w[f"{own}linear{k}.weight"])
                out[f"{other}ffn_b{k}"] = [w[f"{own}linear{k}.bias"]]
            layer_norm("ffn_ffn", "norm3" if side == "decoder" else "norm2")
    return out


def marian_options(recurrence, **others):
    options = {"type": "transformer", "dim-emb": D, "enc-depth": LAYERS["encoder"], "dec-depth": LAYERS["decoder"],
               "transformer-heads": HEADS, "transformer-dim-ffn": F, "transformer-ffn-activation": "swish",
               "transformer-preprocess": '""', "transformer-postprocess": "dan", "transformer-postprocess-emb": "d",
               "transformer-postprocess-top": '""', "tied-embeddings-all": "true", "dim-vocabs": f"\n  - {V}\n  - {V}",
               "transformer-decoder-autoreg": "rnn" if recurrence else "self-attention",
               "dec-cell": "ssru" if recurrence else "gru", "transformer-tied-layers": "\n  []",
               "version": "v1.9.56; 2020-10-01"} | {key.replace("_", "-"): value for key, value in others.items()}
    return "".join(f"{key}: {value}\n" for key, value in options.items()).encode() + b"\0"


def flat(rows):
    return [value for row in rows for value in row] if rows and isinstance(rows[0], list) else rows


def shape_of(rows):
    return (len(rows), len(rows[0])) if isinstance(rows[0], list) else (len(rows),)


def packed(kind, values):
    return struct.pack(f"<{len(values)}{kind}", *values)


def npy(descr, shape, values):
    """Version 1, but of halves 2."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 13) % 64) + "\n"
    head = b"\2\0" + struct.pack("<I", len(text)) if descr == "<f2" else b"\1\0" + struct.pack("<H", len(text))
    return b"\x93NUMPY" + head + text.encode() + values


def npz(path, arrays, options, method=zipfile.ZIP_STORED, kind="f"):
    with zipfile.ZipFile(path, "w", method) as archive:
        def member(name, data):
            archive.writestr(zipfile.ZipInfo(name + ".npy"), data, method)

        for name, rows in arrays.items():
            member(name, npy({"f": "<f4", "e": "<f2"}[kind], shape_of(rows), packed(kind, flat(rows))))
        if options:
            member("special:model.yml", npy("|i1", (len(options),), options))


def is_matrix(name):
    return "Wemb" in name or name[-2:] == "_W" or name[-3:-1] == "_W"


def marian_bin(path, arrays, options, quantised=0, alphas=False):
    """quantised: 0, 8 or 16 bits."""
    items = []
    for name, rows in arrays.items():
        if quantised and is_matrix(name):
            whole = [round(64 * value) for value in flat(rows if "Wemb" in name else transposed(rows))]
            items.append((name, 0x4100 + quantised // 8, shape_of(rows),
                          packed("b" if quantised == 8 else "h", whole) + packed("f", [64])))
            if alphas:
                items.append((name + "_QuantMultA", 0x404, (1,), packed("f", [17.5])))
        else:
            items.append((name, 0x404, shape_of(rows), packed("f", flat(rows))))
    items.append(("special:model.yml", 0x101, (len(options),), options))
    data = struct.pack("<QQ", 1, len(items))
    for name, kind, shape, values in items:
        data += struct.pack("<4Q", len(name) + 1, kind, len(shape), len(values) + -len(values) % 256)
    data += b"".join(name.encode() + b"\0" for name, *_ in items)
    data += b"".join(packed("i", shape) for _, _, shape, _ in items)
    padding = 256 - (len(data) + 8) % 256
    data += struct.pack("<Q", padding) + bytes(padding)
    data += b"".join(values + bytes(-len(values) % 256) for *_, values in items)
    write(path, data)


# ---- Hugging Face ----

def hugging_face_arrays(w):
    row = w["encoder.embedding.weight"] + [[0.0] * D]            # <pad>
    out = {"model.shared.weight": row, "final_logits_bias": [w["readout.output.bias"] + [0.0]], "lm_head.weight": row}
    for name, values in w.items():
        side, _, rest = name.partition(".layers.")
        if not rest:
            continue
        n, _, rest = rest.partition(".")
        kind = rest.rpartition(".")[2].rpartition("_")[2]       # weight or bias
        place = f"model.{side}.layers.{n}."
        if "in_proj" in rest:
            for k, rows in zip("qkv", parts(values, 3)):
                out[f"{place}{'self' if 'self' in rest else 'encoder'}_attn.{k}_proj.{kind}"] = rows
        else:
            last = "norm3" if side == "decoder" else "norm2"
            new = {"self_attn.out_proj": "self_attn.out_proj", "multihead_attn.out_proj": "encoder_attn.out_proj",
                   "norm1": "self_attn_layer_norm", last: "final_layer_norm", "norm2": "encoder_attn_layer_norm",
                   "linear1": "fc1", "linear2": "fc2"} | {last: "final_layer_norm"}
            out[f"{place}{new[rest.rpartition('.')[0]]}.{kind}"] = values
    for side in LAYERS:
        out[f"model.{side}.embed_positions.weight"] = marian_positions(20)
    return out


def safetensors(path, arrays, dtype):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, rows in arrays.items():
        values = floats(dtype, flat(rows))
        header[name] = {"dtype": dtype, "shape": shape_of(rows), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write(path, struct.pack("<Q", len(text)) + text + data)


def floats(dtype, values):
    if dtype == "BF16":
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    return packed({"F32": "f", "F16": "e"}[dtype], values)


CONFIG = {"architectures": ["MarianMTModel"], "model_type": "marian", "d_model": D, "encoder_layers": LAYERS["encoder"],
          "decoder_layers": LAYERS["decoder"], "encoder_attention_heads": HEADS, "decoder_attention_heads": HEADS,
          "encoder_ffn_dim": F, "decoder_ffn_dim": F, "activation_function": "swish", "scale_embedding": True,
          "eos_token_id": 0, "pad_token_id": V, "decoder_start_token_id": V, "vocab_size": V + 1, "num_beams": 3,
          "static_position_embeddings": True}


# ---- CTranslate2 ----

def marian_positions(count):
    half = D // 2
    step = log(10000) / (half - 1)
    return [[(sin if k < half else cos)(t * exp(-step * (k % half))) for k in range(D)] for t in range(count)]


def ctranslate2_variables(w, is_marian):
    out = {"encoder/embeddings_0/weight": w["encoder.embedding.weight"],
           "decoder/embeddings/weight": w.get("decoder.embedding.weight", w["encoder.embedding.weight"]),
           "decoder/projection/bias": w["readout.output.bias"]}
    for side in LAYERS:
        if is_marian:
            out[side + "/position_encodings/encodings"] = marian_positions(20)
        elif side + ".positions.weight" in w:
            out[side + "/position_encodings/encodings"] = w[side + ".positions.weight"]
        if not is_marian:
            out |= {f"{side}/layer_norm/{key}": w[f"{side}.norm.{name}"] for key, name in (("gamma", "weight"), ("beta", "bias"))}
    for name, values in w.items():
        side, _, rest = name.partition(".layers.")
        if not rest:
            continue
        n, _, rest = rest.partition(".")
        kind = rest.rpartition(".")[2].rpartition("_")[2]
        place, key = f"{side}/layer_{n}/", rest.rpartition(".")[0]
        last = "norm3" if side == "decoder" else "norm2"
        if key.startswith("norm"):
            part = "self_attention" if key == "norm1" else "ffn" if key == last else "attention"
            out[f"{place}{part}/layer_norm/{'gamma' if kind == 'weight' else 'beta'}"] = values
        elif "multihead_attn" in rest and "in_proj" in rest:
            out[f"{place}attention/linear_0/{kind}"] = values[:D]
            out[f"{place}attention/linear_1/{kind}"] = values[D:]
        else:
            new = {"self_attn.out_proj": "self_attention/linear_1", "multihead_attn.out_proj": "attention/linear_2",
                   "linear1": "ffn/linear_0", "linear2": "ffn/linear_1", "self_attn": "self_attention/linear_0"}
            out[f"{place}{new[key]}/{kind}"] = values
    settings = {"encoder/num_heads": HEADS, "decoder/num_heads": HEADS}
    if is_marian:
        settings |= {"encoder/pre_norm": 0, "decoder/pre_norm": 0, "encoder/activation": 2, "decoder/activation": 2,
                     "encoder/embeddings_merge": 0, "decoder/start_from_zero_embedding": 1, "decoder/alignment_layer": -1,
                     "decoder/alignment_heads": 1}
    else:
        settings |= {"decoder/alignment_layer": 0, "decoder/alignment_heads": 0}
    return out, settings


TYPES = {"f": 0, "b": 1, "h": 2, "e": 4, "BF16": 5}


def ctranslate2(path, w, version=6, kind="f", is_marian=True):
    """is_marian: what was converted from there; otherwise a model of OpenNMT, which leaves out what is usual."""
    def string(text):
        return struct.pack("<H", len(text.encode()) + 1) + text.encode() + b"\0"

    def variable(name, shape, kind, values):
        size = len(values)
        each = {"f": 4, "b": 1, "h": 2, "e": 2, "BF16": 2}[kind]
        head = struct.pack("<BI", TYPES[kind], size) if version >= 4 else struct.pack("<BI", each, size // each)
        return string(name) + struct.pack(f"<B{len(shape)}I", len(shape), *shape) + head + values

    variables, settings = ctranslate2_variables(w, is_marian)
    tied = ["decoder/projection/weight"]
    if version < 3 or not is_marian:            # no aliases: the values once more
        variables["decoder/projection/weight"] = w.get("readout.output.weight", w["encoder.embedding.weight"])
        tied = []
    out = []
    for name, rows in sorted(variables.items()):
        values = flat(rows)
        if kind in "bh" and isinstance(rows[0], list) and "encodings" not in name:
            out.append(variable(name, shape_of(rows), kind, packed(kind, [round(64 * value) for value in values])))
            scale = [64.0] * len(rows) if kind == "b" else [64.0]
            out.append(variable(name + "_scale", (len(rows),) if kind == "b" else (), "f", packed("f", scale)))
        elif kind in ("e", "BF16") and "encodings" not in name:
            out.append(variable(name, shape_of(rows), kind, floats({"e": "F16"}.get(kind, kind), values)))
        else:
            out.append(variable(name, shape_of(rows), "f", packed("f", values)))
    for name, value in settings.items():
        out.append(variable(name, (), "h", packed("h", [value])))
    data = struct.pack("<I", version)
    if version >= 2:
        data += string("TransformerSpec") + struct.pack("<I", 7)
    data += struct.pack("<I", len(out)) + b"".join(out)
    if version >= 3:
        data += struct.pack("<I", len(tied))
        for name in tied:
            data += string(name) + string("decoder/embeddings/weight")
    write(path, data)


# ---- Vocabularies ----

def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def message(*fields):
    """Of pairs (number, value): bytes, a float or a whole number."""
    out = b""
    for field, value in fields:
        if isinstance(value, bytes):
            out += varint(field << 3 | 2) + varint(len(value)) + value
        elif isinstance(value, float):
            out += varint(field << 3 | 5) + struct.pack("<f", value)
        else:
            out += varint(field << 3) + varint(value)
    return out


def sentencepiece(path, pieces=PIECES):
    kinds = {"</s>": 3, "<unk>": 2, "<s>": 3}
    fields = [(1, message((1, piece.encode()), (2, -float(i)), (3, kinds.get(piece, 1)))) for i, piece in enumerate(pieces)]
    trainer = message((3, 1), (40, pieces.index("<unk>")), (42, pieces.index("</s>")))
    write(path, message(*fields, (2, trainer), (3, message((1, b"identity")))))


def yaml_key(piece):
    if piece == "'":
        return '"\'"'
    if piece == ":x":
        return '? ":x"\n'
    if piece == "#":
        return "'#'"
    return '"\\xE9"' if piece == "\u00e9" else '"\\u2581y"' if piece == MARK + "y" else piece


def vocabulary_yaml(path):
    """With a <pad> that the network lacks, as some of OPUS-MT have."""
    write(path, "".join(f"{yaml_key(piece)}: {i}\n" for i, piece in enumerate(PIECES + ["<pad>"])).encode())


# ---- All of them ----

def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode())


LETTERS = {"source": ["<blank>", "<s>", "</s>", "a", "b", "c", "\u00e9"], "target": ["<blank>", "<s>", "</s>", "x", "y"]}


def write_letters(at):
    """Of OpenNMT, with normalisation before each part: from letters to letters, with <unk> behind them. And one whose decoder
    begins with </s>, and whose positions are learned."""
    for name, first, config in (("letters", 0, {}), ("letters-end", 2, {"decoder_start_token": "</s>", "add_source_eos": True})):
        tokens = {side: letters[first:] for side, letters in LETTERS.items()}
        source, target = (len(letters) + 1 for letters in tokens.values())
        w = network(0) | {"encoder.embedding.weight": matrix("source", source, D), "readout.output.bias": vector("b", target),
                          "decoder.embedding.weight": matrix("target", target, D),
                          "readout.output.weight": matrix("output", target, D)}
        for side in LAYERS:
            w |= {f"{side}.norm.weight": vector(side + " gain", D), f"{side}.norm.bias": vector(side + " bias", D)}
            w |= {f"{side}.positions.weight": matrix(side + " positions", 20, D)} if first else {}
        options = {"norm": "pre", "activation": "relu", "positions": "ctranslate2", "zero-start": False, "norm-epsilon": 0,
                   "tie": "none", "alignment-layer": 1, "alignment-head": 0, "source-end": "eos" if first else "none"}
        if first:
            options |= {"positions": "learned", "attention-positions": 20}
        write(at("expected", name + ".json"),
              w | {"tokens": {side: letters + ["<unk>"] for side, letters in tokens.items()}, "options": options,
                   "start": "</s>" if first else None})
        ctranslate2(at(name, "model.bin"), w, 2, is_marian=False)
        for side, letters in tokens.items():
            write(at(name, side + "_vocabulary.txt"), "".join(letter + "\n" for letter in letters).encode())
        if config:
            write(at(name, "config.json"), config)


def write_all(folder):
    def at(*names):
        path = os.path.join(folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    for name, recurrence in (("self", 0), ("ssru", 1)):
        w = network(recurrence)
        write(at("expected", name + ".json"), w | {"options": {"decoder-recurrence": "ssru" if recurrence else "none"}})
        arrays, options = marian_arrays(w), marian_options(recurrence)
        npz(at(f"{name}-stored", "model.npz"), arrays, options)
        npz(at(f"{name}-deflated", "model.npz"), arrays, options, zipfile.ZIP_DEFLATED)
        npz(at(f"{name}-half", "model.npz"), arrays, options, kind="e")
        marian_bin(at(f"{name}-bin", "model.bin"), arrays, options)
        marian_bin(at(f"{name}-bin8", "model.bin"), arrays, options, 8)
        marian_bin(at(f"{name}-bin8-alphas", "model.bin"), arrays, options, 8, True)
        marian_bin(at(f"{name}-bin16", "model.bin"), arrays, options, 16)
        for kind in ("stored", "deflated", "half", "bin", "bin8", "bin8-alphas", "bin16"):
            sentencepiece(at(f"{name}-{kind}", "vocab.spm"))
    w = network(0)
    for name in [name for name in w if name.startswith("decoder.layers.0.")]:
        w[name.replace("s.0.", "s.1.")] = w[name]
    write(at("expected", "tied.json"), w)
    arrays = {name: rows for name, rows in marian_arrays(w).items() if "decoder_l2" not in name}
    marian_bin(at("tied-bin", "model.bin"), arrays, marian_options(0, transformer_tied_layers="[1, 1]"))
    sentencepiece(at("tied-bin", "vocab.spm"))
    w = network(0) | {"readout.output.weight": matrix("output", V, D)}
    w["decoder.embedding.weight"] = w["encoder.embedding.weight"]
    write(at("expected", "untied.json"), w | {"options": {"tie": "none"}})
    for name, rows in (("W", transposed(w["readout.output.weight"])), ("Wt", w["readout.output.weight"])):
        arrays = marian_arrays(w) | {"decoder_ff_logit_out_" + name: rows}
        marian_bin(at("untied-bin8-" + name, "model.bin"), arrays, marian_options(0), 8)
        sentencepiece(at("untied-bin8-" + name, "vocab.spm"))
    write_letters(at)
    w = network(0)
    npz(at("self-opus", "opus.model1.npz.best-perplexity.npz"), marian_arrays(w), marian_options(0))
    vocabulary_yaml(at("self-opus", "opus.vocab.yml"))
    for side in ("source", "target"):
        sentencepiece(at("self-opus", side + ".spm"), ["<unk>", "<s>", "</s>"] + TEXT[::-1])
    write(at("self-opus", "decoder.yml"), b"beam-size: 6\nnormalize: 0.6\nmodels:\n  - model.npz\nallow-unk: true\n")
    write(at("self-opus", "README.md"), b"# opus-2020-01-16.zip\n\n* dataset: opus\n* model: transformer-align\n")
    write(at("self-opus", "preprocess.sh"), b"#!/bin/sh\ncat\n")
    with zipfile.ZipFile(at("self-opus.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(os.listdir(at("self-opus"))):
            archive.write(at("self-opus", name), "opus/" + name)
    for dtype in ("F32", "F16", "BF16"):
        place = f"self-hugging-face-{dtype}"
        safetensors(at(place, "model.safetensors"), hugging_face_arrays(w), dtype)
        write(at(place, "config.json"), CONFIG)
        write(at(place, "vocab.json"), {piece: i for i, piece in enumerate(PIECES + ["<pad>"])})
        write(at(place, "tokenizer_config.json"), {"source_lang": "de", "target_lang": "en", "eos_token": "</s>"})
        for side in ("source", "target"):
            sentencepiece(at(place, side + ".spm"))
    for version in range(1, 7):
        place = f"self-ctranslate2-{version}"
        ctranslate2(at(place, "model.bin"), w, version)
    for kind in ("b", "h", "e", "BF16"):
        ctranslate2(at(f"self-ctranslate2-{kind}", "model.bin"), w, 6 if kind in ("e", "BF16", "b") else 2, kind)
    for place in sorted(os.listdir(folder)):
        if "ctranslate2" in place:
            if place[-1] in "13":
                write(at(place, "shared_vocabulary.txt"), "".join(piece + "\n" for piece in PIECES).encode())
            else:
                write(at(place, "shared_vocabulary.json"), PIECES)
            sentencepiece(at(place, "sentencepiece.model"))
            write(at(place, "config.json"), {"unk_token": "<unk>", "eos_token": "</s>", "bos_token": "<s>",
                                             "add_source_eos": True, "layer_norm_epsilon": 1e-6})
    with zipfile.ZipFile(at("self.argosmodel"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("en_de/metadata.json", json.dumps({"from_code": "en", "to_code": "de", "argos_version": "1.5"}))
        archive.write(at("self-ctranslate2-6", "sentencepiece.model"), "en_de/sentencepiece.model")
        for name in ("model.bin", "config.json", "shared_vocabulary.json"):
            archive.write(at("self-ctranslate2-6", name), "en_de/model/" + name)


def write_marian(folder, *options):
    changed = dict(option.split("=", 1) for option in options)
    write(os.path.join(folder, "model.npz"), b"")
    npz(os.path.join(folder, "model.npz"), marian_arrays(network(0)), marian_options(0, **changed))
    sentencepiece(os.path.join(folder, "vocab.spm"))


# ---- Seeds ----

def package(folder):
    """The files as tests/fuzz/files.h reads them."""
    out = b""
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            data = open(os.path.join(place, name), "rb").read()
            out += name.encode() + b"\0" + struct.pack("<I", len(data)) + data
    return out


def write_seeds(folder):
    with tempfile.TemporaryDirectory() as models:
        write_all(models)
        for name in ("self-stored", "self-deflated", "self-half", "self-bin", "self-bin8-alphas", "self-bin16", "ssru-bin",
                     "self-opus", "self-ctranslate2-1", "self-ctranslate2-6", "self-ctranslate2-b", "self-ctranslate2-h"):
            write(os.path.join(folder, name), package(os.path.join(models, name)))
        data = open(os.path.join(models, "self.argosmodel"), "rb").read()
        write(os.path.join(folder, "argos"), b"self.argosmodel\0" + struct.pack("<I", len(data)) + data)


# ---- The check ----

# What a model file may leave out, and what the network here has.
NEUTRAL = {"decoder-recurrence": "none", "embedding-scale": "root", "norm-epsilon": 0, "source-end": "eos", "zero-start": False,
           "alignment-layer": 0, "alignment-head": 0, "activation": "relu"}
OPTIONS = {"encoder-attention-layers": LAYERS["encoder"], "decoder-attention-layers": LAYERS["decoder"], "heads": HEADS,
           "feed-forward": F, "norm": "post", "activation": "swish", "positions": "marian", "zero-start": True,
           "norm-epsilon": 1e-6, "tie": "all", "alignment-layer": LAYERS["decoder"], "alignment-head": 1,
           "embedding-scale": "root", "source-end": "eos", "decoder-recurrence": "none"}


def orders(metadata, side, tokens, start):
    """Which row each entry of attn's vocabulary has there, and which bias; -1: none."""
    pieces = json.loads(metadata.get(side + "_tokenizer", metadata["source_tokenizer"]))["pieces"]
    names = {"<eos>": "</s>", "<bos>": "<s>", "<pad>": "<blank>"}
    rows = [tokens.index(names.get(piece, piece)) if names.get(piece, piece) in tokens else -1 for piece in pieces]
    assert pieces[:4] == ["<unk>", "<pad>", "<bos>", "<eos>"] and sorted(rows)[-len(tokens):] == list(range(len(tokens))), pieces
    return rows if not start else rows[:2] + [tokens.index(start)] + rows[3:], rows


def check(expected, path, *options):
    wanted = json.load(open(expected))
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    metadata = header.pop("__metadata__")
    header = {name: tensor for name, tensor in header.items() if not name.endswith("_tokenizer.model")}
    tokens, start = wanted.pop("tokens", {"source": PIECES, "target": PIECES}), wanted.pop("start", None)
    usual = OPTIONS | wanted.pop("options", {})
    for name, side in (("encoder.embedding.weight", "source"), ("decoder.embedding.weight", "target"),
                       ("readout.output.weight", "target"), ("readout.output.bias", "target")):
        if name in wanted:
            rows, biases = orders(metadata, side, tokens[side], start if side == "target" else None)
            empty = -1e9 if "bias" in name else [0.0] * D
            wanted[name] = [wanted[name][k] if k >= 0 else empty for k in (biases if "bias" in name else rows)]
    assert header.keys() == wanted.keys(), header.keys() ^ wanted.keys()
    for name, tensor in header.items():
        start, end = tensor["data_offsets"]
        assert data[start:end] == packed("f", flat(wanted[name])), name
    network = NEUTRAL | json.loads(metadata["network"])
    for name, value in (usual | dict(option.split("=") for option in options)).items():
        assert str(network[name]) == str(value), (name, network[name], value)


{"write": write_all, "marian": write_marian, "seeds": write_seeds, "check": check}[sys.argv[1]](*sys.argv[2:])

"""read_model.py MODEL PAGE - reads a model by attn-model(5) alone: checks its layout, its metadata and that it has the
tensors that follow from its network; prints the number of parameters and each side's vocabulary as JSON. And PAGE, the
source of that page, must name each tensor with that shape."""
import json
import re
import struct
import sys

# What the page says of options that older files lack.
MISSING = {"residual": False, "residual-from": 2, "bidirectional-layers": 0, "encoder": "recurrent", "cell": "gru",
           "encoder-attention-layers": 0, "decoder-attention-layers": 0, "feed-forward": 0, "norm": "post",
           "positions": "sinusoidal", "decoder": "bahdanau", "attention-positions": 0, "tie": "none",
           "layer-norm": False, "placeholders": False, "truecase": False}


def read(path):
    """The metadata, and the shape of each tensor."""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        size = len(file.read())
    metadata = header.pop("__metadata__")
    assert metadata["format"] == "attn" and metadata["format_version"] == "3"
    spans = sorted(tensor["data_offsets"] for tensor in header.values())
    assert [start for start, _ in spans] == [0] + [end for _, end in spans[:-1]] and spans[-1][1] == size
    for name, tensor in header.items():
        start, end = tensor["data_offsets"]
        assert end - start == product(tensor["shape"]) * {"F32": 4, "F64": 8}[tensor["dtype"]], name
    return metadata, {name: tuple(tensor["shape"]) for name, tensor in header.items()}


def product(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def vocabularies(metadata, text):
    sides = [json.loads(metadata[side]) for side in ("source_tokenizer", "target_tokenizer") if side in metadata]
    assert len(sides) == (1 if text["shared-vocabulary"] else 2)
    for side in sides:
        assert side["pieces"][:4] == ["<unk>", "<pad>", "<bos>", "<eos>"] and (MISSING | side["options"]) == text
        assert len(set(side["pieces"])) == len(side["pieces"]) and all(" " in merge for merge in side["merges"])
        if text["placeholders"]:
            kinds = "number", "name", "vowel", "copy"
            assert side["pieces"][4:36] == [f"<{kind}\u2581{k}>" for kind in kinds for k in range(1, 9)]
    if text["truecase"] or text["placeholders"]:
        for lexicon in (json.loads(metadata[side + "_lexicon"]) for side in ("source", "target")):
            assert all(isinstance(words, str) for words in lexicon["words"] + [lexicon["abbreviations"]])
            assert all(3 <= len(row) <= 7 and row[-2] >= row[-1] >= 0 for row in lexicon["copied"])
    return sides[0]["pieces"], sides[-1]["pieces"]


def tensors(o, S, T):
    """The shape of each tensor of the network `o`, and what the page's letters are."""
    E, H, L, P = o["embedding"], o["hidden"], o["layers"], o["attention-positions"]
    G, Z = (4 * H, 2 * H) if o["cell"] == "lstm" else (3 * H, H)
    recurrent, alone = o["encoder"] == "recurrent", o["decoder"] == "self-attention"
    two_way = (o["bidirectional-layers"] or L) if o["bidirectional"] else 0
    width = [H * (2 if l < two_way else 1) for l in range(L)]
    C, D, A = width[-1] if recurrent else E, E if alone else H, o["attention-width"] or H
    t = {"encoder.embedding.weight": (S, E)}

    def norm(name, n):
        t.update({name + ".weight": (n,), name + ".bias": (n,)})

    def cell(rnn, suffix, inputs):
        t.update({f"{rnn}.weight_ih{suffix}": (G, inputs), f"{rnn}.weight_hh{suffix}": (G, H),
                  f"{rnn}.bias_ih{suffix}": (G,), f"{rnn}.bias_hh{suffix}": (G,)})
        if o["layer-norm"]:
            norm(f"{rnn}_norm.ih{suffix}", G)
            norm(f"{rnn}_norm.hh{suffix}", G)

    def attend(layer, kind, D, C):
        same = {f"{layer}.{kind}.in_proj_weight": (3 * D, D)}
        apart = {f"{layer}.{kind}.{x}_proj_weight": (D, n) for x, n in (("q", D), ("k", C), ("v", C))}
        t.update(same if C == D else apart)
        t.update({f"{layer}.{kind}.in_proj_bias": (3 * D,), f"{layer}.{kind}.out_proj.weight": (D, D),
                  f"{layer}.{kind}.out_proj.bias": (D,)})

    def layers(side, D, full, C):
        F, count = o["feed-forward"] or (4 * D if full else 0), o[side + "-attention-layers"]
        for layer in (f"{side}.layers.{l}" for l in range(count)):
            attend(layer, "self_attn", D, D)
            norm(layer + ".norm1", D)
            if C:
                attend(layer, "multihead_attn", D, C)
                norm(layer + ".norm2", D)
            if F:
                t.update({layer + ".linear1.weight": (F, D), layer + ".linear1.bias": (F,),
                          layer + ".linear2.weight": (D, F), layer + ".linear2.bias": (D,)})
                norm(layer + (".norm3" if C else ".norm2"), D)
        if count and o["norm"] == "pre":
            norm(side + ".norm", D)

    if not recurrent and o["positions"] == "learned":
        t["encoder.positions.weight"] = (P, E)
    for l in range(L if recurrent else 0):
        for suffix in ("", "_reverse")[:width[l] // H]:
            cell("encoder.rnn", f"_l{l}{suffix}", width[l - 1] if l else E)
    layers("encoder", C, not recurrent, 0)
    if o["start"] == "project" and not alone:
        t.update({"bridge.weight": (L * Z, C), "bridge.bias": (L * Z,)})
    if o["tie"] != "all":
        t["decoder.embedding.weight"] = (T, E)
    if o["positions"] == "learned" and o["decoder-attention-layers"]:
        t["decoder.positions.weight"] = (P, E)
    fed = {"bahdanau": C, "gnmt": C, "luong": H}.get(o["decoder"], 0)
    for l in range(0 if alone else L):
        cell("decoder.rnn", f"_l{l}", H + (C if o["decoder"] == "gnmt" else 0) if l else E + fed)
    if o["decoder"] == "conditional":
        cell("decoder.transition", "", C)
    if o["decoder"] == "luong":
        t["decoder.attentional.weight"] = (H, C + H)
    layers("decoder", E, alone, C if alone else 0)
    scores = {"additive": {"query": (A, H), "key": (A, C), "score": (1, A)}, "general": {"key": (H, C)},
              "concat": {"hidden": (A, H + C), "score": (1, A)}, "concat-linear": {"score": (1, H + C)},
              "local-p": {"key": (H, C), "position": (A, H), "centre": (1, A)},
              "scaled-local-p": {"key": (H, C), "position": (A, H), "centre": (1, A)},
              "location": {"location": (P, H)}, "linear": {"linear": (P, H + E)}}
    for name, shape in ({} if alone else scores.get(o["attention"], {})).items():
        t[f"attention.{name}.weight"] = shape
    if o["readout"] == "deep":
        t.update({"readout.hidden.weight": (E, D + C + E), "readout.hidden.bias": (E,)})
        if o["layer-norm"]:
            norm("readout.norm", E)
    if o["tie"] == "none":
        t["readout.output.weight"] = (T, E if o["readout"] == "deep" else D)
    t["readout.output.bias"] = (T,)
    return t, {"E": E, "H": H, "G": G, "Z": Z, "C": C, "D": D, "S": S, "T": T, "A": A, "P": P, "L": L,
               "F": o["feed-forward"], "O": E if o["readout"] == "deep" else D}


def shapes_on(page):
    """A pattern for each name of a tensor on the page, with its shape there: "2 H, C"."""
    for line in page.replace("\\-", "-").splitlines():
        for name, shape in re.findall(r"([a-zA-Z_0-9.{}]+) \(([^)]+)\)", line) if line.startswith(".B ") else ():
            pattern = re.escape(name).replace("SIDE", "(en|de)coder")
            yield re.sub(r"\\{[ln]\\}", "[0-9]+", pattern), shape


def missing_on(page):
    """The page's value of each option that a file lacks."""
    return dict(re.findall(r'\.B "([a-z\\-]+)"\n.*\n.*;\nif missing (.*)\.\n', page))


def size(expression, letters):
    """The value of "D + C + E", "3 D" or "L Z"."""
    return sum(product(int(letters.get(factor, factor)) for factor in term.split()) for term in expression.split("+"))


def is_on(page, name, shape, letters):
    """Whether the page has the tensor with this shape; the input I of a layer is described in words there."""
    if ".layers." in name or name.startswith(("encoder.norm", "decoder.norm")):
        width = letters["C" if name.startswith("encoder") else "E"]
        letters = letters | {"D": width, "F": letters["F"] or 4 * width}
    for pattern, described in shapes_on(page):
        sizes = described.split(",")
        if re.fullmatch(pattern, name.replace("_reverse", "")) and len(sizes) == len(shape):
            if all(text.strip() == "I" or size(text, letters) == found for text, found in zip(sizes, shape)):
                return True
    return False


def main(path, page):
    metadata, shapes = read(path)
    network, text = (json.loads(metadata[part]) for part in ("network", "text"))
    source, target = vocabularies(metadata, MISSING | text)
    wanted, letters = tensors(MISSING | network, len(source), len(target))
    assert shapes == wanted, set(shapes.items()) ^ set(wanted.items())
    page = open(page).read()
    for name, value in missing_on(page).items():
        name = name.replace("\\-", "-")
        assert name not in MISSING or str(MISSING[name]).lower() == value.lower().replace("\\-", "-"), name
    assert len(missing_on(page)) > 25 and "on or off" not in page and "auto" not in re.sub("auto: ", "", page)
    for name, shape in shapes.items():
        assert is_on(page, name, shape, letters), f"the page lacks {name} {shape}"
    print(json.dumps({"parameters": sum(map(product, shapes.values())), "source": source, "target": target}))


main(*sys.argv[1:])

#!/usr/bin/env python3
"""attn_torch.py - a model file of attn in PyTorch: what is in the file, and how the network computes, in one page.

    attn_torch.py MODEL < LINES          translates each line greedily
    attn_torch.py MODEL --ids < LINES    the same from ids to ids (without <eos>)
    attn_torch.py MODEL --score < TSV    log P(target | source) of each line SOURCE TAB TARGET

In Python: `model = load(path)`, then model.translate(line), model(source_ids, target_ids) for the logits, and
model.state_dict() for the weights. Needs nothing but torch. Each sentence is computed alone, so nothing is padded.
Lines are for models of --no-truecase --no-placeholders (src/text/mask.h and patterns.h are not repeated here), ids for all.
"""
import json
import math
import re
import struct
import sys
import unicodedata

import torch
from torch import nn

UNKNOWN, PAD, BEGIN, END = range(4)         # the first ids of every vocabulary
COPIED_BYTES = 64                           # the longest word that is copied as a whole


def positions(count, width, kind):
    """(count, width): sines in the even columns, cosines in the odd ones (Vaswani et al. 2017), or sines beside cosines"""
    column, half, step = torch.arange(width), width // 2, torch.arange(count)[:, None]
    if kind == "sinusoidal":
        power, is_cosine = (column - column % 2).double() / width, column % 2 == 1
    else:
        power = (column % half).double() / (half if kind == "hugging-face" else half - 1)
        is_cosine, step = column >= half, step + (kind == "ctranslate2")
    angle = step * 10000.0 ** -power
    return torch.where(is_cosine, angle.cos(), angle.sin())


ACTIVATIONS = {"relu": torch.relu, "swish": nn.functional.silu, "gelu": nn.functional.gelu,
               "gelu-sigmoid": lambda x: x * torch.sigmoid(1.702 * x),
               "gelu-tanh": lambda x: nn.functional.gelu(x, approximate="tanh")}


class Ssru(nn.Module):
    """A simpler simple recurrent unit (Kim et al. 2019)."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(2 * width, width)))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        value, gate = nn.functional.linear(x, self.weight).chunk(2, 1)
        forget, state, states = torch.sigmoid(gate + self.bias), torch.zeros_like(x[0]), []
        for f, v in zip(forget, value):
            state = f * state + (1 - f) * v
            states.append(state)
        return torch.relu(torch.stack(states))


class SelfAttention(nn.Module):
    """A layer of nn.TransformerEncoder, of which the feed-forward part may be missing (inner = 0); with a width of the
    memory one of nn.TransformerDecoder, or with an SSRU in place of its self-attention."""

    def __init__(self, width, heads, inner, pre=False, memory=0, activation="relu", epsilon=1e-5, recurrence="none"):
        super().__init__()
        self.pre, self.inner, self.activation = pre, inner, ACTIVATIONS[activation]
        if recurrence == "ssru":
            self.ssru = Ssru(width)
        else:
            self.self_attn = nn.MultiheadAttention(width, heads)
        self.norm1 = nn.LayerNorm(width, epsilon)
        if memory:
            self.multihead_attn = nn.MultiheadAttention(width, heads, kdim=memory, vdim=memory)
            self.norm2 = nn.LayerNorm(width, epsilon)
        if inner:
            self.linear1, self.linear2 = nn.Linear(width, inner), nn.Linear(inner, width)
            self.add_module("norm3" if memory else "norm2", nn.LayerNorm(width, epsilon))

    def around(self, norm, x, part):
        return x + part(norm(x)) if self.pre else norm(x + part(x))

    def forward(self, x, causal=False, memory=None):
        """x (N, width), memory (S, its width) -> (N, width), attention (heads, N, S)"""
        later, weights = torch.ones(len(x), len(x)).triu(1).bool() if causal else None, None

        def look(x):
            nonlocal weights
            y, weights = self.multihead_attn(x, memory, memory, average_attn_weights=False)
            return y

        x = self.around(self.norm1, x, self.ssru if hasattr(self, "ssru") else lambda x: self.self_attn(
            x, x, x, attn_mask=later, need_weights=False)[0])
        if memory is not None:
            x = self.around(self.norm2, x, look)
        if self.inner:
            x = self.around(self.norm2 if memory is None else self.norm3, x,
                            lambda x: self.linear2(self.activation(self.linear1(x))))
        return x, weights


class Attention(nn.Module):
    """How a decoder state looks at the encoder's: H and C their widths, A that of a hidden layer.

    The scores are those of src/nn/score/.
    """

    def __init__(self, options, H, C):
        super().__init__()
        self.kind, self.H = options["attention"], H
        self.positions, self.window = options.get("attention-positions", 0), options.get("attention-window", 10)
        self.hard, self.k = options.get("hard-attention", "none"), options.get("hard-positions", 1)
        A = options["attention-width"] or H
        shapes = {"additive": {"query": (H, A), "key": (C, A), "score": (A, 1)}, "dot": {}, "scaled-dot": {},
                  "general": {"key": (C, H)}, "scaled-general": {"key": (C, H)},
                  "concat": {"hidden": (H + C, A), "score": (A, 1)}, "concat-linear": {"score": (H + C, 1)},
                  "location": {"location": (H, self.positions)},
                  "linear": {"linear": (H + options["embedding"], self.positions)},
                  "local-p": {"key": (C, H), "position": (H, A), "centre": (A, 1)},
                  "scaled-local-p": {"key": (C, H), "position": (H, A), "centre": (A, 1)}, "none": {}}[self.kind]
        for name, (inputs, outputs) in shapes.items():
            self.add_module(name, nn.Linear(inputs, outputs, bias=False))

    def scores(self, query, memory, word):
        """state (H), memory (S,C), embedding of the previous word (E) -> scores (S)"""
        if self.kind == "additive":
            return self.score(torch.tanh(self.query(query) + self.key(memory)))[:, 0]
        if self.kind == "concat":
            return self.score(torch.tanh(self.hidden(torch.cat([query.expand(len(memory), -1), memory], 1))))[:, 0]
        if self.kind in ("general", "scaled-general", "local-p", "scaled-local-p"):
            return self.key(memory) @ query / (self.H ** 0.5 if self.kind.startswith("scaled") else 1)
        if self.kind == "concat-linear":
            return self.score(torch.cat([query.expand(len(memory), -1), memory], 1))[:, 0]
        if self.kind in ("location", "linear"):
            beyond = memory.new_full((max(0, len(memory) - self.positions),), -torch.inf)
            scores = self.location(query) if self.kind == "location" else self.linear(torch.cat([query, word]))
            return torch.cat([scores[:len(memory)], beyond])
        return memory @ query / (self.H ** 0.5 if self.kind == "scaled-dot" else 1)

    def forward(self, query, memory, word=None):
        """state (H), memory (S,C), word (E) -> context (C), weights (S)"""
        if self.kind == "none":
            return torch.cat([memory[-1, :self.H], memory[0, self.H:]]), memory.new_zeros(len(memory))
        scores = self.scores(query, memory, word)
        if self.kind in ("local-p", "scaled-local-p"):
            weights = self.local_weights(query, scores)
        else:
            weights = scores.softmax(0)
        if self.hard != "none":
            weights = self.choose(weights.detach()) + weights - weights.detach()        # straight-through
        return weights @ memory, weights

    def choose(self, weights):
        """The most probable positions (of equal ones the first), or as many draws (other ones than attn's)."""
        if self.hard == "sampled":
            return weights.multinomial(self.k, replacement=True).bincount(minlength=len(weights)) / self.k
        chosen = weights.argsort(descending=True, stable=True)[:self.k]
        return torch.zeros_like(weights).scatter(0, chosen, 1 / len(chosen))

    def local_weights(self, query, scores):
        place = torch.arange(len(scores))
        centre = len(scores) * torch.sigmoid(self.centre(torch.tanh(self.position(query)))[0])
        weights = scores.masked_fill((place - centre).abs() > self.window, -torch.inf).softmax(0)
        return weights * torch.exp(-(place - centre) ** 2 / (2 * (self.window / 2) ** 2))


def cell_step(cell, norm, suffix, x, state):
    """One step of a GRU or LSTM: x (1,I), state (1,Z) -> new state. Norm: None, or the normalisations of both parts."""
    W, U, b, c = (getattr(cell, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    h, memory = state[:, :cell.hidden_size], state[:, cell.hidden_size:]
    inputs, states = nn.functional.linear(x, W, b), nn.functional.linear(h, U, c)
    if norm:
        inputs, states = norm["ih" + suffix](inputs), norm["hh" + suffix](states)
    if memory.numel():
        i, f, g, o = (inputs + states).chunk(4, 1)
        memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
        return torch.cat([o.sigmoid() * memory.tanh(), memory], 1)
    r, z, n = inputs.chunk(3, 1)
    r, z = (r + states.chunk(3, 1)[0]).sigmoid(), (z + states.chunk(3, 1)[1]).sigmoid()
    return (1 - z) * (n + r * states.chunk(3, 1)[2]).tanh() + z * h


def cell_steps(rnn, norm, layer, direction, x, state):
    """One direction of one layer, step by step: x (T,I), state (1,Z) -> outputs (T,H), last state (1,Z)"""
    outputs = []
    for x_t in (reversed(x) if direction else x):
        state = cell_step(rnn, norm, f"_l{layer}{direction}", x_t[None], state)
        outputs.append(state[:, :rnn.hidden_size])
    return torch.cat(outputs[::-1] if direction else outputs), state


def norms_of(names, width):
    return nn.ModuleDict({name: nn.LayerNorm(width) for name in names})


class Network(nn.Module):
    """Encoder, attention, decoder. `options` is the metadata's "network"; the parameters have the file's names.

    S source words, T target words, E embedding, H hidden, C encoder state, L layers, V target vocabulary; Z what a cell
    carries: H, with an LSTM 2H.
    """

    forbidden, length_factor = (), 0            # the model's (class Model)

    def __init__(self, options, source_size, target_size):
        super().__init__()
        E, H, L = options["embedding"], options["hidden"], options["layers"]
        self.recurrent = options.get("encoder", "recurrent") == "recurrent"
        two_way = (options.get("bidirectional-layers") or L) if options["bidirectional"] else 0
        C = E if not self.recurrent else 2 * H if two_way >= L else H
        self.deep, self.project = options["readout"] == "deep", options["start"] == "project"
        self.luong, self.conditional, self.transformer, self.gnmt = (options.get("decoder") == name for name in (
            "luong", "conditional", "self-attention", "gnmt"))
        D, pre = E if self.transformer else H, options.get("norm") == "pre"
        self.residual, self.norm = options.get("residual", False), options.get("layer-norm", False)
        self.first_residual = options.get("residual-from", 2) - 1 if self.residual else L
        self.directions = [2 if layer < two_way else 1 for layer in range(L)]       # of the encoder
        self.H, self.L = H, L
        RNN = nn.LSTM if options.get("cell") == "lstm" else nn.GRU
        self.Z = 2 * H if RNN is nn.LSTM else H
        epsilon = options.get("norm-epsilon") or 1e-5
        self.position_kind, self.zero_start = options.get("positions", "sinusoidal"), options.get("zero-start", False)
        self.reads_end = options.get("source-end", "eos") == "eos"
        self.layer, self.head = options.get("alignment-layer", 0), options.get("alignment-head", 0)

        def attention_layers(side, width, inner, memory=0):
            count, heads = options.get(side + "-attention-layers", 0), options.get("heads", 4)
            recurrence = options.get("decoder-recurrence", "none") if side == "decoder" else "none"
            return nn.ModuleList(SelfAttention(width, heads, options.get("feed-forward") or inner, pre, memory,
                                               options.get("activation", "relu"), epsilon, recurrence)
                                 for _ in range(count))

        self.encoder = nn.ModuleDict({
            "embedding": nn.Embedding(source_size, E),
            "layers": attention_layers("encoder", C, 0 if self.recurrent else 4 * C)})
        if self.recurrent:
            self.encoder["rnn"] = RNN(E, H, L, bidirectional=two_way >= L)
            if 0 < two_way < L:
                self.make_two_way(RNN, two_way)
        self.decoder = nn.ModuleDict({
            "embedding": nn.Embedding(target_size, E),
            "layers": attention_layers("decoder", E, *((4 * E, C) if self.transformer else (0,)))})
        if not self.transformer:
            self.decoder["rnn"] = RNN(E + (0 if self.conditional else H if self.luong else C), H, L)
        for side, width in ((self.encoder, C), (self.decoder, E)):
            if pre and side["layers"]:
                side["norm"] = nn.LayerNorm(width, epsilon)
            if options.get("embedding-norm"):
                side["embedding_norm"] = nn.LayerNorm(E, epsilon)
        self.positions = options.get("attention-positions") if options.get("positions") == "learned" else 0
        for side, read in ((self.encoder, not self.recurrent), (self.decoder, self.decoder["layers"])):
            if self.positions and read:
                side["positions"] = nn.Embedding(self.positions, E)
        for layer in range(1, L if self.gnmt else 0):
            self.decoder["rnn"].register_parameter(f"weight_ih_l{layer}",
                                                   RNN(H + C, H).get_parameter("weight_ih_l0"))
        if self.conditional:
            self.decoder["transition"] = (nn.LSTMCell if RNN is nn.LSTM else nn.GRUCell)(C, H)
        if self.luong:
            self.decoder["attentional"] = nn.Linear(C + H, H, bias=False)
        if not self.transformer:
            self.attention = Attention(options, H, C)
        self.readout = nn.ModuleDict({"output": nn.Linear(E if self.deep else D, target_size)})
        if self.deep:
            self.readout["hidden"] = nn.Linear(H + C + E, E)
        if self.project and not self.transformer:
            self.bridge = nn.Linear(C, L * self.Z)
        if self.norm and not self.transformer:
            self.add_norms(E, (4 if RNN is nn.LSTM else 3) * H)
        self.tie(options.get("tie", "none"), E)
        if options.get("embedding-scale") == "none":
            self.scale = dict.fromkeys(self.scale, 1)

    def make_two_way(self, RNN, layers):
        """Gives the encoder's lowest layers a second direction, and those above it their input."""
        rnn = self.encoder["rnn"]
        for layer in range(layers + 1):
            inputs = rnn.input_size if layer == 0 else 2 * self.H
            like = RNN(inputs, self.H, bidirectional=True)
            rnn.register_parameter(f"weight_ih_l{layer}", like.weight_ih_l0)
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh") if layer < layers else ():
                rnn.register_parameter(f"{name}_l{layer}_reverse", like.get_parameter(f"{name}_l0_reverse"))

    def add_norms(self, E, G):
        for side in (self.encoder, self.decoder) if self.recurrent else (self.decoder,):
            names = [name.removeprefix("weight_") for name, _ in side["rnn"].named_parameters() if "weight" in name]
            side["rnn_norm"] = norms_of(names, G)
        if self.conditional:
            self.decoder["transition_norm"] = norms_of(["ih", "hh"], G)
        if self.deep:
            self.readout["norm"] = nn.LayerNorm(E)

    def tie(self, which, E):
        """One tensor for the output layer and the target's embedding, or all embeddings; scaled where words are read"""
        self.tied, self.scale = {}, dict.fromkeys(("encoder", "decoder"), E ** 0.5 if self.transformer else 1)
        # tied: {name: the name it is saved under}
        if which != "none":
            self.readout["output"].weight = self.decoder["embedding"].weight
            self.tied["readout.output.weight"] = "decoder.embedding.weight"
            self.scale["decoder"] = E ** 0.5
        if which == "all":
            self.readout["output"].weight = self.decoder["embedding"].weight = self.encoder["embedding"].weight
            self.tied = dict.fromkeys(["readout.output.weight", "decoder.embedding.weight"], "encoder.embedding.weight")
            self.scale["encoder"] = E ** 0.5

    def embed(self, side, words, in_place=False):
        """side "encoder" or "decoder", ids -> (.., E); in_place: with their positions, ids (N)"""
        table = getattr(self, side)
        embedded = self.scale[side] * table["embedding"](words)
        if self.zero_start and side == "decoder":
            embedded = embedded * (words != BEGIN)[..., None]
        if in_place and "positions" in table:
            embedded = embedded + table["positions"](torch.arange(len(words)).clamp(max=self.positions - 1))
        elif in_place:
            embedded = embedded + positions(*embedded.shape, self.position_kind).to(embedded)
        return table["embedding_norm"](embedded) if "embedding_norm" in table else embedded

    def look(self, side, x, **how):
        """x (N, width) through the side's self-attention layers -> (N, width), attention to the source (N,S): the mean
        over layers and heads, or of the one that the options name"""
        weights = []
        for layer in side["layers"]:
            x, seen = layer(x, **how)
            weights.append(seen)
        if "memory" not in how:
            return side["norm"](x) if "norm" in side else x, None
        chosen = torch.stack(weights[self.layer - 1:self.layer] if self.layer else weights)
        chosen = chosen[:, self.head - 1:self.head] if self.head else chosen
        return side["norm"](x) if "norm" in side else x, chosen.mean((0, 1))

    def run(self, side, x, state, within=None, context=None):
        """x (T,I), states (directions * L, Z) -> outputs of the top layer (T, directions * H), last states. within:
        changes the state of layer 0; context: what the layers above it read besides"""
        rnn = side["rnn"]
        if self.residual or self.norm or within or context is not None or len(set(self.directions)) > 1:
            return self.run_by_steps(side, x, state, within, context)
        if isinstance(rnn, nn.LSTM):
            output, last = rnn(x, (state[:, :self.H].contiguous(), state[:, self.H:].contiguous()))
            return output, torch.cat(last, 1)
        return rnn(x, state)

    def run_by_steps(self, side, x, state, within, context):
        rnn, norm = side["rnn"], side["rnn_norm"] if self.norm else None
        last = []
        for layer in range(self.L):
            outputs, directions = [], self.directions[layer] if side is self.encoder else 1
            inputs = x if layer == 0 or context is None else torch.cat([x, context[None]], 1)
            for direction in ["", "_reverse"][:directions]:
                output, after = cell_steps(rnn, norm, layer, direction, inputs, state[len(last)][None])
                if within and layer == 0:
                    after = within(after)
                    output = after[:, :self.H]
                outputs.append(output)
                last.append(after)
            x = torch.cat(outputs, 1) + (x if layer >= self.first_residual else 0)
        return x, torch.cat(last)

    def encode(self, source):
        """ids (S) that end in <eos> -> memory (S,C), what the decoder begins with"""
        state = None
        if not self.reads_end and len(source) > 1:
            source = source[:-1]
        if self.recurrent:
            words = self.embed("encoder", source)
            memory, state = self.run(self.encoder, words, words.new_zeros(sum(self.directions), self.Z))
        else:
            memory = self.embed("encoder", source, in_place=True)
        if self.encoder["layers"]:
            memory, _ = self.look(self.encoder, memory)
        if self.transformer:
            return memory, None
        if self.project:
            state = torch.tanh(self.bridge(memory.mean(0))).view(self.L, self.Z)
        return memory, (state, memory.new_zeros(self.H))

    def read(self, words):
        """the words before (ids) -> what the decoder reads of the last of them (E)"""
        if not self.decoder["layers"]:
            return self.embed("decoder", words[-1])
        return self.look(self.decoder, self.embed("decoder", torch.stack(words), in_place=True), causal=True)[0][-1]

    def conditional_step(self, embedded, state, memory):
        """-> output (H) and states (L,Z); context and weights"""
        seen, norm = [], self.decoder["transition_norm"] if self.norm else None

        def look(state):
            seen.extend(self.attention(state[0, :self.H], memory, embedded))
            return cell_step(self.decoder["transition"], norm, "", seen[0][None], state)

        output, state = self.run(self.decoder, embedded[None], state, look)
        return (output[0], state), seen

    def step(self, words, carried, memory):
        """the words before (ids), carried: states (L,Z) and, Luong's, the output before (H) -> logits (V), carried,
        attention (S)"""
        if self.transformer:
            output, weights = self.look(self.decoder, self.embed("decoder", torch.stack(words), in_place=True),
                                        causal=True, memory=memory)
            return self.readout["output"](output[-1]), None, weights[-1]
        embedded = self.read(words)
        state, fed = carried
        if self.luong:
            output, state = self.run(self.decoder, torch.cat([embedded, fed])[None], state)
            context, weights = self.attention(output[0], memory, embedded)
            output = fed = torch.tanh(self.decoder["attentional"](torch.cat([context, output[0]])))
        elif self.conditional:
            (output, state), (context, weights) = self.conditional_step(embedded, state, memory)
        else:
            context, weights = self.attention(state[0 if self.gnmt else -1, :self.H], memory, embedded)
            output, state = self.run(self.decoder, torch.cat([embedded, context])[None], state,
                                     context=context if self.gnmt else None)
            output = output[0]
        if self.deep:
            output = self.readout["hidden"](torch.cat([output, context, embedded]))
            output = torch.tanh(self.readout["norm"](output) if self.norm else output)
        return self.readout["output"](output), (state, fed), weights

    def forward(self, source, target):
        """ids (S), ids (T), both end in <eos> -> logits (T,V): row t predicts target[t] from the words before it"""
        memory, carried = self.encode(source)
        rows = []
        words = [torch.tensor(BEGIN), *target[:-1]]
        for t in range(len(words)):
            logits, carried, _ = self.step(words[:t + 1], carried, memory)
            rows.append(logits)
        return torch.stack(rows)

    @torch.no_grad()
    def greedy(self, source):
        """ids (S) -> the most probable word at each step, until <eos> or the most words (T); attention (T,S)"""
        memory, carried = self.encode(source)
        words, attention = [torch.tensor(BEGIN)], []
        most = math.ceil(self.length_factor * len(source)) if self.length_factor else 2 * len(source) + 10
        while words[-1] != END and len(words) <= most:
            logits, carried, weights = self.step(words, carried, memory)
            logits[[PAD, BEGIN, *self.forbidden]] = -torch.inf
            words.append(logits.argmax())
            attention.append(weights)
        return torch.stack(words[1:]), torch.stack(attention)


class Tokenizer:
    """Text to ids and back. `description` is the metadata's "source_tokenizer" or "target_tokenizer"."""

    def __init__(self, description):
        self.pieces = description["pieces"]
        self.id = {piece: id for id, piece in enumerate(self.pieces) if id > END}
        self.rank = {tuple(pair.split(" ")): rank for rank, pair in enumerate(description["merges"])}
        self.lowercase = description["options"]["lowercase"]
        self.whole_words = description["options"]["tokens"] == "word"
        self.symbols = description["options"]["tokens"] == "symbol"
        self.is_prepared = any(description["options"].get(name) for name in ("truecase", "placeholders"))

    def encode(self, line, is_source=False):
        if self.whole_words:
            return [self.id.get(word, UNKNOWN) for word in split_textbook(line, self.lowercase)]
        if self.symbols:
            return self.encode_symbols(normalise(line, self.lowercase).split())
        ids = []
        for part in self.parts(split(normalise(fold(line) if is_source else line, self.lowercase))):
            id = self.id.get(part, UNKNOWN)
            if id != UNKNOWN or ids[-1:] != [UNKNOWN]:      # a run of unknown characters is one <unk>
                ids.append(id)
        return ids

    def encode_symbols(self, words):
        """A word that is no entry falls back to its characters, Unicode's decompositions apart."""
        ids = []
        for word in words:
            word = MARK + unicodedata.normalize("NFD", word)
            for part in [word] if word in self.id else word:
                id = self.id.get(part, UNKNOWN)
                if id != UNKNOWN or ids[-1:] != [UNKNOWN]:
                    ids.append(id)
        return ids

    def parts(self, words):
        """Pieces; one that is no entry falls back to its characters. A word with an unknown letter is copied as a whole."""
        for word in words:
            if len(word.encode()) <= COPIED_BYTES and any(self.is_unknown_letter(character) for character in word):
                yield from [MARK, word[1:]] if word[0] == MARK and len(word) > 1 else [word]
                continue
            for piece in self.merge(list(word)):
                yield from [piece] if piece in self.id else piece

    def is_unknown_letter(self, character):
        return character not in self.id and unicodedata.category(character)[0] in "LM"

    def decode(self, ids):
        pieces = [self.pieces[id] for id in ids if id not in (PAD, BEGIN, END)]
        if self.symbols:
            return " ".join(unicodedata.normalize("NFC", "".join(pieces)).replace(MARK, " ").split())
        return " ".join(pieces) if self.whole_words else join("".join(pieces))

    def merge(self, symbols):
        """Byte-pair encoding: the pair that was learned first is merged first, wherever it stands."""
        while pairs := [pair for pair in zip(symbols, symbols[1:]) if pair in self.rank]:
            left, right = min(pairs, key=self.rank.get)
            merged = []
            for symbol in symbols:
                if symbol == right and merged and merged[-1] == left:
                    symbol = merged.pop() + right
                merged.append(symbol)
            symbols = merged
        return symbols


# ---- text: the reversible split of subwords and characters (src/text/words.h), without spans ----

MARK, JOINER, JOINERS, APOSTROPHES = "\u2581", "\uffed", "\u200c\u200d", "'\u2019"
WITHOUT_BLANKS = {"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR"}    # as names begin
# format characters that are not "default ignorable": they are seen, and kept
VISIBLE_FORMATS = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufff9-\ufffb\U000110bd\U000110cd"
                             "\U00013430-\U0001343f]")
LONGEST_WORD = 256                          # bytes


def fold(line):
    """What is typed for its look-alikes (src/text/words.c)."""
    line = re.sub(r"(?<=[^\W\d_])`(?=[^\W\d_])", "'", line)
    line = re.sub("[\u00b4\u02b9-\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\u2035]", "'", line)
    line = re.sub("[\u201c-\u201f\u2033\u2036]", '"', line).replace("\u2026", "...")
    line = "".join(compatible(c) for c in line)
    return "".join("-" if unicodedata.category(c) == "Pd" or c in "\u2053\u207b\u208b\u2212" else c for c in line)


def compatible(c):
    """The letters of a ligature, or a character in its usual width (src/text/unicode.h)."""
    kind, _, parts = unicodedata.decomposition(c).partition(" ")
    parts = [chr(int(part, 16)) for part in parts.split()] if kind.startswith("<") else []
    is_ligature = kind == "<compat>" and len(parts) > 1 and all(unicodedata.category(p)[0] == "L" for p in [c, *parts])
    return "".join(parts) if kind in ("<wide>", "<narrow>") or is_ligature else c


def normalise(line, lowercase):
    def kept(c):
        category = unicodedata.category(c)
        return c.isspace() or c in JOINERS or VISIBLE_FORMATS.match(c) or category not in ("Cc", "Cf")

    text = " ".join("".join(filter(kept, line)).split()).replace(MARK, "_").replace(JOINER, "\u25a0")
    return unicodedata.normalize("NFC", "".join(c.lower()[0] for c in text) if lowercase else text)


def kind(c):
    """L letter, M mark, N digit, - another."""
    category = "M" if c in JOINERS else unicodedata.category(c)
    return category[0] if category[0] in "LM" else "N" if category == "Nd" else "-"


def script(c):
    return unicodedata.name(c, " ").split()[0].split("-")[0]


def expect_blank(last, first):
    """Whether a blank is expected between words that end and begin so."""
    lacking = [kind(c) == "N" or (kind(c) != "-" and script(c) in WITHOUT_BLANKS) for c in (last, first)]
    return not all(lacking) or kind(last) == kind(first) == "N"


def split(line):
    words, at = [], 0
    while at < len(line):
        blank, before = line[at] == " ", line[at - 1:at]
        at += blank
        length = word_length(line[at:at + LONGEST_WORD].encode()[:LONGEST_WORD].decode(errors="ignore"), line[:at])
        word = line[at:at + length]
        if blank:
            words += [MARK] if not expect_blank(before, word[0]) else []
        elif at and kind(word[0]) != "-":
            if kind(before) == "-":
                words[-1] += JOINER
            elif expect_blank(before, word[0]):
                words.append(JOINER)
        words.append((MARK if blank or at == 0 or kind(word[0]) != "-" else "") + word)
        at += length
    return words


def letters_end(text):
    """The end of the letters of one script that a text begins with."""
    first = next((script(c) for c in text if kind(c) == "L"), "")
    return next((i for i, c in enumerate(text) if kind(c) not in "LM" or (kind(c) == "L" and script(c) != first)), len(text))


def word_length(text, before):
    if kind(text[0]) in "LM":
        return letters_length(text)
    if digits := re.match("N[NM]*", "".join(map(kind, text))):
        return digits.end()
    if text[0] in APOSTROPHES and before and kind(before[-1]) != "-" and kind(text[1:2] or " ") == "L":
        return 1 + letters_end(text[1:])
    same = len(text) - len(text.lstrip(text[0]))
    return same + re.match("M*", "".join(map(kind, text[same:]))).end()


def letters_length(text):
    """Hyphens stay inside, and points between single letters; an apostrophe belongs to its shorter side."""
    part, end = 0, letters_end(text)
    while (bound := text[end:end + 1]) and kind(text[end + 1:end + 2] or " ") == "L":
        single = end - part == 1 and letters_end(text[end + 1:]) == 1
        if not (bound in "-\u2010\u2011\u00b7\u05f3\u05f4" or (bound == "." and single)):
            break
        part, end = end + 1, end + 1 + letters_end(text[end + 1:])
    if text[end:end + 1] in tuple(APOSTROPHES):
        rest = letters_end(text[end + 1:]) or re.match("N*", "".join(map(kind, text[end + 1:]))).end()
        return end + (0 < end - part <= rest)
    return end


def join(marked):
    text, marks, joined = "", 0, False
    for c in marked:
        if c == MARK:
            marks += 1
        elif c == JOINER:
            joined = True
        else:
            text += " " * (text != "" and marks > 0 and not joined and (marks > 1 or expect_blank(text[-1], c))) + c
            marks, joined = 0, False
    return text


def split_textbook(line, lowercase):
    text = "".join(c.lower()[0] for c in line) if lowercase else line
    blanks = r"\x00-\x20\x7f-\xa0\u202f"
    return re.findall(f"[,.!?]?[^,.!?{blanks}]+|[,.!?]", text)


# ---- the model file ----

class Model(Network):
    def __init__(self, metadata):
        source, target = (Tokenizer(json.loads(metadata.get(f"{side}_tokenizer", metadata["source_tokenizer"])))
                          for side in ("source", "target"))
        super().__init__(json.loads(metadata["network"]), len(source.pieces), len(target.pieces))
        self.source, self.target = source, target
        search = json.loads(metadata.get("search", "{}"))
        self.forbidden, self.length_factor = search.get("forbidden", []), search.get("length-factor", 0)

    def source_ids(self, line):
        return torch.tensor(self.source.encode(line, is_source=True) + [END])

    def translate(self, line):
        return self.target.decode(self.greedy(self.source_ids(line))[0]) if line.strip() else ""

    @torch.no_grad()
    def score(self, source, target):
        ids = torch.tensor(self.target.encode(target) + [END])
        return -nn.functional.cross_entropy(self(self.source_ids(source), ids), ids, reduction="sum").item()


def read_safetensors(path):
    """8 bytes header length, JSON header, tensors -> (metadata, {name: tensor}); integers times their scales"""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = {"F32": torch.float32, "I8": torch.int8}[entry["dtype"]]
        tensors[name] = torch.frombuffer(data[begin:end], dtype=dtype).view(entry["shape"])
    for name in [name for name, tensor in tensors.items() if tensor.dtype == torch.int8]:
        tensors[name] = tensors[name] * tensors.pop(name + "_scale")[:, None]
    return metadata, tensors


def load(path):
    metadata, tensors = read_safetensors(path)
    if "networks" in metadata:
        sys.exit(f"attn_torch.py: {path}: is an ensemble of {metadata['networks']} networks; this page has one (attn "
                 "train --ensemble 1)")
    model = Model(metadata)
    model.load_state_dict(tensors | {name: tensors[saved] for name, saved in model.tied.items()})
    return model.eval()


def main(path, mode=None):
    model = load(path)
    if mode != "--ids" and (model.source.is_prepared or model.target.is_prepared):
        sys.exit(f"attn_torch.py: {path}: its text is truecased or has placeholders; give --ids, or train it with "
                 "--no-truecase --no-placeholders")
    for line in sys.stdin:
        line = line.rstrip("\r\n")
        if mode == "--ids":
            words, _ = model.greedy(torch.tensor([int(id) for id in line.split()] + [END]))
            answer = " ".join(str(int(word)) for word in words if word != END)
        elif mode == "--score":
            answer = model.score(*line.split("\t")[:2])
        else:
            answer = model.translate(line)
        print(answer, flush=True)


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__, end="")
        sys.exit()
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--ids"], ["--score"]):
        print(__doc__, end="", file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])

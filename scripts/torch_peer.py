#!/usr/bin/python3
"""torch_peer.py - what a user would otherwise run: a GRU encoder + attention GRU decoder, or a Transformer, in PyTorch, on
the CPU.

Three models, all trained with teacher forcing, Adam and gradient clipping:
  d2l   the textbook recipe (Dive into Deep Learning, "Bahdanau attention"): first 600 pairs, words seen twice or
        more, 10 steps, embedding 32, hidden 32, 2 layers, dropout 0.1, batch 64, lr 0.005.
  real  a bidirectional GRU encoder and an additive-attention GRU decoder at a useful size on the whole corpus.
  transformer   three layers a side with normalisation before each part, width --embed, heads of 64, feed-forward 4 times
        as wide; it decodes with the keys and values of the words so far, and those of the source, kept.
Prints one JSON line: target tokens (with the end token, without padding) per second over the last epochs, the loss, and
which kernels OpenBLAS computed with and with how many threads, where that library multiplies.

  /usr/bin/python3 scripts/torch_peer.py d2l  fra.txt --epochs 250
  /usr/bin/python3 scripts/torch_peer.py real fra.txt --steps 60 --embed 256 --hidden 256 --vocab 8000
  /usr/bin/python3 scripts/torch_peer.py real fra.txt --steps 20 --decode 1000     also greedy decoding speed
  /usr/bin/python3 scripts/torch_peer.py transformer fra.txt --steps 20 --decode 1000
Needs Debian's python3-torch.
"""
import argparse, collections, ctypes, json, math, random, time
import torch
from torch import nn


def read_pairs(path, limit=None):
    pairs = []
    for line in open(path, encoding="utf-8"):
        line = line.replace("\u202f", " ").replace("\xa0", " ").lower().rstrip("\n")
        spaced = "".join(" " + c if i and c in ",.!?" and line[i - 1] != " " else c for i, c in enumerate(line))
        parts = spaced.split("\t")
        if len(parts) >= 2:
            pairs.append((parts[0].split(" "), parts[1].split(" ")))
        if limit and len(pairs) == limit:
            break
    return pairs


def build_vocab(sentences, min_freq, limit):
    counts = collections.Counter(w for s in sentences for w in s)
    words = [w for w, c in counts.most_common() if c >= min_freq]
    if limit:
        words = words[: limit - 4]
    return {w: i for i, w in enumerate(["<unk>", "<pad>", "<bos>", "<eos>"] + words)}


def encode(vocab, words, steps):
    ids = [vocab.get(w, 0) for w in words] + [3]
    ids = ids[:steps]
    return ids


class Attention(nn.Module):
    def __init__(self, key, query, hidden, dropout):
        super().__init__()
        self.k, self.q, self.v = nn.Linear(key, hidden, False), nn.Linear(query, hidden, False), nn.Linear(hidden, 1, False)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, keys, values, mask):
        e = self.v(torch.tanh(self.q(query).unsqueeze(1) + keys)).squeeze(-1).masked_fill(mask, -1e6)
        a = torch.softmax(e, -1)
        return torch.bmm(self.drop(a).unsqueeze(1), values)


class Net(nn.Module):
    def __init__(self, sv, tv, embed, hidden, layers, dropout, bi):
        super().__init__()
        self.bi, self.layers, self.hidden = bi, layers, hidden
        self.se, self.te = nn.Embedding(sv, embed), nn.Embedding(tv, embed)
        self.enc = nn.GRU(embed, hidden, layers, dropout=dropout if layers > 1 else 0, bidirectional=bi)
        mem = hidden * (2 if bi else 1)
        self.att = Attention(mem, hidden, hidden, dropout)
        self.dec = nn.GRU(embed + mem, hidden, layers, dropout=dropout if layers > 1 else 0)
        self.init = nn.Linear(hidden, hidden) if bi else None
        self.out = nn.Linear(hidden, tv)

    def encode(self, x, lens):
        if self.bi:  # a useful encoder must not read padding
            packed = nn.utils.rnn.pack_padded_sequence(self.se(x).transpose(0, 1), lens, enforce_sorted=False)
            mem, h = self.enc(packed)
            mem, _ = nn.utils.rnn.pad_packed_sequence(mem, total_length=x.shape[1])
            h = torch.tanh(self.init(h[-1])).unsqueeze(0).repeat(self.layers, 1, 1)
        else:
            mem, h = self.enc(self.se(x).transpose(0, 1))
        mem = mem.transpose(0, 1)
        mask = torch.arange(x.shape[1])[None, :] >= lens[:, None]
        return mem, self.att.k(mem), mask, h

    def forward(self, x, lens, y_in):
        mem, keys, mask, h = self.encode(x, lens)
        emb = self.te(y_in).transpose(0, 1)
        outs = []
        for e in emb:
            c = self.att(h[-1], keys, mem, mask)
            o, h = self.dec(torch.cat((c.transpose(0, 1), e.unsqueeze(0)), -1), h)
            outs.append(o)
        return self.out(torch.cat(outs, 0)).transpose(0, 1)

    def begin(self, x, lens, steps):
        return self.encode(x, lens)

    def step(self, y, t, state):
        """words (B) at step t -> logits (B, words), the next state"""
        mem, keys, mask, h = state
        c = self.att(h[-1], keys, mem, mask)
        o, h = self.dec(torch.cat((c.transpose(0, 1), self.te(y).unsqueeze(0)), -1), h)
        return self.out(o[0]), (mem, keys, mask, h)


class Heads(nn.Module):
    """Attention in several heads; queries, and keys with values, are projected apart so that these can be kept."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.query, self.pairs = heads, nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.out, self.drop = nn.Linear(width, width), nn.Dropout(dropout)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def read(self, x):
        """(B, S, width) -> keys and values (B, heads, S, width of a head)"""
        return tuple(map(self.split, self.pairs(x).chunk(2, -1)))

    def forward(self, x, keys, values, mask=None):
        q = self.split(self.query(x))
        e = q @ keys.transpose(2, 3) / math.sqrt(q.shape[-1])
        a = torch.softmax(e if mask is None else e.masked_fill(mask, -1e9), -1)
        return self.out((self.drop(a) @ values).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """of an encoder, or with `reads` of a decoder"""

    def __init__(self, width, heads, dropout, reads):
        super().__init__()
        self.own, self.source = Heads(width, heads, dropout), Heads(width, heads, dropout) if reads else None
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3 if reads else 2))
        self.inner = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask, pairs=None, memory_mask=None):
        u = self.norms[0](x)
        return self.rest(x + self.drop(self.own(u, *self.own.read(u), mask)), pairs, memory_mask)

    def rest(self, x, pairs, memory_mask):
        if self.source:
            x = x + self.drop(self.source(self.norms[1](x), *pairs, memory_mask))
        return x + self.drop(self.inner(self.norms[-1](x)))

    def step(self, x, t, kept, pairs, memory_mask):
        """x (B, 1, width) at step t; kept: keys and values (B, heads, steps, ...), of which those of step t are written"""
        u = self.norms[0](x)
        for all_steps, new in zip(kept, self.own.read(u)):
            all_steps[:, :, t:t + 1] = new
        return self.rest(x + self.own(u, kept[0][:, :, :t + 1], kept[1][:, :, :t + 1]), pairs, memory_mask)


class Transformer(nn.Module):
    def __init__(self, sv, tv, width, dropout, layers=3, longest=512):
        super().__init__()
        self.width, self.heads = width, max(1, width // 64)
        self.se, self.te = nn.Embedding(sv, width), nn.Embedding(tv, width)
        angle = torch.arange(longest)[:, None] * 10000.0 ** (-torch.arange(0, width, 2) / width)
        self.register_buffer("places", torch.stack((angle.sin(), angle.cos()), -1).flatten(1))
        self.enc, self.dec = (nn.ModuleList(Layer(width, self.heads, dropout, reads) for _ in range(layers))
                              for reads in (False, True))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.drop, self.out = nn.Dropout(dropout), nn.Linear(width, tv)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        for e in self.se, self.te:
            nn.init.normal_(e.weight, std=width ** -0.5)

    def read(self, embedding, words, first=0):
        x = embedding(words) * math.sqrt(self.width)
        return self.drop(x + self.places[first:first + words.shape[1]])

    def encode(self, x, lens):
        """-> keys and values of each decoder layer, and which of them are padding"""
        mask = (torch.arange(x.shape[1])[None, :] >= lens[:, None])[:, None, None]
        x = self.read(self.se, x)
        for layer in self.enc:
            x = layer(x, mask)
        x = self.norms[0](x)
        return [layer.source.read(x) for layer in self.dec], mask

    def forward(self, x, lens, y_in):
        pairs, mask = self.encode(x, lens)
        later = torch.ones(y_in.shape[1], y_in.shape[1]).triu(1).bool()
        y = self.read(self.te, y_in)
        for layer, both in zip(self.dec, pairs):
            y = layer(y, later, both, mask)
        return self.out(self.norms[1](y))

    def begin(self, x, lens, steps):
        kept = [[torch.empty(len(x), self.heads, steps, self.width // self.heads) for _ in range(2)] for _ in self.dec]
        return *self.encode(x, lens), kept

    def step(self, y, t, state):
        pairs, mask, kept = state
        y = self.read(self.te, y[:, None], t)
        for layer, both, so_far in zip(self.dec, pairs, kept):
            y = layer.step(y, t, so_far, both, mask)
        return self.out(self.norms[1](y[:, 0])), state


def pad(rows, steps=None):
    n = steps or max(map(len, rows))
    return torch.tensor([r + [1] * (n - len(r)) for r in rows])


def batches(data, size, fixed_steps, by_length):
    order = list(range(len(data)))
    random.shuffle(order)
    if by_length:  # shuffle, then sort inside large pools, as toolkits do
        pool = size * 100
        order = [i for p in range(0, len(order), pool) for i in sorted(order[p:p + pool], key=lambda i: (len(data[i][1]), len(data[i][0])))]
    groups = [order[i:i + size] for i in range(0, len(order), size)]
    if by_length:
        random.shuffle(groups)
    for g in groups:
        src, tgt = [data[i][0] for i in g], [data[i][1] for i in g]
        yield (pad(src, fixed_steps), torch.tensor([len(s) for s in src]), pad(tgt, fixed_steps), torch.tensor([len(t) for t in tgt]))


@torch.no_grad()
def greedy(net, data, size):
    """Decodes every sentence for as many steps as its reference has, greedily; target tokens per second."""
    net.eval()
    data = sorted(data, key=lambda d: len(d[1]))
    t0, tokens = time.perf_counter(), 0
    for i in range(0, len(data), size):
        rows = data[i:i + size]
        steps = max(len(r[1]) for r in rows)
        state = net.begin(pad([r[0] for r in rows]), torch.tensor([len(r[0]) for r in rows]), steps)
        y = torch.full((len(rows),), 2)
        for t in range(steps):
            logits, state = net.step(y, t, state)
            y = logits.argmax(-1)
        tokens += sum(len(r[1]) for r in rows)
    return round(tokens / (time.perf_counter() - t0), 1)


def blas():
    """What OpenBLAS says of itself, as far as it is the library in this process."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libopenblas" in line}
    if not paths:
        return {}
    library = ctypes.CDLL(paths.pop())
    library.openblas_get_corename.restype = ctypes.c_char_p
    return {"kernels": library.openblas_get_corename().decode(), "blas_threads": library.openblas_get_num_threads()}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("model", choices=["d2l", "real", "transformer"]); ap.add_argument("corpus")
    ap.add_argument("--epochs", type=int, default=250); ap.add_argument("--steps", type=int, default=0)
    ap.add_argument("--embed", type=int, default=256); ap.add_argument("--hidden", type=int, default=256)
    ap.add_argument("--vocab", type=int, default=8000); ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--max-len", type=int, default=50); ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--lr", type=float, default=0.001); ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--decode", type=int, default=0, help="then decode this many sentences, in batches and one by one")
    ap.add_argument("--blocks", type=int, default=1, help="the rate is the median of so many stretches of --steps, or decodings")
    a = ap.parse_args()
    torch.set_num_threads(a.threads); torch.manual_seed(a.seed); random.seed(a.seed)
    if a.model == "d2l":
        a.embed, a.hidden, layers, bi, a.batch, steps, a.lr, limit, a.vocab, minf = 32, 32, 2, False, 64, 10, 0.005, 600, 0, 2
    else:
        layers, bi, steps, limit, minf = 1, True, None, None, 1
    pairs = read_pairs(a.corpus, limit)
    sv, tv = build_vocab([p[0] for p in pairs], minf, a.vocab), build_vocab([p[1] for p in pairs], minf, a.vocab)
    cut = steps or a.max_len
    data = [(encode(sv, s, cut), encode(tv, t, cut)) for s, t in pairs]
    if a.model == "transformer":
        net = Transformer(len(sv), len(tv), a.embed, a.dropout)
    else:
        net = Net(len(sv), len(tv), a.embed, a.hidden, layers, a.dropout, bi)
        for name, p in net.named_parameters():
            if p.dim() > 1 and ".se" not in name and ".te" not in name:
                nn.init.xavier_uniform_(p)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    net.train()
    rates, done, loss_value = [], 0, None
    for epoch in range(a.epochs):
        t0, toks, total = time.perf_counter(), 0, 0.0
        for x, xl, y, yl in batches(data, a.batch, steps, bi):
            opt.zero_grad()
            y_in = torch.cat((torch.full((len(y), 1), 2), y[:, :-1]), 1)
            logits = net(x, xl, y_in)
            ce = nn.functional.cross_entropy(logits.transpose(1, 2), y, reduction="none", ignore_index=-1)
            mask = torch.arange(y.shape[1])[None, :] < yl[:, None]
            ce = ce * mask
            (ce.mean(1).sum() if a.model == "d2l" else ce.sum() / yl.sum()).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            n = int(yl.sum()); toks += n
            total += float(ce.mean(1).sum() if a.model == "d2l" else ce.sum())
            done += 1
            if a.steps and done >= a.steps:
                break
            if a.steps and done % (a.steps // a.blocks) == 0:
                rates.append(toks / (time.perf_counter() - t0)); t0, toks, total = time.perf_counter(), 0, 0.0
        rates.append(toks / (time.perf_counter() - t0)); loss_value = total / toks
        if a.steps and done >= a.steps:
            break
    tail = sorted(rates if a.steps else rates[-max(1, len(rates) // 5):])
    decode = {}
    if a.decode:
        some = random.sample(data, a.decode)
        for size, data in (64, some), (1, some[:200]):
            again = sorted(greedy(net, data, size) for _ in range(a.blocks))
            decode[f"decode_tokens_per_second_batch_{size}"] = again[len(again) // 2]
    print(json.dumps({"peer": "pytorch " + torch.__version__, "model": a.model, "threads": a.threads, **blas(), "src_vocab": len(sv), "tgt_vocab": len(tv),
                      "parameters": sum(p.numel() for p in net.parameters()), "loss": round(loss_value, 4),
                      "target_tokens_per_second": round(tail[len(tail) // 2], 1), **decode}))


if __name__ == "__main__":
    main()

"""Peer of the benchmark of training: the same decoder, batch and optimiser in plain PyTorch.

Usage: train_throughput.py HIDDEN LAYERS HEADS KV_HEADS INTERMEDIATE VOCAB ROWS LENGTH THREADS

Works when asked, as io.agentprm.bench.model.Worker does: a line "step" trains once, a line "product" multiplies two
square matrices. The answer is a line: seconds on the wall clock, seconds of processor time, loss.
"""
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

SIDE = 2048


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


class Layer(nn.Module):
    def __init__(self, hidden, heads, kv_heads, intermediate):
        super().__init__()
        self.heads, self.kv_heads, self.size = heads, kv_heads, hidden // heads
        self.norm1, self.norm2 = Norm(hidden), Norm(hidden)
        kv_width = kv_heads * self.size
        self.q = nn.Linear(hidden, hidden, bias=False)
        self.k = nn.Linear(hidden, kv_width, bias=False)
        self.v = nn.Linear(hidden, kv_width, bias=False)
        self.o = nn.Linear(hidden, hidden, bias=False)
        self.gate = nn.Linear(hidden, intermediate, bias=False)
        self.up = nn.Linear(hidden, intermediate, bias=False)
        self.down = nn.Linear(intermediate, hidden, bias=False)

    def forward(self, x, cos, sin, mask):
        batch, length, hidden = x.shape

        def split(t, heads):
            return t.view(batch, length, heads, self.size).transpose(1, 2)

        def shared(t):
            return t.repeat_interleave(self.heads // self.kv_heads, 1) if self.heads > self.kv_heads else t

        y = self.norm1(x)
        q = rotate(split(self.q(y), self.heads), cos, sin)
        k = shared(rotate(split(self.k(y), self.kv_heads), cos, sin))
        v = shared(split(self.v(y), self.kv_heads))
        scores = q @ k.transpose(-1, -2) / self.size**0.5 + mask
        attended = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, length, hidden)
        x = x + self.o(attended)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self, hidden, layers, heads, kv_heads, intermediate, vocab, length):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.layers = nn.ModuleList(Layer(hidden, heads, kv_heads, intermediate) for _ in range(layers))
        self.norm = Norm(hidden)
        size = hidden // heads
        angles = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, size, 2) / size))
        self.cos, self.sin = angles.cos(), angles.sin()
        self.mask = torch.full((length, length), float("-inf")).triu(1)

    def forward(self, ids):
        x = self.embedding(ids)
        for layer in self.layers:
            x = layer(x, self.cos, self.sin, self.mask)
        return self.norm(x) @ self.embedding.weight.t()


def main():
    hidden, layers, heads, kv_heads, intermediate, vocab, rows, length, threads = map(int, sys.argv[1:])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = Decoder(hidden, layers, heads, kv_heads, intermediate, vocab, length)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.02)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    ids = torch.randint(0, vocab, (rows, length))
    left, right = torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)

    def step():
        logits = model(ids)[:, :-1]
        loss = F.cross_entropy(logits.reshape(-1, vocab), ids[:, 1:].reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    def product():
        with torch.no_grad():
            left @ right
        return 0.0

    work = {"step": step, "product": product}
    for line in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        loss = work[line.strip()]()
        print(f"{time.perf_counter() - wall:.6f} {time.process_time() - cpu:.6f} {loss:.6f}", flush=True)


if __name__ == "__main__":
    main()

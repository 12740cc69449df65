"""Peer of io.agentprm.bench.training: the same decoder, batch and optimiser in plain PyTorch, for side-by-side ratios.

Usage: train_throughput.py HIDDEN LAYERS HEADS INTERMEDIATE VOCAB ROWS LENGTH STEPS THREADS
Prints one line per step: seconds of the step, then the loss.
"""
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


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
    def __init__(self, hidden, heads, intermediate):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = Norm(hidden), Norm(hidden)
        self.q, self.k, self.v, self.o = (nn.Linear(hidden, hidden, bias=False) for _ in range(4))
        self.gate = nn.Linear(hidden, intermediate, bias=False)
        self.up = nn.Linear(hidden, intermediate, bias=False)
        self.down = nn.Linear(intermediate, hidden, bias=False)

    def forward(self, x, cos, sin, mask):
        batch, length, hidden = x.shape

        def split(t):
            return t.view(batch, length, self.heads, hidden // self.heads).transpose(1, 2)

        y = self.norm1(x)
        q, k, v = rotate(split(self.q(y)), cos, sin), rotate(split(self.k(y)), cos, sin), split(self.v(y))
        scores = q @ k.transpose(-1, -2) / (hidden // self.heads) ** 0.5 + mask
        attended = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, length, hidden)
        x = x + self.o(attended)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self, hidden, layers, heads, intermediate, vocab, length):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.layers = nn.ModuleList(Layer(hidden, heads, intermediate) for _ in range(layers))
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
    hidden, layers, heads, intermediate, vocab, rows, length, steps, threads = map(int, sys.argv[1:])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = Decoder(hidden, layers, heads, intermediate, vocab, length)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.02)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    ids = torch.randint(0, vocab, (rows, length))
    for _ in range(steps):
        start = time.perf_counter()
        logits = model(ids)[:, :-1]
        loss = F.cross_entropy(logits.reshape(-1, vocab), ids[:, 1:].reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(f"{time.perf_counter() - start:.4f} {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()

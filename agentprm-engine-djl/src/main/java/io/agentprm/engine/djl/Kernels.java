package io.agentprm.engine.djl;

import io.agentprm.lm.checkpoint.ModelConfig;

/**
 * The TorchScript source of everything a model computes, made for one configuration: sizes and
 * switches are constants of the text. One call runs all layers.
 *
 * <p>Tensors: {@code w} the weights in the order of {@link WeightLayout}; {@code at} int64 [3,
 * rows, length] with token id, preceding id (-1 at the start) and position of each token; {@code
 * angles} float32 [positions, headDim/2, 2], cosine and sine. Rotary pairs lie side by side (see
 * {@link WeightLayout}), so that a rotation is one complex product.
 */
final class Kernels {
    private final ModelConfig config;
    private final WeightLayout layout;
    private final Precision precision;

    private Kernels(ModelConfig config, WeightLayout layout, Precision precision) {
        this.config = config;
        this.layout = layout;
        this.precision = precision;
    }

    static byte[] archive(ModelConfig config, WeightLayout layout, Precision precision) {
        return ScriptArchive.of(new Kernels(config, layout, precision).source());
    }

    private String source() {
        return fill(
                primitives()
                        + embed()
                        + layerParts()
                        + (FORWARD + TREE_MASK + DECODE + CACHE + OPTIMIZER)
                        + logits()
                        + scores());
    }

    /** Names in capitals between @ signs become numbers. */
    private String fill(String text) {
        int kvWidth = config.kvHeads() * config.headDim();
        return text.replace("@LAYERS@", Integer.toString(config.layers()))
                .replace("@H@", Integer.toString(config.heads()))
                .replace("@KV@", Integer.toString(config.kvHeads()))
                .replace("@G@", Integer.toString(config.heads() / config.kvHeads()))
                .replace("@HD@", Integer.toString(config.headDim()))
                .replace("@HALF@", Integer.toString(config.headDim() / 2))
                .replace("@Q@", Integer.toString(config.heads() * config.headDim()))
                .replace("@QK@", Integer.toString(config.heads() * config.headDim() + kvWidth))
                .replace("@VW@", Integer.toString(kvWidth))
                .replace("@HEADS@", Integer.toString(config.heads() + config.kvHeads()))
                .replace("@FF@", Integer.toString(config.intermediateSize()))
                .replace("@EPS@", Double.toString(config.rmsNormEps()))
                .replace("@SCALE@", Double.toString(1 / Math.sqrt(config.headDim())))
                .replace("@BASE@", Integer.toString(layout.firstLayer()))
                .replace("@STRIDE@", Integer.toString(layout.tensorsPerLayer()));
    }

    private String primitives() {
        String linear =
                precision == Precision.BF16
                        ? "torch.to(torch.linear(torch.to(x, 15), torch.to(w, 15)), 6)"
                        : "torch.linear(x, w)";
        return """
              def rms(self, x: Tensor, g: Tensor) -> Tensor:
                return torch.mul(torch.mul(x, torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), @EPS@))), g)
              def linear(self, x: Tensor, w: Tensor) -> Tensor:
                return %s
              def rotate(self, x: Tensor, cis: Tensor) -> Tensor:
                pairs = torch.view_as_complex(torch.view(x, [torch.size(x, 0), torch.size(x, 1), torch.size(x, 2), @HALF@, 2]))
                return torch.flatten(torch.view_as_real(torch.mul(pairs, cis)), 3)
              def cis(self, at: Tensor, angles: Tensor) -> Tensor:
                p = torch.select(at, 0, 2)
                rows = torch.index_select(angles, 0, torch.reshape(p, [-1]))
                return torch.view_as_complex(torch.view(rows, [torch.size(p, 0), torch.size(p, 1), 1, @HALF@, 2]))
            """
                .formatted(linear)
                .indent(0);
    }

    private String embed() {
        String previous =
                layout.previousEmbedding() < 0
                        ? ""
                        : """
                            q = torch.select(at, 0, 1)
                            e = torch.embedding(w[%d], torch.clamp_min(q, 0))
                            x = torch.add(x, torch.mul(e, torch.unsqueeze(torch.ge(q, 0), -1)))
                        """
                                .formatted(layout.previousEmbedding());
        return """
              def embed(self, at: Tensor, w: List[Tensor]) -> Tensor:
                x = torch.embedding(w[%d], torch.select(at, 0, 0))
            %s    return x
            """
                .formatted(WeightLayout.EMBEDDING, previous);
    }

    private String layerParts() {
        int next = WeightLayout.QKV + 1;
        String bias = "";
        if (config.qkvBias()) {
            bias = "    y = torch.add(y, w[torch.add(o, %d)])\n".formatted(next++);
        }
        String rotated = "    qk = (self).rotate(qk0, cis)\n";
        if (config.qkNorm()) {
            rotated =
                    """
                        q0 = (self).rms(torch.slice(qk0, 2, 0, @H@), w[torch.add(o, %d)])
                        k0 = (self).rms(torch.slice(qk0, 2, @H@, @HEADS@), w[torch.add(o, %d)])
                        qk = (self).rotate(torch.cat([q0, k0], 2), cis)
                    """
                            .formatted(next, next + 1);
            next += 2;
        }
        return """
              def project(self, x: Tensor, w: List[Tensor], o: int, cis: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
                B = torch.size(x, 0)
                T = torch.size(x, 1)
                y = (self).linear((self).rms(x, w[o]), w[torch.add(o, %d)])
            %s    parts = torch.split_with_sizes(y, [@QK@, @VW@], -1)
                qk0 = torch.view(parts[0], [B, T, @HEADS@, @HD@])
            %s    both = torch.split_with_sizes(qk, [@H@, @KV@], 2)
                v = torch.view(parts[1], [B, T, @KV@, @HD@])
                return (torch.transpose(both[0], 1, 2), torch.transpose(both[1], 1, 2), torch.transpose(v, 1, 2))
              def rest(self, x: Tensor, a: Tensor, w: List[Tensor], o: int) -> Tensor:
                x1 = torch.add(x, (self).linear(a, w[torch.add(o, %d)]))
                h = (self).linear((self).rms(x1, w[torch.add(o, %d)]), w[torch.add(o, %d)])
                gu = torch.split_with_sizes(h, [@FF@, @FF@], -1)
                return torch.add(x1, (self).linear(torch.mul(torch.silu(gu[0]), gu[1]), w[torch.add(o, %d)]))
              def heads(self, x: Tensor) -> Tensor:
            %s
            """
                .formatted(
                        WeightLayout.QKV,
                        bias,
                        rotated,
                        next,
                        next + 1,
                        next + 2,
                        next + 3,
                        config.heads() == config.kvHeads()
                                ? "    return x"
                                : """
                                    B = torch.size(x, 0)
                                    T = torch.size(x, 2)
                                    return torch.reshape(torch.expand(torch.unsqueeze(x, 2), [B, @KV@, @G@, T, @HD@]), [B, @H@, T, @HD@])
                                """
                                        .stripTrailing());
    }

    /** {@code hidden}: the residual stream after the last layer; {@code mask} bool or 1-d: none. */
    private static final String FORWARD =
            """
              def hidden(self, at: Tensor, mask: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                x = (self).embed(at, w)
                cis = (self).cis(at, angles)
                for l in range(@LAYERS@):
                  o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                  q, k, v, = (self).project(x, w, o, cis)
                  if torch.eq(torch.dim(mask), 1):
                    a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                  else:
                    a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), mask, 0., False)
                  a2 = torch.flatten(torch.transpose(a, 1, 2), 2)
                  x = (self).rest(x, a2, w, o)
                return x
              def states(self, at: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                x = (self).embed(at, w)
                all = [x]
                cis = (self).cis(at, angles)
                for l in range(@LAYERS@):
                  o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                  q, k, v, = (self).project(x, w, o, cis)
                  a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                  x = (self).rest(x, torch.flatten(torch.transpose(a, 1, 2), 2), w, o)
                  if torch.eq(l, torch.sub(@LAYERS@, 1)):
                    _0 = torch.append(all, (self).rms(x, w[1]))
                  else:
                    _1 = torch.append(all, x)
                return torch.stack(all)
            """;

    /**
     * Who may see whom in packed trees. {@code tree} int64 [2, rows, length]: the segment of each
     * token (0 trunk, -1 padding) and the number of trunk tokens that it may see.
     */
    private static final String TREE_MASK =
            """
              def tree_mask(self, at: Tensor, tree: Tensor) -> Tensor:
                s = torch.select(tree, 0, 0)
                f = torch.unsqueeze(torch.select(tree, 0, 1), 2)
                p = torch.unsqueeze(torch.select(at, 0, 2), 1)
                sq = torch.unsqueeze(s, 2)
                sk = torch.unsqueeze(s, 1)
                trunk = torch.logical_and(torch.eq(sk, 0), torch.lt(p, f))
                seen = torch.logical_or(torch.eq(sk, sq), trunk)
                T = torch.size(s, 1)
                return torch.unsqueeze(torch.tril(seen), 1)
            """;

    /**
     * Attention of new tokens over a prefix that n rows share and over the rows' own earlier
     * tokens. {@code prefix} [layers, 2, C, kv, P, headDim] with an additive {@code seen} [C, 1, 1,
     * P]; {@code own} [layers, 2, C·n, kv, S, headDim] is written at positions t0 and up.
     */
    private static final String DECODE =
            """
              def extend(self, at: Tensor, prefix: Tensor, seen: Tensor, own: Tensor, t0: int, w: List[Tensor], angles: Tensor) -> Tensor:
                R = torch.size(at, 1)
                T = torch.size(at, 2)
                C = torch.size(prefix, 2)
                P = torch.size(prefix, 4)
                n = torch.floordiv(R, C)
                S = torch.add(t0, T)
                GT = torch.mul(@G@, T)
                x = (self).embed(at, w)
                cis = (self).cis(at, angles)
                later = torch.triu(torch.new_full(x, [T, S], -inf), torch.add(t0, 1))
                for l in range(@LAYERS@):
                  o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                  q, k, v, = (self).project(x, w, o, cis)
                  mine = torch.select(own, 0, l)
                  _0 = torch.copy_(torch.slice(torch.select(mine, 0, 0), 2, t0, S), k)
                  _1 = torch.copy_(torch.slice(torch.select(mine, 0, 1), 2, t0, S), v)
                  if torch.eq(torch.add(P, t0), 0):
                    a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                    a2 = torch.flatten(torch.transpose(a, 1, 2), 2)
                  else:
                    ko = torch.view(torch.slice(torch.select(mine, 0, 0), 2, 0, S), [C, n, @KV@, S, @HD@])
                    vo = torch.view(torch.slice(torch.select(mine, 0, 1), 2, 0, S), [C, n, @KV@, S, @HD@])
                    qg = torch.reshape(torch.mul(q, @SCALE@), [C, n, @KV@, GT, @HD@])
                    so = torch.matmul(qg, torch.transpose(ko, -2, -1))
                    if torch.gt(T, 1):
                      so = torch.view(torch.add(torch.view(so, [C, n, @KV@, @G@, T, S]), later), [C, n, @KV@, GT, S])
                    if torch.gt(P, 0):
                      theirs = torch.select(prefix, 0, l)
                      qp = torch.reshape(torch.transpose(qg, 1, 2), [C, @KV@, torch.mul(n, GT), @HD@])
                      sp = torch.add(torch.matmul(qp, torch.transpose(torch.select(theirs, 0, 0), -2, -1)), seen)
                      so2 = torch.reshape(torch.transpose(so, 1, 2), [C, @KV@, torch.mul(n, GT), S])
                      probs = torch.split_with_sizes(torch.softmax(torch.cat([sp, so2], -1), -1), [P, S], -1)
                      ap = torch.transpose(torch.view(torch.matmul(probs[0], torch.select(theirs, 0, 1)), [C, @KV@, n, GT, @HD@]), 1, 2)
                      po = torch.transpose(torch.reshape(probs[1], [C, @KV@, n, GT, S]), 1, 2)
                      ao = torch.add(torch.matmul(po, vo), ap)
                    else:
                      ao = torch.matmul(torch.softmax(so, -1), vo)
                    a2 = torch.reshape(torch.permute(torch.reshape(ao, [R, @H@, T, @HD@]), [0, 2, 1, 3]), [R, T, @Q@])
                  x = (self).rest(x, a2, w, o)
                return x
            """;

    /** Moves between a batch's buffers and the caches of single conversations. */
    private static final String CACHE =
            """
              def gather(self, caches: List[Tensor], lengths: List[int], longest: int) -> Tensor:
                out = torch.new_zeros(caches[0], [@LAYERS@, 2, torch.len(caches), @KV@, longest, @HD@])
                for i in range(torch.len(caches)):
                  n = lengths[i]
                  to = torch.slice(torch.select(out, 2, i), 3, 0, n)
                  _0 = torch.copy_(to, torch.slice(caches[i], 3, 0, n))
                return out
              def scatter(self, own: Tensor, caches: List[Tensor], starts: List[int], lengths: List[int]) -> Tensor:
                for i in range(torch.len(caches)):
                  n = lengths[i]
                  to = torch.slice(caches[i], 3, starts[i], torch.add(starts[i], n))
                  _0 = torch.copy_(to, torch.slice(torch.select(own, 2, i), 3, 0, n))
                return own
              def grown(self, cache: Tensor, length: int, capacity: int) -> Tensor:
                out = torch.new_zeros(cache, [@LAYERS@, 2, @KV@, capacity, @HD@])
                _0 = torch.copy_(torch.slice(out, 3, 0, length), torch.slice(cache, 3, 0, length))
                return out
              def zeros(self, like: Tensor, shape: List[int]) -> Tensor:
                return torch.new_zeros(like, shape)
              def assign(self, to: Tensor, values: Tensor) -> Tensor:
                return torch.copy_(to, values)
              def keep(self, x: Tensor, dim: int, rows: Tensor) -> Tensor:
                return torch.index_select(x, dim, rows)
            """;

    /** Fused AdamW on the gradients that autograd left behind. */
    private static final String OPTIMIZER =
            """
              def norm(self, g: List[Tensor]) -> Tensor:
                return torch.norm(torch.stack(torch._foreach_norm(g, 2)))
              def adamw(self, p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], steps: List[Tensor], scale: float, lr: float, b1: float, b2: float, decay: float, eps: float) -> Tensor:
                torch._foreach_mul_(g, scale)
                torch._foreach_add_(steps, 1)
                torch._fused_adamw_(p, g, m, v, annotate(List[Tensor], []), steps, lr=lr, beta1=b1, beta2=b2, weight_decay=decay, eps=eps, amsgrad=False, maximize=False)
                torch._foreach_zero_(g)
                return steps[0]
              def zero(self, g: List[Tensor]) -> Tensor:
                torch._foreach_zero_(g)
                return g[0]
            """;

    private String logits() {
        if (layout.languageHead() < 0) {
            return "";
        }
        return """
              def logits(self, x: Tensor, w: List[Tensor]) -> Tensor:
                return torch.linear((self).rms(x, w[1]), w[%d])
              def next(self, at: Tensor, prefix: Tensor, seen: Tensor, own: Tensor, t0: int, last: Tensor, sharpness: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                x = torch.flatten((self).extend(at, prefix, seen, own, t0, w, angles), 0, 1)
                lp = torch.log_softmax(torch.mul((self).logits(torch.index_select(x, 0, last), w), sharpness), -1)
                return torch.stack([lp, torch.exp(lp)])
            """
                .formatted(layout.languageHead());
    }

    private String scores() {
        String log = "";
        if (layout.languageHead() >= 0) {
            log =
                    """
                        if torch.gt(torch.numel(targets), 0):
                          lg = (self).logits(torch.index_select(x, 0, torch.select(targets, 0, 0)), w)
                          ids = torch.unsqueeze(torch.select(targets, 0, 1), 1)
                          for i in range(torch.len(temperatures)):
                            lp = torch.log_softmax(torch.div(lg, temperatures[i]), -1)
                            if torch.ne(wanted[i], 2):
                              _0 = torch.append(out, torch.squeeze(torch.gather(lp, 1, ids), 1))
                            if torch.ne(wanted[i], 1):
                              _1 = torch.append(out, torch.neg(torch.sum(torch.mul(torch.exp(lp), lp), [1])))
                    """;
        }
        String score = "";
        String scored = "";
        if (layout.scoreHead() >= 0) {
            score =
                    """
                        if torch.gt(torch.numel(marks), 0):
                          _2 = torch.append(out, (self).score(torch.index_select(x, 0, marks), w))
                    """;
            scored =
                    """
                      def score(self, x: Tensor, w: List[Tensor]) -> Tensor:
                        return torch.squeeze(torch.linear((self).rms(x, w[1]), w[%d]%s), 1)
                      def scores(self, at: Tensor, prefix: Tensor, seen: Tensor, own: Tensor, t0: int, last: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                        x = torch.flatten((self).extend(at, prefix, seen, own, t0, w, angles), 0, 1)
                        return (self).score(torch.index_select(x, 0, last), w)
                    """
                            .formatted(
                                    layout.scoreHead(),
                                    layout.scoreBias() < 0
                                            ? ""
                                            : ", w[" + layout.scoreBias() + "]");
        }
        return """
              def outputs(self, at: Tensor, tree: Tensor, targets: Tensor, marks: Tensor, temperatures: List[float], wanted: List[int], w: List[Tensor], angles: Tensor) -> Tensor:
                if torch.eq(torch.dim(tree), 1):
                  mask = tree
                else:
                  mask = (self).tree_mask(at, tree)
                x = torch.flatten((self).hidden(at, mask, w, angles), 0, 1)
                out = annotate(List[Tensor], [])
            """
                + log
                + score
                + "    return torch.cat(out)\n"
                + scored;
    }
}

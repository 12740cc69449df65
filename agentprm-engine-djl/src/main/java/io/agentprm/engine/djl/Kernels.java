package io.agentprm.engine.djl;

import io.agentprm.lm.checkpoint.LoraConfig;
import io.agentprm.lm.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The TorchScript source of everything a model computes, made for one configuration: sizes and
 * switches are constants of the text. One call runs all layers.
 *
 * <p>Tensors: {@code w} the weights in the order of {@link WeightLayout}; {@code at} int64 [5,
 * rows, length] with token id, preceding id, position, recalled id ({@link Recall}) and the id
 * before the preceding (-1 where there is none) of each token; {@code angles} float32 [positions,
 * headDim/2, 2], cosine and sine; {@code key} that of dropout's draws, negative for no dropout;
 * {@code tape} where autograd records, see {@link Tape}. Rotary pairs lie side by side (see {@link
 * WeightLayout}), so that a rotation is one complex product.
 */
final class Kernels {
    private final ModelConfig config;
    private final WeightLayout layout;
    private final Precision precision;
    private final boolean oneDnn;

    private Kernels(ModelConfig config, WeightLayout layout, Precision precision, boolean oneDnn) {
        this.config = config;
        this.layout = layout;
        this.precision = precision;
        this.oneDnn = oneDnn;
    }

    /**
     * The archive.
     *
     * @param oneDnn as {@link Arithmetic#source} takes it
     */
    static byte[] archive(
            ModelConfig config, WeightLayout layout, Precision precision, boolean oneDnn) {
        return ScriptArchive.of(new Kernels(config, layout, precision, oneDnn).source());
    }

    private String source() {
        return fill(
                Arithmetic.source(precision, oneDnn)
                        + ROTATION
                        + embed()
                        + adapter()
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

    /** Positions as complex rotations of pairs. */
    private static final String ROTATION =
            """
              def rotate(self, x: Tensor, cis: Tensor) -> Tensor:
                pairs = torch.view_as_complex(torch.view(x, [torch.size(x, 0), torch.size(x, 1), torch.size(x, 2), @HALF@, 2]))
                return torch.flatten(torch.view_as_real(torch.mul(pairs, cis)), 3)
              def cis(self, at: Tensor, angles: Tensor) -> Tensor:
                p = torch.select(at, 0, 2)
                rows = torch.index_select(angles, 0, torch.reshape(p, [-1]))
                return torch.view_as_complex(torch.view(rows, [torch.size(p, 0), torch.size(p, 1), 1, @HALF@, 2]))
            """;

    private String embed() {
        return String.format(
                Locale.ROOT,
                """
              def embed(self, at: Tensor, w: List[Tensor]) -> Tensor:
                x = torch.to(torch.embedding(w[%d], torch.select(at, 0, 0)), 6)
            %s%s%s    return x
            """,
                WeightLayout.EMBEDDING,
                addEmbedding(layout.previousEmbedding(), 1),
                addEmbedding(layout.secondPreviousEmbedding(), 4),
                addEmbedding(layout.recallEmbedding(), 3));
    }

    /** Adds the embedding of other ids where there are some. */
    private static String addEmbedding(int table, int plane) {
        return table < 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        """
                    q = torch.select(at, 0, %d)
                    e = torch.embedding(w[%d], torch.clamp_min(q, 0))
                    x = torch.add(x, torch.mul(e, torch.unsqueeze(torch.ge(q, 0), -1)))
                """,
                        plane,
                        table);
    }

    private String layerParts() {
        int next = WeightLayout.QKV + 1;
        String bias = "";
        if (config.qkvBias()) {
            bias =
                    String.format(
                            Locale.ROOT, "    y = torch.add(y, w[torch.add(o, %d)])\n", next++);
        }
        String rotated = "    qk = (self).rotate(qk0, cis)\n";
        if (config.qkNorm()) {
            rotated =
                    String.format(
                            Locale.ROOT,
                            """
                        q0 = (self).rms(torch.slice(qk0, 2, 0, @H@), w[torch.add(o, %d)], tape)
                        k0 = (self).rms(torch.slice(qk0, 2, @H@, @HEADS@), w[torch.add(o, %d)], tape)
                        qk = (self).rotate(torch.cat([q0, k0], 2), cis)
                    """,
                            next,
                            next + 1);
            next += 2;
        }
        return String.format(
                Locale.ROOT,
                """
              def project(self, x: Tensor, w: List[Tensor], o: int, cis: Tensor, key: int, tape: List[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
                B = torch.size(x, 0)
                T = torch.size(x, 1)
                x0 = (self).rms(x, w[o], tape)
            %s%s    parts = torch.split_with_sizes(y, [@QK@, @VW@], -1)
                qk0 = torch.view(parts[0], [B, T, @HEADS@, @HD@])
            %s    both = torch.split_with_sizes(qk, [@H@, @KV@], 2)
                v = torch.view(parts[1], [B, T, @KV@, @HD@])
                return (torch.transpose(both[0], 1, 2), torch.transpose(both[1], 1, 2), torch.transpose(v, 1, 2))
              def rest(self, x: Tensor, a: Tensor, w: List[Tensor], o: int, key: int, tape: List[Tensor]) -> Tensor:
            %s    x1 = torch.add(x, y)
                h0 = (self).rms(x1, w[torch.add(o, %d)], tape)
            %s    gu = torch.split_with_sizes(h, [@FF@, @FF@], -1)
                m = torch.mul(torch.silu(gu[0]), gu[1])
            %s    return torch.add(x1, z)
              def heads(self, x: Tensor) -> Tensor:
            %s
            """,
                product("y", "x0", WeightLayout.QKV),
                bias,
                rotated,
                product("y", "a", next),
                next + 1,
                product("h", "h0", next + 2),
                product("z", "m", next + 3),
                config.heads() == config.kvHeads()
                        ? "    return x"
                        : """
                                    B = torch.size(x, 0)
                                    T = torch.size(x, 2)
                                    return torch.reshape(torch.expand(torch.unsqueeze(x, 2), [B, @KV@, @G@, T, @HD@]), [B, @H@, T, @HD@])
                                """
                                .stripTrailing());
    }

    /** Sets a variable to the product of another one and a weight, with what an adapter adds. */
    private String product(String result, String input, int offset) {
        return layout.factors(offset)
                .map(
                        factors ->
                                String.format(
                                        Locale.ROOT,
                                        "    %s = (self).adapted(%s, w[torch.add(o, %d)],"
                                                + " w[torch.add(o, %d)], %s, %s, tape)\n",
                                        result,
                                        input,
                                        offset,
                                        factors.a(),
                                        outputs(factors),
                                        "key, torch.add(o, " + offset + ")"))
                .orElseGet(
                        () ->
                                String.format(
                                        Locale.ROOT,
                                        "    %s = (self).linear(%s, w[torch.add(o, %d)], tape)\n",
                                        result,
                                        input,
                                        offset));
    }

    /** The factors B of a product, [outputs, rank of all of them]: one block for each part. */
    private static String outputs(WeightLayout.Factors factors) {
        List<String> blocks = new ArrayList<>();
        for (int i = 0; i < factors.b().size(); i++) {
            int b = factors.b().get(i);
            blocks.add(
                    b < 0
                            ? "torch.new_zeros(w[1], [" + factors.rows().get(i) + ", 0])"
                            : "w[torch.add(o, " + b + ")]");
        }
        return blocks.size() == 1
                ? blocks.get(0)
                : "torch.block_diag([" + String.join(", ", blocks) + "])";
    }

    /**
     * A product plus scale · x Aᵀ Bᵀ. The adapter's part is left to autograd, for its products are
     * small; cuts keep autograd's walk over it apart from what lies before and after.
     */
    private String adapter() {
        return layout.lora().map(Kernels::adapter).orElse("");
    }

    private static String adapter(LoraConfig lora) {
        return dropped(lora.dropout())
                + String.format(
                        Locale.ROOT,
                        """
              def adapted(self, x: Tensor, w: Tensor, a: Tensor, b: Tensor, key: int, place: int, tape: List[Tensor]) -> Tensor:
                x0 = (self).cut(x, tape)
                y = (self).linear(x0, w, tape)
                return (self).cut(torch.add(y, torch.linear(torch.linear((self).dropped(x0, key, place), a), b), alpha=%s), tape)
            """,
                        lora.scale());
    }

    /**
     * Dropout of the input of the product at some place among the weights. The mask follows from
     * key and place alone: libtorch's own random numbers belong to the whole process, where others
     * draw too.
     */
    private static String dropped(double share) {
        return share == 0
                ? """
                  def dropped(self, x: Tensor, key: int, place: int) -> Tensor:
                    return x
                """
                : String.format(
                        Locale.ROOT,
                        """
              def dropped(self, x: Tensor, key: int, place: int) -> Tensor:
                if torch.lt(key, 0):
                  y = x
                else:
                  draws = torch.Generator(device=ops.prim.device(x), seed=torch.add(key, place))
                  kept = torch.bernoulli(torch.empty_like(x), %s, generator=draws)
                  y = torch.mul(x, torch.div(kept, %s))
                return y
            """,
                        1 - share,
                        1 - share);
    }

    /** {@code hidden}: the residual stream after the last layer; {@code mask} bool or 1-d: none. */
    private static final String FORWARD =
            """
              def layer(self, x: Tensor, mask: Tensor, l: int, w: List[Tensor], cis: Tensor, key: int, tape: List[Tensor]) -> Tensor:
                o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                x0 = (self).cut(x, tape)
                q, k, v, = (self).project(x0, w, o, cis, key, tape)
                if torch.eq(torch.dim(mask), 1):
                  a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                else:
                  a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), mask, 0., False)
                return (self).rest(x0, torch.flatten(torch.transpose(a, 1, 2), 2), w, o, key, tape)
              def hidden(self, at: Tensor, mask: Tensor, w: List[Tensor], angles: Tensor, key: int, tape: List[Tensor]) -> Tensor:
                x = (self).embed(at, w)
                cis = (self).cis(at, angles)
                for l in range(@LAYERS@):
                  x = (self).layer(x, mask, l, w, cis, key, tape)
                return x
              def trunk(self, at: Tensor, tree: Tensor, w: List[Tensor], angles: Tensor, key: int, tape: List[Tensor]) -> Tensor:
                return (self).hidden(at, (self).mask(at, tree), w, angles, key, tape)
              def step(self, x: Tensor, at: Tensor, tree: Tensor, l: int, w: List[Tensor], angles: Tensor, key: int, tape: List[Tensor]) -> Tensor:
                return (self).layer(x, (self).mask(at, tree), l, w, (self).cis(at, angles), key, tape)
              def states(self, at: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                tape = annotate(List[Tensor], [])
                x = (self).embed(at, w)
                all = [x]
                cis = (self).cis(at, angles)
                for l in range(@LAYERS@):
                  o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                  q, k, v, = (self).project(x, w, o, cis, -1, tape)
                  a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                  x = (self).rest(x, torch.flatten(torch.transpose(a, 1, 2), 2), w, o, -1, tape)
                  if torch.eq(l, torch.sub(@LAYERS@, 1)):
                    _0 = torch.append(all, (self).rms(x, w[1], tape))
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
              def mask(self, at: Tensor, tree: Tensor) -> Tensor:
                if torch.eq(torch.dim(tree), 1):
                  m = tree
                else:
                  m = (self).tree_mask(at, tree)
                return m
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
     * Attention of new tokens over what a window shows and over the rows' own earlier tokens.
     * {@code window}: first slot, slots C, longest prefix P, filled columns of {@code own}, first
     * row of {@code seen}. {@code buffer} [layers, 2, slots, kv, capacity, headDim] holds the
     * prefixes, with an additive {@code seen} [.., 1, 1, P]. {@code pad} names the row at each of
     * C·n places (n the most rows of a conversation), {@code unpad} the place of each row; both are
     * empty where rows and places are the same. New keys and values go to {@code own}: at {@code
     * put} where it names slots and columns (then it is the buffer of all caches, of which {@code
     * buffer} may be a copy), else row by row, [layers, 2, rows, kv, columns, headDim].
     */
    private static final String DECODE =
            """
              def extend(self, at: Tensor, window: List[int], buffer: Tensor, seen: Tensor, pad: Tensor, unpad: Tensor, own: Tensor, shown: Tensor, put: Tensor, w: List[Tensor], angles: Tensor) -> Tensor:
                R = torch.size(at, 1)
                T = torch.size(at, 2)
                C = window[1]
                P = window[2]
                t0 = window[3]
                S = torch.add(t0, T)
                GT = torch.mul(@G@, T)
                tape = annotate(List[Tensor], [])
                x = (self).embed(at, w)
                cis = (self).cis(at, angles)
                hide = torch.add(torch.triu(torch.new_full(x, [T, S], -inf), torch.add(t0, 1)), shown)
                visible = torch.slice(seen, 0, window[4], torch.add(window[4], C))
                for l in range(@LAYERS@):
                  o = torch.add(@BASE@, torch.mul(@STRIDE@, l))
                  q, k, v, = (self).project(x, w, o, cis, -1, tape)
                  theirs = torch.select(buffer, 0, l)
                  if torch.gt(torch.numel(put), 0):
                    where = annotate(List[Optional[Tensor]], [torch.select(put, 0, 0), None, torch.select(put, 0, 1)])
                    mine = torch.select(own, 0, l)
                    _0 = torch.index_put_(torch.select(mine, 0, 0), where, torch.transpose(k, 1, 2))
                    _1 = torch.index_put_(torch.select(mine, 0, 1), where, torch.transpose(v, 1, 2))
                    ko = k
                    vo = v
                  else:
                    mine = torch.select(own, 0, l)
                    _2 = torch.copy_(torch.slice(torch.select(mine, 0, 0), 2, t0, S), k)
                    _3 = torch.copy_(torch.slice(torch.select(mine, 0, 1), 2, t0, S), v)
                    ko = torch.slice(torch.select(mine, 0, 0), 2, 0, S)
                    vo = torch.slice(torch.select(mine, 0, 1), 2, 0, S)
                  if torch.eq(torch.add(P, t0), 0):
                    a = torch.scaled_dot_product_attention(q, (self).heads(k), (self).heads(v), None, 0., True)
                    a2 = torch.flatten(torch.transpose(a, 1, 2), 2)
                  else:
                    qg = torch.reshape(torch.mul(q, @SCALE@), [R, @KV@, GT, @HD@])
                    so = torch.matmul(qg, torch.transpose(ko, -2, -1))
                    so1 = torch.view(torch.add(torch.view(so, [R, @KV@, @G@, T, S]), hide), [R, @KV@, GT, S])
                    if torch.gt(P, 0):
                      range = torch.slice(torch.slice(theirs, 1, window[0], torch.add(window[0], C)), 3, 0, P)
                      if torch.gt(torch.numel(pad), 0):
                        qw = torch.index_select(qg, 0, pad)
                        sw = torch.index_select(so1, 0, pad)
                      else:
                        qw = qg
                        sw = so1
                      n = torch.floordiv(torch.size(qw, 0), C)
                      nGT = torch.mul(n, GT)
                      qp = torch.reshape(torch.transpose(torch.view(qw, [C, n, @KV@, GT, @HD@]), 1, 2), [C, @KV@, nGT, @HD@])
                      so2 = torch.reshape(torch.transpose(torch.view(sw, [C, n, @KV@, GT, S]), 1, 2), [C, @KV@, nGT, S])
                      sp = torch.add_(torch.matmul(qp, torch.transpose(torch.select(range, 0, 0), -2, -1)), visible)
                      probs = torch.split_with_sizes(torch.softmax(torch.cat([sp, so2], -1), -1), [P, S], -1)
                      ap = torch.view(torch.matmul(probs[0], torch.select(range, 0, 1)), [C, @KV@, n, GT, @HD@])
                      ap1 = torch.reshape(torch.transpose(ap, 1, 2), [torch.mul(C, n), @KV@, GT, @HD@])
                      po = torch.reshape(torch.transpose(torch.reshape(probs[1], [C, @KV@, n, GT, S]), 1, 2), [torch.mul(C, n), @KV@, GT, S])
                      if torch.gt(torch.numel(unpad), 0):
                        ap2 = torch.index_select(ap1, 0, unpad)
                        po2 = torch.index_select(po, 0, unpad)
                      else:
                        ap2 = ap1
                        po2 = po
                      ao = torch.add(torch.matmul(po2, vo), ap2)
                    else:
                      ao = torch.matmul(torch.softmax(so1, -1), vo)
                    a2 = torch.reshape(torch.permute(torch.view(ao, [R, @H@, T, @HD@]), [0, 2, 1, 3]), [R, T, @Q@])
                  x = (self).rest(x, a2, w, o, -1, tape)
                return x
            """;

    /** Moves of keys and values. */
    private static final String CACHE =
            """
              def blank(self, buffer: Tensor, slot: int) -> Tensor:
                return torch.zero_(torch.select(buffer, 2, slot))
              def moved(self, old: Tensor, to: Tensor, slots: int, columns: int) -> Tensor:
                source = torch.slice(torch.slice(old, 2, 0, slots), 4, 0, columns)
                return torch.copy_(torch.slice(torch.slice(to, 2, 0, slots), 4, 0, columns), source)
              def permute_slots(self, buffer: Tensor, source: Tensor, target: Tensor) -> Tensor:
                return torch.index_copy_(buffer, 2, target, torch.index_select(buffer, 2, source))
              def keep(self, buffer: Tensor, slots: Tensor, columns: int) -> Tensor:
                return torch.index_select(torch.slice(buffer, 4, 0, columns), 2, slots)
              def rows(self, x: Tensor, rows: Tensor) -> Tensor:
                return torch.index_select(x, 0, rows)
              def own(self, like: Tensor, rows: int, columns: int) -> Tensor:
                return torch.new_empty(like, [@LAYERS@, 2, rows, @KV@, columns, @HD@])
              def forked(self, own: Tensor, parents: Tensor, filled: int, columns: int) -> Tensor:
                out = torch.new_empty(own, [@LAYERS@, 2, torch.size(parents, 0), @KV@, columns, @HD@])
                source = torch.index_select(torch.slice(own, 4, 0, filled), 2, parents)
                _0 = torch.copy_(torch.slice(out, 4, 0, filled), source)
                return out
              def remember(self, own: Tensor, buffer: Tensor, moves: Tensor) -> Tensor:
                m = torch.unbind(moves)
                values = torch.index(own, annotate(List[Optional[Tensor]], [None, None, m[0], None, m[1]]))
                return torch.index_put_(buffer, annotate(List[Optional[Tensor]], [None, None, m[2], None, m[3]]), values)
              def assign(self, to: Tensor, values: Tensor) -> Tensor:
                return torch.copy_(to, values)
              def part(self, x: Tensor, first: int, end: int) -> Tensor:
                return torch.slice(x, 0, first, end)
            """;

    /** Fused AdamW on the gradients that autograd left behind. */
    private static final String OPTIMIZER =
            """
              def norm(self, g: List[Tensor]) -> Tensor:
                return torch.norm(torch.stack(torch._foreach_norm(g, 2)))
              def adamw(self, p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], steps: List[Tensor], scale: float, lr: float, b1: float, b2: float, decay: float, eps: float) -> Tensor:
                torch._foreach_add_(steps, 1)
                torch._fused_adamw_(p, g, m, v, annotate(List[Tensor], []), steps, lr=lr, beta1=b1, beta2=b2, weight_decay=decay, eps=eps, amsgrad=False, maximize=False, grad_scale=torch.full([], torch.div(1., scale)))
                return steps[0]
            """;

    private String logits() {
        if (layout.languageHead() < 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                """
              def logits(self, x: Tensor, w: List[Tensor], tape: List[Tensor]) -> Tensor:
                return (self).exact((self).rms(x, w[1], tape), w[%d], tape)
              def next(self, at: Tensor, window: List[int], buffer: Tensor, seen: Tensor, pad: Tensor, unpad: Tensor, own: Tensor, shown: Tensor, put: Tensor, w: List[Tensor], angles: Tensor, last: Tensor, sharpness: Tensor, probs: bool) -> Tensor:
                x = torch.flatten((self).extend(at, window, buffer, seen, pad, unpad, own, shown, put, w, angles), 0, 1)
                lp = torch.log_softmax(torch.mul((self).logits(torch.index_select(x, 0, last), w, annotate(List[Tensor], [])), sharpness), -1)
                if probs:
                  out = torch.stack([lp, torch.exp(lp)])
                else:
                  out = torch.unsqueeze(lp, 0)
                return out
            """,
                layout.languageHead());
    }

    /** Of each channel of the language head a row of values, for the given places and ids. */
    private static final String TOKENS =
            """
              def tokens(self, x: Tensor, targets: Tensor, temperatures: List[float], wanted: List[int], w: List[Tensor], tape: List[Tensor]) -> Tensor:
                out = annotate(List[Tensor], [])
                lg = (self).logits(torch.index_select(torch.flatten(x, 0, 1), 0, torch.select(targets, 0, 0)), w, tape)
                ids = torch.unsqueeze(torch.select(targets, 0, 1), 1)
                for i in range(torch.len(temperatures)):
                  if torch.eq(temperatures[i], 1.):
                    scaled = lg
                  else:
                    scaled = torch.div(lg, temperatures[i])
                  lp = torch.log_softmax(scaled, -1)
                  if torch.ne(wanted[i], 2):
                    _0 = torch.append(out, torch.squeeze(torch.gather(lp, 1, ids), 1))
                  if torch.ne(wanted[i], 1):
                    _1 = torch.append(out, torch.neg(torch.sum(torch.mul(torch.exp(lp), lp), [1])))
                return torch.stack(out)
            """;

    private String scores() {
        String log = "";
        String tokens = "";
        if (layout.languageHead() >= 0) {
            tokens = TOKENS;
            log =
                    """
                        if torch.gt(torch.mul(torch.numel(targets), torch.len(temperatures)), 0):
                          pieces = torch.split(targets, positions, 1)
                          parts = annotate(List[Tensor], [])
                          for i in range(torch.len(pieces)):
                            _0 = torch.append(parts, (self).tokens(x, pieces[i], temperatures, wanted, w, tape))
                          _1 = torch.append(out, torch.flatten(torch.cat(parts, 1)))
                    """;
        }
        String score = "";
        String scored = "";
        if (layout.scoreHead() >= 0) {
            score =
                    """
                        if torch.gt(torch.numel(marks), 0):
                          _2 = torch.append(out, (self).marked(x, marks, w, tape))
                    """;
            scored =
                    String.format(
                            Locale.ROOT,
                            """
                      def score(self, x: Tensor, w: List[Tensor], tape: List[Tensor]) -> Tensor:
                        return torch.squeeze(torch.linear((self).rms(x, w[1], tape), w[%d]%s), 1)
                      def marked(self, x: Tensor, marks: Tensor, w: List[Tensor], tape: List[Tensor]) -> Tensor:
                        return (self).score(torch.index_select(torch.flatten(x, 0, 1), 0, marks), w, tape)
                      def scores(self, at: Tensor, window: List[int], buffer: Tensor, seen: Tensor, pad: Tensor, unpad: Tensor, own: Tensor, shown: Tensor, put: Tensor, w: List[Tensor], angles: Tensor, last: Tensor) -> Tensor:
                        x = torch.flatten((self).extend(at, window, buffer, seen, pad, unpad, own, shown, put, w, angles), 0, 1)
                        return (self).score(torch.index_select(x, 0, last), w, annotate(List[Tensor], []))
                    """,
                            layout.scoreHead(),
                            layout.scoreBias() < 0 ? "" : ", w[" + layout.scoreBias() + "]");
        }
        return tokens
                + """
              def outputs(self, at: Tensor, tree: Tensor, targets: Tensor, marks: Tensor, temperatures: List[float], wanted: List[int], positions: int, w: List[Tensor], angles: Tensor, key: int, tape: List[Tensor]) -> Tensor:
                x = (self).trunk(at, tree, w, angles, key, tape)
                out = annotate(List[Tensor], [])
            """
                + log
                + score
                + "    return torch.cat(out)\n"
                + scored;
    }
}

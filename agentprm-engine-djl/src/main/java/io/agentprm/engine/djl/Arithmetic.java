package io.agentprm.engine.djl;

/**
 * TorchScript of the three operations that {@link Kernels} are made of and that take a tape: {@code
 * exact} and {@code linear}, products with a weight [outputs, inputs] in float32 and in the format
 * of the layers; {@code rms}, the norm times a gain; {@code cut}, nothing at all. {@code rewind}
 * goes back along a {@link Tape}.
 */
final class Arithmetic {
    private Arithmetic() {}

    /**
     * The methods.
     *
     * @param oneDnn whether products go through oneDNN; libtorch has its operator on some CPUs only
     */
    static String source(Precision precision, boolean oneDnn) {
        boolean bf16 = precision == Precision.BF16;
        return oneDnn
                ? WIDE + ONE_DNN + (bf16 ? ONE_DNN_BF16 : EXACT)
                : WIDE + PLAIN + (bf16 ? PLAIN_BF16 : EXACT);
    }

    /**
     * A float32 product with a weight as it is held. One in bfloat16 is widened some rows at a
     * time, so that no float32 copy of it ever lies in memory; and always in the same place, since
     * the C allocator, which aligns, can't put a piece where one of its size has just been freed.
     * Only where autograd records through a product it keeps the pieces, for the way back. The way
     * back itself takes a weight the other way round, in larger pieces, each without a gap between
     * columns: with one, oneDNN takes 30 times as long.
     */
    private static final String WIDE =
            """
              def product(self, x: Tensor, w: Tensor) -> Tensor:
                if torch.eq(ops.prim.dtype(w), 15):
                  if torch.is_contiguous(w):
                    most = 1048576
                  else:
                    most = 4194304
                  pieces = torch.split(w, torch.add(1, torch.floordiv(most, torch.size(w, 1))))
                  wide = torch.empty_like(pieces[0], dtype=6)
                  parts = annotate(List[Tensor], [])
                  for i in range(torch.len(pieces)):
                    if torch.__or__(ops.prim.requires_grad(x), torch.ne(torch.size(pieces[i], 0), torch.size(wide, 0))):
                      piece = torch.to(pieces[i], 6)
                    else:
                      piece = torch.copy_(wide, pieces[i])
                    _0 = torch.append(parts, (self).dense(x, piece))
                  y = torch.cat(parts, -1)
                else:
                  y = (self).dense(x, w)
                return y
            """;

    private static final String EXACT =
            """
              def linear(self, x: Tensor, w: Tensor, tape: List[Tensor]) -> Tensor:
                return (self).exact(x, w, tape)
            """;

    /** Everything and its derivatives as libtorch makes them; the tape stays empty. */
    private static final String PLAIN =
            """
              def exact(self, x: Tensor, w: Tensor, tape: List[Tensor]) -> Tensor:
                return (self).product(x, w)
              def dense(self, x: Tensor, w: Tensor) -> Tensor:
                return torch.linear(x, w)
              def rms(self, x: Tensor, g: Tensor, tape: List[Tensor]) -> Tensor:
                return torch.mul(torch.mul(x, torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), @EPS@))), g)
              def cut(self, x: Tensor, tape: List[Tensor]) -> Tensor:
                return x
              def rewind(self, tape: List[Tensor]) -> None:
                return None
            """;

    private static final String PLAIN_BF16 =
            """
              def linear(self, x: Tensor, w: Tensor, tape: List[Tensor]) -> Tensor:
                return torch.to(torch.linear(torch.to(x, 15), torch.to(w, 15)), 6)
            """;

    /**
     * Products through oneDNN, which was 2 times as fast as MKL for 64 rows and more on an AMD
     * processor with AVX-512, and costs more than it saves for a few rows. libtorch has no
     * derivative of its operator (and MKL-DNN's layer that has one gives wrong gradients for some
     * widths), so derivatives are written here. Where autograd records, an operation splits its
     * graph: the result is a new leaf, and the tape gets input, result, weight, and the two tensors
     * that the way back needs. {@code rewind} takes them from the tape's end: by then the gradient
     * of the result is whole, and autograd goes on from the input. A norm is a weight of one
     * dimension; its derivative by hand needs fewer passes over memory. A {@code cut} is a weight
     * without elements: it keeps each walk of autograd within a layer. Nothing is recorded or
     * computed for what no trained weight needs.
     */
    private static final String ONE_DNN =
            """
              def dense(self, x: Tensor, w: Tensor) -> Tensor:
                if torch.lt(torch.numel(x), torch.mul(16, torch.size(x, -1))):
                  y = torch.linear(x, w)
                else:
                  y = ops.mkldnn._linear_pointwise(x, w, None, "none", annotate(List[Optional[number]], []), "")
                return y
              def record(self, x: Tensor, y: Tensor, w: Tensor, x0: Tensor, w0: Tensor, tape: List[Tensor]) -> Tensor:
                if torch.is_grad_enabled():
                  if torch.__or__(ops.prim.requires_grad(x), ops.prim.requires_grad(w)):
                    _0 = torch.extend(tape, [x, torch.requires_grad_(y), w, x0, w0])
                return y
              def exact(self, x: Tensor, w: Tensor, tape: List[Tensor]) -> Tensor:
                x0 = torch.detach(x)
                w0 = torch.detach(w)
                return (self).record(x, (self).product(x0, w0), w, x0, w0, tape)
              def rms(self, x: Tensor, g: Tensor, tape: List[Tensor]) -> Tensor:
                x0 = torch.detach(x)
                n = torch.linalg_vector_norm(x0, 2, [-1], True)
                r = torch.rsqrt(torch.add(torch.div(torch.mul(n, n), torch.size(x0, -1)), @EPS@))
                return (self).record(x, torch.mul_(torch.mul(x0, r), torch.detach(g)), g, x0, r, tape)
              def cut(self, x: Tensor, tape: List[Tensor]) -> Tensor:
                w = torch.new_empty(x, [0])
                return (self).record(x, torch.detach(x), w, w, w, tape)
              def product_back(self, x: Tensor, w: Tensor, x0: Tensor, w0: Tensor, slope: Tensor) -> None:
                half = torch.eq(ops.prim.dtype(x0), 15)
                if half:
                  dy = torch.to(slope, 15)
                else:
                  dy = slope
                if ops.prim.requires_grad(w):
                  rows = torch.flatten(x0, 0, -2)
                  slopes = torch.transpose(torch.flatten(dy, 0, -2), 0, 1)
                  if half:
                    dw = torch.to(torch.mm(slopes, rows), 6)
                  else:
                    if torch.gt(torch.size(w, 0), torch.size(w, 1)):
                      dw = torch.transpose((self).product(torch.transpose(rows, 0, 1), slopes), 0, 1)
                    else:
                      dw = (self).product(slopes, torch.transpose(rows, 0, 1))
                  torch.backward(w, dw)
                if ops.prim.requires_grad(x):
                  if half:
                    dx = torch.to(torch.matmul(dy, w0), 6)
                  else:
                    dx = (self).product(dy, torch.transpose(w0, 0, 1))
                  torch.backward(x, dx)
                return None
              def rms_back(self, x: Tensor, w: Tensor, x0: Tensor, r: Tensor, dy: Tensor) -> None:
                g = torch.detach(w)
                u = torch.mul(x0, r)
                p = torch.mul(dy, u)
                if ops.prim.requires_grad(w):
                  torch.backward(w, torch.sum(torch.flatten(p, 0, -2), [0]))
                if ops.prim.requires_grad(x):
                  s = torch.unsqueeze(torch.div(torch.matmul(p, g), torch.size(x0, -1)), -1)
                  torch.backward(x, torch.mul_(torch.addcmul_(torch.mul(dy, g), u, s, value=-1), r))
                return None
              def rewind(self, tape: List[Tensor]) -> None:
                for i in range(torch.floordiv(torch.len(tape), 5)):
                  w0 = torch.pop(tape)
                  x0 = torch.pop(tape)
                  w = torch.pop(tape)
                  y = torch.pop(tape)
                  x = torch.pop(tape)
                  slope = ops.prim.grad(y)
                  if torch.__isnot__(slope, None):
                    dy = unchecked_cast(Tensor, slope)
                    if torch.eq(torch.numel(w), 0):
                      torch.backward(x, dy)
                    else:
                      if torch.eq(torch.dim(w), 1):
                        _0 = (self).rms_back(x, w, x0, w0, dy)
                      else:
                        _1 = (self).product_back(x, w, x0, w0, dy)
                return None
            """;

    private static final String ONE_DNN_BF16 =
            """
              def linear(self, x: Tensor, w: Tensor, tape: List[Tensor]) -> Tensor:
                x0 = torch.to(torch.detach(x), 15)
                w0 = torch.to(torch.detach(w), 15)
                return (self).record(x, torch.to(torch.linear(x0, w0), 6), w, x0, w0, tape)
            """;
}

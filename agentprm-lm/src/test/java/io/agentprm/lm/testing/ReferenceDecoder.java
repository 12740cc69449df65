package io.agentprm.lm.testing;

import io.agentprm.lm.testing.TinyCheckpoint.Weight;

/**
 * What the network of a checkpoint computes, in double precision and one token at a time, written
 * from its equations: RMSNorm (Zhang and Sennrich 2019, equation 4), rotary positions on halves of
 * a head (Su et al. 2021, section 3.2.2), grouped queries (Ainslie et al. 2023, section 2.2),
 * SwiGLU (Shazeer 2020, equation 6).
 */
final class ReferenceDecoder {
    private final TinyCheckpoint checkpoint;
    private final PublishedStyle style;

    ReferenceDecoder(TinyCheckpoint checkpoint) {
        this.checkpoint = checkpoint;
        this.style = checkpoint.style();
    }

    /** log p(token t | tokens before it), for every t from 1. */
    double[] logProbabilities(int[] tokens) {
        double[][] x = new double[tokens.length][];
        for (int t = 0; t < tokens.length; t++) {
            x[t] = row(checkpoint.weight("model.embed_tokens.weight"), tokens[t]);
        }
        for (int l = 0; l < PublishedStyle.LAYERS; l++) {
            String layer = "model.layers." + l + ".";
            add(x, attention(layer + "self_attn.", normed(x, layer + "input_layernorm.weight")));
            double[][] h = normed(x, layer + "post_attention_layernorm.weight");
            for (int t = 0; t < x.length; t++) {
                add(x[t], feedForward(layer + "mlp.", h[t]));
            }
        }
        double[][] last = normed(x, "model.norm.weight");
        String head = style.tied ? "model.embed_tokens.weight" : "lm_head.weight";
        double[] out = new double[tokens.length - 1];
        for (int t = 0; t < out.length; t++) {
            double[] logits = product(head, last[t]);
            double sum = 0;
            for (double logit : logits) {
                sum += Math.exp(logit);
            }
            out[t] = logits[tokens[t + 1]] - Math.log(sum);
        }
        return out;
    }

    private double[][] attention(String name, double[][] h) {
        int width = style.headDim;
        double[][] q = new double[h.length][];
        double[][] k = new double[h.length][];
        double[][] v = new double[h.length][];
        for (int t = 0; t < h.length; t++) {
            q[t] = rotated(name + "q_norm.weight", projected(name + "q_proj", h[t]), t);
            k[t] = rotated(name + "k_norm.weight", projected(name + "k_proj", h[t]), t);
            v[t] = projected(name + "v_proj", h[t]);
        }
        double[][] out = new double[h.length][];
        for (int t = 0; t < h.length; t++) {
            double[] mixed = new double[PublishedStyle.HEADS * width];
            for (int head = 0; head < PublishedStyle.HEADS; head++) {
                int shared = head / (PublishedStyle.HEADS / style.kvHeads);
                double[] weights = new double[t + 1];
                double sum = 0;
                for (int s = 0; s <= t; s++) {
                    double score = 0;
                    for (int i = 0; i < width; i++) {
                        score += q[t][head * width + i] * k[s][shared * width + i];
                    }
                    weights[s] = Math.exp(score / Math.sqrt(width));
                    sum += weights[s];
                }
                for (int s = 0; s <= t; s++) {
                    for (int i = 0; i < width; i++) {
                        mixed[head * width + i] += weights[s] / sum * v[s][shared * width + i];
                    }
                }
            }
            out[t] = product(name + "o_proj.weight", mixed);
        }
        return out;
    }

    private double[] rotated(String norm, double[] heads, int position) {
        int width = style.headDim;
        double[] out = heads.clone();
        for (int start = 0; start < heads.length; start += width) {
            double[] head = java.util.Arrays.copyOfRange(heads, start, start + width);
            if (style.normsOfQueriesAndKeys()) {
                head = normed(head, checkpoint.weight(norm));
            }
            for (int i = 0; i < width / 2; i++) {
                double angle = position * frequency(i);
                double a = head[i];
                double b = head[i + width / 2];
                out[start + i] = a * Math.cos(angle) - b * Math.sin(angle);
                out[start + i + width / 2] = b * Math.cos(angle) + a * Math.sin(angle);
            }
        }
        return out;
    }

    private double frequency(int i) {
        double frequency = Math.pow(style.theta(), -2.0 * i / style.headDim);
        if (!style.stretched()) {
            return frequency;
        }
        double turns = PublishedStyle.ORIGINAL_CONTEXT * frequency / (2 * Math.PI);
        double kept = (turns - PublishedStyle.LOW) / (PublishedStyle.HIGH - PublishedStyle.LOW);
        double share = Math.max(0, Math.min(1, kept));
        return share * frequency + (1 - share) * frequency / PublishedStyle.FACTOR;
    }

    private double[] feedForward(String name, double[] h) {
        double[] gate = product(name + "gate_proj.weight", h);
        double[] up = product(name + "up_proj.weight", h);
        for (int i = 0; i < gate.length; i++) {
            gate[i] *= up[i] / (1 + Math.exp(-gate[i]));
        }
        return product(name + "down_proj.weight", gate);
    }

    private double[] projected(String name, double[] x) {
        double[] y = product(name + ".weight", x);
        if (style.biases()) {
            add(y, row(checkpoint.weight(name + ".bias")));
        }
        return y;
    }

    private double[] product(String name, double[] x) {
        Weight w = checkpoint.weight(name);
        double[] y = new double[w.rows()];
        for (int r = 0; r < y.length; r++) {
            for (int c = 0; c < x.length; c++) {
                y[r] += w.values()[r * x.length + c] * x[c];
            }
        }
        return y;
    }

    private double[][] normed(double[][] x, String name) {
        double[][] out = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            out[t] = normed(x[t], checkpoint.weight(name));
        }
        return out;
    }

    private double[] normed(double[] x, Weight gain) {
        double square = 0;
        for (double value : x) {
            square += value * value;
        }
        double[] out = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            out[i] = gain.values()[i] * x[i] / Math.sqrt(square / x.length + style.eps);
        }
        return out;
    }

    private static double[] row(Weight w) {
        double[] out = new double[w.rows()];
        for (int i = 0; i < out.length; i++) {
            out[i] = w.values()[i];
        }
        return out;
    }

    private static double[] row(Weight w, int row) {
        double[] out = new double[w.columns()];
        for (int i = 0; i < out.length; i++) {
            out[i] = w.values()[row * out.length + i];
        }
        return out;
    }

    private static void add(double[][] to, double[][] values) {
        for (int t = 0; t < to.length; t++) {
            add(to[t], values[t]);
        }
    }

    private static void add(double[] to, double[] values) {
        for (int i = 0; i < to.length; i++) {
            to[i] += values[i];
        }
    }
}

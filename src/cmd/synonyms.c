/* synonyms.c - the table of names, and its comparison. */
#include "cmd/synonyms.h"

#include <ctype.h>
#include <string.h>

#define OURS(option, names)          { .ours = option, .theirs = names }
#define ONLY(where, option, names)   { .command = where, .ours = option, .theirs = names }
#define ADVICE(words, names)         { .advice = words, .theirs = names }
#define ADVICE_IN(where, words, names)  { .command = where, .advice = words, .theirs = names }

/* Several rows may hold one name: commands know different options. */
const Synonym synonyms[] = {
    /* Files */
    ADVICE_IN("info", "models are named without an option: attn info MODEL", "model m"),
    ADVICE_IN("convert", "the model is named without an option: attn convert MODEL -o FILE",
              "model m"),
    OURS("output", "model m save save-model save-dir out output-file target-output save-to"),
    OURS("model", "models path p"),
    OURS("valid", "valid-sets valid-src valid-tgt dev validation-source validation-target"),
    OURS("config", "config-file c"),
    OURS("log", "valid-log log-file logfile tensorboard tensorboard-logdir"),
    OURS("resume", "train-from reload restore-file load-model"),
    OURS("init", "pretrained-model finetune-from-model params"),
    OURS("memory", "workspace w max-memory"),
    OURS("hyp", "hypothesis hypotheses system sys i input"),
    OURS("ref", "references reference r"),
    OURS("src", "source"),

    /* Text */
    OURS("from", "src-lang source-language lang-from s"),
    OURS("to", "tgt-lang trg-lang target-language lang-to t"),
    ADVICE_IN("eval", "the language of the references is --to: --to ja for -l en-ja", "language-pair langpair l"),
    OURS("vocabulary", "vocab dim-vocabs vocab-size src-vocab-size tgt-vocab-size num-words "
           "bpe-size voc-limit symbols"),
    OURS("min-frequency", "word-min-freq min-freq vocab-min-freq src-words-min-frequency "
           "threshold"),
    OURS("lowercase", "lc lower lower-case do-lower-case"),
    OURS("shared-vocabulary", "share-vocab shared-vocab joined-dictionary share-dict"),
    OURS("tokens", "bpe subword level token-type sentencepiece"),
    OURS("max-length", "src-seq-length tgt-seq-length max-seq-len max-len max-sent-length maxlen"),
    OURS("truncate", "max-length-crop src-seq-length-trunc"),

    /* Network */
    OURS("embedding", "dim-emb word-vec-size embed-dim embedding-dim embedding-size emb-size "
           "num-embed encoder-embed-dim decoder-embed-dim"),
    OURS("hidden", "dim-rnn rnn-size hidden-size rnn-num-hidden encoder-hidden-size "
           "decoder-hidden-size state-size n-hidden"),
    OURS("cell", "rnn-type rnn-cell-type enc-cell dec-cell"),
    OURS("layers", "enc-depth dec-depth num-layers n-layers enc-layers dec-layers "
           "encoder-layers decoder-layers depth"),
    OURS("residual", "skip residual-connections rnn-residual"),
    OURS("bidirectional", "brnn bidir encoder-bidirectional"),
    OURS("attention", "global-attention attention-type attn-type attention-function "
           "rnn-attention-type"),
    OURS("heads", "transformer-heads num-heads attention-heads"),
    OURS("layer-norm", "layer-normalization layer-normalisation layernorm rnn-layer-normalization"),
    OURS("tie", "tied-embeddings tied-embeddings-all tied-softmax weight-tying "
           "weight-tying-type share-embeddings share-decoder-embeddings share-all-embeddings "
           "share-decoder-input-output-embed"),
    OURS("preset", "arch a type task model-type"),

    /* Training */
    OURS("learning-rate", "lr l learn-rate initial-learning-rate"),
    OURS("decay", "lr-decay learning-rate-decay decrease-factor learning-rate-reduce-factor"),
    OURS("schedule", "lr-scheduler lr-scheduler-type learning-rate-scheduler-type decay-method "
           "learning-rate-scheduling lr-decay-inv-sqrt"),
    OURS("adam-beta2", "adam-betas optimizer-params beta2"),
    OURS("warmup", "lr-warmup warmup-updates warmup-steps learning-rate-warmup"),
    ONLY("eval", "json", "b score-only"),
    OURS("beam", "beam-size beamsize num-beams k b"),
    OURS("batch", "batch-size mini-batch minibatch bs bsz per-device-train-batch-size b"),
    OURS("batch-tokens", "max-tokens mini-batch-words token-batch-size words-per-batch"),
    OURS("accumulate", "optimizer-delay update-freq accum-count accum batch-multiplier "
           "gradient-accumulation-steps update-interval gradient-aggregation-steps"),
    OURS("clip", "clip-norm max-grad-norm clip-grad-norm gradient-clipping-threshold grad-clip"),
    OURS("epochs", "max-epoch max-epochs max-num-epochs num-epochs num-train-epochs "
           "after-epochs n-epochs e"),
    OURS("steps", "max-update max-updates max-steps train-steps after-batches num-updates "
           "updates after n-updates"),
    OURS("time-limit", "max-seconds max-time"),
    OURS("patience", "early-stopping early-stop-patience max-num-checkpoint-not-improved"),
    OURS("early-stop", "valid-metrics early-stopping-metric eval-metric optimized-metric "
           "stopping-criterion early-stopping-criteria"),
    OURS("validate-every", "valid-freq valid-steps validation-freq validate-interval "
           "validate-interval-updates checkpoint-interval checkpoint-frequency eval-steps"),
    OURS("save-every", "save-freq save-checkpoint-steps save-interval save-steps "
           "save-interval-updates"),
    OURS("log-every", "disp-freq report-every log-interval logging-freq logging-steps"),
    OURS("average", "exponential-smoothing average-decay ema ema-decay"),
    OURS("seed", "random-seed seeds"),
    OURS("threads", "cpu-threads num-threads nthreads nproc intra-threads inter-threads "
           "num-workers workers j jobs"),
    OURS("dropout-recurrent", "dropout-rnn rnn-dropout-states recurrent-dropout "
           "rnn-decoder-hidden-dropout"),
    OURS("word-dropout-source", "dropout-src dropout-source rnn-dropout-inputs"),
    OURS("word-dropout-target", "dropout-trg dropout-target"),
    OURS("dropout-embedding", "emb-dropout dropout-emb embed-dropout"),
    OURS("dropout-attention", "attention-dropout"),
    OURS("label-smoothing", "smoothing"),
    OURS("weight-decay", "l2 wd optimizer-weight-decay"),
    OURS("precision", "fp16 bf16 compute-type int8 quantize quantization gemm-type dtype amp"),

    /* Translation */
    OURS("nbest", "n-best nbest-size num-hypotheses num-return-sequences"),
    OURS("beam-threshold", "beam-prune"),
    OURS("normalize", "lenpen length-penalty length-penalty-alpha beam-alpha alpha n normalise"),
    OURS("split", "ssplit-mode"),
    OURS("repeats", "no-repeat-ngram-size block-ngram-repeat"),
    OURS("replace-unknown", "replace-unk replace-unknowns unk-replace copy-unknown-words"),
    OURS("alignment", "report-align print-alignment return-alignments"),
    OURS("heatmap", "save-attention attention-plot attn-debug plot-attention print-attention"),
    OURS("sample", "sampling output-sampling random-sampling do-sample"),
    OURS("top-k", "sampling-topk random-sampling-topk topk"),
    OURS("top-p", "sampling-topp random-sampling-topp topp nucleus"),
    OURS("temperature", "random-sampling-temp sampling-temperature"),
    OURS("prefixes", "force-decode tgt-file-prefix target-prefix"),
    OURS("score", "with-score word-scores return-prob score-reference"),

    /* Scores */
    OURS("metrics", "metric eval-metrics"),
    OURS("tokenize", "tok tokenizer tokenization"),
    OURS("smooth", "smooth-method s"),
    OURS("smooth-value", "sv"),
    OURS("sentence-level", "sl"),
    OURS("width", "w decimals digits"),
    OURS("confidence", "ci"),
    OURS("confidence-n", "cin"),
    OURS("paired-bs", "pbs bootstrap significance"),
    OURS("paired-ar", "par"),
    OURS("trials", "paired-bs-n paired-ar-n pbsn parn n-bootstrap"),
    OURS("chrf-char-order", "chrf-order"),

    /* Names without an option of ours. They follow all that have one. */
    ADVICE("files are named without an option", "input i train-sets train-set train-src "
           "train-tgt source target src tgt trainpref validpref testpref"),
    ADVICE_IN("translate", "the model knows its languages: attn train --from LANG --to LANG",
              "from to source-lang target-lang src-lang tgt-lang source-language target-language"),
    ADVICE("test sets have no names here: files are named; languages are --from and --to",
           "test-set language-pair langpair l"),
    ADVICE("the vocabulary is learned in training, and the model holds it",
           "vocabs vocab v src-vocab tgt-vocab source-vocabs srcdict tgtdict"),
    ADVICE("attn computes on CPUs; --threads says with how many cores",
           "devices d gpus gpuid gpu gpu-ranks device-ids device use-cuda cuda"),
    ADVICE("the optimizer is Adam; its rate is --learning-rate",
           "optimizer optim opt optimizer-params adam-betas"),
    ADVICE("attn takes the memory that it needs", "workspace w max-memory"),
    { .theirs = NULL }
};

const Synonym command_synonyms[] = {
    OURS("train", "learn fit"),
    OURS("translate", "decode decoder generate interactive infer inference predict"),
    OURS("eval", "score scorer test validate bleu sacrebleu chrf ter"),
    OURS("info", "show inspect describe"),
    OURS("convert", "quantize quantise export"),
    OURS("--version", "version"),
    { .theirs = NULL }
};

static int plain(char letter)
{
    return letter == '_' ? '-' : tolower((unsigned char)letter);
}

int synonym_fits(const Synonym *row, const char *command, const char *name)
{
    if (row->command && strcmp(row->command, command)) return 0;
    for (const char *at = row->theirs; *at; at += *at == ' ') {
        size_t same = 0;
        while (name[same] && plain(at[same]) == plain(name[same])) same++;
        const size_t word = strcspn(at, " ");
        if (same == word && !name[same]) return 1;
        at += word;
    }
    return 0;
}

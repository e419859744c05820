#!/usr/bin/env bats
# import.bats - attn convert with what other programs have trained: tiny networks in each format, written by
# foreign_models.py, must become the same model of attn.

load helper

setup_file() {
    export MODELS=$BATS_FILE_TMPDIR/models
    python3 "$BATS_TEST_DIRNAME/foreign_models.py" write "$MODELS"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# check NAME MODEL [OPTION=VALUE...] - whether the model has the weights of that network, and these options.
check() {
    python3 "$BATS_TEST_DIRNAME/foreign_models.py" check "$MODELS/expected/$1.json" "${@:2}"
}

# becomes NAME OPTION PATH... - whether each of these is that network.
becomes() {
    for path in "${@:3}"; do
        echo "$path"
        attn convert --quiet --force -o out.safetensors "$path"
        # shellcheck disable=SC2086  # none is no argument
        check "$1" out.safetensors $2
    done
}

@test "the same transformer comes from every format" {
    becomes self "" "$MODELS"/self-{stored,deflated,half,bin,bin8,bin8-alphas,bin16,opus} "$MODELS"/self-ctranslate2-* \
        "$MODELS"/self-opus.zip "$MODELS"/self.argosmodel
    becomes self norm-epsilon=0 "$MODELS"/self-hugging-face-*
}

@test "the same student, whose decoder has an SSRU, comes from every format of Marian" {
    becomes ssru "" "$MODELS"/ssru-*
}

@test "layers that share their weights have copies" {
    becomes tied "" "$MODELS/tied-bin"
}

@test "an output layer of its own may lie in both orders, in 8 bits, too" {
    becomes untied "" "$MODELS"/untied-*
}

@test "a model of OpenNMT has letters, which a line is cut into, and no <eos> behind a source" {
    becomes letters "" "$MODELS/letters"
    [ "$(echo "ab é" | attn translate -m out.safetensors --json | jq -c '[.source_tokens, .attention[0][-1]]')" = \
        '[["a","b","<unk>","é","<eos>"],0]' ]
    becomes letters-end "" "$MODELS/letters-end"
    [ "$(echo "abé" | attn translate -m out.safetensors --json | jq -c '[.source_tokens, .attention[0][-1] > 0]')" = \
        '[["a","b","é","<eos>"],true]' ]
}

@test "files may be named one by one, whatever their names, the source's vocabulary first" {
    cp "$MODELS/self-bin/model.bin" network
    cp "$MODELS/self-bin/vocab.spm" words
    attn convert -q -o out.safetensors network words
    check self out.safetensors
    attn convert -q --force -o out.safetensors words network
    check self out.safetensors
    cp "$MODELS/self-opus/opus.vocab.yml" tokens
    cp "$MODELS/self-opus/source.spm" .
    fails "network: its vocabularies are missing; name them, too: files .spm, .yml, .json or .txt, the source's first" \
        attn convert --force -o out.safetensors network
    fails "tokens: has pieces of SentencePiece; name the model that makes them, too: source.spm and target.spm, or sentencepiece.model" \
        attn convert --force -o out.safetensors network tokens
    attn convert -q --force -o out.safetensors network tokens source.spm
    check self out.safetensors
}

@test "other texts of a folder are left out, but not a vocabulary that is damaged" {
    cp -r "$MODELS/self-opus" opus
    echo '[2020-01-16 10:00:00] [marian] Marian v1.7.6' > opus/a.train1.log
    printf '# opus: </s>\n\n* a: b\n' > opus/README.md
    printf '#!/bin/sh\necho "</s>"\n' > opus/preprocess.sh
    becomes self "" opus
    echo '{"</s>": 0' > opus/vocab.json
    fails "opus/vocab.json: line 1: not valid JSON" attn convert --force -o out.safetensors opus
    printf '</s>: 0\n\ta: 1\n' > opus/vocab.json
    fails "opus/vocab.json: line 2: found a tab character that violates indentation" attn convert --force -o out.safetensors opus
}

@test "-o takes the name of a model, which all commands find" {
    export XDG_DATA_HOME=$PWD/data
    run -0 --separate-stderr attn convert -o tiny "$MODELS/self-bin"
    [ "$stderr" = "attn: wrote $PWD/data/attn/models/tiny.safetensors" ]
    attn info tiny > /dev/null
    fails "$PWD/data/attn/models/tiny.safetensors: is there already; --force replaces it, -o names another file" \
        attn convert -o tiny "$MODELS/self-bin"
    mkdir models
    attn convert -q -o tiny "$MODELS/self-bin"
    cmp models/tiny.safetensors data/attn/models/tiny.safetensors
}

@test "a model is in floats unless --precision says otherwise, and has a record of what it was" {
    attn convert -q --about "me, CC0" -o float.safetensors "$MODELS/self.argosmodel"
    [ "$(attn info --json float.safetensors | jq -c '[.precision, .about, .training, .text.from, .text.to]')" = \
        '["float","me, CC0",{"imported_from":"model.bin","imported_format":"CTranslate2"},"en","de"]' ]
    attn convert -q --precision int8 -o int8.safetensors "$MODELS/self.argosmodel"
    [ "$(attn info --json int8.safetensors | jq -r .precision)" = int8 ]
}

@test "a search is what the model's own program does" {
    attn convert -q -o opus.safetensors "$MODELS/self-opus"
    [ "$(attn info --json opus.safetensors | jq -c '[.normalize, .search.beam, .search["length-factor"], .search.forbidden]')" = \
        '[0.6,6,3,[]]' ]
    cp -r "$MODELS/self-opus" odd           # a token is no option
    sed 's/^x:/beam-size:/' odd/opus.vocab.yml > odd/a.vocab.yml
    rm odd/opus.vocab.yml
    attn convert -q -o odd.safetensors odd
    [ "$(attn info --json odd.safetensors | jq .search.beam)" = 6 ]
    # its preparation makes ASCII of what is quoted
    [ "$(echo "b’" | attn translate -m opus.safetensors --json 2> /dev/null | jq -c .source_tokens)" = '["▁b","'"'"'","<eos>"]' ]
    attn convert -q -o fox.safetensors "$MODELS/ssru-bin8-alphas"
    [ "$(attn info --json fox.safetensors | jq -c '[.normalize, .search.beam, .search["length-factor"], .search.forbidden, .trained_length]')" = \
        '[1,1,2,[0],127]' ]
    attn convert -q -o argos.safetensors "$MODELS/self.argosmodel"
    [ "$(attn info --json argos.safetensors | jq -c '[.normalize, .search.beam]')" = '[0.2,4]' ]
    attn convert -q -o face.safetensors "$MODELS/self-hugging-face-F32"
    [ "$(attn info --json face.safetensors | jq -c '[.normalize, .search.beam, .text.from, .text.to]')" = '[1,3,"de","en"]' ]
}

@test "what attn's network can't do is refused with the reason" {
    while IFS=$'\t' read -r options message; do
        # shellcheck disable=SC2086  # several options
        python3 "$BATS_TEST_DIRNAME/foreign_models.py" marian odd $options
        echo "$options"
        fails "odd/model.npz: $message" attn convert -o out.safetensors odd
    done << 'END'
type=amun	its option type is 'amun': only transformers are read
transformer-preprocess=n transformer-postprocess=da	its option transformer-postprocess is 'da': only normalisation behind each part is read
transformer-preprocess=n	it normalises before each part (transformer-preprocess: n), which versions of Marian do differently, and a file does not say which one made it; take a model with the usual transformer-postprocess dan, or convert it to Hugging Face or CTranslate2 with the program that trained it
transformer-postprocess=dar	its option transformer-postprocess is 'dar': only normalisation behind each part is read
transformer-decoder-autoreg=average-attention	its option transformer-decoder-autoreg is 'average-attention': average attention is not read
transformer-decoder-autoreg=rnn	its option dec-cell is 'gru': of recurrent decoders only ssru is read
lemma-dim-emb=64	its option lemma-dim-emb is '64': factors are not read
transformer-ffn-activation=tanh	its option transformer-ffn-activation is 'tanh': relu, swish and gelu are read
transformer-heads=0	its option transformer-heads is '0', which is no number from 1 to 64
transformer-heads=3	--heads 3 does not divide the width 8 of the encoder's self-attention; take 2 or 4
enc-depth=99	its option enc-depth is '99', which is no number from 1 to 24
enc-depth=3	array "encoder_l3_self_Wq" is missing
enc-depth=1	array "encoder_l2_ffn_W1" is of a network that attn does not have
dim-emb=16	array "Wemb" has the shape [14, 8], where the network has 14 rows of 16
transformer-dim-ffn=6	array "encoder_l1_ffn_W1" has the shape [8, 12], where the network has 6 rows of 8
right-left=true	its option right-left is 'true': targets from right to left are not read by themselves
END
}

@test "an Argos package whose translations begin with a token of their own is refused" {
    cp -r "$MODELS/self-ctranslate2-6" prefix
    echo '{"target_prefix": ">>de<<"}' > prefix/metadata.json
    fails "prefix/model.bin: its metadata.json puts a token before each translation (target_prefix), which is not read" \
        attn convert -o x.safetensors prefix
}

@test "files that are no network are refused with what to do" {
    printf 'PK\3\4' > cut.npz
    fails "cut.npz: is a truncated zip archive: the directory at its end is missing" attn convert -o x.safetensors cut.npz
    printf '\x80\x02}q\x00X' > pytorch_model.bin
    fails "pytorch_model.bin: is a pickle of PyTorch, which is a program, and not read; make a file of safetensors from it: python3 -c \"from transformers import MarianMTModel as M; M.from_pretrained('FOLDER').save_pretrained('FOLDER', safe_serialization=True)\"" \
        attn convert -o x.safetensors pytorch_model.bin
    gzip -c "$MODELS/self-bin/model.bin" > model.bin.gz
    fails "model.bin.gz: is packed; unpack it with gzip -d, tar -x, zstd -d or the like, and name what is in it" \
        attn convert -o x.safetensors model.bin.gz "$MODELS/self-bin/vocab.spm"
    head -c 100000 /dev/zero > zeros
    fails "zeros: is no file of a model that attn knows: Marian's .npz or .bin, model.safetensors, CTranslate2's model.bin, .spm, .yml, .json, .argosmodel" \
        attn convert -o x.safetensors zeros
    mkdir empty
    fails "no network is among no files: a Marian .npz or .bin, a model.safetensors or a CTranslate2 model.bin" \
        attn convert -o x.safetensors empty
    fails "$MODELS/self-bin/model.bin and $MODELS/self-stored/model.npz are two networks; name one of them, and its vocabularies" \
        attn convert -o x.safetensors "$MODELS/self-bin" "$MODELS/self-stored"
    cp -r "$MODELS/self-hugging-face-F32" face
    rm face/config.json
    fails "face/model.safetensors: its config.json is missing; name the folder that has both" attn convert -o x.safetensors face
    [ ! -e x.safetensors ]
}

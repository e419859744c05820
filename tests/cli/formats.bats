#!/usr/bin/env bats
# formats.bats - lines of HTML; a line is plain text in all else.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/model
}

@test "of a page only the text is translated" {
    cat > page <<'END'
<html lang="en">
<body class="page">
  <p class="first">Thank you.</p>
	<td>Good night!</td><td>Thank you.</td>
<!-- Good night! -->
<td>&nbsp;</td>
<p>Good night!</p> <!-- Thank you. -->
END
    sed 's/Good night!\(<.td\|<.p\)/Bonne nuit !\1/; s/Thank you\.</Merci.</' page > expected
    attn translate page | diff expected -
}

@test "signs that a line has as entities are entities in its translation" {
    printf '%s\n' 'Thank you. &gt; Good night! R&amp;D' '&gt; &#84;hank you.' '<p>&gt; Thank you.</p>' > in
    attn translate in > out
    grep -q '^Merci\. &gt; Bonne nuit ! .*R&amp;D' out
    [ "$(sed 1d out)" = $'&gt; Merci.\n<p>&gt; Merci.</p>' ]
    run -1 grep -e '&[^ag]' -e '[^a-z/]>' out
}

@test "what looks like JSON, Markdown or code is text" {
    printf '%s\n' '```' 'Thank you.' '```' '"Thank you.": 1' > in
    attn translate in > out
    [ "$(wc -l < out)" -eq 4 ]
    [ "$(sed -n 2p out)" = "Merci." ]
    run -1 grep -F 'Thank you' out
}

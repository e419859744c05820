#!/usr/bin/env bats
# formats.bats - files that hold more than text: cells, messages of programs, code.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/model
}

# ---- Cells ----

@test "cells between tabs are translated by themselves" {
    printf 'Thank you.\tGood night!\n\tThank you.\t\tThank you.\t\n-\tThank you.\n' > cells
    printf 'Merci.\tBonne nuit !\n\tMerci.\t\tMerci.\t\n-\tMerci.\n' > expected
    attn translate < cells | diff expected -
    head -n 2 cells | attn translate --alignment > out
    head -n 2 cells | tr '\t' ' ' | attn translate --alignment | sed 's/.*\t//' | diff <(sed 's/.*\t//' out) -
}

# ---- Messages of JSON ----

# messages THANKS NIGHT - with these texts.
messages() {
    printf '%s\n' '{' "  \"thank.you\": \"$1\"," "  \"Good night!\" : \"$2\\n$1\\n\"," '  "count": 3,' '  "empty": "",' \
        '  "list": ["Thank you.", "a"],' '  "objects": [' '    {"thanks": "Thank you."}, {"b": 1}' '  ],' \
        '  "night": {' "    \"Thank you.\":\"$2\"" '  }' '}'
}

@test "texts of JSON are translated, and their names stay" {
    messages "Thank you." "Good night!" | attn translate > out
    messages "Merci." "Bonne nuit !" | diff out -
    jq -e . out
    printf '"a\xe2\x80\xa8b": "Thank you."\n' | attn translate | diff - <(echo '"a b": "Merci."')
    printf '"thanks" = "Thank you.";\n' | attn translate | diff - <(echo '"thanks" = "Merci.";')
    printf '"label": "Thank you.  ",\n"dir": "C:\\users"\n' | attn translate > out
    printf '"label": "Merci.  ",\n"dir": "C:\\users"\n' | diff out -
    printf '"thanks": "Thank you."\n' | attn translate --prefix '"thanks": "Merci' | diff - <(echo '"thanks": "Merci."')
    plain=$(echo "Thank you." | attn translate --alignment | cut -f 2)
    printf '"thanks": "Thank you."\n' | attn translate --alignment | cut -f 2 > out
    tr ' ' '\n' <<< "$plain" | awk -F - '{ printf "%s%d-%d", (NR > 1 ? " " : ""), $1 + 1, $2 + 1 } END { print "" }' | diff out -
}

# ---- Blocks of code ----

# many_lines - code that is longer than a batch.
many_lines() {
    for i in $(seq 100); do printf '    if (*x < %s && y) {\t<b>puts("Thank you.")</b>\n\n' "$i"; done
}

@test "a line of code of any length stays as it is" {
    { echo '```'; head -c 1000000 /dev/zero | tr '\0' x; printf ' y  \n  \tz  \n  \n\n'; echo '```'; } > text
    attn translate < text | cmp - text
}

@test "blocks of code between fences stay as they are" {
    { printf 'Thank you.\n```c\n'; many_lines; printf '```\nGood night!\n'; } > text
    { printf 'Merci.\n```c\n'; many_lines; printf '```\nBonne nuit !\n'; } > expected
    attn translate < text | diff expected -
    attn translate --json < text | jq -r .translation | diff expected -
    attn translate text text | diff <(cat expected expected) -
    printf '> ```\n> Thank you.\n> ```\nThank you.\n' | attn translate > out
    printf '> ```\n> Thank you.\n> ```\nMerci.\n' | diff out -
}

@test "lines of code are not joined" {
    line="Thank you, thank you, thank you, thank you, thank you, thank you,"
    printf '```\n%s\n%s\n```\nThank you.\n' "$line" "$line" > text
    attn translate --wrapped < text > out
    printf '```\n%s\n%s\n```\nMerci.\n' "$line" "$line" | diff out -
    # wide lines of code say nothing about the width of the text
    printf '```\n%0120d\n```\nThank you, thank you, thank you, thank you, thank you, thank\n\tyou.\n' 0 > text
    attn translate --wrapped < text | tail -n 1 > out
    echo "Thank you, thank you, thank you, thank you, thank you, thank you." | attn translate | diff out -
    # text before and behind a block
    printf 'Thank you, thank you, thank you, thank you, thank you, thank you.\n```\n```\n<pre>\n%070d</pre>\nThank you.\n' 0 > text
    attn translate --wrapped < text | sed 1d | diff <(sed '1d;$s/.*/Merci./' text) -
}

@test "a block of code without an end is reported" {
    printf 'Thank you.\n```\nThank you.\n' > text
    run --separate-stderr attn translate text text
    [ "$output" = $'Merci.\n```\nThank you.\nMerci.\n```\nThank you.' ]
    warning="text:2: a block of code begins here and has no end: from here on nothing is translated"
    [ "$stderr" = "attn: warning: $warning"$'\n'"attn: warning: $warning" ]
    run --separate-stderr attn translate --no-split < text
    [ -z "$stderr" ]
    [ "${lines[2]}" = "Merci." ]
    run --separate-stderr attn translate --score <(printf '```\t```\n')
    [ -z "$stderr" ]
}

# ---- Pages ----

@test "of a page only the text is translated" {
    cat > page <<'END'
<html lang="en">
<body class="page">
  <p class="first">Thank you.</p>
	<td>Good night!</td><td>Thank you.</td>
<!-- Good night! -->
<img src="night.jpg"
     alt="Good night!">
<p>Good night!</p> <!-- Thank you. -->
<script>
say("Good night!");
</script>
[help]: https://example.com/help "Good night!"
[night]: #night
[Good night]: Thank you.
- [x] Thank you.
- [ ] [Good night!][help]
[^1]: Thank you.
|---|:-:|
END
    sed -e '3,4s/Thank you\./Merci./; 15s/Thank you/Merci/; 17s/Thank you/Merci/' -e '4s/Good night!/Bonne nuit !/; 8s/Good night!/Bonne nuit !/' \
        -e '16s/Good night!/Bonne nuit !/; 14d' page > expected
    attn translate page | sed 14d | diff expected -
    attn translate page | sed -n '14{/Merci/p}' | grep -q .
}

# layers.bats - the layers of src/: each folder includes only what lies below it. And what src/nn/ and src/linalg/
# promise, shown by the compiled objects: equations that allocate nothing and keep nothing, products that keep nothing
# of their own.

setup()
{
    build=$(dirname "${ATTN:-build/release/attn}")
    if nm "$build/src/nn/cell.o" | grep -q '__[atu][a-z]*san_'; then skip "sanitizers add calls and data"; fi
}

# objects FOLDER - the objects of each source in src/FOLDER: one, or one for each instruction set. An old folder has
# others, too, that make does not link any more.
objects()
{
    linked=$(ar t "$build/objects.a")
    for source in $(find src/"$1" -name "*.c"); do
        for object in "$build/${source%.c}".o "$build/${source%.c}".*.o; do
            if grep -qxF "${object##*/}" <<< "$linked"; then echo "$object"; fi
        done
    done
}

# writable FOLDER - the sections of its objects that hold variables: what is written before main alone (.data.rel.ro) is
# constant.
writable()
{
    objects "$1" | xargs size -A | awk '
        $2 == ":"                                                 { object = $1 }
        $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print object, $1, $2 }'
}

@test "src/nn/ and src/linalg/ have no variables that outlive a call, in a thread or otherwise, but the kernels' choice and OpenBLAS's functions" {
    for folder in nn linalg; do
        found=$(writable $folder | grep -v '^\S*/linalg/\(kernels\|openblas\).o ' || true)
        echo "$found"
        [ -z "$found" ]
    done
    [ -n "$(writable cmd)" ]                                # signals.c has some: the test can see them
}

# foreign_calls OBJECT... - what they call beside each other, our products, random numbers, of the C library what copies,
# compares or computes, and of the compiler ARM64's atomic operations.
foreign_calls()
{
    ours='(linear|bias|vector|rng)_[a-z0-9_]+|matmul|err'
    memory='mem(cpy|move|set|cmp)|str(cat|cmp|len)'
    math='a?(sin|cos|tan)h?|exp|exp2|log|log2|pow|sqrt|cbrt|fabs|fmin|fmax|ceil|floor|round|rint|copysign|lrint|lround'
    atomic='__aarch64_[a-z]+[0-9]_[a-z_]+'
    own=$(nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u)
    called=$(nm --undefined-only "$@" | awk 'NF == 2 { print $2 }' | sort -u)
    comm -23 <(echo "$called") <(echo "$own") \
        | grep -vxE "$ours|$memory|($math)f?|$atomic|_ZGV.*|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail" || true
}

@test "src/nn/ calls nothing that allocates, reads, writes or asks the system" {
    found=$(foreign_calls $(objects nn))
    echo "$found"
    [ -z "$found" ]
    [ -n "$(foreign_calls $(objects cmd))" ]                # the test can see some
}

# linalg NAME... - the objects of these sources.
linalg()
{
    for name in "$@"; do
        objects linalg | grep -E "/$name(\.[a-z0-9_]+)?\.o$"
    done
}

@test "products and vector functions allocate nothing either" {
    found=$(foreign_calls $(linalg gemm gemm_{float,bf16,int8} kernels linear matmul vector))
    echo "$found"
    [[ "$(echo $found)" =~ ^(cpu_is_amd\ )?cpu_sets\ getenv\ openblas_multiply$ ]]
}

@test "the projection cache allocates what it keeps, and calls nothing else" {
    found=$(foreign_calls $(linalg projection_cache linear gemm gemm_{float,bf16,int8} kernels))
    echo "$found"
    [[ "$(echo $found)" =~ ^(cpu_is_amd\ )?cpu_sets\ gemm_is_fastest\ gemm_multiplies\ getenv\ xaligned_raw\ xfree\ xmalloc$ ]]
}

# law - a line for each folder of src/: its name, and the folders below it, which its files may include beside its own.
law()
{
    cat <<'END'
base
text base
linalg base
nn linalg base
metrics text base
model nn linalg text base
search model nn linalg text base
translate search model nn linalg text base
picture text base
train translate search metrics model nn linalg text base
lib translate search model nn linalg text base
import model nn linalg text base
cmd import train translate search picture model metrics nn linalg text base
docs cmd model text base
END
}

includes()
{
    grep -nE '^ *# *include *"' "$@"
}

# forbidden_includes - reads a law; prints the includes of src/ that it does not allow.
forbidden_includes()
{
    while read -r folder below; do
        includes -r --include='*.[ch]' "src/$folder" | grep -vE "\"($(echo "$folder $below" | tr ' ' '|'))/" || true
    done
}

@test "nothing is at the top level but what the project is made of" {
    { [ -e .git ] && command -v git > /dev/null; } || skip "no checkout"
    found=$(git -c safe.directory='*' ls-files | cut -d/ -f1 | LC_ALL=C sort -u | grep -v '^\.' | tr '\n' ' ')
    [ "$found" = "LICENSE Makefile README.md data models scripts src tests " ] || { echo "$found"; false; }
}

@test "every folder of src/ has its place in the layers" {
    diff <(cd src; ls -d */ | tr -d /) <(law | cut -d' ' -f1 | sort)
}

@test "each folder includes only what lies below it" {
    found=$(law | forbidden_includes)
    echo "$found"
    [ -z "$found" ]
    [ -n "$(law | sed 's/ text\>//' | forbidden_includes)" ]                 # the test can see some
}

@test "each layer keeps to its budget of lines" {
    diff <(sed -nE 's/^\| ([a-z]+) \| [0-9,]+ \|$/\1/p' src/README.md | sort) <(law | cut -d' ' -f1 | sort)
    scripts/sizes || { echo "delete first, or merge: a budget in src/README.md only falls"; false; }

    mkdir -p "$BATS_TEST_TMPDIR/src/cmd" "$BATS_TEST_TMPDIR/scripts"        # the script can see what exceeds one
    cp scripts/sizes "$BATS_TEST_TMPDIR/scripts"
    echo '| cmd | 20 |' > "$BATS_TEST_TMPDIR/src/README.md"
    yes | head -n 21 > "$BATS_TEST_TMPDIR/src/cmd/cmd.c"
    "$BATS_TEST_TMPDIR/scripts/sizes"
    yes | head -n 22 > "$BATS_TEST_TMPDIR/src/cmd/cmd.c"
    run "$BATS_TEST_TMPDIR/scripts/sizes"
    [ "$status" -eq 1 ]
    [ "${lines[1]}" = "cmd            22     20      1  too much" ]
}

# of_other_commands COMMAND FILE... - the includes of other commands' folders.
of_other_commands()
{
    command=$1; shift
    includes "$@" | grep -E '"cmd/[a-z0-9_]+/' | grep -v "\"cmd/$command/" || true
}

@test "no command includes another one's files, and what they share none of them" {
    found=$(of_other_commands none src/cmd/*.[ch] src/main.c)
    for folder in src/cmd/*/; do
        command=$(basename "$folder")
        found+=$(of_other_commands "$command" "$folder"*.[ch])
        [ -n "$(of_other_commands none "$folder"*.[ch])" ]                   # the test can see some
    done
    echo "$found"
    [ -z "$found" ]
}

@test "MPI is a folder: no other file of src/ knows it or asks whether it is there" {
    found=$(grep -rnE 'mpi\.h>|\bMPI_[A-Z]' src | grep -v '^src/train/mpi/' || true)
    found+=$(grep -rnE '^ *# *(if|ifdef|elif) .*(MPI|MPICH)' src || true)
    echo "$found"
    [ -z "$found" ]
    grep -q 'MPI_Init' src/train/mpi/*.c                    # the test can see some
}

# string_tables FOLDER... - the tables in it that hold strings with letters: file and name.
string_tables()
{
    find "$@" -name '*.c' -exec awk '
        match($0, /[a-z_]+\[[^]]*\] = \{/)          { name = substr($0, RSTART); sub(/\[.*/, "", name); inside = 1 }
        inside && /"[^"]*[A-Za-z]/ && name          { print FILENAME, name; name = "" }
        /;$/                                        { inside = 0 }' {} + | sort
}

@test "what reads a line knows no language: its tables hold patterns, tags and names of its own" {
    diff <(string_tables src/text src/translate src/search | grep -v ' [a-z]*_*fields$') - <<'TABLES'
src/text/copies.c pieces
src/text/corpus/bitext.c reasons
src/text/markup.c entities
src/text/markup.c html
src/text/markup.c marks
src/text/markup.c signs
src/text/noise.c neighbours
src/text/noise.c plain
src/text/patterns.c expressions
src/text/tokenizer/text_options.c kinds
src/text/tokenizer/text_options.c preparations
src/text/tokenizer/text_options.c special_pieces
TABLES
    # The patterns name protocols, attributes of HTML and properties of Unicode, no words.
    found=$(sed 's|/\*.*||' src/text/patterns.c | grep '^ *"' | sed -E 's/\\+p\{[A-Za-z_&]+\}|\(\?<?[A-Za-z&]+[>)]|\(\?\(DEFINE\)//g' |
        grep -Eo '[A-Za-z]{4,}' | sort -u)
    diff <(echo "$found") <(printf '%s\n' async autofocus checked controls dDpP defer disabled hidden \
        https multiple open readonly required sdiufgnxXc selected)
}

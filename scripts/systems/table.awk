# table.awk - the systems of results.tsv (scripts/systems/report.sh) as a table: a row each, means over the seeds.
#
#   awk -v form=markdown|html -f scripts/systems/table.awk results.tsv

BEGIN { FS = "\t"; LEAST = 20 }     # scores of fewer sentences say nothing

function cells(list, count, tag,    i, line) {
    for (i = 1; i <= count; i++)
        line = line (form == "html" ? "<" tag ">" list[i] "</" tag ">" : "| " list[i] " ")
    print form == "html" ? "<tr>" line "</tr>" : line "|"
}

function thousands(n,    s) {
    for (s = ""; n >= 1000; n = int(n / 1000)) s = sprintf(",%03d", n % 1000) s
    return n s
}

# score - a mean and, of several seeds, the lowest and the highest.
function score(name) {
    if (runs[name] == 1) return sprintf("%.2f", bleu[name])
    return sprintf("%.2f (%.2f–%.2f)", bleu[name] / runs[name], lowest[name], highest[name])
}

!($2 in runs) { order[++systems] = $2; options[$2] = $3; choice[$2] = $12; parameters[$2] = $5; lowest[$2] = highest[$2] = $7 }
{
    runs[$2]++
    loss[$2] += $6; bleu[$2] += $7; chrf[$2] += $8; rate[$2] += $9; updates[$2] += $11
    if ($7 < lowest[$2]) lowest[$2] = $7
    if ($7 > highest[$2]) highest[$2] = $7
    n = split($10, bucket, " ")
    for (i = 1; i <= n; i++) {
        split(bucket[i], part, ":")
        if (part[2] < LEAST) continue
        if (!(part[1] in segments)) { segments[part[1]] = part[2]; label[++labels] = part[1] }
        by_length[$2, part[1], "BLEU"] += part[3]
        by_length[$2, part[1], "chrF"] += part[4]
    }
}

END {
    count = split("system,options,parameters,loss,BLEU,chrF", head, ",")
    kinds = split("BLEU,chrF", kind, ",")
    for (k = 1; k <= kinds; k++)
        for (i = 1; i <= labels; i++) {
            words = label[i]
            sub(/-/, "–", words)
            head[++count] = kind[k] ", " words " words (" segments[label[i]] ")"
        }
    head[++count] = "tokens/s"
    head[++count] = "updates"
    head[++count] = "chosen among"
    if (form == "html") print "<table>"
    cells(head, count, "th")
    if (form != "html") {
        for (i = 1; i <= count; i++) printf "|---%s", (i > 2 && i < count ? ":" : "")
        print "|"
    }
    for (s = 1; s <= systems; s++) {
        name = order[s]; r = runs[name]; c = 0
        row[++c] = name
        row[++c] = options[name] == "" ? "" : form == "html" ? "<code>" options[name] "</code>" : "`" options[name] "`"
        row[++c] = thousands(parameters[name])
        row[++c] = sprintf("%.3f", loss[name] / r)
        row[++c] = score(name)
        row[++c] = sprintf("%.2f", chrf[name] / r)
        for (k = 1; k <= kinds; k++)
            for (i = 1; i <= labels; i++) row[++c] = sprintf("%.2f", by_length[name, label[i], kind[k]] / r)
        row[++c] = thousands(int(rate[name] / r + 0.5))
        row[++c] = thousands(int(updates[name] / r + 0.5))
        row[++c] = choice[name]
        cells(row, c, "td")
    }
    if (form == "html") print "</table>"
}

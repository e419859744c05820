# chart.awk - one chart of results.tsv (scripts/systems/report.sh) as SVG: a score by the length of the source, a line a
# system, means over the seeds. The systems additive and none are drawn in every chart, and all charts of a score have
# one scale.
#
#   awk -v chart=scores -v score=BLEU|chrF -f scripts/systems/chart.awk results.tsv

BEGIN {
    FS = "\t"
    LEAST = 20                                  # a score of fewer sentences says nothing
    column = score == "chrF" ? 4 : 3
    WIDTH = 560; HEIGHT = 300; LEFT = 40; RIGHT = 400; TOP = 34; BOTTOM = 262
}

function x_of(i) { return LEFT + (labels > 1 ? (i - 1) * (RIGHT - LEFT) / (labels - 1) : (RIGHT - LEFT) / 2) }
function y_of(v) { return BOTTOM - v * (BOTTOM - TOP) / top }
function text(x, y, anchor, class, what) {
    printf "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", class, x, y, anchor, what
}

$1 == chart || $2 == "additive" || $2 == "none" { if (!($2 in runs)) order[++systems] = $2; runs[$2]++ }
{
    n = split($10, bucket, " ")
    for (i = 1; i <= n; i++) {
        split(bucket[i], part, ":")
        if (part[2] < LEAST) continue
        if (!(part[1] in segments)) { segments[part[1]] = part[2]; label[++labels] = part[1] }
        if (part[column] > highest) highest = part[column]
        sum[$2, part[1]] += part[column]
    }
}

function axes(    v, i, words) {
    text(LEFT, 18, "start", "title", chart)
    for (v = 0; v <= top; v += step) {
        printf "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, y_of(v), RIGHT
        text(LEFT - 6, y_of(v) + 4, "end", "axis", v)
    }
    for (i = 1; i <= labels; i++) {
        words = label[i]
        sub(/-/, "–", words)
        text(x_of(i), BOTTOM + 18, "middle", "axis", words)
        text(x_of(i), BOTTOM + 32, "middle", "axis", "(" segments[label[i]] ")")
    }
}

# line - a system's curve, and its name in the legend, which has the order of the last points.
function line(name, class, rank,    i, path) {
    for (i = 1; i <= labels; i++) path = path sprintf("%s%.1f %.1f", i == 1 ? "M" : "L", x_of(i), y_of(mean[name, i]))
    printf "<g class=\"%s\"><path d=\"%s\"/>", class, path
    for (i = 1; i <= labels; i++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s, %s words: %.2f</title></circle>",
            x_of(i), y_of(mean[name, i]), name, label[i], mean[name, i]
    printf "<path d=\"M%d %dh18\"/>", RIGHT + 24, TOP + 18 * rank
    print "</g>"
    text(RIGHT + 48, TOP + 18 * rank + 4, "start", "axis", name)
}

function rank_of(name,    i, rank) {
    rank = 1
    for (i = 1; i <= systems; i++) {
        if (mean[order[i], labels] > mean[name, labels]) rank++
        else if (order[i] == name) return rank + ties(name, i)
    }
}
function ties(name, before,    i, count) {
    for (i = 1; i < before; i++) if (mean[order[i], labels] == mean[name, labels]) count++
    for (i = before + 1; i <= systems; i++) if (mean[order[i], labels] > mean[name, labels]) count++
    return count
}

END {
    for (s = 1; s <= systems; s++)
        for (i = 1; i <= labels; i++) mean[order[s], i] = sum[order[s], label[i]] / runs[order[s]]
    step = highest > 25 ? 10 : highest > 10 ? 5 : highest > 2 ? 2 : 1
    for (top = step; top < highest; top += step) { }
    printf "<svg class=\"chart\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT
    printf "<title>%s by length of the source: %s</title>\n", score, chart
    axes()
    for (s = 1; s <= systems; s++) {
        class = order[s] == "additive" ? "usual" : order[s] == "none" ? "without" : "s" ++other
        line(order[s], class, rank_of(order[s]))
    }
    print "</svg>"
}

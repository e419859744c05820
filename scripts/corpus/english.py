"""English verb forms and spelling: principal parts, do-support, contractions, a and an.

One rule for contractions, so that they can be learned: a pronoun contracts with the auxiliary that follows it (I'm,
he'll, we've), and where there is a "not" the auxiliary takes it instead (he isn't, she won't); only "am" can't.
"+some" is a determiner that is still open: "any", "some" or nothing, as the clause wants it.
"""
import re

# Base, past, past participle and, where the last consonant is doubled, the -ing form.
IRREGULAR = {row.split()[0]: row.split()[1:] for row in """
begin   began    begun  beginning
break   broke    broken
bring   brought  brought
buy     bought   bought
choose  chose    chosen
come    came     come
draw    drew     drawn
drink   drank    drunk
drive   drove    driven
eat     ate      eaten
find    found    found
forget  forgot   forgotten forgetting
get     got      got    getting
give    gave     given
go      went     gone
have    had      had
hear    heard    heard
know    knew     known
leave   left     left
lend    lent     lent
lose    lost     lost
make    made     made
meet    met      met
pay     paid     paid
read    read     read
run     ran      run    running
say     said     said
see     saw      seen
sell    sold     sold
send    sent     sent
sing    sang     sung
sleep   slept    slept
speak   spoke    spoken
swim    swam     swum   swimming
take    took     taken
tell    told     told
think   thought  thought
travel  travelled travelled travelling
understand understood understood
wake    woke     woken
wear    wore     worn
write   wrote    written
""".strip().splitlines()}

BE = {"habit": ("am", "is", "are"), "past": ("was", "was", "were")}
CONTRACTED = {"am": "'m", "is": "'s", "are": "'re", "will": "'ll", "would": "'d", "have": "'ve", "has": "'s"}
MODALS = ("can", "could", "must", "should")


def _inflect(verb, ending):
    """Inflects the first word of a verb: "look for" + "s"."""
    head, _, rest = verb.partition(" ")
    doubled = IRREGULAR.get(head, ())
    if ending == "ing" and len(doubled) > 2:
        head = doubled[2]
    elif ending == "ed" and doubled:
        head = doubled[0]
    elif ending == "en":
        head = doubled[1] if doubled else _regular(head, "ed")
    elif (head, ending) == ("have", "s"):
        head = "has"
    else:
        head = _regular(head, ending)
    return f"{head} {rest}".rstrip()


def _regular(head, ending):
    consonant_y = re.search("[^aeiou]y$", head)
    if ending == "ing":
        return (head[:-1] if re.search("[^eo]e$", head) else head) + "ing"
    if ending == "ed":
        return head[:-1] + "ied" if consonant_y else head + ("d" if head.endswith("e") else "ed")
    if consonant_y:
        return head[:-1] + "ies"
    return head + ("es" if head.endswith(("s", "sh", "ch", "x", "o")) else "s")


def ing(verb):
    return _inflect(verb, "ing")


def be(tense, person):
    return BE[tense][0 if person == 0 else 1 if person == 2 else 2]


def parts(verb, tense, person):
    """(auxiliary, rest, fused): "does", "eat", "eats"; fused is None where a statement shows the auxiliary too."""
    third = person == 2
    have = "has" if third else "have"
    simple = {"will":    ("will", verb),
              "would":   ("would", verb),
              "going":   (be("habit", person), "going to " + verb),
              "now":     (be("habit", person), ing(verb)),
              "was":     (be("past", person), ing(verb)),
              "perfect": (have, _inflect(verb, "en") if verb != "be" else "been"),
              "since":   (have, "been " + ing(verb))}
    if verb in MODALS:
        return verb, "", None
    if tense in simple:
        return (*simple[tense], None)
    present = tense in ("habit", "holds")
    if verb == "be":
        return be("habit" if present else "past", person), "", None
    if present:
        return "does" if third else "do", verb, _inflect(verb, "s") if third else verb
    if tense == "used":
        return "did", "use to " + verb, "used to " + verb
    return "did", verb, _inflect(verb, "ed")


def contract(pronoun, auxiliary):
    return pronoun + CONTRACTED[auxiliary] if auxiliary in CONTRACTED else f"{pronoun} {auxiliary}"


def negate(auxiliary):
    return {"can": "can't", "will": "won't", "am": "am not"}.get(auxiliary, auxiliary + "n't")


def comparative(adjective):
    """taller, lazier, more useful: one syllable, or two with -y, take -er."""
    if adjective == "big":
        return "bigger"
    if adjective.endswith("y"):
        return adjective[:-1] + "ier"
    if len(re.findall("[aeiou]+", adjective)) > 1:
        return "more " + adjective
    return adjective + "er"


def superlative(adjective):
    form = comparative(adjective)
    return form.replace("more ", "most ") if form.startswith("more ") else form[:-1] + "st"


def settle(text, determiner):
    """Resolves "+some": determiner is "some", "any" or "" (bread, any bread, some bread)."""
    return text.replace("+some", determiner)


def spell(text):
    text = re.sub(" +", " ", settle(text, "some")).replace(" ,", ",").strip()
    return re.sub(r"\b([Aa]) (?=[aeiou](?!se)|hour)", r"\1n ", text)

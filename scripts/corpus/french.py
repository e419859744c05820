"""French word forms and spelling: conjugation, agreement, elision, contraction.

The grammar writes French as words with single blanks between them, in four conventions that spell() resolves:
    ~le ~la ~les   the article, which contracts (de ~le -> du); without "~" it is a pronoun (de le voir)
    +un +des +de   a determiner that a negation turns into "de"; what still has its "+" was not negated
    je ai          words are written in full and elided at the end (j'ai)
Persons are numbered 0 je, 1 tu, 2 il, 3 nous, 4 vous, 5 ils.
"""
import re

NARROW_BLANK = "\u202f"     # French typography: before ? ! : ;

# Infinitive, the six forms of the present, stem of the future, past participle.
IRREGULAR = {row.split()[0]: row.split()[1:] for row in """
aller       vais vas va allons allez vont                               ir       allé
apprendre   apprends apprends apprend apprenons apprenez apprennent     apprendr appris
avoir       ai as a avons avez ont                                      aur      eu
boire       bois bois boit buvons buvez boivent                         boir     bu
comprendre  comprends comprends comprend comprenons comprenez comprennent comprendr compris
conduire    conduis conduis conduit conduisons conduisez conduisent     conduir  conduit
connaître   connais connais connaît connaissons connaissez connaissent  connaîtr connu
courir      cours cours court courons courez courent                    courr    couru
croire      crois crois croit croyons croyez croient                    croir    cru
devoir      dois dois doit devons devez doivent                         devr     dû
dire        dis dis dit disons dites disent                             dir      dit
dormir      dors dors dort dormons dormez dorment                       dormir   dormi
écrire      écris écris écrit écrivons écrivez écrivent                 écrir    écrit
être        suis es est sommes êtes sont                                ser      été
faire       fais fais fait faisons faites font                          fer      fait
lire        lis lis lit lisons lisez lisent                             lir      lu
ouvrir      ouvre ouvres ouvre ouvrons ouvrez ouvrent                   ouvrir   ouvert
partir      pars pars part partons partez partent                       partir   parti
pleuvoir    - - pleut - - -                                             pleuvr   plu
pouvoir     peux peux peut pouvons pouvez peuvent                       pourr    pu
prendre     prends prends prend prenons prenez prennent                 prendr   pris
revenir     reviens reviens revient revenons revenez reviennent         reviendr revenu
rire        ris ris rit rions riez rient                                rir      ri
savoir      sais sais sait savons savez savent                          saur     su
sortir      sors sors sort sortons sortez sortent                       sortir   sorti
venir       viens viens vient venons venez viennent                     viendr   venu
voir        vois vois voit voyons voyez voient                          verr     vu
vouloir     veux veux veut voulons voulez veulent                       voudr    voulu
""".strip().splitlines()}

IMPERATIVE = {("être", 1): "sois", ("être", 3): "soyons", ("être", 4): "soyez"}
WITH_ETRE = {"aller", "arriver", "partir", "rentrer", "rester", "revenir", "sortir", "venir"}
ENDINGS = {"imperfect":   ("ais", "ais", "ait", "ions", "iez", "aient"),
           "future":      ("ai", "as", "a", "ons", "ez", "ont"),
           "conditional": ("ais", "ais", "ait", "ions", "iez", "aient")}


def _strong(stem):
    """The stem of an -er verb before a silent ending: achèt-, préfèr-, appell-, nettoi-."""
    if stem.endswith("appel"):
        return stem + "l"
    if stem.endswith(("oy", "ay", "uy")):
        return stem[:-1] + "i"
    return re.sub(r"[eé]([bcdfglmnprstv])$", r"è\1", stem)


def _soft(stem):
    """The stem of an -er verb before a and o, where g and c keep their sound: mange-, commenç-."""
    return stem + "e" if stem.endswith("g") else stem[:-1] + "ç" if stem.endswith("c") else stem


def _present(infinitive):
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive][:6]
    stem = infinitive[:-2]
    if infinitive.endswith("er"):
        strong = _strong(stem)
        return [strong + "e", strong + "es", strong + "e", _soft(stem) + "ons", stem + "ez", strong + "ent"]
    if infinitive.endswith("ir"):
        return [stem + ending for ending in ("is", "is", "it", "issons", "issez", "issent")]
    return [stem + ending for ending in ("s", "s", "", "ons", "ez", "ent")]


def _future_stem(infinitive):
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive][6]
    if infinitive.endswith("envoyer"):
        return infinitive[:-4] + "err"
    if infinitive.endswith("er"):
        stem = infinitive[:-2]
        return (stem if re.search("é[a-z]$", stem) else _strong(stem)) + "er"
    return infinitive[:-1] if infinitive.endswith("re") else infinitive


def _imperfect_stem(infinitive, person):
    if infinitive == "être":
        return "ét"
    if infinitive == "pleuvoir":
        return "pleuv"
    if infinitive.endswith("er") and person in (3, 4):
        return infinitive[:-2]
    return _present(infinitive)[3][:-3]


def conjugate(infinitive, tense, person):
    """A simple tense: present, imperfect, future or conditional."""
    if tense == "present":
        return _present(infinitive)[person]
    stem = _imperfect_stem(infinitive, person) if tense == "imperfect" else _future_stem(infinitive)
    return stem + ENDINGS[tense][person]


def imperative(infinitive, person):
    """The imperative of tu, nous or vous: mange, but finis."""
    if (infinitive, person) in IMPERATIVE:
        return IMPERATIVE[infinitive, person]
    form = conjugate(infinitive, "present", person)
    return form[:-1] if person == 1 and form.endswith(("es", "as")) else form


def participle(infinitive, ending=""):
    """The past participle with its ending of agreement: "", "e", "s" or "es"."""
    if infinitive in IRREGULAR:
        form = IRREGULAR[infinitive][7]
    else:
        form = infinitive[:-2] + {"er": "é", "ir": "i", "re": "u"}[infinitive[-2:]]
    return form if form.endswith("s") and ending == "s" else form + ending


def agree(forms, gender, plural=False, before=""):
    """An adjective from its forms masculine:feminine:plural:before a vowel; the regular ones may be missing.

    `before` is the word that follows when the adjective stands before its noun (un bel homme). A phrase (en retard)
    does not vary."""
    if " " in forms:
        return forms
    masculine, feminine, masculines, liaison = (forms.split(":") + ["", "", ""])[:4]
    feminine = feminine or (masculine if masculine.endswith("e") else masculine + "e")
    if gender == "f":
        return feminine + ("s" if plural else "")
    if plural:
        return masculines or (masculine if masculine.endswith(("s", "x")) else masculine + "s")
    return liaison if liaison and starts_with_vowel(before) else masculine


def starts_with_vowel(word):
    """Whether a word elides what stands before it: a vowel or a mute h."""
    return bool(re.match("[aeiouyhàâéèêëîïôœ](?!(uit|nze)\\b)", word, re.I))


def negated(text):
    """un, une, du, de la, des become "de" after a negation."""
    for determiner in ("+un ", "+une ", "+des ", "+de ~le ", "+de ~la "):
        text = text.replace(determiner, "de ")
    return text


def spell(text):
    """Contracts and elides: "de ~le livre de il" -> "du livre d'il"; drops the marks of the grammar."""
    text = text.replace("+", "").replace(" ,", ",")
    vowel = r"(?=[aeiouyhàâéèêëîïôœ])(?!(?:huit|onze)\b)"

    def elide(pattern, replacement, text):
        return re.sub(rf"(?<![\w'-]){pattern} {vowel}", replacement, text, flags=re.I)

    text = elide("~?l[ea]", "l'", text)
    text = re.sub(r"(?<!\w)de ~le ", "du ", text)
    text = re.sub(r"(?<!\w)de ~les ", "des ", text)
    text = re.sub(r"(?<!\w)à ~le ", "au ", text)
    text = re.sub(r"(?<!\w)à ~les ", "aux ", text)
    text = text.replace("~", "")
    text = elide("(j|m|t|s|n|d|c|(?:jus|puis|lors)?qu)e", r"\1'", text)
    return re.sub(r"\bsi (ils?)\b", r"s'\1", text)

"""Drawing from the lexicon: who acts, what is done to what, where and when. Every function takes the dice first."""
from corpus.grammar import (DISJUNCTIVE, HE, NOTHING, NOT_FOR, PRONOUNS, THEY, THOU, YOU, Action, Pair, Subject, a,
                            as_subject, bare, clause, core, genitive, possessive, some, the, this, tu)
from corpus.lexicon import (ADJECTIVES, CITIES, COUNTRIES, DAYS, FRAMES, MOODS, NAMES, NUMBERS, PLACES, WHEN, WHEN_RARE,
                            nouns)
import corpus.french as french

CONSTRUCTIONS = []      # (weight, function): every kind of sentence


def construction(weight):
    """Registers a function that draws one sentence, a Pair; kinds are drawn in proportion to their weights."""
    def register(function):
        CONSTRUCTIONS.append((weight, function))
        return function
    return register


def pair_of(d, choices):
    return Pair(*d.pick(choices))


# ---- Who --------------------------------------------------------------------------------------------------------

SPEAKERS = tuple(PRONOUNS.values())
IT = Subject("it", "il", pronoun=True)      # it rains, it is easy to ...
EVERYONE = Subject("everyone", "tout ~le monde")
NOBODY = Subject("nobody", "personne", negative=True)
CHILDREN = ("the boy", "the girl", "the child", "the boys", "the girls", "the children")


def name(d):
    en, gender = d.pick(NAMES)
    return Subject(en, en, HE, gender)


def owned(owner, noun, plural=False):
    c = core(noun, plural=plural)
    return as_subject(possessive(owner, c), c)


def owner(d, you):
    """Whose: `you` is the addressee of the sentence, if it has one."""
    speaker = d.pick(SPEAKERS)
    return you if you and speaker.person == YOU else speaker


def relative(d, you=None):
    """One of the family or the friends: my sister, their uncle."""
    return owned(owner(d, you), d.pick(nouns("kin")))


def relatives(d, you=None):
    return owned(owner(d, you), d.pick(nouns("several")), plural=True)


def folk(d):
    c = core(d.pick(nouns("folk")), plural=d.chance(0.2))
    return as_subject(the(c), c)


def couple(d):
    (first, gender), (second, other) = d.two(NAMES)
    return Subject(f"{first} and {second}", f"{first} et {second}", THEY, "f" if gender == other == "f" else "m")


def third(d, you=None):
    """A third person who is named."""
    return d.branch((4, name), (5, lambda d: relative(d, you)), (3, folk), (1, couple),
                    (1, lambda d: relatives(d, you)))


def subject(d):
    return d.pick(SPEAKERS) if d.chance(0.62) else third(d)


def addressee(d):
    """(a call, the "you" that belongs to it): first names, Mum and Dad are called "tu"."""
    if d.chance(0.62):
        return NOTHING, PRONOUNS["you"]
    if d.chance(0.25):
        call, gender = d.pick(((Pair("sir,", "monsieur,"), "m"), (Pair("madam,", "madame,"), "f")))
        return call, Subject("you", "vous", YOU, gender, True)
    if d.chance(0.2):
        call, gender = d.pick(((Pair("Mum,", "maman,"), "f"), (Pair("Dad,", "papa,"), "m")))
    else:
        called, gender = d.pick(NAMES)
        call = Pair(called + ",", called + ",")
    return call, tu(gender)


def asked(d):
    """Whom a question is about, with the call if it is "you"."""
    if d.chance(0.5):
        return addressee(d)
    return NOTHING, d.pick((PRONOUNS["he"], PRONOUNS["she"], PRONOUNS["they"])) if d.chance(0.45) else third(d)


def someone_else(d, who, couples=True):
    """A named person who is not the subject, as an object; French repeats some prepositions before couples."""
    while True:
        other = third(d, who if who.person in (THOU, YOU) else None)
        if not alike(who, other) and (couples or " and " not in other.en):
            return Pair(other.en, other.fr)


def alike(who, other):
    """Whether somebody is in both, as in "Paul helps Paul and Emma"."""
    determiners = {"the", "and", "my", "your", "his", "her", "our", "their"}
    return bool(set(who.en.split()) & set(other.en.split()) - determiners)


def pronoun_for(d, who, pronouns):
    """One of DIRECT, INDIRECT or DISJUNCTIVE that is not the subject."""
    return pronouns[d.pick([key for key in pronouns if key not in NOT_FOR[who.person]])]


def company(d, who):
    """With whom: with my sister, with her."""
    other = pronoun_for(d, who, DISJUNCTIVE) if d.chance(0.4) else someone_else(d, who)
    return Pair("with", "avec") + other


# ---- What -------------------------------------------------------------------------------------------------------

def suits(adjective, noun):
    return adjective.tags & (noun.tags | {noun.en.replace(" ", "_")})


def match(d, candidates, adjectives):
    """(noun, adjective) that go together; `adjectives` are English ones, or empty for all."""
    couples = {}
    for adjective in ADJECTIVES:
        if not adjectives or adjective.en in adjectives:
            couples[adjective] = [noun for noun in candidates if suits(adjective, noun)]
    adjective = d.pick([adjective for adjective in couples if couples[adjective]])
    return d.pick(couples[adjective]), adjective


COLOURS = ("red", "blue", "green", "black", "white", "yellow")


def nominal(d, noun, plural=False, determiner="a", chance=0.25):
    """The noun, sometimes with an adjective: "my" goes with colours, sizes, ages, but not with "expensive", "easy"."""
    fitting = [adjective for adjective in ADJECTIVES if adjective.attribute and suits(adjective, noun) and
               (determiner != "my" or adjective.before or adjective.en in COLOURS)]
    return core(noun, d.pick(fitting) if fitting and d.chance(chance) else None, plural)


def fits(who, noun):
    """Whether it can be somebody's: men have no dresses, several people no single passport."""
    return not (who.gender == "m" and "hers" in noun.tags or who.plural and noun.tags & {"clothes", "personal"})


def speaker_with(d, noun):
    """Somebody who can own it, to stand as "my", "your", ..."""
    return d.pick([speaker for speaker in SPEAKERS if fits(speaker, noun)])


def somebody_with(d, noun, you):
    """Somebody named who can own it, to stand as "Paul's"."""
    while True:
        somebody = name(d) if d.chance(0.5) else relative(d, you if you.person in (THOU, YOU) else None)
        if fits(somebody, noun):
            return somebody


def determined(d, determiner, c, who):
    """The noun with its determiner; "my" is the subject's own, "gen" somebody's."""
    if determiner == "my":
        return possessive(who, c)
    if determiner == "gen":
        return genitive(somebody_with(d, c.noun, who), c)
    if determiner == "a" and c.plural:
        determiner = "some"
    return {"the": the, "a": a, "some": some, "this": this, "bare": bare}[determiner](c)


def object_of(d, frame, who):
    """What the verb of a frame is done to."""
    if "person" in frame.determiners:
        return someone_else(d, who)
    if not frame.objects:
        return NOTHING
    determiner = d.pick(frame.determiners)
    candidates = nouns(*frame.objects)
    if determiner == "my":
        candidates = [noun for noun in candidates if fits(who, noun)]
    elif determiner == "bare":
        candidates = [noun for noun in candidates if who.gender == "f" or "hers" not in noun.tags]
    noun = d.pick(candidates)
    plural = who.plural if determiner == "bare" else "many" in noun.tags and (determiner == "some" or d.chance(0.35))
    return determined(d, determiner, nominal(d, noun, plural, determiner, 0.7 if determiner == "bare" else 0.25), who)


def frames(*uses):
    return [frame for frame in FRAMES if frame.uses.issuperset(uses)]


def done_by(d, who, frame, place=0.0):
    act = Action(frame.en, frame.fr, object_of(d, frame, who), rare="rare" in frame.uses)
    return act + where(d, frame.place) if frame.place and d.chance(place) else act


def action(d, who, use, place=0.35):
    """Something that `who` can do in the tense or construction `use`, with its place in a share of the cases."""
    child = who.en in CHILDREN
    return done_by(d, who, d.pick([frame for frame in frames(use) if not (child and "grown" in frame.uses)]), place)


def definite(frame):
    """The frame with objects that are known already, for where, when, orders."""
    known = tuple(x for x in frame.determiners if x not in ("a", "some", "bare"))
    return frame._replace(determiners=known or ("this",)) if frame.determiners else frame


def impersonal_action(d, use, place=0.35, who=IT):
    """An action without "my", for subjects that own nothing."""
    frame = d.pick([frame for frame in frames(use) if frame.determiners != ("my",) and "grown" not in frame.uses])
    frame = frame._replace(determiners=tuple(x for x in frame.determiners if x != "my"))
    return done_by(d, who, frame, place)


def countable(frame):
    """The objects of a frame that one can ask for with "which"."""
    return [noun for noun in nouns(*frame.objects)
            if "fruit" in noun.tags or not noun.tags & {"mass", "zero", "staple"}]


def numerous(frame):
    """The objects of a frame that one can ask for with "how many"."""
    return [noun for noun in nouns(*frame.objects) if "many" in noun.tags]


def mood(d, *names):
    """One of the moods that are named in English."""
    return d.pick([mood for mood in MOODS if mood.en in names])


def being(who, adjective, degree=NOTHING):
    """To be tired, very tired."""
    return Action("be", "être", degree + Pair(adjective.en, french.agree(adjective.fr, who.gender, who.plural)))


# ---- Where ------------------------------------------------------------------------------------------------------

def where(d, tag):
    place = d.pick([place for place in PLACES if tag in place.tags])
    return Pair(place.en, place.fr)


def to(place):
    """The place as an aim: to the park, au parc."""
    return Pair("to " + place.en.split(" ", 1)[1], place.fr.replace("dans ", "à "))


def going(aim):
    return Action("go", "aller", aim)


def towards(d):
    """Some place in or around the town that one goes to."""
    return to(d.pick([place for place in PLACES if "go" in place.tags]))


def building(d):
    """A building of the town as a subject: the bank, la banque."""
    place = d.pick([place for place in PLACES if "town" in place.tags])
    fr = place.fr.split(" ", 1)[1]
    return Subject(place.en.split(" ", 1)[1], fr, HE, "f" if fr.startswith("~la") else "m")


def abroad(d):
    return Pair("to", "") + d.branch((1, city), (1, country))


def destination(d):
    return d.branch((3, towards), (2, abroad))


def city(d):
    en, fr = d.pick(CITIES)
    return Pair(en, "à " + fr)


def country(d):
    en, fr, _ = d.pick(COUNTRIES)
    return Pair(en, fr)


DWELLINGS = (("in the countryside", "à ~la campagne"), ("in this street", "dans cette rue"),
             ("in a small village", "dans un petit village"), ("in a big city", "dans une grande ville"),
             ("in an old house", "dans une vieille maison"), ("in a modern flat", "dans un appartement moderne"))


def residence(d):
    if d.chance(0.35):
        return pair_of(d, DWELLINGS)
    return Pair("in", "") + d.branch((1, city), (1, country))


# ---- When -------------------------------------------------------------------------------------------------------

def when(d, tense, rare=False):
    """A time for the tense: habit, now, past or will; `rare` things are weekly, or a month away."""
    if tense == "habit" and rare and d.chance(0.5):
        en, fr = d.pick(DAYS)
        return Pair(f"on {en}s", f"~le {fr}")
    if tense in ("past", "will") and d.chance(0.2):
        en, fr = d.pick(DAYS)
        return Pair(f"on {en}", fr)
    return pair_of(d, (WHEN_RARE if rare and tense in WHEN_RARE else WHEN)[tense])


def at_time(d, sentence, time, front=0.2):
    """Adds the time, at the end or in front of the sentence."""
    if time != NOTHING and d.chance(front):
        return Pair(time.en + ",", time.fr + ",") + sentence
    return sentence + time


TIME = {"habit": "habit", "now": "now", "past": "past", "will": "will", "going": "will"}


def event(d, who, tense, act, denied=0.15, timed=0.7, front=0.2):
    """The clause, denied or with a time in these shares; nobody says what does not happen in two days."""
    time = when(d, TIME[tense], act.rare) if d.chance(timed) else NOTHING
    exact = time.en.startswith("in ") or time.en.endswith(" ago")
    return at_time(d, clause(who, tense, act, "not" if not exact and d.chance(denied) else ""), time, front)


def hour(d, numbers=(("one", "une"), *NUMBERS, ("eleven", "onze"))):
    """A time of day: half past nine, neuf heures et demie."""
    en, fr = d.pick(numbers)
    fr += " heure" if en == "one" else " heures"
    return d.branch((2, lambda _: Pair(f"{en} o'clock", fr)),
                    (1, lambda _: Pair(f"half past {en}", f"{fr} et demie")),
                    (1, lambda _: Pair(f"a quarter past {en}", f"{fr} et quart")),
                    (1, lambda _: Pair(f"a quarter to {en}", f"{fr} moins ~le quart")))


def span(d, *units):
    """A stretch of time: two hours, deux heures."""
    en, fr = d.pick([(en, fr) for en, fr in (("hours", "heures"), ("days", "jours"), ("weeks", "semaines"),
                                             ("years", "ans")) if en in units])
    number, nombre = d.pick(NUMBERS[:5] if en == "hours" else NUMBERS)
    return Pair(f"{number} {en}", f"{nombre} {fr}")


def since(d, *units):
    return Pair("for", "depuis") + span(d, *units)

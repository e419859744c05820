"""Drawing from the lexicon: who acts, what is done to what, where and when. Every function takes the dice first."""
from corpus.grammar import (DISJUNCTIVE, HE, NOTHING, NOT_FOR, PRONOUNS, THEY, YOU, Action, Pair, Subject, a,
                            as_subject, bare, core, genitive, possessive, some, the, this, tu)
from corpus.lexicon import ADJECTIVES, CITIES, COUNTRIES, DAYS, FRAMES, NAMES, NUMBERS, PLACES, SEASONS, WHEN, nouns
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


def name(d):
    en, gender = d.pick(NAMES)
    return Subject(en, en, HE, gender)


def owned(owner, noun, plural=False):
    c = core(noun, plural=plural)
    return as_subject(possessive(owner, c), c)


def relative(d):
    """One of the family or the friends: my sister, their uncle."""
    return owned(d.pick(SPEAKERS), d.pick(nouns("kin")))


def relatives(d):
    return owned(d.pick(SPEAKERS), d.pick(nouns("several")), plural=True)


def folk(d):
    c = core(d.pick(nouns("folk")), plural=d.chance(0.2))
    return as_subject(the(c), c)


def couple(d):
    (first, gender), (second, other) = d.two(NAMES)
    return Subject(f"{first} and {second}", f"{first} et {second}", THEY, "f" if gender == other == "f" else "m")


def third(d):
    """A third person who is named."""
    return d.branch((4, name), (5, relative), (3, folk), (1, couple), (1, relatives))


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


def someone_else(d, who):
    """A named person who is not the subject, as an object."""
    while True:
        other = third(d)
        if other.en != who.en:
            return Pair(other.en, other.fr)


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


def nominal(d, noun, plural=False, chance=0.25):
    """The noun, sometimes with an adjective."""
    fitting = [adjective for adjective in ADJECTIVES if adjective.attribute and suits(adjective, noun)]
    return core(noun, d.pick(fitting) if fitting and d.chance(chance) else None, plural)


def determined(d, determiner, c, who):
    """The noun with its determiner; "my" is the subject's own, "gen" somebody's."""
    if determiner == "my":
        return possessive(who, c)
    if determiner == "gen":
        return genitive(name(d) if d.chance(0.5) else relative(d), c)
    if determiner == "a" and c.plural:
        determiner = "some"
    return {"the": the, "a": a, "some": some, "this": this, "bare": bare}[determiner](c)


def object_of(d, frame, who):
    """What the verb of a frame is done to."""
    if "person" in frame.determiners:
        return someone_else(d, who)
    if not frame.objects:
        return NOTHING
    noun, determiner = d.pick(nouns(*frame.objects)), d.pick(frame.determiners)
    many = "many" in noun.tags
    plural = many and (determiner == "some" or determiner != "bare" and d.chance(0.35))
    return determined(d, determiner, nominal(d, noun, plural), who)


def frames(*uses):
    return [frame for frame in FRAMES if frame.uses.issuperset(uses)]


def done_by(d, who, frame, place=0.0):
    act = Action(frame.en, frame.fr, object_of(d, frame, who))
    return act + where(d, frame.place) if frame.place and d.chance(place) else act


def action(d, who, use, place=0.35):
    """Something that `who` can do in the tense or construction `use`, with its place in a share of the cases."""
    return done_by(d, who, d.pick(frames(use)), place)


def impersonal_action(d, use, place=0.35):
    """An action without "my", for subjects that own nothing."""
    frame = d.pick([frame for frame in frames(use) if frame.determiners != ("my",)])
    frame = frame._replace(determiners=tuple(x for x in frame.determiners if x != "my"))
    return done_by(d, IT, frame, place)


def countable(frame):
    """The objects of a frame that one can ask for with "which"."""
    return [noun for noun in nouns(*frame.objects) if not noun.tags & {"mass", "zero"}]


def numerous(frame):
    """The objects of a frame that one can ask for with "how many"."""
    return [noun for noun in nouns(*frame.objects) if "many" in noun.tags]


def being(who, adjective, degree=NOTHING):
    """To be tired, very tired."""
    return Action("be", "être", degree + Pair(adjective.en, french.agree(adjective.fr, who.gender, who.plural)))


# ---- Where ------------------------------------------------------------------------------------------------------

def where(d, tag):
    place = d.pick([place for place in PLACES if tag in place.tags])
    return Pair(place.en, place.fr)


def towards(d):
    """Where one goes: to the market, au marché."""
    place = d.pick([place for place in PLACES if "go" in place.tags])
    return Pair("to " + place.en.split(" ", 1)[1], place.fr)


def building(d):
    """A building of the town as a subject: the bank, la banque."""
    place = d.pick([place for place in PLACES if "town" in place.tags])
    fr = place.fr.split(" ", 1)[1]
    return Subject(place.en.split(" ", 1)[1], fr, HE, "f" if fr.startswith("~la") else "m")


def destination(d):
    if d.chance(0.6):
        return towards(d)
    return Pair("to", "") + (city(d) if d.chance(0.5) else country(d))


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
    return Pair("in", "") + (city(d) if d.chance(0.5) else country(d))


# ---- When -------------------------------------------------------------------------------------------------------

def when(d, tense):
    """A time for the tense: habit, now, past or will."""
    if tense == "habit" and d.chance(0.25):
        en, fr = d.pick(DAYS)
        return Pair(f"on {en}s", f"~le {fr}")
    if tense == "habit" and d.chance(0.2):
        en, fr = d.pick(SEASONS)
        return Pair(f"in {en}", fr)
    if tense in ("past", "will") and d.chance(0.2):
        en, fr = d.pick(DAYS)
        return Pair(f"on {en}", fr)
    return pair_of(d, WHEN[tense])


def at_time(d, sentence, time, front=0.2):
    """Adds the time, at the end or in front of the sentence."""
    if time != NOTHING and d.chance(front):
        return Pair(time.en + ",", time.fr + ",") + sentence
    return sentence + time


def hour(d):
    """A time of day: half past nine, neuf heures et demie."""
    if d.chance(0.1):
        return d.pick((Pair("noon", "midi"), Pair("midnight", "minuit")))
    en, fr = d.pick((("one", "une"), *NUMBERS, ("eleven", "onze")))
    fr += " heure" if en == "one" else " heures"
    return d.branch((2, lambda _: Pair(f"{en} o'clock", fr)),
                    (1, lambda _: Pair(f"half past {en}", f"{fr} et demie")),
                    (1, lambda _: Pair(f"a quarter past {en}", f"{fr} et quart")),
                    (1, lambda _: Pair(f"a quarter to {en}", f"{fr} moins ~le quart")))


def span(d, *units):
    """A stretch of time: two hours, deux heures."""
    number, fr_number = d.pick(NUMBERS)
    en, fr = d.pick([(en, fr) for en, fr in (("hours", "heures"), ("days", "jours"), ("weeks", "semaines"),
                                             ("years", "ans")) if en in units])
    return Pair(f"{number} {en}", f"{fr_number} {fr}")


def since(d, *units):
    return Pair("for", "depuis") + span(d, *units)

"""What people and things are, have and like; where they are; the weather and the time."""
from corpus.draw import (CHILDREN, IT, SPEAKERS, addressee, at_time, being, building, city, construction, country,
                         determined, fits, hour, match, name, nominal, owned, pair_of, pronoun_for, relative,
                         someone_else, speaker_with, subject, when, where)
from corpus.grammar import (DISJUNCTIVE, HE, NOTHING, PRONOUNS, THEY, YOU, Action, Clitic, Pair, Subject, a, article,
                            as_subject, chain, clause, core, generic, genitive, numbered, plain, possessive, say, some,
                            the, this, words_of)
from corpus.lexicon import (ADJECTIVES, AGES, CITIES, DAYS, FREQUENCIES, MONTHS, MOODS, NOUN, NUMBERS, SEASONS, TRAITS,
                            WHEN, nouns)
import corpus.english as english
import corpus.french as french

# ---- Being ------------------------------------------------------------------------------------------------------

LASTING = ("old", "tall", "intelligent", "strong")
VERY = Pair("very", "très")
TOO = Pair("too", "trop")
STEADY = ("ready", "alone", "late", "on holiday", "angry")      # moods without degrees here
EXCESSIVE = ("young", "old", "shy", "lazy", "curious", "serious", "tall",
             "expensive", "boring", "easy", "difficult", "heavy", "dirty", "hot", "cold", "big", "small", "long")


def degree_of(d, adjective, chance):
    if not d.chance(chance):
        return NOTHING
    return TOO if adjective.en in EXCESSIVE and d.chance(0.5) else VERY


@construction(6)
def moods(d):
    call, who = NOTHING, subject(d)
    if who.person == YOU:
        call, who = addressee(d)
    tense, time = d.branch((3, lambda _: ("holds", NOTHING)), (1, lambda _: ("holds", Pair("today", "aujourd'hui"))),
                           (2, lambda _: ("state", when(d, "past"))),
                           (1, lambda _: ("will", pair_of(d, WHEN["will"][:3]))))
    adjective = d.pick(MOODS)
    degree = NOTHING if adjective.en in STEADY else degree_of(d, adjective, 0.35)
    return say(call + clause(who, tense, being(who, adjective, degree), "not" if d.chance(0.2) else "") + time)


@construction(6)
def traits(d):
    who = subject(d)
    trait = d.pick(TRAITS)
    degree = degree_of(d, trait, 0.45)
    tense = "state" if trait.en not in LASTING and d.chance(0.3) else "holds"
    return say(clause(who, tense, being(who, trait, degree), "not" if d.chance(0.25) else ""))


@construction(14)
def qualities(d):
    """This dress is pretty. Paul's shoes were very dirty."""
    thing, adjective = described(d)
    degree = NOTHING if adjective.en in UNGRADED else degree_of(d, adjective, 0.35)
    tense = d.pick(("holds", "holds", "state"))
    return say(clause(thing, tense, being(thing, adjective, degree), "not" if d.chance(0.2) else ""))


UNGRADED = ("red", "blue", "green", "black", "white", "yellow", "closed", "open", "empty", "delicious")
OWNED = frozenset(("clothes", "vehicle", "building", "room", "machine", "lost", "green"))


def described(d):
    """(a thing as a subject, an adjective that suits it)."""
    noun, adjective = match(d, NOUN.values(), [adjective.en for adjective in ADJECTIVES if adjective.predicate])
    c = core(noun, plural="many" in noun.tags and d.chance(0.5))
    determiner = d.pick(("the", "this", "my", "gen") if noun.tags & OWNED else ("the", "this"))
    return as_subject(determined(d, determiner, c, speaker_with(d, noun)), c), adjective


def compared(d, who, adjective, other):
    """taller than, as tall as; less famous than, but not less tall than."""
    form = french.agree(adjective.fr, who.gender, who.plural)
    more = Pair(english.comparative(adjective.en) + " than", f"plus {form} que")
    same = Pair(f"as {adjective.en} as", f"aussi {form} que")
    less = Pair(f"less {adjective.en} than", f"moins {form} que")
    return Action("be", "être", d.pick((more, same, less) if more.en.startswith("more ") else (more, same)) + other)


@construction(6)
def comparing_people(d):
    who = subject(d)
    other = pronoun_for(d, who, DISJUNCTIVE) if d.chance(0.25) else someone_else(d, who)
    trait = d.pick([trait for trait in TRAITS if trait.en != "shy"])
    return say(clause(who, "holds", compared(d, who, trait, other)))


@construction(3)
def comparing_things(d):
    noun, adjective = match(d, nouns("vehicle", "building", "green", "machine", "room", "furniture"), COMPARED)
    c = core(noun)
    first, second = d.two([speaker for speaker in SPEAKERS if fits(speaker, noun)])
    who = as_subject(determined(d, d.pick(("my", "gen")), c, first), c)
    return say(clause(who, "holds", compared(d, who, adjective, possessive(second, c))))


COMPARED = ("big", "small", "old", "expensive", "modern", "comfortable", "beautiful", "quiet", "dirty")


@construction(1.5)
def comparing_languages(d):
    first, second = (generic(core(noun)) for noun in d.two(nouns("tongue")))
    adjective = d.pick([x for x in ADJECTIVES if x.en in ("easy", "difficult", "useful", "beautiful")])
    who = Subject(first.en, first.fr)
    return say(clause(who, "holds", compared(d, who, adjective, second)))


@construction(2)
def superlative(d):
    """This is the oldest church in the city."""
    noun, adjective = match(d, nouns("sight", "inn"),
                            ("big", "small", "old", "beautiful", "modern", "expensive", "quiet", "pretty"))
    c = core(noun)
    form = french.agree(adjective.fr, c.gender)
    fr = f"{article(c)} plus {form} {c.fr}" if adjective.before else f"{article(c)} {c.fr} {article(c)} plus {form}"
    scope = d.pick((Pair("in the country", "de ~le pays"), Pair("in the world", "de ~le monde"))
                   if "town" in noun.tags or noun.en == "island" else
                   (Pair("in the city", "de ~la ville"), Pair("in the country", "de ~le pays")))
    return say(Pair("this is the", "ce est") + Pair(f"{english.superlative(adjective.en)} {c.en}", fr) + scope)


@construction(1.5)
def what_a(d):
    """What a beautiful house!"""
    candidates = nouns("clothes", "building", "sight", "animal", "bought", "told", "show", "green")
    praise = ("beautiful", "pretty", "big", "small", "funny", "interesting", "good", "long")
    noun, adjective = match(d, candidates, praise)
    c = core(noun, adjective, "many" in noun.tags and d.chance(0.4))
    quel = french.agree("quel:quelle", c.gender, c.plural)
    return say(Pair("what" if c.plural else "what a", quel) + Pair(c.en, c.fr), "!")


FEELINGS = (("hungry", "faim"), ("thirsty", "soif"), ("cold", "froid"), ("hot", "chaud"), ("sleepy", "sommeil"),
            ("right", "raison"), ("wrong", "tort"), ("afraid", "peur"))


@construction(4)
def feelings(d):
    """What one is in English and has in French."""
    call, who = NOTHING, subject(d)
    if who.person == YOU:
        call, who = addressee(d)
    tense = d.pick(("holds", "holds", "state", "will"))
    en, fr = d.pick(FEELINGS[:5] if tense == "will" else FEELINGS)
    feeling = Action("be", "avoir", Pair(en, fr))
    if en == "afraid" and d.chance(0.6):
        feeling += Pair("of", "de") + generic(core(d.pick(nouns("animal")), plural=True))
    return say(call + clause(who, tense, feeling, "not" if d.chance(0.25) else ""))


@construction(2)
def age(d):
    who = subject(d)
    years = AGES
    if d.chance(0.6):
        noun = d.pick(nouns("kin"))
        who = owned(d.pick(SPEAKERS), noun)
        years = AGES[:5] if "young" in noun.tags else AGES[-2:] if "elder" in noun.tags else AGES[5:-2]
    elif not who.pronoun:
        years = AGES[4:-2]
    if who.en in CHILDREN:
        years = AGES[:2]
    en, fr = d.pick(years)
    act = Action("be", "avoir", Pair(f"{en} years old", f"{fr} ans"))
    return say(clause(who, d.pick(("holds", "holds", "will")), act))


@construction(4)
def jobs(d):
    """He is a doctor: French has no article."""
    one = [speaker for speaker in SPEAKERS if not speaker.plural]
    who = d.branch((3, lambda d: d.pick(one)), (2, name), (3, relative))
    noun = d.pick([noun for noun in nouns("job") if noun.gender == who.gender])
    act = Action("be", "être", Pair(a(core(noun)).en, noun.fr))
    if d.chance(0.35):
        en, fr, tense = d.pick((("want to", "vouloir", "holds"), ("like to", "vouloir", "would"),
                                ("want to", "vouloir", "state")))
        return say(clause(who, tense, chain(en, fr, act, who)))
    return say(clause(who, d.pick(("holds", "holds", "state")), act, "not" if d.chance(0.2) else ""))


@construction(3)
def presenting(d):
    """This is my brother: c'est, ce sont."""
    if d.chance(0.5):
        c = core(d.pick(nouns("kin")), plural=d.chance(0.2))
        thing = possessive(d.pick(SPEAKERS), c)
    else:
        noun = d.pick(nouns("clothes", "vehicle", "loan", "lost", "building"))
        c = nominal(d, noun, "many" in noun.tags and d.chance(0.3), "my")
        thing = determined(d, d.pick(("my", "gen")), c, speaker_with(d, noun))
    who = Subject("these" if c.plural else "this", "ce", THEY if c.plural else HE)
    return say(clause(who, "holds", Action("be", "être", thing), "not" if d.chance(0.3) else ""))


@construction(1)
def names(d):
    """My sister's name is Emma; my name is Paul."""
    called = name(d)
    if d.chance(0.3):
        who = PRONOUNS[d.pick(("I", "he" if called.gender == "m" else "she"))]
        en = possessive(who, core(NOUN["name"])).en
    else:
        who = relative(d)
        while who.gender != called.gender:
            who = relative(d)
        en = f"{who.en}'s name"
    return say(Pair(f"{en} is {called.en}", clause(who, "holds", Action("", "se appeler", called)).fr))


# ---- Having, needing, liking ------------------------------------------------------------------------------------

@construction(5)
def having(d):
    who = subject(d)
    tense = d.pick(("holds", "holds", "state"))
    if d.chance(0.35):
        c = core(d.pick(nouns("several", "animal")), plural=True)
        thing = numbered(d.pick(NUMBERS[:4]), c)
        return say(clause(who, tense, Action("have", "avoir", thing)))
    noun = d.pick(nouns("vehicle", "animal", "machine", "several", "building", "green", "instrument", "tool"))
    return say(clause(who, tense, Action("have", "avoir", a(nominal(d, noun))), "not" if d.chance(0.35) else ""))


@construction(2.5)
def having_some(d):
    """Food and drink: du pain, pas de pain."""
    who = subject(d)
    noun = d.pick(nouns("staple", "drink"))
    act = Action("have", "avoir", some(core(noun, plural="many" in noun.tags)))
    return say(clause(who, "holds", act, "not" if d.chance(0.5) else ""))


@construction(3.5)
def needing(d):
    """avoir besoin de: "de" and "du" are "de" together."""
    who = subject(d)
    noun = d.pick(nouns("staple", "lost", "tool", "vehicle", "machine"))
    c = core(noun, plural="staple" in noun.tags and "many" in noun.tags)
    if "staple" in noun.tags or "pair" in noun.tags:
        thing = Pair(some(c).en, c.fr)
    elif d.chance(0.5) or not fits(who, noun):
        thing = plain(a(nominal(d, noun)))
    else:
        thing = determined(d, d.pick(("my", "this")), c, who)
    act = Action("need", "avoir besoin de", thing)
    return say(clause(who, d.pick(("holds", "holds", "will")), act, "not" if d.chance(0.25) else ""))


@construction(4)
def liking(d):
    who = subject(d)
    en, fr = d.pick((("like", "aimer"), ("love", "adorer"), ("hate", "détester"), ("prefer", "préférer")))
    first, second = (generic(core(noun, plural="many" in noun.tags)) for noun in alternatives(d))
    act = Action(en, fr, first + Pair("to", "à") + second if en == "prefer" else first)
    return say(clause(who, "holds", act, "not" if en == "like" and d.chance(0.35) else ""))


def alternatives(d):
    """Two things of one kind that one may like."""
    group = d.pick(("food", "food", "drink", "animal", "game"))
    return d.two([noun for noun in nouns("liked") if group in noun.tags])


CUPS = ((Pair("a cup of", "une tasse de"), ("coffee", "tea")),
        (Pair("a glass of", "un verre de"), ("water", "milk", "wine", "orange juice")))
BOTTLES = ((Pair("a bottle of", "une bouteille de"), ("water", "wine", "milk", "orange juice")),)


def measured(d, measures):
    """A cup of tea, a bottle of milk."""
    measure, contents = d.pick(measures)
    return measure + words_of(core(NOUN[d.pick(contents)]))


def much(d):
    """A lot of bread, too many apples, a kilo of potatoes."""
    noun = d.pick(nouns("staple"))
    c = core(noun, plural="many" in noun.tags)
    amount = d.pick((Pair("a lot of", "beaucoup de"), Pair("too many" if c.plural else "too much", "trop de")))
    return amount + words_of(c)


def kilo(d):
    noun = d.pick([noun for noun in nouns("staple") if noun.en not in ("egg", "honey", "jam", "chicken")])
    return Pair("a kilo of", "un kilo de") + words_of(core(noun, plural="many" in noun.tags))


@construction(3)
def amounts(d):
    who = subject(d)
    act = d.pick((Action("drink", "boire", measured(d, CUPS)), Action("buy", "acheter", measured(d, BOTTLES)),
                  Action("eat", "manger", much(d)), Action("buy", "acheter", kilo(d))))
    tense, time = d.pick((("past", "past"), ("habit", "habit"), ("going", "will")) if "too" not in act.tail.en else
                         (("past", "past"), ("habit", "habit")))
    return say(clause(who, tense, act) + when(d, time))


@construction(1.5)
def ordering(d):
    """At the table: I'd like a cup of tea, please."""
    who = d.pick((PRONOUNS["I"], PRONOUNS["we"]))
    thing = d.pick((measured(d, CUPS), measured(d, BOTTLES), kilo(d),
                    plain(some(core(d.pick([noun for noun in nouns("staple", "drink") if "mass" in noun.tags]))))))
    return say(clause(who, "would", Action("like", "vouloir", thing)) + Pair(", please", ", s'il vous plaît"))


# ---- Places, weather, time --------------------------------------------------------------------------------------

SPOTS = (("on the table", "sur ~la table"), ("under the table", "sous ~la table"), ("on the chair", "sur ~la chaise"),
         ("under the bed", "sous ~le lit"), ("on the bed", "sur ~le lit"), ("in the box", "dans ~la boîte"),
         ("in the suitcase", "dans ~la valise"), ("behind the door", "derrière ~la porte"),
         ("next to the lamp", "à côté de ~la lampe"), ("next to the computer", "à côté de ~le ordinateur"),
         ("in front of the window", "devant ~la fenêtre"), ("in the car", "dans ~la voiture"),
         ("in the kitchen", "dans ~la cuisine"), ("in the bedroom", "dans ~la chambre"))
NEAR = (("next to", "à côté de"), ("near", "près de"), ("opposite", "en face de"), ("behind", "derrière"),
        ("in front of", "devant"))


def small_thing(d, determiners=("the", "my", "gen")):
    """Something that lies about, as a subject."""
    noun = d.pick([noun for noun in nouns("lost", "tool", "text", "daily") if "machine" not in noun.tags])
    c = core(noun, plural="many" in noun.tags and d.chance(0.4))
    return as_subject(determined(d, d.pick(determiners), c, speaker_with(d, noun)), c), c


@construction(4)
def lying(d):
    thing, _ = small_thing(d)
    act = Action("be", "être", pair_of(d, SPOTS))
    return say(clause(thing, d.pick(("holds", "holds", "state")), act, "not" if d.chance(0.25) else ""))


@construction(2.5)
def town(d):
    """The bank is near the station."""
    place = building(d)
    act = Action("be", "être", beside(d, place))
    return say(clause(place, "holds", act, "not" if d.chance(0.2) else ""))


def beside(d, place):
    """Near some other building."""
    other = building(d)
    while other == place:
        other = building(d)
    return pair_of(d, NEAR) + Pair(other.en, other.fr)


@construction(1.5)
def whereabouts(d):
    who = subject(d)
    place = where(d, d.pick(("go", "eat", "read")))
    tense = d.pick(("holds", "state", "will"))
    return say(clause(who, tense, Action("be", "être", place), "not" if d.chance(0.25) else ""))


IN_THE_GARDEN = Pair("in the garden", "dans ~le jardin")


@construction(3)
def animals(d):
    noun = d.pick(nouns("animal"))
    c = nominal(d, noun, d.chance(0.2))
    who = as_subject(determined(d, d.pick(("the", "my")), c, d.pick(SPEAKERS)), c)
    tense = d.pick(("now", "was"))
    if noun.en == "bird":
        return say(clause(who, tense, Action("sing", "chanter", IN_THE_GARDEN)))
    bed = pair_of(d, SPOTS[1:5]) if noun.en in ("cat", "dog") else IN_THE_GARDEN
    act = d.pick((Action("sleep", "dormir", bed), Action("run", "courir", IN_THE_GARDEN), Action("eat", "manger"),
                  Action("drink", "boire", some(core(NOUN["water"])))))
    return say(clause(who, tense, act, "not" if d.chance(0.1) else ""))


def there_is(tense, thing, plural, no=False, ask=False):
    """There is, il y a: English agrees with what there is, French does not."""
    be = english.be({"holds": "habit", "state": "past"}[tense], THEY if plural else HE)
    a_ = french.conjugate("avoir", {"holds": "present", "state": "imperfect"}[tense], HE)
    if ask:
        return Pair(f"{be} there {english.settle(thing.en, 'any')}", f"est-ce que il y {a_} {thing.fr}")
    if no:
        return Pair(f"there {be}n't {english.settle(thing.en, 'any')}", f"il ne y {a_} pas {french.negated(thing.fr)}")
    en = "there's" if be == "is" else f"there {be}"
    return Pair(f"{en} {english.settle(thing.en, 'some')}", f"il y {a_} {thing.fr}")


def something_there(d):
    """(what there is, whether it is plural, where)."""
    if d.chance(0.4):
        noun = d.pick(nouns("staple", "drink", "dishes"))
        c = core(noun, plural="mass" not in noun.tags)
        return some(c), c.plural, pair_of(d, (SPOTS[0], SPOTS[-2]))
    noun = d.pick([noun for noun in nouns("lost", "tool", "text", "animal", "bought") if "machine" not in noun.tags])
    c = core(noun, plural="pair" in noun.tags or "many" in noun.tags and d.chance(0.5))
    thing = numbered(d.pick(NUMBERS[:5]), c) if c.plural and "pair" not in noun.tags else some(c) if c.plural else a(c)
    return thing, c.plural, pair_of(d, SPOTS)


@construction(5)
def there(d):
    if d.chance(0.2):
        place = building(d)
        indefinite = Pair(place.en.replace("the ", "a "), place.fr.replace("~la", "+une").replace("~le", "+un"))
        ask = d.chance(0.5)
        return say(there_is("holds", indefinite, False, ask=ask) + beside(d, place), "?" if ask else ".")
    thing, plural, spot = something_there(d)
    ask = d.chance(0.25)
    no = not ask and thing.en.startswith("+some") and d.chance(0.4)
    return say(there_is(d.pick(("holds", "holds", "state")), thing, plural, no, ask) + spot, "?" if ask else ".")


WEATHER = ((IT, Action("be", "faire", Pair("cold", "froid"))), (IT, Action("be", "faire", Pair("hot", "chaud"))),
           (IT, Action("be", "avoir", Pair("windy", "+de ~le vent"), Clitic("", "y"))),
           (Subject("the weather", "il"), Action("be", "faire", Pair("nice", "beau"))),
           (Subject("the weather", "il"), Action("be", "faire", Pair("bad", "mauvais"))))
SKY = (Action("rain", "pleuvoir"), Action("snow", "neiger"))


@construction(5)
def weather(d):
    sky = d.chance(0.4)
    who, act = (IT, d.pick(SKY)) if sky else d.pick(WEATHER)
    place = Pair("in", "") + d.branch((3, city), (2, country)) if d.chance(0.45) else NOTHING
    no = "not" if d.chance(0.2) else ""
    if d.chance(0.2):
        en, fr = d.pick(SEASONS)
        often = pair_of(d, FREQUENCIES[::3])
        return say(clause(who, "habit", act, adverb=often) + place + Pair("in " + en, fr))
    tense = d.pick(("now", "past", "will"))
    time = Pair("today", "aujourd'hui") if tense == "now" else when(d, tense)
    if not sky:
        tense = {"now": "holds", "past": "state"}.get(tense, tense)
    return say(at_time(d, clause(who, tense, act, no) + place, time))


@construction(1.5)
def clock(d):
    time = d.pick((Pair("noon", "midi"), Pair("midnight", "minuit"))) if d.chance(0.25) else hour(d)
    return say(Pair("it's", "il est") + time)


@construction(2.5)
def timetable(d):
    """The shop opens at nine o'clock."""
    if d.chance(0.5):
        place = building(d)
        while place.en in ("the hospital", "the station", "the hotel"):     # which never close
            place = building(d)
        act = Action(*d.pick((("open", "ouvrir"), ("close", "fermer"))))
        hours = NUMBERS[4:9] if act.en == "open" else NUMBERS[3:7]
        return say(clause(place, "habit", act + Pair("at", "à") + hour(d, hours)))
    c = core(d.pick(nouns("transport")))
    en, fr = d.pick(CITIES)
    thing = the(c)
    who = Subject(f"{thing.en} to {en}", f"{thing.fr} pour {fr}")
    return say(clause(who, d.pick(("habit", "will")), Action("leave", "partir", Pair("at", "à") + hour(d))))


@construction(3)
def dates(d):
    if d.chance(0.2):
        day = pair_of(d, (("today is", "aujourd'hui, ce est"), ("tomorrow is", "demain, ce est")))
        return say(day + pair_of(d, DAYS))
    if d.chance(0.5):
        c = core(NOUN["birthday"])
        birthday = possessive(d.pick(SPEAKERS), c) if d.chance(0.5) else genitive(name(d), c)
        time = Pair("in", "en") + pair_of(d, MONTHS)
        return say(clause(Subject(birthday.en, birthday.fr), "holds", Action("be", "être", time)))
    c = core(d.pick(nouns("planned")))
    thing = as_subject(the(c), c)
    act = Action("be", "être", Pair("on", "") + pair_of(d, DAYS))
    return say(clause(thing, "holds", act + Pair("at", "à") + hour(d) if d.chance(0.5) else act))


@construction(1)
def thanks(d):
    if d.chance(0.4):
        called = name(d)
        return say(Pair(f"happy birthday, {called.en}", f"joyeux anniversaire, {called.fr}"), "!")
    noun = NOUN[d.pick(("gift", "letter", "message", "cake", "book", "photo", "postcard"))]
    c = core(noun, plural="many" in noun.tags and d.chance(0.3))
    return say(Pair("thank you for", "merci pour") + d.pick((possessive(PRONOUNS["you"], c), this(c))))

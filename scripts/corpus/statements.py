"""Statements of one clause."""
from corpus.draw import (EVERYONE, IT, NOBODY, SPEAKERS, action, addressee, at_time, being, building, city, company,
                         construction, country, destination, determined, hour, impersonal_action, match, name, nominal,
                         pair_of, pronoun_for, relative, residence, since, someone_else, span, subject, when, where)
from corpus.grammar import (DIRECT, DISJUNCTIVE, HE, INDIRECT, NOTHING, PRONOUNS, THEY, YOU, Action, Clitic, Pair,
                            Subject, a, article, as_subject, chain, clause, core, generic, genitive, infinitive,
                            numbered, plain, possessive, say, some, the, this)
from corpus.lexicon import (ADJECTIVES, AGES, CITIES, COUNTRIES, DAILY, DAYS, FREQUENCIES, MONTHS, MOODS, NOUN, NUMBERS,
                            SEASONS, TRAITS, nouns)
import corpus.english as english
import corpus.french as french

# ---- Tenses -----------------------------------------------------------------------------------------------------


@construction(8)
def habit(d):
    who = subject(d)
    act = action(d, who, "habit")
    if d.chance(0.2):
        return say(clause(who, "habit", act, d.pick(("not", "never", "no longer"))))
    if d.chance(0.5):
        return say(clause(who, "habit", act, adverb=pair_of(d, FREQUENCIES)))
    return say(at_time(d, clause(who, "habit", act), when(d, "habit"), 0.1))


@construction(7)
def progressive(d):
    who = subject(d)
    sentence = clause(who, "now", action(d, who, "now"), "not" if d.chance(0.12) else "")
    return say(sentence + when(d, "now") if d.chance(0.25) else sentence)


@construction(9)
def past(d):
    who = subject(d)
    sentence = clause(who, "past", action(d, who, "past"), "not" if d.chance(0.2) else "")
    return say(at_time(d, sentence, when(d, "past")) if d.chance(0.7) else sentence)


@construction(5)
def future(d):
    who = subject(d)
    sentence = clause(who, "will", action(d, who, "will"), "not" if d.chance(0.2) else "")
    return say(at_time(d, sentence, when(d, "will")) if d.chance(0.8) else sentence)


@construction(5)
def near_future(d):
    who = subject(d)
    sentence = clause(who, "going", action(d, who, "do"), "not" if d.chance(0.15) else "")
    return say(at_time(d, sentence, when(d, "will")) if d.chance(0.5) else sentence)


@construction(2)
def imperfect(d):
    who = subject(d)
    return say(clause(who, "used", action(d, who, "used")))


@construction(4)
def perfect(d):
    who = subject(d)
    act = action(d, who, "done", 0)
    no = d.pick(("", "never", "not yet"))
    return say(clause(who, "perfect", act, no, NOTHING if no else Pair("already", "déjà")))


@construction(3)
def lasting(d):
    """What began in the past and goes on: the present and depuis."""
    who = subject(d)
    if d.chance(0.35):
        return say(clause(who, "long", Action("know", "connaître", someone_else(d, who) + since(d, "years"))))
    if d.chance(0.3):
        mood = d.pick([mood for mood in MOODS if mood.en in ("sick", "alone", "on holiday")])
        return say(clause(who, "long", being(who, mood) + since(d, "days", "weeks")))
    act, unit = d.pick(((Action("wait", "attendre"), "hours"), (Action("sleep", "dormir"), "hours"),
                        (Action("wait for", "attendre", someone_else(d, who)), "hours"),
                        (Action("live", "habiter", residence(d)), "years"),
                        (Action("work", "travailler", where(d, "work")), "years")))
    return say(clause(who, "since", act + since(d, unit)))


@construction(1.5)
def limited(d):
    """What took its time and is over: pendant."""
    who = subject(d)
    act = d.pick((Action("wait", "attendre"), Action("sleep", "dormir"), Action("walk", "marcher"),
                  Action("work", "travailler"), Action("dance", "danser"), Action("wait for", "attendre", someone_else(d, who))))
    sentence = clause(who, "past", act + Pair("for", "pendant") + span(d, "hours"))
    return say(at_time(d, sentence, when(d, "past")) if d.chance(0.3) else sentence)


@construction(1.5)
def nothing(d):
    who = subject(d)
    act = Action(*d.pick((("eat", "manger"), ("buy", "acheter"), ("say", "dire"), ("see", "voir"),
                          ("hear", "entendre"), ("find", "trouver"))))
    sentence = clause(who, "past", act, "nothing")
    return say(at_time(d, sentence, when(d, "past")) if d.chance(0.6) else sentence)


@construction(2)
def everyone(d):
    tense = d.pick(("past", "will", "now"))
    return say(clause(d.pick((EVERYONE, NOBODY)), tense, impersonal_action(d, tense)))


# ---- Movement, daily life ---------------------------------------------------------------------------------------

MEANS = (("by train", "en train"), ("by bus", "en bus"), ("by car", "en voiture"), ("on foot", "à pied"))


@construction(5)
def movement(d):
    who = subject(d)
    tense, time = d.pick((("now", "now"), ("past", "past"), ("will", "will"), ("going", "will"), ("habit", "habit")))
    act = Action("go", "aller", destination(d))
    if d.chance(0.35):
        act += pair_of(d, MEANS) if d.chance(0.5) else company(d, who)
    sentence = clause(who, tense, act, "not" if d.chance(0.12) else "")
    if tense == "habit" or tense != "now" and d.chance(0.5):
        sentence = at_time(d, sentence, when(d, time))
    return say(sentence)


@construction(2)
def going_there(d):
    who = subject(d)
    tense, time = d.pick((("past", "past"), ("will", "will"), ("going", "will"), ("habit", "habit")))
    act = Action("go", "aller", clitic=Clitic("there", "y"))
    if d.chance(0.35):
        act += company(d, who)
    return say(at_time(d, clause(who, tense, act, "not" if d.chance(0.12) else ""), when(d, time)))


@construction(2.5)
def home(d):
    """Where people live and come from."""
    who = subject(d)
    no = "not" if d.chance(0.15) else ""
    if d.chance(0.35):
        en, _, fr = d.pick(COUNTRIES)
        return say(clause(who, "holds", Action("come from", "venir", Pair(en, fr)), no))
    return say(clause(who, d.pick(("holds", "used")), Action("live", "habiter", residence(d))))


@construction(1.5)
def together(d):
    who = subject(d)
    act = d.pick((Action("eat", "manger"), Action("dance", "danser"), Action("sing", "chanter"),
                  Action("travel", "voyager"), Action("play", "jouer"), Action("live", "habiter"), Action("work", "travailler")))
    return say(clause(who, d.pick(("habit", "habit", "going")), act + company(d, who)))


CLOCKED = ("wake up", "get up", "go to bed")
EVENTS = ("past", "habit", "going")


@construction(6)
def daily_life(d):
    """Reflexive verbs."""
    who = subject(d)
    act = hygiene(d, who) if d.chance(0.2) else Action(*d.pick(DAILY))
    if d.chance(0.2):
        return say(clause(who, *governed(d, act, who)))
    tense = d.pick(EVENTS)
    time = when(d, {"going": "will"}.get(tense, tense))
    if act.en in CLOCKED and d.chance(0.7):
        clock = Pair("at", "à") + hour(d)
        time = clock if d.chance(0.5) else clock + time
    return say(at_time(d, clause(who, tense, act, "not" if d.chance(0.12) else ""), time, 0.1))


def hygiene(d, who):
    """The part of the body follows as an object, so that the participle does not agree."""
    noun, verb = d.pick(((NOUN["hand"], ("wash", "se laver")), (NOUN["tooth"], ("brush", "se brosser"))))
    c = core(noun, plural=True)
    return Action(*verb, Pair(possessive(who, c).en, the(c).fr), ending="")


@construction(2)
def manner(d):
    who = subject(d)
    en, fr, how = d.pick(MANNERS)
    return say(clause(who, d.pick(("habit", "habit", "used")), Action(en, fr, Pair(*how))))


MANNERS = (("sleep", "dormir", ("well", "bien")), ("sleep", "dormir", ("badly", "mal")),
           ("sing", "chanter", ("well", "bien")), ("sing", "chanter", ("badly", "mal")),
           ("dance", "danser", ("well", "bien")), ("dance", "danser", ("badly", "mal")),
           ("cook", "cuisiner", ("well", "bien")), ("swim", "nager", ("well", "bien")),
           ("work", "travailler", ("a lot", "beaucoup")), ("laugh", "rire", ("a lot", "beaucoup")),
           ("work", "travailler", ("too much", "trop")), ("eat", "manger", ("too much", "trop")),
           ("travel", "voyager", ("a lot", "beaucoup")), ("talk", "parler", ("too much", "trop")),
           ("run", "courir", ("fast", "vite")), ("walk", "marcher", ("fast", "vite")),
           ("walk", "marcher", ("slowly", "lentement")), ("eat", "manger", ("slowly", "lentement")),
           ("drive", "conduire", ("fast", "vite")))


# ---- Verbs that govern others -----------------------------------------------------------------------------------

# English, French, tense, whether it is negated too.
GOVERNING = (("can", "pouvoir", "holds", True), ("must", "devoir", "holds", False), ("have to", "devoir", "holds", False),
             ("want to", "vouloir", "holds", True), ("want to", "vouloir", "state", True),
             ("like to", "vouloir", "would", False), ("like to", "aimer", "holds", True),
             ("love to", "adorer", "holds", False), ("prefer to", "préférer", "holds", False),
             ("hope to", "espérer", "holds", False), ("should", "devoir", "would", True),
             ("could", "pouvoir", "would", False), ("need to", "avoir besoin de", "holds", True),
             ("try to", "essayer de", "past", False), ("decide to", "décider de", "past", False),
             ("be able to", "pouvoir", "will", False))


def governed(d, act, who):
    """(tense, action, negation) of a verb that governs `act`."""
    en, fr, tense, deniable = d.pick(GOVERNING)
    return tense, chain(en, fr, act, who), "not" if deniable and d.chance(0.3) else ""


@construction(10)
def governing(d):
    who = subject(d)
    act = action(d, who, "do") if d.chance(0.85) else Action("go", "aller", destination(d))
    return say(clause(who, *governed(d, act, who)))


HELPING = (("help", "aider"), ("call", "appeler"), ("wait for", "attendre"), ("invite", "inviter"),
           ("thank", "remercier"), ("see", "voir"), ("understand", "comprendre"))


@construction(3)
def governing_pronouns(d):
    """Object pronouns before the infinitive."""
    who = subject(d)
    en, fr = d.pick(HELPING)
    return say(clause(who, *governed(d, Action(en, fr, clitic=pronoun_for(d, who, DIRECT)), who)))


def tongue(d):
    """A language as it is spoken: French, français."""
    return words_of(core(d.pick(nouns("tongue"))))


SKILLS = (("swim", "nager"), ("drive", "conduire"), ("cook", "cuisiner"), ("dance", "danser"), ("draw", "dessiner"))


@construction(2.5)
def learning(d):
    who = subject(d)
    if d.chance(0.45):
        act = Action(*d.pick(SKILLS))
    elif d.chance(0.5):
        act = Action("play", "jouer de", the(core(d.pick(nouns("instrument")))))
    else:
        act = Action("speak", "parler", tongue(d))
    en, fr, tense = d.pick((("know how to", "savoir", "holds"), ("learn to", "apprendre à", "now"),
                            ("learn to", "apprendre à", "past"), ("begin to", "commencer à", "past")))
    return say(clause(who, tense, chain(en, fr, act, who), "not" if en == "know how to" and d.chance(0.3) else ""))


@construction(1.5)
def speaking(d):
    who = subject(d)
    language = tongue(d)
    if d.chance(0.5):
        return say(clause(who, "holds", Action("speak", "parler", language), "not" if d.chance(0.3) else ""))
    en, fr = d.pick((("well", "bien"), ("badly", "mal"), ("a little", "un peu")))
    return say(clause(who, "holds", Action("speak", "parler", Pair(f"{language.en} {en}", f"{fr} {language.fr}"))))


@construction(3)
def judging(d):
    """It is easy to ..."""
    act = impersonal_action(d, "judged", 0.2) if d.chance(0.6) else Action(*d.pick(SKILLS))
    en, fr = d.pick((("easy", "facile"), ("difficult", "difficile"), ("interesting", "intéressant"), ("important", "important")))
    judged = Action("be", "être", Pair(en + " to", fr + " de") + infinitive(act, IT))
    return say(clause(IT, d.pick(("holds", "holds", "will")), judged, "not" if d.chance(0.2) else ""))


# ---- Pronouns ---------------------------------------------------------------------------------------------------

@construction(6)
def seeing_someone(d):
    who = subject(d)
    en, fr = d.pick((("help", "aider"), ("call", "appeler"), ("invite", "inviter"), ("see", "voir")))
    tense, time = d.pick((("past", "past"), ("past", "past"), ("will", "will"), ("going", "will"), ("habit", "habit")))
    act = Action(en, fr, clitic=pronoun_for(d, who, DIRECT))
    no = "not" if d.chance(0.2) else ""
    if tense == "habit" and not no and d.chance(0.5):
        return say(clause(who, tense, act, adverb=pair_of(d, FREQUENCIES)))
    return say(at_time(d, clause(who, tense, act, no), when(d, time), 0.15))


@construction(3)
def about_someone(d):
    """Verbs of what goes on: waiting for her, knowing them."""
    who = subject(d)
    en, fr, tense = d.pick((("wait for", "attendre", "now"), ("look for", "chercher", "now"),
                            ("know", "connaître", "holds"), ("listen to", "écouter", "now"), ("like", "aimer", "holds"),
                            ("understand", "comprendre", "holds"), ("thank", "remercier", "past"),
                            ("meet", "rencontrer", "past"), ("wait for", "attendre", "past")))
    act = Action(en, fr, clitic=pronoun_for(d, who, DIRECT))
    return say(clause(who, tense, act, "not" if d.chance(0.2) else ""))


# Verbs of giving, with what is given.
GIVING = (("give", "donner", ("gift", "loan", "bought")), ("send", "envoyer", ("sent",)), ("lend", "prêter", ("loan", "driven")),
          ("show", "montrer", ("seen", "building", "text")), ("bring", "apporter", ("gift", "loan", "sent")),
          ("tell", "raconter", ("told",)), ("explain", "expliquer", ("taught",)))


def giving(d, who, determiners=("a", "the", "this", "my")):
    """(English verb, French verb, what is given)."""
    en, fr, tags = d.pick(GIVING)
    noun = d.pick(nouns(*tags))
    fitting = [x for x in determiners if x != "my" or not noun.tags & {"taught", "told", "seen"}]
    return en, fr, determined(d, d.pick(fitting), nominal(d, noun, "many" in noun.tags and d.chance(0.3)), who)


TENSES_OF_GIVING = (("past", "past"), ("past", "past"), ("going", "will"), ("will", "will"))


@construction(5)
def giving_them(d):
    """give, send and show take the person first in English: she gave him a book."""
    who = subject(d)
    en, fr, thing = giving(d, who)
    while en == "explain":
        en, fr, thing = giving(d, who)
    tense, time = d.pick(TENSES_OF_GIVING)
    sentence = clause(who, tense, Action(en, fr, thing, pronoun_for(d, who, INDIRECT)), "not" if d.chance(0.15) else "")
    return say(at_time(d, sentence, when(d, time)) if d.chance(0.3) else sentence)


@construction(4)
def giving_to_someone(d):
    who = subject(d)
    en, fr, thing = giving(d, who)
    tense, time = d.pick(TENSES_OF_GIVING)
    sentence = clause(who, tense, Action(en, fr, thing + Pair("to", "à") + someone_else(d, who)))
    return say(at_time(d, sentence, when(d, time)) if d.chance(0.25) else sentence)


# ---- Being ------------------------------------------------------------------------------------------------------

DEGREES = (("very", "très"), ("too", "trop"))
STEADY = ("ready", "alone", "late", "on holiday", "angry")      # moods that have no degrees here


@construction(6)
def moods(d):
    call, who = NOTHING, subject(d)
    if who.person == YOU:
        call, who = addressee(d)
    tense, time = d.branch((3, lambda _: ("holds", NOTHING)), (1, lambda _: ("holds", Pair("today", "aujourd'hui"))),
                           (2, lambda _: ("state", when(d, "past"))), (1, lambda _: ("will", when(d, "will"))))
    mood = d.pick(MOODS)
    degree = pair_of(d, DEGREES) if mood.en not in STEADY and d.chance(0.35) else NOTHING
    sentence = clause(who, tense, being(who, mood, degree), "not" if d.chance(0.2) else "")
    return say(call + sentence + time)


@construction(3.5)
def traits(d):
    who = subject(d)
    degree = pair_of(d, DEGREES) if d.chance(0.45) else NOTHING
    sentence = clause(who, d.pick(("holds", "holds", "state")), being(who, d.pick(TRAITS), degree), "not" if d.chance(0.25) else "")
    return say(sentence)


@construction(6)
def qualities(d):
    """This dress is pretty. Paul's shoes were very dirty."""
    thing, adjective = described(d)
    degree = pair_of(d, DEGREES) if adjective.en not in UNGRADED and d.chance(0.35) else NOTHING
    return say(clause(thing, d.pick(("holds", "holds", "state")), being(thing, adjective, degree), "not" if d.chance(0.2) else ""))


UNGRADED = ("red", "blue", "green", "black", "white", "yellow", "closed", "open", "empty", "delicious", "full")
OWNED = frozenset(("clothes", "vehicle", "building", "room", "machine", "lost", "green"))


def described(d):
    """(a thing as a subject, an adjective that suits it)."""
    noun, adjective = match(d, NOUN.values(), ())
    c = core(noun, plural="many" in noun.tags and d.chance(0.5))
    determiner = d.pick(("the", "this", "my", "gen") if noun.tags & OWNED else ("the", "this"))
    return as_subject(determined(d, determiner, c, d.pick(SPEAKERS)), c), adjective


def compared(d, who, adjective, other):
    """more kind than, as kind as, less kind than."""
    form = french.agree(adjective.fr, who.gender, who.plural)
    en, fr = d.pick(((english.comparative(adjective.en) + " than", f"plus {form} que"),
                     (f"as {adjective.en} as", f"aussi {form} que"), (f"less {adjective.en} than", f"moins {form} que")))
    return Action("be", "être", Pair(en, fr) + other)


@construction(4)
def comparing_people(d):
    who = subject(d)
    other = pronoun_for(d, who, DISJUNCTIVE) if d.chance(0.25) else someone_else(d, who)
    trait = d.pick([trait for trait in TRAITS if trait.en != "shy"])
    return say(clause(who, "holds", compared(d, who, trait, other)))


@construction(3)
def comparing_things(d):
    noun, adjective = match(d, nouns("vehicle", "building", "green", "machine", "room", "furniture"), COMPARED)
    c = core(noun)
    first, second = d.two(SPEAKERS)
    who = as_subject(determined(d, d.pick(("my", "gen")), c, first), c)
    return say(clause(who, "holds", compared(d, who, adjective, possessive(second, c))))


COMPARED = ("big", "small", "old", "new", "expensive", "modern", "comfortable", "beautiful", "quiet", "dirty")


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
    noun, adjective = match(d, candidates, ("beautiful", "pretty", "big", "small", "funny", "interesting", "good", "long"))
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
    who = subject(d) if d.chance(0.5) else relative(d)
    en, fr = d.pick(AGES)
    act = Action("be", "avoir", Pair(f"{en} years old", f"{fr} ans"))
    return say(clause(who, d.pick(("holds", "holds", "will")), act))


@construction(3)
def jobs(d):
    """He is a doctor: French has no article."""
    who = subject(d)
    while who.plural:
        who = subject(d)
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
        c = nominal(d, noun, "many" in noun.tags and d.chance(0.3))
        thing = determined(d, d.pick(("my", "gen")), c, d.pick(SPEAKERS))
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
    """Food and drink: du pain, pas de pain, plus de pain."""
    who = subject(d)
    noun = d.pick(nouns("staple", "drink"))
    act = Action("have", "avoir", some(core(noun, plural="many" in noun.tags)))
    return say(clause(who, "holds", act, d.pick(("", "not", "no longer"))))


@construction(3.5)
def needing(d):
    who = subject(d)
    en, fr = "need", "avoir besoin de"
    noun = d.pick(nouns("staple", "lost", "clothes", "tool", "vehicle", "machine"))
    if noun.tags & {"mass", "pair"} or "staple" in noun.tags:
        c = core(noun, plural="many" in noun.tags)
        thing = Pair(some(c).en, c.fr)
    else:
        thing = plain(a(nominal(d, noun))) if d.chance(0.5) else determined(d, d.pick(("my", "this")), core(noun), who)
    return say(clause(who, d.pick(("holds", "holds", "will")), Action(en, fr, thing), "not" if d.chance(0.25) else ""))


@construction(4)
def liking(d):
    who = subject(d)
    en, fr = d.pick((("like", "aimer"), ("love", "adorer"), ("hate", "détester"), ("prefer", "préférer")))
    noun = d.pick(nouns("liked"))
    thing = generic(core(noun, plural="many" in noun.tags))
    if en == "prefer":
        group = [x for x in nouns("liked") if x != noun and x.tags & noun.tags & {"food", "drink", "animal", "game"}]
        if not group:
            return say(clause(who, "holds", Action("like", "aimer", thing)))
        other = d.pick(group)
        thing += Pair("to", "à") + generic(core(other, plural="many" in other.tags))
    return say(clause(who, "holds", Action(en, fr, thing), "not" if en == "like" and d.chance(0.35) else ""))


MEASURES = ((("a cup of", "une tasse de"), ("coffee", "tea")), (("a glass of", "un verre de"), ("water", "milk", "wine", "orange juice")),
            (("a bottle of", "une bouteille de"), ("water", "wine", "milk", "beer")))
AMOUNTS = (("a lot of", "beaucoup de"), ("a kilo of", "un kilo de"), ("too much", "trop de"))


def words_of(c):
    """The noun without a determiner."""
    return Pair(c.en, c.fr)


def amount(d):
    """(a verb, a measured amount of food or drink)."""
    if d.chance(0.5):
        measure, contents = d.pick(MEASURES)
        return ("drink", "boire"), Pair(*measure) + words_of(core(NOUN[d.pick(contents)]))
    noun = d.pick(nouns("staple"))
    c = core(noun, plural="many" in noun.tags)
    en, fr = d.pick(AMOUNTS)
    if en == "too much" and c.plural:
        en = "too many"
    return (("buy", "acheter") if "kilo" in en else ("eat", "manger")), Pair(f"{en} {c.en}", f"{fr} {c.fr}")


@construction(3)
def amounts(d):
    who = subject(d)
    verb, thing = amount(d)
    act = Action(*verb, thing)
    tense = d.pick(("past", "habit", "going"))
    if "too" in thing.en:
        tense = d.pick(("past", "habit"))
    time = when(d, {"going": "will"}.get(tense, tense))
    return say(at_time(d, clause(who, tense, act), time, 0.1))


@construction(1.5)
def ordering(d):
    """At the table: I'd like a cup of tea, please."""
    thing = amount(d)[1] if d.chance(0.6) else plain(some(core(d.pick([x for x in nouns("staple", "drink") if "mass" in x.tags]))))
    while "too" in thing.en or "lot" in thing.en:
        thing = amount(d)[1]
    who = d.pick((PRONOUNS["I"], PRONOUNS["we"]))
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
    return as_subject(determined(d, d.pick(determiners), c, d.pick(SPEAKERS)), c), c


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
    return say(clause(who, d.pick(("holds", "state", "will")), Action("be", "être", place), "not" if d.chance(0.25) else ""))


@construction(3)
def animals(d):
    noun = d.pick(nouns("animal"))
    c = nominal(d, noun, d.chance(0.2))
    who = as_subject(determined(d, d.pick(("the", "my")), c, d.pick(SPEAKERS)), c)
    if noun.en == "bird":
        return say(clause(who, d.pick(("now", "was")), Action("sing", "chanter", Pair("in the garden", "dans ~le jardin"))))
    act = d.pick((Action("sleep", "dormir"), Action("eat", "manger"), Action("run", "courir"), Action("drink", "boire", some(core(NOUN["water"])))))
    place = pair_of(d, SPOTS[1:5] + SPOTS[-2:]) if act.en == "sleep" and noun.en in ("cat", "dog", "rabbit") else Pair("in the garden", "dans ~le jardin")
    return say(clause(who, "now" if act.en == "drink" else d.pick(("now", "was", "habit")) , act + place if d.chance(0.8) else act, "not" if d.chance(0.1) else ""))


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
        return say(clause(who, "habit", act, no, pair_of(d, FREQUENCIES[:1])) + place + Pair("in " + en, fr))
    tense = d.pick(("now", "past", "will"))
    time = Pair("today", "aujourd'hui") if tense == "now" else when(d, tense)
    if not sky:
        tense = {"now": "holds", "past": "state"}.get(tense, tense)
    return say(at_time(d, clause(who, tense, act, no) + place, time))


@construction(2)
def clock(d):
    return say(Pair("it's", "il est") + hour(d))


@construction(2.5)
def timetable(d):
    """The shop opens at nine o'clock."""
    if d.chance(0.5):
        place = building(d)
        act = Action(*d.pick((("open", "ouvrir"), ("close", "fermer"))))
        return say(clause(place, "habit", act + Pair("at", "à") + hour(d)))
    c = core(d.pick(nouns("transport")))
    en, fr = d.pick(CITIES)
    thing = the(c)
    who = Subject(f"{thing.en} to {en}", f"{thing.fr} pour {fr}")
    return say(clause(who, d.pick(("habit", "will")), Action("leave", "partir", Pair("at", "à") + hour(d))))


@construction(2)
def dates(d):
    if d.chance(0.2):
        day = pair_of(d, (("today is", "aujourd'hui, ce est"), ("tomorrow is", "demain, ce est")))
        return say(day + pair_of(d, DAYS))
    if d.chance(0.5):
        owner = d.pick(SPEAKERS) if d.chance(0.5) else name(d)
        birthday = possessive(owner, core(NOUN["birthday"])) if owner.pronoun else genitive(owner, core(NOUN["birthday"]))
        time = Pair("in", "en") + pair_of(d, MONTHS)
        return say(clause(Subject(birthday.en, birthday.fr), "holds", Action("be", "être", time)))
    c = core(d.pick(nouns("planned")))
    thing = as_subject(the(c), c)
    act = Action("be", "être", Pair("on", "") + pair_of(d, DAYS))
    return say(clause(thing, "holds", act + Pair("at", "à") + hour(d) if d.chance(0.5) else act))


@construction(1)
def thanks(d):
    you = PRONOUNS["you"]
    c = core(d.pick(nouns("gift", "bought", "sent", "dessert")), plural=False)
    if d.chance(0.4):
        called = name(d)
        return say(Pair(f"happy birthday, {called.en}", f"joyeux anniversaire, {called.fr}"), "!")
    return say(Pair("thank you for", "merci pour") + d.pick((possessive(you, c), this(c))))

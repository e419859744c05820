"""Sentences of several clauses."""
from corpus.draw import (CHILDREN, IT, SPEAKERS, action, alike, at_time, being, construction, countable, definite,
                         destination, done_by, frames, going, impersonal_action, match, mood, name, owned, relative,
                         span, subject, suits, to, towards, when)
from corpus.grammar import (HE, I, PRONOUNS, THEY, WE, Action, Pair, Subject, a, as_subject, chain, clause, core,
                            ending_of, generic, infinitive, possessive, say, some, the)
from corpus.lexicon import ADJECTIVES, MOODS, NOUN, PLACES, TRAITS, nouns
from corpus.descriptions import SKY, alternatives
import corpus.english as english
import corpus.french as french

THAT = Pair("that", "que")
COMMA = Pair(",", ",")


def other(d, who):
    """A subject that is not `who`."""
    while True:
        found = subject(d)
        if not alike(found, who) and not (found.pronoun and {found.person, who.person} == {I, WE}):
            return found


def reported(d, who, tenses):
    """A clause to stand after "that"."""
    tense = d.pick(tenses)
    if tense in ("holds", "state"):
        return clause(who, tense, being(who, d.pick(MOODS)))
    return clause(who, tense, action(d, who, {"going": "do"}.get(tense, tense), 0.2))


@construction(7)
def saying_that(d):
    """I think that ..., she said that ..."""
    who = subject(d)
    said = other(d, who)
    en, fr, tense, tenses = d.pick((("think", "penser", "holds", ("holds", "will", "past", "going")),
                                    ("know", "savoir", "holds", ("holds", "past", "now")),
                                    ("hope", "espérer", "holds", ("will",)),
                                    ("believe", "croire", "holds", ("holds", "past")),
                                    ("say", "dire", "past", ("state",)), ("forget", "oublier", "past", ("state",))))
    return say(clause(who, tense, Action(en, fr)) + THAT + reported(d, said, tenses))


@construction(2)
def being_sure(d):
    who = subject(d)
    return say(clause(who, "holds", being(who, SURE)) + THAT + reported(d, other(d, who), ("will", "holds", "past")))


SURE = MOODS[0]._replace(en="sure", fr="sûr")


# ---- Relative clauses -------------------------------------------------------------------------------------------

@construction(5)
def thing_that(d):
    """The dress that I bought is pretty: the participle agrees."""
    who = subject(d)
    tense, use = d.pick((("past", "past"), ("past", "past"), ("now", "now")))
    handled = [verb for verb in HANDLED if not (verb == "wear" and who.plural)]
    frame = d.pick([frame for frame in frames(use) if frame.en in handled and fitting(countable(frame))])
    noun, adjective = match(d, countable(frame), JUDGED)
    c = core(noun)
    act = Action(frame.en, frame.fr, ending=ending_of(c))
    thing = as_subject(the(c) + THAT + clause(who, tense, act), c)
    return say(clause(thing, "holds", being(thing, adjective)))


HANDLED = ("buy", "read", "watch", "choose", "carry", "wear", "listen to", "sing", "borrow", "explain", "learn", "use",
           "sell", "visit")
JUDGED = ("expensive", "interesting", "boring", "funny", "easy", "difficult", "heavy", "beautiful", "pretty",
          "useful", "comfortable", "long")


def fitting(candidates):
    return [noun for noun in candidates if any(suits(x, noun) and x.en in JUDGED for x in ADJECTIVES)]


@construction(4)
def person_who(d):
    """The man who is waiting at the station is my uncle."""
    c = core(d.pick(nouns("folk")))
    tense = d.pick(("now", "now", "past"))
    who = as_subject(the(c), c)
    act = impersonal_action(d, tense, 0.6, who)
    person = as_subject(the(c) + Pair("who", "qui") + clause(Subject("", "", HE, c.gender), tense, act), c)
    if d.chance(0.4):
        know = Action("know", "connaître", Pair(person.en, person.fr))
        knowing = PRONOUNS[d.pick(("I", "we", "she"))]
        return say(clause(knowing, "holds", know, "not" if d.chance(0.3) else ""))
    if d.chance(0.5):
        return say(clause(person, "holds", being(person, d.pick(TRAITS))))
    tag = "young" if who.en in CHILDREN else "kin"
    kin = owned(d.pick(SPEAKERS), d.pick([noun for noun in nouns(tag) if noun.gender == c.gender]))
    return say(clause(person, "holds", Action("be", "être", Pair(kin.en, kin.fr))))


# ---- When, if, because ------------------------------------------------------------------------------------------

ARRIVING = (Action("arrive", "arriver"), Action("come back", "revenir"), Action("leave", "partir"))


@construction(4)
def when_it_happens(d):
    """English has a present after "when", French a future."""
    who = subject(d)
    comes = other(d, who)
    act = d.pick(ARRIVING)
    event = Pair(clause(comes, "holds", act).en, clause(comes, "will", act).fr)
    main = clause(who, "will", reaction(d, who))
    if d.chance(0.5):
        return say(Pair("when", "quand") + event + COMMA + main)
    return say(main + Pair("when", "quand") + event)


@construction(4)
def while_it_lasted(d):
    """I was sleeping when you came back."""
    who = subject(d)
    event = clause(other(d, who), "past", d.pick((*ARRIVING, Action("go out", "sortir"))))
    return say(clause(who, "was", action(d, who, "was")) + Pair("when", "quand") + event)


def again(who):
    """The pronoun for a subject that was named."""
    if who.pronoun:
        return who
    if who.plural:
        return Subject("they", "elles", THEY, "f", True) if who.gender == "f" else PRONOUNS["they"]
    return PRONOUNS["she" if who.gender == "f" else "he"]


@construction(3)
def in_childhood(d):
    who = PRONOUNS[d.pick(("I", "he", "she"))] if d.chance(0.6) else d.branch((1, name), (1, relative))
    child = clause(who, "state", Action("be", "être", Pair("a child", "enfant")))
    custom = action(d, who, "used")
    while custom.en == "work":
        custom = action(d, who, "used")
    return say(Pair("when", "quand") + child + COMMA + clause(again(who), "used", custom))


def reaction(d, who):
    """What somebody will do because of others."""
    verbs = ("eat", "watch", "work", "call", "help", "invite")
    return d.branch((2, lambda d: done_by(d, who, frame_of(d, "will", *verbs))),
                    (1, lambda d: going(towards(d))),
                    (2, lambda d: being(who, mood(d, "happy", "sad", "ready", "angry", "busy", "alone"))))


def frame_of(d, use, *verbs):
    return d.pick([frame for frame in frames(use) if frame.en in verbs])


def conditional(d, condition, result):
    """The condition before or behind what depends on it."""
    if d.chance(0.5):
        return say(Pair("if", "si") + condition + COMMA + result)
    return say(result + Pair("if", "si") + condition)


COLD = Action("be", "faire", Pair("cold", "froid"))
FINE = Action("be", "faire", Pair("nice", "beau"))
STAYING = Action("stay", "rester", Pair("at home", "à ~la maison"))
TAKING_THE_BUS = Action("take", "prendre", Pair("the bus", "~le bus"))


@construction(4)
def if_the_weather(d):
    """If it rains, we'll take the bus: a present in both languages."""
    who = subject(d)
    outing = going(to(d.pick([place for place in PLACES if "outdoors" in place.tags])))
    if d.chance(0.25):
        condition = clause(Subject("the weather", "il"), "holds", FINE)
        return conditional(d, condition, clause(who, "will", outing))
    condition = clause(IT, "holds", d.pick((*SKY, COLD)))
    indoors = done_by(d, who, frame_of(d, "will", "read", "watch", "work"))
    act, no = d.pick(((STAYING, ""), (TAKING_THE_BUS, ""), (outing, "not"), (indoors, ""), (indoors, "")))
    return conditional(d, condition, clause(who, "will", act, no))


@construction(3)
def if_somebody(d):
    who = subject(d)
    condition = clause(other(d, who), "holds", d.pick(ARRIVING))
    return conditional(d, condition, clause(who, "will", reaction(d, who), "not" if d.chance(0.2) else ""))


@construction(4)
def if_it_were_so(d):
    """If I had the time, I would ...: an imperfect and a conditional."""
    who = subject(d)
    possession, verbs = d.pick(((Pair("the time", "~le temps"), ("read", "write", "help", "call", "visit")),
                                (Pair("the money", "~le argent"), ("buy", "visit")),
                                (Pair("a car", "une voiture"), ("visit", "go"))))
    verb = d.pick(verbs)
    suitable = [frame for frame in frames("will") if frame.en == verb and "some" not in frame.determiners]
    act = going(destination(d)) if verb == "go" else done_by(d, who, d.pick(suitable))
    condition = clause(who, "state", Action("have", "avoir", possession))
    return say(Pair("if", "si") + condition + COMMA + clause(again(who), "would", act))


BECAUSE = Pair("because", "parce que")


def reason(d, who):
    """(a mood, what brought it about)."""
    hours = Pair("for", "pendant") + span(d, "hours")
    keys = possessive(who, core(NOUN["key"], plural=True))
    return d.pick((("sad", done_by(d, who, frame_of(d, "past", "lose"))),
                   ("angry", done_by(d, who, frame_of(d, "past", "lose"))),
                   ("happy", done_by(d, who, frame_of(d, "past", "find"))),
                   ("tired", Action("walk", "marcher", hours)), ("tired", Action("work", "travailler", hours)),
                   ("late", Action("wait for", "attendre", Pair("the bus", "~le bus"))),
                   ("late", Action("look for", "chercher", keys))))


@construction(4)
def because(d):
    who = subject(d)
    adjective, act = reason(d, who)
    return say(clause(who, "holds", being(who, mood(d, adjective))) + BECAUSE + clause(again(who), "past", act))


@construction(4)
def hindrance(d):
    """She didn't go to school because she was sick."""
    who = subject(d)
    act = going(towards(d)) if d.chance(0.5) else outing(d, who, "past")
    state = being(who, mood(d, "sick", "tired", "busy"))
    return say(clause(who, "past", act, "not") + BECAUSE + clause(again(who), "state", state))


@construction(4)
def purpose(d):
    """He went to the market to buy some bread."""
    who = subject(d)
    frame = d.pick([frame for frame in frames("do") if places_for(frame)])
    place = d.pick(places_for(frame))
    aim = Pair("to", "pour") + infinitive(done_by(d, who, frame), who)
    return say(clause(who, d.pick(("past", "will", "now")), going(to(place) + aim)))


def places_for(frame):
    """Where one goes to do it."""
    return [place for place in PLACES if {frame.place, "go"} <= place.tags]


KINDS = ("house", "leisure", "study")       # uses of verbs that go together


@construction(2.5)
def before_doing(d):
    who = subject(d)
    first = done_by(d, who, d.pick(frames(d.pick(KINDS), "past")))
    then = d.pick((Action("leave", "partir"), Action("go to bed", "se coucher"), Action("go out", "sortir"),
                   Action("eat", "manger")))
    before = Pair("before " + english.ing(then.en), "avant de " + infinitive(then, who).fr)
    return say(clause(who, "past", first) + before)


def outing(d, who, use):
    """Something that needs time and strength."""
    return done_by(d, who, definite(d.pick(frames("outing", use))))


# ---- And, but ---------------------------------------------------------------------------------------------------

BUT = Pair(", but", ", mais")


@construction(3)
def but_could_not(d):
    who = subject(d)
    act = going(towards(d)) if d.chance(0.4) else outing(d, who, "do")
    wanted = clause(who, "state", chain("want to", "vouloir", act, who))
    state = being(who, mood(d, "sick", "tired", "busy"))
    return say(wanted + BUT + clause(again(who), "state", state))


@construction(3)
def tastes(d):
    """Paul likes tea, but Marie prefers coffee."""
    who = subject(d)
    first, second = (generic(core(noun, plural="many" in noun.tags)) for noun in alternatives(d))
    contrast = clause(other(d, who), "holds", Action("prefer", "préférer", second))
    return say(clause(who, "holds", Action("like", "aimer", first)) + BUT + contrast)


@construction(3)
def one_after_another(d):
    """She opened the window and closed the door: the auxiliary is not repeated."""
    who = subject(d)
    first, second = d.two([frame for frame in frames(d.pick(KINDS), "past") if " " not in frame.fr])
    while first.fr == second.fr or set(first.objects) & set(second.objects):
        first, second = d.two([frame for frame in frames(d.pick(KINDS), "past") if " " not in frame.fr])
    then = done_by(d, who, definite(second))
    behind = Pair(clause(Subject("", ""), "past", then).en, f"{french.participle(then.verb)} {then.complement}")
    return say(clause(who, "past", done_by(d, who, definite(first))) + Pair("and", "et") + behind)


@construction(2)
def two_things(d):
    """We bought some bread and some apples."""
    who = subject(d)
    verb, tag = d.pick(((("buy", "acheter"), "staple"), (("eat", "manger"), "staple"), (("buy", "acheter"), "clothes")))
    first, second = (indefinite(noun) for noun in d.two(nouns(tag)))
    act = Action(*verb, first + Pair("and", "et") + second)
    return say(at_time(d, clause(who, "past", act), when(d, "past")))


def indefinite(noun):
    """some bread, some apples, a hat"""
    c = core(noun, plural="many" in noun.tags)
    return some(c) if c.plural or "mass" in noun.tags else a(c)

"""Sentences of several clauses."""
from corpus.draw import (IT, action, at_time, being, construction, countable, done_by, frames, impersonal_action, match,
                         name, relative, span, subject, suits, towards, when)
from corpus.grammar import (HE, NOTHING, PRONOUNS, THEY, Action, Pair, Subject, a, as_subject, chain, clause, core,
                            ending_of, generic, infinitive, possessive, say, some, the)
from corpus.lexicon import ADJECTIVES, MOODS, NOUN, PLACES, TRAITS, nouns
from corpus.statements import habit
import corpus.english as english

THAT = Pair("that", "que")
COMMA = Pair(",", ",")


def other(d, who):
    """A subject that is not `who`."""
    while True:
        found = subject(d)
        if found.en != who.en:
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
    frame = d.pick([frame for frame in frames(use) if " " not in frame.fr and fitting(countable(frame))])
    noun, adjective = match(d, countable(frame), JUDGED)
    c = core(noun)
    act = Action(frame.en, frame.fr, ending=ending_of(c))
    thing = as_subject(the(c) + THAT + clause(who, tense, act), c)
    return say(clause(thing, "holds", being(thing, adjective)))


JUDGED = ("expensive", "interesting", "boring", "funny", "easy", "difficult", "heavy", "beautiful", "pretty", "new",
          "useful", "comfortable", "long")


def fitting(candidates):
    return [noun for noun in candidates if any(suits(x, noun) and x.en in JUDGED for x in ADJECTIVES)]


@construction(4)
def person_who(d):
    """The man who is waiting at the station is my uncle."""
    c = core(d.pick(nouns("folk")))
    tense = d.pick(("now", "now", "past"))
    who = as_subject(the(c), c)
    act = impersonal_action(d, tense, 0.6)
    person = as_subject(the(c) + Pair("who", "qui") + clause(Subject("", "", HE, c.gender), tense, act), c)
    if d.chance(0.4):
        return say(clause(d.pick((PRONOUNS["I"], PRONOUNS["we"], PRONOUNS["she"])), "holds", Action("know", "connaître", Pair(person.en, person.fr)), "not" if d.chance(0.3) else ""))
    if d.chance(0.5):
        return say(clause(person, "holds", being(person, d.pick(TRAITS))))
    kin = relative(d)
    while kin.gender != c.gender:
        kin = relative(d)
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
    main = clause(who, "will", action(d, who, "will", 0))
    if d.chance(0.5):
        return say(Pair("when", "quand") + event + COMMA + main)
    return say(main + Pair("when", "quand") + event)


@construction(4)
def while_it_lasted(d):
    """I was sleeping when you called me."""
    who = subject(d)
    comes = other(d, who)
    event = d.pick((Action("arrive", "arriver"), Action("come back", "revenir"), Action("go out", "sortir"), Action("leave", "partir")))
    return say(clause(who, "was", action(d, who, "was")) + Pair("when", "quand") + clause(comes, "past", event))


def again(who):
    """The pronoun for a subject that was named."""
    if who.pronoun:
        return who
    if who.plural:
        return Subject("they", "elles", THEY, "f", True) if who.gender == "f" else PRONOUNS["they"]
    return PRONOUNS["she" if who.gender == "f" else "he"]


@construction(3)
def in_childhood(d):
    who = d.pick([PRONOUNS[key] for key in ("I", "he", "she")]) if d.chance(0.6) else d.branch((1, name), (1, relative))
    child = clause(who, "state", Action("be", "être", Pair("a child", "enfant")))
    habit = clause(again(who), "used", action(d, who, "used"))
    return say(Pair("when", "quand") + child + COMMA + habit)


@construction(4)
def if_it_happens(d):
    who = subject(d)
    if d.chance(0.5):
        condition = clause(IT, "holds", Action("rain", "pleuvoir")) if d.chance(0.5) else clause(IT, "holds", Action("be", "faire", Pair("cold", "froid")))
    else:
        comes = other(d, who)
        condition = clause(comes, "holds", d.pick(ARRIVING))
    no = "not" if d.chance(0.25) else ""
    main = clause(who, "will", action(d, who, "will", 0), no)
    if d.chance(0.5):
        return say(Pair("if", "si") + condition + COMMA + main)
    return say(main + Pair("if", "si") + condition)


@construction(4)
def if_it_were_so(d):
    who = subject(d)
    had = d.pick((Pair("the time", "~le temps"), Pair("the money", "~le argent"), Pair("a car", "une voiture")))
    condition = clause(who, "state", Action("have", "avoir", had))
    main = clause(again(who), "would", action(d, who, "will", 0))
    return say(Pair("if", "si") + condition + COMMA + main)


BECAUSE = Pair("because", "parce que")


def reason(d, who):
    """(a mood, what happened before)."""
    lose, find = (next(frame for frame in frames("past") if frame.en == verb) for verb in ("lose", "find"))
    return d.pick((("sad", done_by(d, who, lose)), ("angry", done_by(d, who, lose)), ("happy", done_by(d, who, find)),
                   ("tired", Action("walk", "marcher", Pair("for", "pendant") + span(d, "hours"))),
                   ("tired", Action("work", "travailler", Pair("for", "pendant") + span(d, "hours"))),
                   ("late", Action("wait for", "attendre", Pair("the bus", "~le bus"))),
                   ("late", Action("look for", "chercher", possessive(who, core(NOUN["key"], plural=True))))))


@construction(4)
def because(d):
    who = subject(d)
    mood, act = reason(d, who)
    adjective = next(adjective for adjective in MOODS if adjective.en == mood)
    return say(clause(who, "holds", being(who, adjective)) + BECAUSE + clause(again(who), "past", act))


@construction(4)
def hindrance(d):
    """She didn't go to school because she was sick."""
    who = subject(d)
    act = Action("go", "aller", towards(d)) if d.chance(0.5) else action(d, who, "past", 0)
    mood = d.pick([mood for mood in MOODS if mood.en in ("sick", "tired", "busy", "late", "on holiday")])
    return say(clause(who, "past", act, "not") + BECAUSE + clause(again(who), "state", being(who, mood)))


@construction(4)
def purpose(d):
    """He went to the market to buy some bread."""
    who = subject(d)
    frame = d.pick([frame for frame in frames("do") if places_for(frame)])
    place = d.pick(places_for(frame))
    act = Action("go", "aller", Pair("to " + place.en.split(" ", 1)[1], place.fr) + Pair("to", "pour") + infinitive(done_by(d, who, frame), who))
    tense = d.pick(("past", "will", "now", "going"))
    return say(clause(who, tense, act) + (when(d, "past") if tense == "past" and d.chance(0.3) else NOTHING))


def places_for(frame):
    """Where one goes to do it."""
    return [place for place in PLACES if {frame.place, "go"} <= place.tags]


@construction(2.5)
def before_doing(d):
    who = subject(d)
    then = d.pick((Action("leave", "partir"), Action("go to bed", "se coucher"), Action("go out", "sortir"), Action("eat", "manger")))
    first = action(d, who, "past", 0)
    while first.fr == then.fr or first.tail == NOTHING:
        first = action(d, who, "past", 0)
    return say(clause(who, "past", first) + Pair("before " + english.ing(then.en), "avant de " + infinitive(then, who).fr))


# ---- And, but ---------------------------------------------------------------------------------------------------

@construction(3)
def but_could_not(d):
    who = subject(d)
    act = action(d, who, "do", 0.2)
    mood = d.pick([mood for mood in MOODS if mood.en in ("sick", "tired", "busy")])
    wanted = clause(who, "state", chain("want to", "vouloir", act, who))
    return say(wanted + Pair(", but", ", mais") + clause(again(who), "state", being(who, mood)))


@construction(3)
def tastes(d):
    """Paul likes tea, but Marie prefers coffee."""
    who = subject(d)
    group = d.pick(("food", "drink", "animal", "game"))
    first, second = (generic(core(noun, plural="many" in noun.tags))
                     for noun in d.two([noun for noun in nouns("liked") if group in noun.tags]))
    contrast = clause(other(d, who), "holds", Action("prefer", "préférer", second))
    return say(clause(who, "holds", Action("like", "aimer", first)) + Pair(", but", ", mais") + contrast)


@construction(3)
def one_after_another(d):
    """She opened the window and closed the door."""
    who = subject(d)
    first, second = (action(d, who, "past", 0) for _ in range(2))
    while NOTHING in (first.tail, second.tail) or first.fr == second.fr:
        first, second = (action(d, who, "past", 0) for _ in range(2))
    silent = Subject("", "", who.person, who.gender)
    return say(clause(who, "past", first) + Pair("and", "et") + clause(silent, "past", second))


@construction(2)
def two_things(d):
    """We bought some bread and some apples."""
    who = subject(d)
    verb, tags, count = d.pick(((("buy", "acheter"), ("staple",), 2), (("eat", "manger"), ("staple",), 2), (("buy", "acheter"), ("clothes", ), 1)))
    first, second = (some(core(noun, plural=True)) if noun.tags & {"many", "pair"} else some(core(noun)) if "mass" in noun.tags else a(core(noun)) for noun in d.two(nouns(*tags)))
    return say(at_time(d, clause(who, "past", Action(*verb, first + Pair("and", "et") + second)), when(d, "past")))

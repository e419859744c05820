"""Statements of one clause: tenses, movement, verbs that govern others, pronouns."""
from dataclasses import replace

from corpus.draw import (EVERYONE, IT, NOBODY, TIME, abroad, action, at_time, being, company, construction, destination,
                         determined, done_by, event, frames, going, hour, impersonal_action, mood, nominal, pair_of,
                         pronoun_for, residence, since, someone_else, span, subject, towards, when, where)
from corpus.grammar import (DIRECT, INDIRECT, NOTHING, Action, Clitic, Pair, chain, clause, core, infinitive,
                            possessive, say, the, words_of)
from corpus.lexicon import COUNTRIES, DAILY, FREQUENCIES, NOUN, NUMBERS, SEASONS, WHEN, nouns

# ---- Tenses -----------------------------------------------------------------------------------------------------


@construction(8)
def habit(d):
    who = subject(d)
    act = action(d, who, "habit")
    if d.chance(0.2):
        return say(clause(who, "habit", act, d.pick(("not", "never", "no longer"))))
    if d.chance(0.5):
        often = pair_of(d, FREQUENCIES if act.tail != NOTHING else FREQUENCIES[1:])
        return say(clause(who, "habit", act, adverb=often))
    return say(at_time(d, clause(who, "habit", act), when(d, "habit", act.rare), 0.1))


@construction(7)
def progressive(d):
    who = subject(d)
    return say(event(d, who, "now", action(d, who, "now"), denied=0.12, timed=0.25, front=0))


@construction(9)
def past(d):
    who = subject(d)
    return say(event(d, who, "past", action(d, who, "past"), denied=0.25))


@construction(5)
def future(d):
    who = subject(d)
    return say(event(d, who, "will", action(d, who, "will"), denied=0.25))


@construction(5)
def near_future(d):
    who = subject(d)
    return say(event(d, who, "going", action(d, who, "do"), timed=0.5))


@construction(2)
def imperfect(d):
    who = subject(d)
    return say(clause(who, "used", action(d, who, "used")))


@construction(4)
def perfect(d):
    who = subject(d)
    use, no, adverb = d.pick((("already", "", Pair("already", "déjà")), ("never", "never", NOTHING),
                              ("yet", "not yet", NOTHING)))
    return say(clause(who, "perfect", action(d, who, use), no, adverb))


@construction(3)
def lasting(d):
    """What began in the past and goes on: the present and depuis."""
    who = subject(d)
    if d.chance(0.35):
        return say(clause(who, "long", Action("know", "connaître", someone_else(d, who) + since(d, "years"))))
    if d.chance(0.3):
        state = being(who, mood(d, "sick", "alone", "on holiday"))
        return say(clause(who, "long", state + since(d, "days", "weeks")))
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
                  Action("work", "travailler"), Action("dance", "danser"),
                  Action("wait for", "attendre", someone_else(d, who))))
    sentence = clause(who, "past", act + Pair("for", "pendant") + span(d, "hours"))
    return say(sentence + Pair("yesterday", "hier") if d.chance(0.3) else sentence)


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

MEANS = (("by bus", "en bus"), ("by car", "en voiture"), ("on foot", "à pied"))


@construction(5)
def movement(d):
    who = subject(d)
    tense = d.pick(("now", "past", "will", "going", "habit"))
    far = d.chance(0.35)
    act = replace(going(abroad(d) if far else towards(d)), rare=far or tense == "habit")
    if d.chance(0.35):
        act += company(d, who) if far else pair_of(d, MEANS)
    if far and tense == "habit":
        en, fr = d.pick(SEASONS)
        return say(clause(who, tense, act) + Pair(f"in {en}", fr))
    return say(event(d, who, tense, act, timed={"now": 0, "habit": 1}.get(tense, 0.5)))


@construction(2)
def going_there(d):
    who = subject(d)
    act = Action("go", "aller", clitic=Clitic("there", "y"), rare=True)
    if d.chance(0.35):
        act += company(d, who)
    return say(event(d, who, d.pick(("past", "will", "going", "habit")), act, timed=1))


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
                  Action("travel", "voyager"), Action("play", "jouer"), Action("live", "habiter"),
                  Action("work", "travailler")))
    return say(clause(who, d.pick(("habit", "habit", "going")), act + company(d, who)))


# Verbs that go with a time of day, and the hours that suit them.
CLOCKED = {"wake up": NUMBERS[3:8], "get up": NUMBERS[3:8], "go to bed": (*NUMBERS[6:], ("eleven", "onze"))}


@construction(6)
def daily_life(d):
    """Reflexive verbs."""
    who = subject(d)
    act = hygiene(d, who) if d.chance(0.3) else Action(*d.pick(DAILY))
    if d.chance(0.2):
        return say(clause(who, *governed(d, act, who, DUTIES)))
    tense = d.pick(("past", "going") if act.en in ("get dressed", "hurry") else ("past", "habit", "going"))
    time = Pair("at", "à") + hour(d, CLOCKED[act.en]) if act.en in CLOCKED else pair_of(d, WHEN[TIME[tense]])
    return say(clause(who, tense, act, "not" if act.tail == NOTHING and d.chance(0.15) else "") + time)


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
DUTIES = (("can", "pouvoir", "holds", True), ("must", "devoir", "holds", False), ("have to", "devoir", "holds", False),
          ("want to", "vouloir", "holds", True), ("want to", "vouloir", "state", True),
          ("should", "devoir", "would", True), ("need to", "avoir besoin de", "holds", True))
HOPES = DUTIES + (("like to", "vouloir", "would", False), ("hope to", "espérer", "holds", False),
                  ("could", "pouvoir", "would", False), ("be able to", "pouvoir", "will", False))
PLANS = HOPES + (("try to", "essayer de", "past", False), ("decide to", "décider de", "past", False))
TASTES = (("like to", "aimer", "holds", True), ("love to", "adorer", "holds", False),
          ("prefer to", "préférer", "holds", False))


def governed(d, act, who, verbs):
    """(tense, action, negation) of a verb that governs `act`."""
    en, fr, tense, deniable = d.pick(verbs)
    return tense, chain(en, fr, act, who), "not" if deniable and d.chance(0.3) else ""


@construction(9)
def governing(d):
    who = subject(d)
    act = action(d, who, "do") if d.chance(0.85) else going(destination(d))
    return say(clause(who, *governed(d, act, who, PLANS)))


@construction(3)
def enjoying(d):
    """What one likes to do: an infinitive in both languages."""
    who = subject(d)
    frame = d.pick(frames("habit", "do"))
    while "person" in frame.determiners or "grown" in frame.uses:
        frame = d.pick(frames("habit", "do"))
    tense, act, no = governed(d, done_by(d, who, frame, 0.35), who, TASTES)
    return say(clause(who, "habit", act, "" if "+" in act.tail.fr else no))


HELPING = (("help", "aider"), ("call", "appeler"), ("wait for", "attendre"), ("invite", "inviter"),
           ("thank", "remercier"), ("see", "voir"))


@construction(3)
def governing_pronouns(d):
    """Object pronouns before the infinitive."""
    who = subject(d)
    en, fr = d.pick(HELPING)
    return say(clause(who, *governed(d, Action(en, fr, clitic=pronoun_for(d, who, DIRECT)), who, HOPES)))


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
    if d.chance(0.4):
        return say(clause(who, "holds", Action("speak", "parler", Pair("a little", "un peu") + language)))
    en, fr = d.pick((("well", "bien"), ("badly", "mal")))
    return say(clause(who, "holds", Action("speak", "parler", Pair(f"{language.en} {en}", f"{fr} ~le {language.fr}"))))


@construction(3)
def judging(d):
    """It is easy to ..."""
    act = impersonal_action(d, "judged", 0) if d.chance(0.8) else Action(*d.pick(SKILLS))
    en, fr = d.pick((("easy", "facile"), ("difficult", "difficile")))
    judged = Action("be", "être", Pair(en + " to", fr + " de") + infinitive(act, IT))
    return say(clause(IT, d.pick(("habit", "habit", "will")), judged, "not" if d.chance(0.2) else ""))


# ---- Pronouns ---------------------------------------------------------------------------------------------------

@construction(6)
def seeing_someone(d):
    who = subject(d)
    en, fr = d.pick((("help", "aider"), ("call", "appeler"), ("invite", "inviter"), ("see", "voir")))
    tense = d.pick(("past", "past", "will", "going", "habit"))
    act = Action(en, fr, clitic=pronoun_for(d, who, DIRECT), rare=True)
    if tense == "habit" and d.chance(0.5):
        return say(clause(who, tense, act, adverb=pair_of(d, FREQUENCIES)))
    return say(event(d, who, tense, act, denied=0.2, timed=1))


@construction(3)
def about_someone(d):
    """Verbs of what goes on: waiting for her, knowing them."""
    who = subject(d)
    en, fr, tense = d.pick((("wait for", "attendre", "now"), ("look for", "chercher", "now"),
                            ("listen to", "écouter", "now"), ("know", "connaître", "holds"),
                            ("like", "aimer", "holds"), ("understand", "comprendre", "holds"),
                            ("thank", "remercier", "past"), ("meet", "rencontrer", "past"),
                            ("wait for", "attendre", "past")))
    act = Action(en, fr, clitic=pronoun_for(d, who, DIRECT))
    return say(clause(who, tense, act, "not" if d.chance(0.2) else ""))


# Verbs of giving, with what is given.
GIVING = (("give", "donner", ("gift", "loan", "bought")), ("send", "envoyer", ("sent",)),
          ("lend", "prêter", ("loan", "driven")), ("show", "montrer", ("seen", "building", "text")),
          ("bring", "apporter", ("gift", "loan", "sent")), ("tell", "raconter", ("told",)),
          ("explain", "expliquer", ("taught",)))


def giving(d, who, determiners=("a", "the", "this", "my")):
    """(English verb, French verb, what is given)."""
    en, fr, tags = d.pick(GIVING)
    noun = d.pick(nouns(*tags))
    fitting = [x for x in determiners if x != "my" or not noun.tags & {"taught", "told", "seen"}]
    determiner = d.pick(fitting)
    return en, fr, determined(d, determiner, nominal(d, noun, "many" in noun.tags and d.chance(0.3), determiner), who)


TENSES_OF_GIVING = ("past", "past", "going", "will")


@construction(5)
def giving_them(d):
    """give, send and show take the person first in English: she gave him a book."""
    who = subject(d)
    en, fr, thing = giving(d, who)
    while en == "explain":
        en, fr, thing = giving(d, who)
    act = Action(en, fr, thing, pronoun_for(d, who, INDIRECT), rare=True)
    return say(event(d, who, d.pick(TENSES_OF_GIVING), act, timed=0.3))


@construction(4)
def giving_to_someone(d):
    who = subject(d)
    en, fr, thing = giving(d, who)
    act = Action(en, fr, thing + Pair("to", "à") + someone_else(d, who, couples=False), rare=True)
    return say(event(d, who, d.pick(TENSES_OF_GIVING), act, denied=0, timed=0.3))

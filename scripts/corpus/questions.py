"""Questions, answers, orders."""
from corpus.draw import (SPEAKERS, TIME, action, addressee, asked, being, building, construction, countable, definite,
                         destination, done_by, frames, going, impersonal_action, numerous, pair_of, pronoun_for, third,
                         when, where)
from corpus.grammar import (DIRECT, I, INDIRECT, NOTHING, PRONOUNS, THOU, WE, Action, Clitic, Pair, Subject, chain,
                            clause, clitic_of, core, ending_of, imperative, plain, pronoun_of, say, some, this)
from corpus.lexicon import DAILY, FREQUENCIES, MOODS, NUMBERS, TRAITS, nouns
from corpus.statements import CLOCKED, HELPING, giving
from corpus.descriptions import FEELINGS, SPOTS, small_thing
import corpus.french as french

# The use of a frame for each tense that questions are asked in.
USE = {"now": "now", "past": "past", "will": "will", "going": "do"}


def ask(call, word, question, time=NOTHING):
    return say(call + word + question + time, "?")


def sometimes_when(d, tense, chance, rare=False):
    return when(d, TIME[tense], rare) if tense in ("past", "will", "going") and d.chance(chance) else NOTHING


# ---- Yes or no --------------------------------------------------------------------------------------------------

@construction(7)
def yes_or_no(d):
    call, who = asked(d)
    use = d.pick(("habit", "past", "will", "now", "already"))
    act = action(d, who, use)
    if use == "already":
        return ask(call, NOTHING, clause(who, "perfect", act, adverb=Pair("already", "déjà"), ask="est-ce que"))
    adverb = pair_of(d, FREQUENCIES[:2]) if use == "habit" else NOTHING
    question = clause(who, use, act, adverb=adverb, ask="est-ce que")
    return ask(call, NOTHING, question, sometimes_when(d, use, 0.6, act.rare))


@construction(3)
def is_it_so(d):
    call, who = asked(d)
    state = Action("be", "avoir", pair_of(d, FEELINGS)) if d.chance(0.4) else being(who, d.pick(MOODS))
    return ask(call, NOTHING, clause(who, d.pick(("holds", "holds", "state")), state, ask="inversion"))


@construction(4)
def may(d):
    call, who = addressee(d)
    if d.chance(0.4):
        call, who = NOTHING, d.pick((PRONOUNS["I"], PRONOUNS["he"], third(d)))
    wishes = (("can", "pouvoir", "holds"), ("could", "pouvoir", "would"), ("must", "devoir", "holds"),
              ("want to", "vouloir", "holds"), ("like to", "vouloir", "would"))
    en, fr, tense = wishes[0] if who.person == I else d.pick(wishes)
    if d.chance(0.3):
        verb, verbe = d.pick(HELPING[:4])
        act = Action(verb, verbe, clitic=pronoun_for(d, who, DIRECT))
    else:
        act = done_by(d, who, definite(d.pick(frames("do"))), 0.35)
    return ask(call, NOTHING, clause(who, tense, chain(en, fr, act, who), ask="inversion"))


@construction(2)
def offering(d):
    """Would you like some tea?"""
    call, you = addressee(d)
    noun = d.pick(nouns("staple", "drink"))
    thing = plain(some(core(noun, plural="many" in noun.tags)))
    return ask(call, NOTHING, clause(you, "would", Action("like", "vouloir", thing), ask="inversion"))


# ---- Question words ---------------------------------------------------------------------------------------------

@construction(4)
def where_(d):
    call, who = asked(d)
    if d.chance(0.5):
        frame = d.pick([frame for frame in frames("past") if frame.en in ("buy", "find", "lose", "meet")])
        return ask(call, Pair("where", "où"), clause(who, "past", done_by(d, who, definite(frame)), ask="inversion"))
    act, tense = d.pick(((("go", "aller"), "now"), (("go", "aller"), "past"), (("work", "travailler"), "habit"),
                         (("live", "habiter"), "habit"), (("sleep", "dormir"), "past"), (("eat", "manger"), "past"),
                         (("go", "aller"), "will"), (("be", "être"), "holds"), (("be", "être"), "state")))
    question = clause(who, tense, Action(*act), ask="postponed")
    return ask(call, Pair("where", "où"), question, sometimes_when(d, tense, 0.4))


UNDATED = ("wait for", "look for", "understand", "forget")      # nobody asks when


@construction(3.5)
def when_(d):
    call, who = asked(d)
    tense = d.pick(("past", "will", "going"))
    frame = definite(d.pick([frame for frame in frames(USE[tense]) if frame.en not in UNDATED]))
    return ask(call, Pair("when", "quand"), clause(who, tense, done_by(d, who, frame), ask="postponed"))


@construction(4)
def why(d):
    call, who = asked(d)
    if d.chance(0.35):
        state = being(who, d.pick([adjective for adjective in MOODS if adjective.en != "ready"]))
        question = clause(who, d.pick(("holds", "state")), state, ask="inversion")
    else:
        tense = d.pick(("now", "past", "past", "going"))
        no = "not" if tense == "past" and d.chance(0.5) else ""
        question = clause(who, tense, action(d, who, USE[tense], 0.2), no, ask="inversion")
    return ask(call, Pair("why", "pourquoi"), question)


@construction(4)
def how(d):
    call, who = asked(d)
    kind = d.pick(("means", "age", "health"))
    if kind == "age":
        return ask(call, Pair("how old", "quel âge"), clause(who, "holds", Action("be", "avoir"), ask="postponed"))
    if kind == "health":
        return ask(call, Pair("how", "comment"), clause(who, "holds", Action("be", "aller"), ask="postponed"))
    question = clause(who, d.pick(("now", "past", "will")), going(destination(d)), ask="inversion")
    return ask(call, Pair("how", "comment"), question)


@construction(2)
def what_time(d):
    call, who = asked(d)
    act = d.pick([Action(en, fr) for en, fr in DAILY if en in CLOCKED])
    return ask(call, Pair("what time", "à quelle heure"), clause(who, d.pick(("habit", "past")), act, ask="inversion"))


@construction(5)
def what(d):
    call, who = asked(d)
    tense = d.pick(("now", "past", "will", "going"))
    frame = d.pick(frames("what", USE[tense]))
    act = Action(frame.en, frame.fr)
    if frame.place and d.chance(0.25):
        act += where(d, frame.place)
    question = clause(who, tense, act, ask="est-ce que")
    return ask(call, Pair("what", "que"), question, sometimes_when(d, tense, 0.4))


@construction(3)
def whom(d):
    call, who = asked(d)
    tense = d.pick(("now", "past", "will"))
    frame = d.pick(frames("who", tense))
    question = clause(who, tense, Action(frame.en, frame.fr), ask="inversion")
    return ask(call, Pair("who", "qui"), question, sometimes_when(d, tense, 0.5))


@construction(3)
def who_does(d):
    tense = d.pick(("now", "past", "past", "will"))
    return say(clause(Subject("who", "qui"), tense, impersonal_action(d, tense, 0.2)), "?")


@construction(3)
def how_many(d):
    call, who = asked(d)
    if d.chance(0.4):
        c = core(d.pick(nouns("several", "animal")), plural=True)
        question = clause(who, "holds", Action("have", "avoir"), ask="postponed")
    else:
        tense = d.pick(("past", "past", "will"))
        frame = d.pick([frame for frame in frames("what", tense) if numerous(frame)])
        c = core(d.pick(numerous(frame)), plural=True)
        question = clause(who, tense, Action(frame.en, frame.fr, ending=ending_of(c)), ask="inversion")
    return ask(call, Pair(f"how many {c.en}", f"combien de {c.fr}"), question)


@construction(3)
def which(d):
    call, who = asked(d)
    tense = d.pick(("past", "will", "going"))
    frame = d.pick([frame for frame in frames("what", USE[tense]) if countable(frame)])
    c = core(d.pick(countable(frame)))
    question = clause(who, tense, Action(frame.en, frame.fr, ending=ending_of(c)), ask="inversion")
    return ask(call, Pair(f"which {c.en}", f"{french.agree('quel:quelle', c.gender, c.plural)} {c.fr}"), question)


def goods(d):
    """The noun of something to buy or to own."""
    return core(d.pick(nouns("clothes", "vehicle", "loan", "furniture", "bought")))


@construction(1.5)
def how_much(d):
    c = goods(d)
    return say(Pair(f"how much {'do' if c.plural else 'does'} {this(c).en} cost",
                    f"combien {'coûtent' if c.plural else 'coûte'} {this(c).fr}"), "?")


@construction(1)
def whose(d):
    c = goods(d)
    return say(Pair(f"whose {c.en} {'are these' if c.plural else 'is this'}",
                    f"à qui {'sont' if c.plural else 'est'} {this(c).fr}"), "?")


@construction(2)
def indirect(d):
    """I don't know where she lives: the order of a statement in both languages."""
    who = d.pick(SPEAKERS) if d.chance(0.7) else third(d)
    word, act, tense = d.pick(UNKNOWN)
    asking = d.pick((PRONOUNS["I"], PRONOUNS["we"], PRONOUNS["she"], PRONOUNS["he"]))
    while who.en == asking.en:
        who = third(d)
    known = clause(who, tense, Action(*act))
    return say(clause(asking, "holds", Action("know", "savoir"), "not") + Pair(*word) + known)


UNKNOWN = ((("where", "où"), ("live", "habiter"), "holds"), (("where", "où"), ("work", "travailler"), "holds"),
           (("where", "où"), ("go", "aller"), "past"), (("why", "pourquoi"), ("leave", "partir"), "past"),
           (("why", "pourquoi"), ("cry", "pleurer"), "now"), (("when", "quand"), ("leave", "partir"), "will"),
           (("when", "quand"), ("come back", "revenir"), "will"), (("if", "si"), ("come back", "revenir"), "will"))


# ---- Questions with their answers -------------------------------------------------------------------------------

YES = Pair("yes,", "oui,")
NO = Pair("no,", "non,")

@construction(4)
def where_is_it(d):
    """Where is the key? It's on the table."""
    thing, c = small_thing(d)
    be = Pair("where are", "où sont") if c.plural else Pair("where is", "où est")
    question = say(be + Pair(thing.en, thing.fr), "?")
    if d.chance(0.2):
        return question
    return question + say(clause(pronoun_of(c), "holds", Action("be", "être", pair_of(d, SPOTS))))


@construction(4)
def have_you_seen_it(d):
    """Did you read this letter? Yes, I read it yesterday."""
    call, you = addressee(d)
    frame = d.pick([frame for frame in frames("past") if "this" in frame.determiners and " " not in frame.fr
                    and frame.en not in ("understand", "learn", "begin")])
    c = core(d.pick(countable(frame)))
    question = say(call + clause(you, "past", Action(frame.en, frame.fr, this(c)), ask="est-ce que"), "?")
    answer = Action(frame.en, frame.fr, clitic=clitic_of(c))
    if d.chance(0.3):
        return question + say(NO + clause(PRONOUNS["I"], "past", answer, "not"))
    return question + say(YES + clause(PRONOUNS["I"], "past", answer) + when(d, "past", "rare" in frame.uses))


@construction(3)
def do_you_like_it(d):
    call, you = addressee(d)
    c = core(d.pick(nouns("clothes", "show", "text", "vehicle", "building", "sung", "furniture")))
    question = say(call + clause(you, "holds", Action("like", "aimer", this(c)), ask="est-ce que"), "?")
    if d.chance(0.5):
        dislike = Action("like", "aimer", clitic=clitic_of(c))
        return question + say(NO + clause(PRONOUNS["I"], "holds", dislike, "not"))
    return question + say(YES + clause(PRONOUNS["I"], "holds", Action("love", "adorer", clitic=clitic_of(c))))


@construction(3)
def do_you_have_some(d):
    """Do you have any apples? Yes, I have three: j'en ai trois."""
    call, you = addressee(d)
    if d.chance(0.5):
        noun, amount = d.pick(nouns("several", "animal")), pair_of(d, NUMBERS[:4])
    else:
        noun, amount = d.pick(nouns("staple", "drink")), Pair("a lot", "beaucoup")
    thing = some(core(noun, plural="mass" not in noun.tags))
    question = say(call + clause(you, "holds", Action("have", "avoir", thing), ask="est-ce que"), "?")
    if d.chance(0.5):
        nothing = Action("have", "avoir", Pair("any", ""), Clitic("", "en"))
        return question + say(NO + clause(PRONOUNS["I"], "holds", nothing, "not"))
    return question + say(YES + clause(PRONOUNS["I"], "holds", Action("have", "avoir", amount, Clitic("", "en"))))


@construction(1.5)
def do_you_go_there(d):
    call, you = addressee(d)
    place = building(d)
    know = Action("know", "connaître", Pair(place.en, place.fr))
    question = say(call + clause(you, "holds", know, ask="est-ce que"), "?")
    act = Action("go", "aller", clitic=Clitic("there", "y"))
    if d.chance(0.5):
        return question + say(YES + clause(PRONOUNS["I"], "habit", act) + when(d, "habit", True))
    often = d.pick((Pair("often", "souvent"), Pair("sometimes", "parfois")))
    return question + say(YES + clause(PRONOUNS["I"], "habit", act, adverb=often))


@construction(0.4)
def excuse_me(d):
    place = building(d)
    return say(Pair("excuse me, where is", "excusez-moi, où est") + Pair(place.en, place.fr), "?")


# ---- Orders -----------------------------------------------------------------------------------------------------

def please(d, you):
    if d.chance(0.7):
        return NOTHING
    return Pair(", please", ", s'il te plaît" if you.person == THOU else ", s'il vous plaît")


@construction(5)
def order(d):
    call, you = addressee(d)
    frame = d.pick([frame for frame in frames("do") if frame.determiners or frame.place])
    act = done_by(d, you, definite(frame), 0.0 if frame.determiners else 1.0)
    return say(call + imperative(act, you.person, d.chance(0.25)) + please(d, you))


@construction(1.5)
def remember(d):
    """Don't forget your keys, don't forget to close the door."""
    call, you = addressee(d)
    act = action(d, you, "forget")
    if act.en != "forget":
        act = chain("forget to", "oublier de", act, you)
    return say(call + imperative(act, you.person, True))


@construction(3)
def order_about_someone(d):
    call, you = addressee(d)
    en, fr = d.pick((*HELPING[:5], ("listen to", "écouter"), ("look for", "chercher")))
    act = Action(en, fr, clitic=DIRECT[d.pick(("me", "him", "her", "us", "them"))])
    return say(call + imperative(act, you.person, d.chance(0.3)) + please(d, you))


@construction(3)
def order_to_give(d):
    call, you = addressee(d)
    en, fr, thing = giving(d, you, ("the", "this", "my"))
    while en == "explain":
        en, fr, thing = giving(d, you, ("the", "this", "my"))
    act = Action(en, fr, thing, INDIRECT[d.pick(("me", "him", "her", "us", "them"))])
    return say(call + imperative(act, you.person) + please(d, you))


@construction(1.5)
def order_to_be(d):
    call, you = addressee(d)
    good, bad = ("polite", "kind", "serious", "ready"), ("late", "sad", "angry", "lazy", "shy")
    adjective = d.pick([adjective for adjective in MOODS + TRAITS if adjective.en in good + bad])
    return say(call + imperative(being(you, adjective), you.person, adjective.en in bad))


@construction(1)
def order_to_oneself(d):
    call, you = addressee(d)
    return say(call + imperative(Action(*d.pick(DAILY)), you.person))


@construction(2)
def let_us(d):
    act = going(destination(d)) if d.chance(0.35) else action(d, PRONOUNS["we"], "do", 0.5)
    return say(imperative(act, WE) + (when(d, "will", act.rare) if d.chance(0.4) else NOTHING))

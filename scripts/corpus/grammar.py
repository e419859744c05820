"""The grammar: phrases and clauses built in both languages at once.

A Pair is a phrase with its translation; "+" joins pairs. An Action is what is done (a verb with its complements), and
clause() says who does it and when: it chooses auxiliaries, agreement, negation and word order of both languages.
The texts keep the marks of french.py and english.py until say() spells them.
"""
from dataclasses import dataclass, replace
from typing import NamedTuple, Optional

import corpus.english as english
import corpus.french as french

I, THOU, HE, WE, YOU, THEY = range(6)


@dataclass(frozen=True)
class Pair:
    """A phrase and its translation."""
    en: str
    fr: str

    def __add__(self, other):
        return Pair(f"{self.en} {other.en}".strip(), f"{self.fr} {other.fr}".strip())


NOTHING = Pair("", "")


@dataclass(frozen=True)
class Subject(Pair):
    """Who acts: anything that a verb agrees with."""
    person: int = HE
    gender: str = "m"
    pronoun: bool = False
    negative: bool = False      # nobody: French adds "ne"

    @property
    def plural(self):
        return self.person in (WE, THEY)


PRONOUNS = {name: Subject(name, fr, person, gender, True) for name, fr, person, gender in (
    ("I", "je", I, "m"), ("you", "vous", YOU, "m"), ("he", "il", HE, "m"), ("she", "elle", HE, "f"),
    ("we", "nous", WE, "m"), ("they", "ils", THEY, "m"))}


def tu(gender):
    """The "you" of those who are called by their first names."""
    return Subject("you", "tu", THOU, gender, True)


# ---- Noun phrases -----------------------------------------------------------------------------------------------

class Core(NamedTuple):
    """A noun with its adjective, before a determiner is chosen."""
    en: str
    fr: str
    gender: str
    plural: bool
    noun: object
    before: bool = False        # the French adjective precedes


def core(noun, adjective=None, plural=False):
    plural = plural or "pair" in noun.tags
    en, fr = (noun.en_plural, noun.fr_plural) if plural else (noun.en, noun.fr)
    if not adjective:
        return Core(en, fr, noun.gender, plural, noun)
    form = french.agree(adjective.fr, noun.gender, plural, fr if adjective.before else "")
    fr = f"{form} {fr}" if adjective.before else f"{fr} {form}"
    return Core(f"{adjective.en} {en}", fr, noun.gender, plural, noun, adjective.before)


def words_of(c):
    """The noun without a determiner."""
    return Pair(c.en, c.fr)


def article(c):
    return "~les" if c.plural else "~la" if c.gender == "f" else "~le"


def the(c):
    return Pair(c.en if "zero" in c.noun.tags else f"the {c.en}", f"{article(c)} {c.fr}")


def generic(c):
    """All of the kind: "bread", "dogs"."""
    return Pair(c.en, f"{article(c)} {c.fr}")


def a(c):
    return Pair(f"a {c.en}", f"+une {c.fr}" if c.gender == "f" else f"+un {c.fr}")


def bare(c):
    """What is worn: "a hat", but "gloves" without a determiner."""
    return Pair(c.en, some(c).fr) if c.plural else a(c)


def some(c):
    if c.plural:
        return Pair(f"+some {c.en}", f"de {c.fr}" if c.before else f"+des {c.fr}")
    return Pair(f"+some {c.en}", f"+de {article(c)} {c.fr}")


def this(c):
    if c.plural:
        return Pair(f"these {c.en}", f"ces {c.fr}")
    demonstrative = "cette" if c.gender == "f" else "cet" if french.starts_with_vowel(c.fr) else "ce"
    return Pair(f"this {c.en}", f"{demonstrative} {c.fr}")


def possessive(owner, c):
    en = ("my", "your", "her" if owner.gender == "f" else "his", "our", "your", "their")[owner.person]
    if c.plural:
        fr = ("mes", "tes", "ses", "nos", "vos", "leurs")[owner.person]
    elif c.gender == "f" and not french.starts_with_vowel(c.fr):
        fr = ("ma", "ta", "sa", "notre", "votre", "leur")[owner.person]
    else:
        fr = ("mon", "ton", "son", "notre", "votre", "leur")[owner.person]
    return Pair(f"{en} {c.en}", f"{fr} {c.fr}")


def genitive(owner, c):
    """Paul's car, la voiture de Paul."""
    return Pair(f"{owner.en}'s {c.en}", f"{article(c)} {c.fr} de {owner.fr}")


def numbered(number, c):
    return Pair(f"{number[0]} {c.en}", f"{number[1]} {c.fr}")


def plain(pair):
    """The phrase with a determiner that no negation touches: of a predicate or after a preposition."""
    return Pair(english.settle(pair.en, "some"), pair.fr.replace("+", ""))


def as_subject(pair, c):
    return Subject(pair.en, pair.fr, THEY if c.plural else HE, c.gender)


def pronoun_of(c):
    """The subject pronoun for a thing: it / il, elle; they / ils, elles."""
    fr = ("ils", "elles")[c.gender == "f"] if c.plural else ("il", "elle")[c.gender == "f"]
    return Subject("they" if c.plural else "it", fr, THEY if c.plural else HE, c.gender, True)


def ending_of(c):
    """The ending of a participle that agrees with the noun."""
    return ("e" if c.gender == "f" else "") + ("s" if c.plural else "")


# ---- Actions ----------------------------------------------------------------------------------------------------

class Clitic(NamedTuple):
    """An object pronoun: its English stands after the verb, its French before; ending agrees the participle."""
    en: str
    fr: str
    ending: str = ""


DIRECT = {"me": Clitic("me", "me"), "you": Clitic("you", "vous"), "him": Clitic("him", "le"),
          "her": Clitic("her", "la", "e"), "us": Clitic("us", "nous", "s"), "them": Clitic("them", "les", "s")}
INDIRECT = {"me": Clitic("me", "me"), "you": Clitic("you", "vous"), "him": Clitic("him", "lui"),
            "her": Clitic("her", "lui"), "us": Clitic("us", "nous"), "them": Clitic("them", "leur")}
DISJUNCTIVE = {"me": Pair("me", "moi"), "you": Pair("you", "vous"), "him": Pair("him", "lui"),
               "her": Pair("her", "elle"), "us": Pair("us", "nous"), "them": Pair("them", "eux")}
NOT_FOR = {I: ("me", "us"), THOU: ("you",), HE: (), WE: ("me", "us"), YOU: ("you",), THEY: ()}
REFLEXIVE = ("me", "te", "se", "nous", "vous", "se")


def clitic_of(c):
    """The object pronoun for a thing: it / le, la; them / les."""
    return Clitic("them" if c.plural else "it", article(c)[1:], ending_of(c))


@dataclass(frozen=True)
class Action:
    en: str                     # "look for": the first word is inflected
    fr: str                     # "avoir besoin de": likewise; "se lever" is reflexive
    tail: Pair = NOTHING
    clitic: Optional[Clitic] = None
    ending: Optional[str] = None    # of the participle, where an object stands before the verb
    rare: bool = False              # what is done once in a while: last month

    def __add__(self, more):
        return replace(self, tail=self.tail + more)

    @property
    def reflexive(self):
        return self.fr.startswith("se ")

    @property
    def verb(self):
        return self.fr.split(" ")[1 if self.reflexive else 0]

    @property
    def complement(self):
        """The French behind the verb: its own further words, then the tail."""
        return " ".join(self.fr.split(" ")[2 if self.reflexive else 1:] + [self.tail.fr]).strip()

    @property
    def object(self):
        return self.clitic.en if self.clitic else ""

    def pronouns(self, person):
        """The French pronouns before the verb."""
        return (REFLEXIVE[person] if self.reflexive else "", self.clitic.fr if self.clitic else "")


def _join(*words):
    return " ".join(word for word in words if word)


def infinitive(action, subject):
    """What `subject` wants, can, ... do."""
    return Pair(_join(action.en, action.object, action.tail.en),
                _join(*action.pronouns(subject.person), action.verb, action.complement))


def chain(en, fr, action, subject):
    """A verb that governs another: chain("want to", "vouloir", ...); English modals govern likewise."""
    return Action(en, fr, infinitive(action, subject))


# ---- Clauses ----------------------------------------------------------------------------------------------------

# What the English tenses are in French. "holds" is the simple present of what is no habit (I have, I want to), "state"
# the simple past of what lasted; "long" and "since" are perfects of what still lasts.
FRENCH_TENSE = {"habit": "present", "holds": "present", "now": "present", "since": "present", "long": "present",
                "past": "compound", "perfect": "compound", "state": "imperfect", "was": "imperfect",
                "used": "imperfect", "will": "future", "going": "near", "would": "conditional"}
NEGATIONS = {"not": "pas", "never": "jamais", "no longer": "plus", "not yet": "pas encore", "nothing": "rien"}
BARE_AFTER = ("never", "no longer", "not yet")     # negations after which English drops "any"


def clause(subject, tense, action, no="", adverb=NOTHING, ask=""):
    """`no` is one of NEGATIONS or empty; `ask` is "" (a statement), "est-ce que", "inversion" (Paul vient-il), or
    "postponed": a subject that is no pronoun stands behind a verb without complements (où habite Paul)."""
    return Pair(_english(subject, tense, action, no, adverb.en, ask),
                _french(subject, tense, action, no, adverb.fr, ask))


def _english(subject, tense, action, no, adverb, ask):
    auxiliary, rest, fused = english.parts(action.en, {"long": "perfect"}.get(tense, tense), subject.person)
    middle = _join("never" if no == "never" else "", adverb)
    negated = no and no != "never"
    if ask:
        start = _join(english.negate(auxiliary) if negated else auxiliary, subject.en, middle, rest)
    elif negated:
        start = _join(_not(subject, auxiliary), middle, rest)
    elif fused:
        start = _join(subject.en, middle, fused)
    elif subject.pronoun:
        start = _join(english.contract(subject.en, auxiliary), middle, rest)
    else:
        start = _join(subject.en, auxiliary, middle, rest)
    end = {"no longer": "any more", "not yet": "yet"}.get(no, "")
    text = _join(start, "anything" if no == "nothing" else "", action.object, action.tail.en, end)
    if tense in ("habit", "used") or no in BARE_AFTER:
        return english.settle(text, "")
    return english.settle(text, "any" if negated or ask == "est-ce que" or subject.negative else "some")


def _not(subject, auxiliary):
    if auxiliary == "am":
        return "I'm not"
    return f"{subject.en} {english.negate(auxiliary)}"


def _french(subject, tense, action, no, adverb, ask):
    before, finite, after = _french_verb(subject, FRENCH_TENSE[tense], action)
    start = subject.fr
    if ask == "postponed" and not (subject.pronoun or action.complement or action.reflexive or no):
        return _join(*before, finite, *after, subject.fr)
    if ask in ("inversion", "postponed"):
        finite = _inverted(finite, subject)
        start = "" if subject.pronoun else start
    ne = "ne" if no or subject.negative else ""
    text = _join("est-ce que" if ask == "est-ce que" else "", start, ne, *before, finite, NEGATIONS.get(no, ""), adverb,
                 *after, action.complement)
    return french.negated(text) if ne else text.replace("+", "")


def _french_verb(subject, tense, action):
    """(what stands before the finite verb, the finite verb, what follows it)."""
    pronouns = action.pronouns(subject.person)
    if tense == "near":
        return (), french.conjugate("aller", "present", subject.person), (*pronouns, action.verb)
    if tense == "compound":
        with_etre = action.reflexive or action.verb in french.WITH_ETRE
        auxiliary = french.conjugate("être" if with_etre else "avoir", "present", subject.person)
        return pronouns, auxiliary, (french.participle(action.verb, _ending(subject, action, with_etre)),)
    return pronouns, french.conjugate(action.verb, tense, subject.person), ()


def _ending(subject, action, with_etre):
    """The ending of the participle: of an object before the verb, or of the subject with être."""
    if action.ending is not None:
        return action.ending
    if with_etre:
        return ("e" if subject.gender == "f" else "") + ("s" if subject.plural else "")
    return action.clitic.ending if action.clitic else ""


def _inverted(finite, subject):
    """The verb with its pronoun: allez-vous, va-t-il, puis-je."""
    if subject.person == I:
        return ("puis" if finite == "peux" else finite) + "-je"
    if subject.pronoun:
        pronoun = subject.fr
    else:
        pronoun = ("il", "elle")[subject.gender == "f"] + ("s" if subject.person == THEY else "")
    euphonic = "-t" if pronoun[0] in "ie" and finite[-1] in "ae" else ""
    return f"{finite}{euphonic}-{pronoun}"


def imperative(action, person=YOU, no=False):
    """Open the door! person is THOU, WE (let's) or YOU."""
    verb = french.imperative(action.verb, person)
    pronouns = [word for word in action.pronouns(person) if word]
    en = _join("let's" if person == WE else "", "don't" if no else "", action.en, action.object, action.tail.en)
    if no:
        return Pair(english.settle(en, "any"), french.negated(_join("ne", *pronouns, verb, "pas", action.complement)))
    if pronouns == ["y"] and person == THOU:
        verb += "s"
    stressed = [{"me": "moi", "te": "toi"}.get(word, word) for word in pronouns]
    return Pair(en, _join("-".join([verb, *stressed]), action.complement))


# ---- Sentences --------------------------------------------------------------------------------------------------

def _capital(text):
    return text[:1].upper() + text[1:]


def say(pair, mark="."):
    """A sentence as it is printed, with its mark (. ? !)."""
    blank = "" if mark == "." else french.NARROW_BLANK
    return Pair(_capital(english.spell(pair.en)) + mark, _capital(french.spell(pair.fr)) + blank + mark)

"""The words: what there is to talk about, and what can sensibly be said of it.

Tags tie words together: a verb takes the nouns that carry one of its tags, an adjective describes the nouns that carry
one of its tags or that it names, so that bread is eaten and books are read. In the tables "_" stands for a blank and
"/" separates singular and plural where the plural is irregular.
"""
from typing import NamedTuple


class Noun(NamedTuple):
    """Tags of number: mass (no plural), pair (always plural), many (often plural); zero: English has no article."""
    en: str
    en_plural: str
    fr: str
    fr_plural: str
    gender: str                 # m or f
    tags: frozenset


class Adjective(NamedTuple):
    en: str
    fr: str                     # the forms that french.agree() reads
    before: bool                # French puts it before the noun
    attribute: bool             # a noun may carry it anywhere
    predicate: bool             # it may follow "be"
    tags: frozenset


class Place(NamedTuple):
    """Where one is: preposition and article, "at the" / "à la"; tags: what one does there, go if one goes there."""
    en: str
    fr: str
    tags: frozenset


class Frame(NamedTuple):
    """A verb with the objects, determiners, uses and places that suit it."""
    en: str
    fr: str
    objects: tuple
    determiners: tuple
    uses: frozenset
    place: str


def _rows(table):
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def _english_plural(word):
    if word.endswith("y") and word[-2] not in "aeo":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "s", "ch", "sh")) else "s")


def _noun(english, french, gender, *tags):
    en, _, en_plural = english.replace("_", " ").partition("/")
    fr, _, fr_plural = french.replace("_", " ").partition("/")
    return Noun(en, en_plural or _english_plural(en), fr, fr_plural or (fr if fr.endswith(("s", "x")) else fr + "s"),
                gender, frozenset(tags))


def _adjective(en, fr, place="be", tags=""):
    return Adjective(en, fr, place.startswith("before"), place != "be", place != "before only", frozenset(tags.split()))


def _place(en, fr, tags):
    return Place(en, fr, frozenset(tags.split()))


def _frame(en, fr, objects, determiners, uses, place):
    return Frame(en, fr, tuple(objects.split()), tuple(determiners.split()), frozenset(uses.split()), place)


NOUNS = [_noun(*row.split()) for row in """
man/men             homme                       m folk
woman/women         femme                       f folk
boy                 garçon                      m folk
girl                fille                       f folk
child/children      enfant                      m folk
doctor              médecin                     m folk job
student             étudiant                    m folk job
nurse               infirmière                  f folk job
baker               boulanger                   m folk job
waiter              serveur                     m folk
actor               acteur                      m folk job
singer              chanteur                    m folk job
tourist             touriste                    m folk
lawyer              avocat                      m job
engineer            ingénieur                   m job
teacher             professeur                  m kin job
brother             frère                       m kin several young
sister              sœur                        f kin several young
mother              mère                        f kin
father              père                        m kin
son                 fils                        m kin several young
daughter            fille                       f kin several young
grandmother         grand-mère/grands-mères     f kin elder
grandfather         grand-père/grands-pères     m kin elder
uncle               oncle                       m kin several
aunt                tante                       f kin several
cousin              cousin                      m kin several young
friend              ami                         m kin several
neighbour           voisin                      m kin several
colleague           collègue                    m kin

bread               pain                        m mass food staple liked
cheese              fromage                     m mass food staple liked
meat                viande                      f mass food staple liked
rice                riz                         m mass food staple liked
soup                soupe                       f mass food made warm liked
chocolate           chocolat                    m mass food staple liked
butter              beurre                      m mass food staple
jam                 confiture                   f mass food staple liked
honey               miel                        m mass food staple liked
fish                poisson                     m mass food staple liked
chicken             poulet                      m mass food staple liked
salad               salade                      f mass food made liked
ice_cream           glace                       f mass food liked
apple               pomme                       f many food fruit staple liked
orange              orange                      f many food fruit staple liked
pear                poire                       f many food fruit staple liked
strawberry          fraise                      f many food staple liked
egg                 œuf                         m many food staple liked
tomato/tomatoes     tomate                      f many food staple liked
carrot              carotte                     f many food staple liked
potato/potatoes     pomme_de_terre/pommes_de_terre f many food staple liked
vegetable           légume                      m many food staple liked
cake                gâteau/gâteaux              m dessert made choice
water               eau                         f mass drink cooled
milk                lait                        m mass drink cooled liked
coffee              café                        m mass drink warm liked
tea                 thé                         m mass drink warm liked
wine                vin                         m mass drink liked
orange_juice        jus_d'orange                m mass drink liked

book                livre                       m many text lost loan choice
newspaper           journal/journaux            m daily
letter              lettre                      f many text written sent answered
novel               roman                       m many text written loan choice
magazine            magazine                    m many text loan
poem                poème                       m many text written learned
message             message                     m many text written sent answered
postcard            carte_postale/cartes_postales f many written sent bought
story               histoire                    f many told
dictionary          dictionnaire                m tool loan bought
key                 clé                         f many lost pocket
bag                 sac                         m lost carried bought
suitcase            valise                      f lost carried opened closed bought
umbrella            parapluie                   m lost loan bought pocket
watch               montre                      f personal lost machine bought
phone               téléphone                   m personal lost machine tool bought
computer            ordinateur                  m machine tool bought
wallet              portefeuille                m personal lost pocket
passport            passeport                   m personal lost pocket
ticket              billet                      m many lost pocket sent paid
pen                 stylo                       m lost loan tool
box                 boîte                       f many carried opened closed
table               table                       f furniture
chair               chaise                      f many furniture broken
lamp                lampe                       f furniture broken
bed                 lit                         m furniture
bottle              bouteille                   f many broken opened
glass               verre                       m broken
cup                 tasse                       f many broken dishes
plate               assiette                    f many broken dishes
knife/knives        couteau/couteaux            m tool
window              fenêtre                     f many broken opened closed washed
door                porte                       f opened closed
flower              fleur                       f many drawn bought sent liked gift
gift                cadeau/cadeaux              m many sent bought choice opened gift
painting            tableau/tableaux            m many bought seen
photo               photo                       f many seen sent
tree                arbre                       m many drawn

dress               robe                        f clothes washed choice hers
coat                manteau/manteaux            m clothes washed lost choice
hat                 chapeau/chapeaux            m clothes lost choice
shirt               chemise                     f clothes washed choice
scarf/scarves       écharpe                     f clothes washed lost choice
sweater             pull                        m clothes washed choice
shoe                chaussure                   f pair clothes
glove               gant                        m pair clothes lost

car                 voiture                     f vehicle driven washed
bike                vélo                        m vehicle loan washed
motorbike           moto                        f vehicle driven washed
boat                bateau/bateaux              m vehicle drawn
bus                 bus                         m transport
train               train                       m transport
plane               avion                       m transport
house               maison                      f building drawn
flat                appartement                 m building
kitchen             cuisine                     f room
bedroom             chambre                     f room
living_room         salon                       m room
garden              jardin                      m green seen

dog                 chien                       m many animal drawn liked
cat                 chat                        m many animal drawn liked
horse               cheval/chevaux              m many animal drawn liked
bird                oiseau/oiseaux              m many animal drawn liked
rabbit              lapin                       m many animal drawn

film                film                        m many show choice discussed shown
match/matches       match                       m show discussed planned
programme           émission                    f show discussed
television          télévision                  f zero screen
concert             concert                     m discussed planned
radio               radio                       f broadcast
song                chanson                     f many sung learned
music               musique                     f mass zero sound liked
piano               piano                       m instrument
guitar              guitare                     f instrument
violin              violon                      m instrument
football            football                    m mass zero game liked
tennis              tennis                      m mass zero game liked
cards/cards         carte                       f pair zero game
chess/chess         échec                       m pair zero game
French              français                    m mass zero tongue
English             anglais                     m mass zero tongue
Spanish             espagnol                    m mass zero tongue
German              allemand                    m mass zero tongue
Italian             italien                     m mass zero tongue
name                nom                         m
birthday            anniversaire                m
hand                main                        f many
tooth/teeth         dent                        f many
lesson              leçon                       f taught begun
exercise            exercice                    m many taught begun
question            question                    f many taught answered
word                mot                         m many taught learned
text                texte                       m taught
problem             problème                    m many taught discussed
exam                examen                      m discussed planned
trip                voyage                      m discussed
work                travail                     m mass task
meal                repas                       m paid
dinner              dîner                       m zero cooked
lunch/lunches       déjeuner                    m zero cooked
breakfast           petit-déjeuner              m zero cooked

museum              musée                       m sight
castle              château/châteaux            m sight
church/churches     église                      f sight
cathedral           cathédrale                  f sight
city                ville                       f sight town
village             village                     m sight town
island              île                         f sight
street              rue                         f
restaurant          restaurant                  m inn choice
hotel               hôtel                       m inn choice paid
""".splitlines() if row]
NOUN = {noun.en: noun for noun in NOUNS}


def nouns(*tags):
    """All nouns that carry one of the tags."""
    return [noun for noun in NOUNS if noun.tags.intersection(tags)]


ADJECTIVES = [_adjective(*cells) for cells in _rows("""
red            | rouge                  | after  | clothes vehicle flower bag suitcase lamp umbrella pen
blue           | bleu                   | after  | clothes vehicle bag suitcase lamp umbrella
green          | vert                   | after  | clothes vehicle bag suitcase lamp
black          | noir                   | after  | clothes vehicle bag suitcase umbrella horse cat dog bird
white          | blanc:blanche          | after  | clothes vehicle flower horse cat dog rabbit bird
yellow         | jaune                  | after  | clothes flower bag lamp bird
expensive      | cher:chère             | after  | clothes vehicle machine furniture inn
interesting    | intéressant            | after  | text show told museum
boring         | ennuyeux:ennuyeuse     | be     | text show told lesson exercise
funny          | drôle                  | after  | told film programme
easy           | facile                 | after  | taught exam
difficult      | difficile              | after  | taught exam
comfortable    | confortable            | be     | chair bed building car shoe
heavy          | lourd                  | after  | carried table
dirty          | sale                   | be     | room clothes dishes washed
modern         | moderne                | after  | building machine inn kitchen museum
empty          | vide                   | be     | bottle box glass restaurant train bus suitcase street
closed         | fermé                  | be     | opened inn museum church castle
open           | ouvert                 | be     | opened inn museum church castle
quiet          | calme                  | after  | village street hotel green
useful         | utile                  | after  | tool word book
dangerous      | dangereux:dangereuse   | be     | street motorbike
delicious      | délicieux:délicieuse   | be     | food dessert drink
cold           | froid                  | be     | cooled soup
hot            | chaud                  | be     | warm
big            | grand                  | before | building green room box table bed tree town hotel bag
small          | petit                  | before | building green room box table tree town hotel animal lamp boat
beautiful      | beau:belle:beaux:bel   | before | flower clothes sight told horse house green song bird tree
pretty         | joli                   | before | flower clothes village lamp
new            | nouveau:nouvelle:nouveaux:nouvel | before only | vehicle clothes machine furniture bag suitcase flat
old            | vieux:vieille:vieux:vieil | before | vehicle clothes furniture book castle church house tree dog
good           | bon:bonne              | before | text show inn dessert staple dictionary
long           | long:longue            | before | letter story street trip film
""")]
MOODS = [_adjective(*cells) for cells in _rows("""
happy          | heureux:heureuse
sad            | triste
tired          | fatigué
sick           | malade
busy           | occupé
ready          | prêt
alone          | seul
late           | en retard
angry          | en colère
on holiday     | en vacances
""")]
TRAITS = [_adjective(*cells) for cells in _rows("""
kind           | gentil:gentille
intelligent    | intelligent
tall           | grand
rich           | riche
poor           | pauvre
strong         | fort
lazy           | paresseux:paresseuse
curious        | curieux:curieuse
serious        | sérieux:sérieuse
polite         | poli
shy            | timide
young          | jeune
old            | vieux:vieille
famous         | célèbre
""")]

PLACES = [_place(*cells) for cells in _rows("""
in the kitchen         | dans ~la cuisine       | eat
at the restaurant      | à ~le restaurant       | eat go meet town
in the garden          | dans ~le jardin        | eat read play sleep work walk sing
in the park            | dans ~le parc          | read play walk meet run outdoors go
at the library         | à ~la bibliothèque     | read work go study meet town
at the market          | à ~le marché           | buy go meet outdoors
at the supermarket     | à ~le supermarché      | buy go town
at the station         | à ~la gare             | wait go meet town
at the airport         | à ~le aéroport         | wait go
at the cinema          | à ~le cinéma           | go town
at the theatre         | à ~le théâtre          | go town
at the museum          | à ~le musée            | go meet town
at the beach           | à ~la plage            | go meet outdoors
on the beach           | sur ~la plage          | play read walk run
at the office          | à ~le bureau           | go work
at the hospital        | à ~le hôpital          | go work town
at the hotel           | à ~le hôtel            | work sleep wait town
in the street          | dans ~la rue           | play walk run sing
at the swimming pool   | à ~la piscine          | go swim town
in the living room     | dans ~le salon         | read sleep watch
in the bedroom         | dans ~la chambre       | read sleep study
in the countryside     | à ~la campagne         | go walk live outdoors
in the mountains       | à ~la montagne         | go walk outdoors
at the bakery          | à ~la boulangerie      | go town
at the bank            | à ~la banque           | go work town
at the post office     | à ~la poste            | go work town
at the café            | à ~le café             | read wait meet
at school              | à ~la école            | go study work
""")]

NAMES = (("Paul", "m"), ("Marie", "f"), ("Thomas", "m"), ("Julie", "f"), ("Nicolas", "m"), ("Sophie", "f"),
         ("Lucas", "m"), ("Emma", "f"))
CITIES = (("Paris", "Paris"), ("London", "Londres"), ("Lyon", "Lyon"), ("Brussels", "Bruxelles"), ("Rome", "Rome"),
          ("Berlin", "Berlin"))
COUNTRIES = (("France", "en France", "de France"), ("Italy", "en Italie", "d'Italie"),
             ("Spain", "en Espagne", "d'Espagne"), ("Germany", "en Allemagne", "d'Allemagne"),
             ("Canada", "au Canada", "du Canada"), ("Japan", "au Japon", "du Japon"))
DAYS = (("Monday", "lundi"), ("Tuesday", "mardi"), ("Wednesday", "mercredi"), ("Thursday", "jeudi"),
        ("Friday", "vendredi"), ("Saturday", "samedi"), ("Sunday", "dimanche"))
MONTHS = (("January", "janvier"), ("March", "mars"), ("May", "mai"), ("July", "juillet"), ("August", "août"),
          ("October", "octobre"))
SEASONS = (("spring", "à ~le printemps"), ("summer", "en été"), ("autumn", "en automne"), ("winter", "en hiver"))
NUMBERS = (("two", "deux"), ("three", "trois"), ("four", "quatre"), ("five", "cinq"), ("six", "six"),
           ("seven", "sept"), ("eight", "huit"), ("nine", "neuf"), ("ten", "dix"))
AGES = (("seven", "sept"), ("nine", "neuf"), ("twelve", "douze"), ("fifteen", "quinze"), ("twenty", "vingt"),
        ("thirty", "trente"), ("forty", "quarante"), ("fifty", "cinquante"), ("seventy", "soixante-dix"),
        ("eighty", "quatre-vingts"))

FREQUENCIES = (("often", "souvent"), ("always", "toujours"), ("sometimes", "parfois"), ("rarely", "rarement"))
WHEN = {
    "habit": (("every day", "tous les jours"), ("every morning", "tous les matins"),
              ("every evening", "tous les soirs")),
    "now":   (("now", "maintenant"), ("today", "aujourd'hui")),
    "past":  (("yesterday", "hier"), ("yesterday evening", "hier soir"), ("this morning", "ce matin"),
              ("after lunch", "après ~le déjeuner"), ("before dinner", "avant ~le dîner")),
    "will":  (("tomorrow", "demain"), ("tomorrow morning", "demain matin"), ("this evening", "ce soir"),
              ("after lunch", "après ~le déjeuner"),
              ("after breakfast", "après ~le petit-déjeuner")),
}
# The same for what is done once in a while.
WHEN_RARE = {
    "habit": (("every week", "toutes les semaines"), ("every day", "tous les jours")),
    "past":  (("yesterday", "hier"), ("last week", "~la semaine dernière"), ("last month", "~le mois dernier"),
              ("two days ago", "il y a deux jours"), ("three weeks ago", "il y a trois semaines")),
    "will":  (("tomorrow", "demain"), ("next week", "~la semaine prochaine"), ("next month", "~le mois prochain"),
              ("in two days", "dans deux jours")),
}

# Uses: habit, now (progressive), past, will (the simple future: few verbs, so that each form is seen often), used (to),
# was (past progressive), already, never, yet (perfect), do (infinitives and imperatives), what and who (one can ask for
# the object), forget, judged (it is easy to ...), outing, grown (no children), rare (once in a while).
# Determiners: those of draw.determined; person: some person.
FRAMES = [_frame(*cells) for cells in _rows("""
eat           | manger       | food                     | some       | habit now past will used was do what | eat
eat           | manger       | fruit                    | a this     | now past do                       |
drink         | boire        | drink                    | some       | habit now past used was do what   |
read          | lire         | text                     | a the this | now past will was do what         | read
read          | lire         | text                     | this       | already never yet rare past       |
read          | lire         | daily                    | the        | habit used now past was           | read
write         | écrire       | written                  | a          | now past will was do what judged  |
buy           | acheter      | staple                   | some       | habit past will used do what      | buy
buy           | acheter      | bought clothes furniture | a this     | past will do what rare            |
buy           | acheter      | clothes gift             | the this   | already yet                       |
buy           | acheter      | vehicle building         | a this     | past will do rare grown           |
sell          | vendre       | vehicle building         | my this    | past do judged rare grown         |
look for      | chercher     | lost                     | my         | now past do was                   |
find          | trouver      | lost                     | my         | past yet already                  |
lose          | perdre       | lost                     | my         | past rare                         |
forget        | oublier      | lost                     | my         | past forget                       |
take          | prendre      | transport                | the        | habit past will used do           |
take          | prendre      | pocket                   | my         | past forget                       |
wear          | porter       | clothes                  | bare       | now was                           |
carry         | porter       | carried                  | a this     | now was                           |
open          | ouvrir       | opened                   | the this   | now past do house                 |
close         | fermer       | closed                   | the this   | now past do forget house          |
wash          | laver        | washed dishes            | the my     | now past do already yet house     |
clean         | nettoyer     | room                     | the my     | now past do already yet house     |
repair        | réparer      | vehicle machine          | the my gen | now past do judged rare           |
break         | casser       | broken                   | a the      | past                              |
choose        | choisir      | choice                   | a this     | past do rare                      |
watch         | regarder     | show                     | a the this | now past will was do what leisure | watch
see           | voir         | shown                    | this       | already never yet                 |
watch         | regarder     | screen                   | the        | habit now used was do             | watch
listen to     | écouter      | sung                     | the this   | now past was do what leisure      |
listen to     | écouter      | broadcast                | the        | habit now used was do             |
listen to     | écouter      | sound                    | some       | habit now past used was do        |
sing          | chanter      | sung                     | a this     | now past do was leisure           |
play          | jouer à      | game                     | the        | habit now past used was do outing rare | play
play          | jouer de     | instrument               | the        | habit now used was do judged      |
make          | préparer     | cooked                   | the        | habit now past was do             |
make          | préparer     | made                     | the        | now past do                       |
visit         | visiter      | sight                    | a the this | past will do rare outing          |
visit         | visiter      | sight                    | the this   | already never yet                 |
understand    | comprendre   | taught                   | this the   | past judged study                 |
explain       | expliquer    | taught                   | this the   | past do now judged                |
learn         | apprendre    | learned                  | a this     | now past do judged study          |
learn         | apprendre    | tongue                   | the        | now do judged rare                |
study         | étudier      | tongue                   | the        | habit now past used do what rare | study
draw          | dessiner     | drawn                    | a the      | now past was do judged leisure    |
use           | utiliser     | tool                     | my this    | habit now do                      |
drive         | conduire     | driven                   | my this    | now do grown                      |
finish        | finir        | begun                    | the this   | past will do already yet study    |
finish        | finir        | task                     | my         | past will do already yet          |
begin         | commencer    | begun                    | the this   | past do                           |
begin         | commencer    | task                     | my         | past do                           |
pay for       | payer        | paid                     | the        | past do already yet forget grown  |
borrow        | emprunter    | loan                     | a this     | past do rare                      |
answer        | répondre à   | answered                 | the this   | past do already yet               |
talk about    | parler de    | discussed                | the this   | now past do was                   |
sleep         | dormir       |                          |            | habit now was do                  | sleep
work          | travailler   |                          |            | habit now past will used was do grown rare | work
walk          | marcher      |                          |            | now was do                        | walk
run           | courir       |                          |            | now was do                        | run
swim          | nager        |                          |            | habit now do outing rare | swim
sing          | chanter      |                          |            | now used was do                   | sing
dance         | danser       |                          |            | now past used was do outing       |
cook          | cuisiner     |                          |            | habit do rare |
travel        | voyager      |                          |            | do used                           |
cry           | pleurer      |                          |            | now was                           |
laugh         | rire         |                          |            | now was                           |
wait          | attendre     |                          |            | now was                           | wait
leave         | partir       |                          |            | past will do rare                 |
arrive        | arriver      |                          |            | past will rare                    |
go out        | sortir       |                          |            | past do outing                    |
come back     | revenir      |                          |            | past will do rare                 |
go home       | rentrer      |                          |            | past do                           |
help          | aider        |                          | person     | habit now past will do who rare   |
invite        | inviter      |                          | person     | past will do who rare outing      |
meet          | rencontrer   |                          | person     | past who rare                     | meet
wait for      | attendre     |                          | person     | now past was do who               | wait
wait for      | attendre     | transport                | the        | now was                           |
call          | appeler      |                          | person     | habit now past will do who rare   |
call          | appeler      |                          | person     | already yet                       |
thank         | remercier    |                          | person     | past do rare                      |
look for      | chercher     |                          | person     | now past was who                  |
see           | voir         |                          | person     | past will who rare                | meet
""")]
DAILY = (("wake up", "se réveiller"), ("get up", "se lever"), ("get dressed", "se habiller"),
         ("go to bed", "se coucher"), ("rest", "se reposer"), ("go for a walk", "se promener"),
         ("hurry", "se dépêcher"), ("have fun", "se amuser"))

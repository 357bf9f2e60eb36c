/** The words of generated slugs: inoffensive in any pair, and hard to mishear. */
export const ADJECTIVES: ReadonlyArray<string> = (
  "able agile airy amber ample apt autumn azure balmy bold brave breezy bright brisk bronze calm candid careful " +
  "cheerful civil clear clever cloudy coastal cobalt cool copper coral cosy crimson crisp curious dapper daring dawn " +
  "deep deft devoted eager early earnest easy elegant emerald evening fair faithful fancy festive fine first fleet " +
  "floral fluent fond frank fresh friendly frosty gentle gilded glad gleaming golden graceful grand grateful great " +
  "green happy hardy hazel helpful hidden honest hopeful humble indigo ivory jade jolly jovial joyful keen kind " +
  "lasting laurel leafy level light lilac lively lofty loyal lucid lucky lunar magnetic maple marble mellow merry " +
  "mild mindful mint misty modest morning mossy neat nimble noble northern novel oaken olive open opal orderly " +
  "patient peaceful pearl placid plain playful pleasant plucky polar polished polite prime proud prudent quaint " +
  "quick quiet radiant ready regal restful rosy royal ruby rustic sage sandy scarlet scenic serene shining silent " +
  "silken silver simple sincere smooth snowy snug solar solid sound southern spirited spring stable starry steady " +
  "stellar still stoic sturdy subtle summer sunny sure swift tall teal tender thankful thoughtful tidal tidy timely " +
  "tranquil true trusty upbeat valiant velvet verdant vernal vivid warm watchful western whole willing winter wise " +
  "witty young zesty"
).split(" ")

export const NOUNS: ReadonlyArray<string> = (
  "acorn almond anchor apricot arbor arch aspen atlas aurora badger bamboo banner basin bay beacon birch bison " +
  "blossom bluff boulder branch breeze bridge brook cabin canal candle canoe canyon cape cedar cello cherry chestnut " +
  "cliff cloud clover comet compass coral cottage cove crane creek crystal current cypress daisy dale delta desert " +
  "dolphin dove drum dune eagle echo elm ember estuary falcon fern field finch fjord flame forest fountain fox " +
  "galaxy garden garnet geyser glacier glade glen granite grove gull harbor harp hawk hazel heath heather hedge " +
  "heron hill hollow horizon island ivy jasmine juniper kestrel kettle kite lagoon lake lantern lark lattice laurel " +
  "lemon lighthouse lily linden lotus lynx magnolia mango maple marble marina marsh meadow mesa mill mirror moon " +
  "moss mountain nebula nectar nest oak oasis ocean olive orchard orchid osprey otter owl oyster palm parade path " +
  "pebble pelican peony pepper petal piano pier pine planet plateau plum pond poplar poppy prairie quartz quill " +
  "rain raven reef ridge river robin rook rose saffron sail sapling satchel sequoia shell shore sierra sky sparrow " +
  "spruce star stone stream summit sunrise swallow swan sycamore teapot terrace thicket thistle thrush tide timber " +
  "topaz trail tulip tundra valley vale village vineyard violet violin walnut water wave willow window wren yarrow " +
  "zephyr"
).split(" ")

import type { Drawings } from './drawing.ts'
import { placed } from './svg.ts'

/** Products that a set consists of, with a variant if the set has none. */
type Part = [type: string, variant?: string]

const members: Record<string, Part[]> = {
  'hand-tool-series': [['garden-fork'], ['digging-spade'], ['hand-trowel']],
  'irrigation-system': [
    ['garden-hose', 'sage-green'],
    ['rain-barrel', 'anthracite'],
    ['drip-irrigation-kit', 'black'],
  ],
  'terracotta-series': [['terracotta-pot'], ['terracotta-pot'], ['terracotta-pot']],
  'balcony-harvest-set': [
    ['self-watering-planter', 'moss'],
    ['tomato-seeds', 'red-pearl'],
    ['basil-seeds', 'large-green'],
  ],
  'new-garden-tool-set': [
    ['digging-spade', 'ash'],
    ['dutch-hoe', 'ash'],
    ['hand-trowel', 'ash'],
  ],
  'vacation-watering-bundle': [
    ['drip-irrigation-kit', 'black'],
    ['rain-barrel', 'sage-green'],
    ['garden-hose', 'anthracite'],
  ],
  'dinnerware-service': [['stoneware-dinner-plate'], ['coffee-mug'], ['cereal-bowl']],
  'knife-series': [['bread-knife'], ['santoku-knife'], ['chef-s-knife']],
  'knife-trio': [['bread-knife'], ['chef-s-knife'], ['paring-knife']],
  'pot-and-pan-series': [['stockpot'], ['lidded-saucepan'], ['cast-iron-skillet']],
  'breakfast-table-set': [
    ['stoneware-dinner-plate', 'oat'],
    ['coffee-mug', 'sea-blue'],
    ['cereal-bowl', 'speckled-white'],
  ],
  'first-kitchen-set': [
    ['stockpot', 'brushed-steel'],
    ['enameled-dutch-oven', 'deep-red'],
    ['chef-s-knife', 'walnut'],
  ],
  'spice-drawer-set': [
    ['smoked-paprika', 'spain'],
    ['ground-turmeric', 'india'],
    ['whole-black-peppercorns', 'vietnam'],
  ],
  'bulb-finder-socket-e14': [
    ['led-candle-bulb-e14', 'warm-white'],
    ['led-candle-bulb-e14', 'daylight'],
    ['led-candle-bulb-e14', 'neutral-white'],
  ],
  'bulb-finder-socket-e27': [
    ['led-filament-bulb-e27', 'warm-white'],
    ['smart-led-bulb-e27', 'white-and-color'],
    ['led-globe-bulb-95-mm', 'warm-white'],
  ],
  'bulb-finder-socket-gu10': [
    ['led-spot-gu10', 'warm-white'],
    ['led-spot-gu10', 'daylight'],
    ['led-spot-gu10', 'neutral-white'],
  ],
  'lamp-family': [['architect-desk-lamp'], ['clamp-lamp'], ['glass-globe-lamp']],
  'outdoor-light-family': [['bollard-light'], ['solar-path-light'], ['portable-garden-lantern']],
  'bedside-pair': [
    ['ceramic-bedside-lamp', 'sand'],
    ['ceramic-bedside-lamp', 'sand'],
  ],
  'dining-room-trio': [
    ['dome-pendant', 'brass'],
    ['dome-pendant', 'brass'],
    ['dome-pendant', 'brass'],
  ],
  'garden-path-set': [
    ['solar-path-light', 'anthracite'],
    ['solar-path-light', 'anthracite'],
    ['solar-path-light', 'anthracite'],
  ],
  'home-office-light-set': [
    ['architect-desk-lamp', 'white'],
    ['smart-led-bulb-e27', 'tunable-white'],
  ],
  'correspondence-series': [['a4-writing-paper'], ['card-stock-a4'], ['envelopes-c6']],
  'desk-series': [['letter-tray'], ['pen-cup'], ['monitor-stand']],
  'tidy-desk-bundle': [['letter-tray'], ['pen-cup'], ['cable-box', 'white']],
  'letter-writing-set': [
    ['a4-writing-paper', 'ivory'],
    ['fountain-pen', 'petrol'],
    ['envelopes-c6', 'ivory'],
  ],
  'sketching-set': [
    ['sketchbook', 'natural'],
    ['mechanical-pencil', 'black'],
    ['brush-pen', 'petrol'],
  ],
  'student-starter-pack': [
    ['spiral-project-pad', 'navy'],
    ['ballpoint-pen', 'silver'],
    ['weekly-planner', 'forest'],
  ],
  'dry-storage-system': [
    ['dry-bag', 'signal-orange'],
    ['dry-bag', 'moss-green'],
    ['waterproof-duffel', 'ocean-blue'],
  ],
  'sleep-system': [
    ['self-inflating-mat', 'graphite'],
    ['down-sleeping-bag', 'moss-green'],
  ],
  'camp-evening-set': [
    ['folding-camp-chair', 'moss-green'],
    ['rechargeable-headlamp', 'signal-orange'],
  ],
  'canoe-weekend-bundle': [
    ['dry-bag', 'signal-orange'],
    ['waterproof-duffel', 'pine-green'],
  ],
  'day-hike-bundle': [
    ['hiking-daypack', 'brick-red'],
    ['trail-running-shoe', 'stone'],
  ],
  'first-campout-bundle': [
    ['dome-tent', 'rust-orange'],
    ['down-sleeping-bag', 'moss-green'],
    ['self-inflating-mat', 'graphite'],
  ],
  'paint-box': [
    ['watercolor-starter-set', 'landscape'],
    ['brush-pen', 'petrol'],
  ],
  'wooden-nursery': [['shape-sorter'], ['threading-beads'], ['building-blocks']],
  'first-birthday-set': [['shape-sorter'], ['threading-beads'], ['building-blocks']],
  'puzzle-season-pack': [
    ['jigsaw-puzzle', 'autumn-market'],
    ['jigsaw-puzzle', 'mountain-railway'],
    ['jigsaw-puzzle', 'harbor-at-dawn'],
  ],
  'rainy-afternoon-box': [
    ['memory-match-game', 'family-edition'],
    ['clay-modeling-set', 'ocean'],
    ['jigsaw-puzzle', 'harbor-at-dawn'],
  ],
}

/** The last one is in front. */
const places: Record<number, [x: number, y: number, scale: number][]> = {
  2: [
    [-6, 46, 0.62],
    [150, 118, 0.64],
  ],
  3: [
    [-4, 36, 0.56],
    [180, 36, 0.56],
    [86, 142, 0.58],
  ],
}

/** Draws each set as its members. */
export function setsOf(
  drawings: Drawings,
  variantOf: (name: string) => { color: string; name: string },
): Drawings {
  const sets = Object.entries(members).map(([set, parts]) => {
    const draw: Drawings[string] = (own) => {
      const drawn = parts.map(([type, variant], index) => {
        const [x, y, scale] = places[parts.length]?.[index] ?? [0, 0, 1]
        return placed(x, y, scale, drawings[type]?.(variant === undefined ? own : variantOf(variant)) ?? '')
      })
      // Smaller, so that wide members do not touch the edges.
      return placed(24, 26, 0.88, drawn.join(''))
    }
    return [set, draw] as const
  })
  return Object.fromEntries(sets)
}

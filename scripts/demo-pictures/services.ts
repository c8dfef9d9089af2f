import { darker, lighter } from './colors.ts'
import type { Drawings } from './drawing.ts'
import { box, boxPath, disc, ground, placed, repeat, shape, solid, stroke, turned, within } from './svg.ts'

type Motif = [type: string, variant: string]
type Card = (color: string, motif: string) => string

const motifAt = (x: number, y: number, scale: number, motif: string) => placed(x, y, scale, motif)

const giftCard: Card = (color, motif) =>
  ground(140, 306) +
  turned(
    -6,
    solid(boxPath(58, 106, 284, 182, 18), color, 500) +
      within(
        boxPath(58, 106, 284, 182, 18),
        disc(92, 290, 96, lighter(color, 0.14)) + disc(330, 100, 70, darker(color, 0.12)),
      ) +
      box(88, 106, 30, 182, '#f3ead9') +
      shape('M103 150Q66 120 76 150T103 160Q140 180 130 150T103 150Z', '#f3ead9') +
      motifAt(152, 106, 0.44, motif) +
      disc(103, 156, 9, darker('#f3ead9', 0.14)),
  )

const ticketPath = 'M60 122H340V178A24 24 0 0 0 340 226V282H60V226A24 24 0 0 0 60 178Z'
const ticket: Card = (color, motif) =>
  ground(140, 308) +
  turned(
    -7,
    solid(ticketPath, color, 500) +
      stroke('M252 134V270', lighter(color, 0.6), 4).replace(
        'stroke-linecap',
        'stroke-dasharray="2 14" stroke-linecap',
      ) +
      motifAt(72, 110, 0.46, motif) +
      repeat(7, (index) =>
        box(272 + (index % 2), 146 + index * 16, 44, index % 3 ? 5 : 9, lighter(color, 0.7)),
      ),
  )

const download: Card = (color, motif) =>
  ground(96, 330) +
  shape(boxPath(112, 62, 176, 256, 10), '#fdfbf5') +
  shape('M236 62H278L288 114H236Z', '#e6e0d2') +
  box(112, 62, 176, 14, color, 6) +
  motifAt(118, 82, 0.42, motif) +
  stroke('M140 262H224M140 282H196', '#d5cfbf', 7) +
  disc(276, 294, 42, color) +
  stroke('M276 272V312M258 296L276 314L294 296', '#fdfbf5', 9)

const shieldPath = 'M200 62L318 102Q322 262 200 334Q78 262 82 102Z'
const shield: Card = (color, motif) =>
  ground(90, 344) +
  solid(shieldPath, color, 200) +
  shape('M200 86L296 118Q298 246 200 308Q102 246 104 118Z', lighter(color, 0.78)) +
  motifAt(110, 92, 0.45, motif) +
  disc(282, 284, 40, '#4f8a5a') +
  stroke('M264 284L278 298L302 270', '#fdfbf5', 9)

const cycle: Card = (color, motif) =>
  ground(110, 338) +
  disc(200, 200, 96, lighter(color, 0.7)) +
  motifAt(108, 106, 0.46, motif) +
  stroke('M82 176A120 120 0 0 1 298 132M318 224A120 120 0 0 1 102 268', color, 17) +
  shape('M286 96L326 146L264 150Z', color) +
  shape('M114 304L74 254L136 250Z', color)

const talk: Card = (color, motif) =>
  ground(130, 334) +
  solid(
    'M84 76H316Q340 76 340 100V236Q340 260 316 260H190L132 316V260H84Q60 260 60 236V100Q60 76 84 76Z',
    color,
    500,
  ) +
  disc(200, 168, 74, lighter(color, 0.8)) +
  motifAt(126, 92, 0.37, motif)

const kinds: Record<string, [card: Card, color: string, motif: Motif]> = {
  'garden-gift-card': [giftCard, '#4f8a5a', ['glazed-planter', 'sea-blue']],
  'kitchen-gift-card': [giftCard, '#b8472f', ['enameled-dutch-oven', 'cream']],
  'lighting-gift-card': [giftCard, '#cf8a2f', ['ceramic-bedside-lamp', 'sea-green']],
  'stationery-gift-card': [giftCard, '#31507a', ['hardcover-notebook', 'burgundy']],
  'outdoor-gift-card': [giftCard, '#2f6953', ['dome-tent', 'rust-orange']],
  'toy-shop-gift-card': [giftCard, '#8a5a9f', ['building-blocks', 'rainbow']],
  'fruit-tree-pruning-workshop-ticket': [ticket, '#5f8f4e', ['folding-pruning-saw', 'soft-grip']],
  'knife-skills-class-ticket': [ticket, '#a5553a', ['chef-s-knife', 'black-resin']],
  'map-and-compass-workshop-ticket': [ticket, '#2c75a8', ['hiking-daypack', 'brick-red']],
  'family-game-night-ticket': [ticket, '#c8523f', ['memory-match-game', 'travel-edition']],
  'bed-planting-plan-download': [download, '#4f8a5a', ['meadow-flower-mix', 'half-shade']],
  'recipe-collection-download': [download, '#c8643f', ['salad-bowl', 'sea-blue']],
  'printable-planner-pages': [download, '#31507a', ['weekly-planner', 'navy']],
  'long-distance-trail-guide-download': [download, '#2f6953', ['leather-hiking-boot', 'dark-brown']],
  'sewing-pattern-download': [download, '#a5376b', ['felt-sewing-kit', 'woodland']],
  'cookware-care-plan': [shield, '#a5553a', ['cast-iron-skillet', 'matte-graphite']],
  'extended-lamp-warranty': [shield, '#cf8a2f', ['glass-globe-lamp', 'brass']],
  'extended-tent-warranty': [shield, '#2f6953', ['dome-tent', 'rust-orange']],
  'toy-repair-pass': [shield, '#8a5a9f', ['train-set', 'natural']],
  'tool-sharpening-subscription': [cycle, '#5f8f4e', ['hand-trowel', 'beech']],
  'pen-engraving-service': [cycle, '#31507a', ['fountain-pen', 'petrol']],
  'room-lighting-consultation': [talk, '#cf8a2f', ['tripod-table-lamp', 'white']],
  'hand-lettering-course': [talk, '#7a3a5a', ['brush-pen', 'petrol']],
}

/** Draws each service as a card, ticket or document with the product that it is about. */
export function servicesOf(
  drawings: Drawings,
  variantOf: (name: string) => { color: string; name: string },
): Drawings {
  const services = Object.entries(kinds).map(
    ([service, [card, color, [type, variant]]]) =>
      [service, () => card(color, drawings[type]?.(variantOf(variant)) ?? '')] as const,
  )
  return Object.fromEntries(services)
}

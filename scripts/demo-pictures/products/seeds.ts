import { chosen, darker, leaf, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, ground, oval, repeat, shape, solid, stroke, turned } from '../svg.ts'

const labels = ['#3f7a5c', '#c8643f', '#3d7391', '#8a5a8f', '#c7952f', '#5c7f3f']

/** A seed packet with a picture on its front. */
const packet =
  (draw: (color: string) => string, colors: Record<string, string> = {}) =>
  (variant: Variant) => {
    const label = chosen(variant.name, labels)
    return (
      ground(92) +
      turned(
        -3,
        solid(boxPath(108, 66, 184, 256, 6), '#fbf5e6', 262) +
          box(108, 66, 184, 46, label, 6) +
          stroke('M116 90H284', lighter(label, 0.45), 2) +
          box(126, 126, 148, 130, lighter(label, 0.72), 10) +
          draw(colors[variant.name] ?? label) +
          box(126, 272, 148, 12, label, 6) +
          box(150, 292, 100, 8, lighter(label, 0.35), 4),
      )
    )
  }

const fruit = (x: number, y: number, radius: number, color: string) =>
  disc(x, y, radius, color) +
  oval(x - radius * 0.35, y - radius * 0.35, radius * 0.25, radius * 0.18, lighter(color, 0.5)) +
  shape(`M${x} ${y - radius + 4}l-12 -8l10 2l2 -8l4 8l10 -2z`, leaf)

const basil = (color: string) =>
  stroke('M200 250V168', darker(color, 0.2), 6) +
  [
    [-38, 190],
    [38, 190],
    [-30, 222],
    [30, 222],
  ]
    .map(
      ([x = 0, y = 0]) =>
        oval(200 + x, y, 30, 17, color) + stroke(`M200 ${y + 8}L${200 + x} ${y}`, darker(color, 0.2), 3),
    )
    .join('') +
  oval(200, 158, 19, 24, lighter(color, 0.15))

const carrots = (color: string) =>
  [150, 200, 250]
    .map(
      (x, index) =>
        stroke(`M${x} 166q-12 -18 -4 -32M${x} 166q0 -20 4 -34M${x} 166q12 -16 10 -28`, leaf, 5) +
        shape(
          `M${x - 18} 170Q${x} 158 ${x + 18} 170Q${x + 12} ${226 + index * 4} ${x} 250Q${x - 12} ${226 + index * 4} ${x - 18} 170Z`,
          color,
        ) +
        stroke(`M${x - 10} 186h8M${x + 2} 204h8`, darker(color, 0.2), 3),
    )
    .join('')

const lawn = (color: string) =>
  repeat(17, (index) =>
    stroke(
      `M${136 + index * 8} 254Q${134 + index * 8 + (index % 3) * 5} ${210 - (index % 4) * 8} ${130 + index * 8 + (index % 5) * 6} ${176 - (index % 3) * 14}`,
      index % 2 ? color : lighter(color, 0.22),
      6,
    ),
  )

const meadow = () =>
  ['#e2574c', '#4a78c2', '#f2b632', '#d9568b', '#f7f4ee']
    .map(
      (color, index) =>
        stroke(
          `M${150 + index * 25} 254Q${146 + index * 25} 214 ${148 + index * 26} ${176 + (index % 3) * 16}`,
          leaf,
          4,
        ) +
        repeat(5, (petal) =>
          turned(
            petal * 72,
            oval(148 + index * 26, 164 + (index % 3) * 16, 7, 12, color),
            148 + index * 26,
            176 + (index % 3) * 16,
          ),
        ) +
        disc(148 + index * 26, 176 + (index % 3) * 16, 6, '#7a5230'),
    )
    .join('')

const tulips = (color: string) =>
  [156, 200, 244]
    .map(
      (x, index) =>
        stroke(`M${x} 254V${188 + (index % 2) * 14}`, leaf, 6) +
        stroke(`M${x} 250Q${x - 24} 232 ${x - 16} 206`, leaf, 7) +
        shape(
          `M${x - 20} ${156 + (index % 2) * 14}l10 12l10 -16l10 16l10 -12v24q0 18 -20 18t-20 -18z`,
          color,
        ) +
        shape(`M${x} ${152 + (index % 2) * 14}l10 16l-10 30l-10 -30z`, lighter(color, 0.25)),
    )
    .join('')

export const seeds: Drawings = {
  'basil-seeds': packet(basil, { 'large-green': '#5f9a4c', lemon: '#a9b94a', 'red-leaf': '#7d3f5c' }),
  'carrot-seeds': packet(carrots, {
    'early-nantes': '#ef8433',
    'purple-sun': '#7b4a8f',
    'winter-keeper': '#e2a33c',
  }),
  'lawn-seed': packet(lawn, {
    'dry-ground': '#8fa04f',
    'shady-corner': '#4f7f57',
    'sport-and-play': '#5f9f4c',
  }),
  'meadow-flower-mix': packet(meadow),
  'tomato-seeds': packet(
    (color) => fruit(170, 190, 30, color) + fruit(232, 186, 26, color) + fruit(204, 226, 28, color),
    { 'black-plum': '#5a2f3f', 'golden-lantern': '#f0b23c', 'red-pearl': '#d9443c' },
  ),
  'tulip-bulbs': packet(tulips, { 'morning-blush': '#e88b9a' }),
}

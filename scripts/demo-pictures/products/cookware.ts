import { darker, ink, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, disc, ground, oval, solid, stroke } from '../svg.ts'

const knob = (y: number, color = '#d8a63d') =>
  box(192, y + 8, 16, 16, darker(color, 0.2), 3) + oval(200, y + 6, 19, 11, color)
const loops = (y: number, color: string) =>
  stroke(
    `M100 ${y}Q66 ${y - 2} 70 ${y + 18}Q72 ${y + 32} 102 ${y + 30}M300 ${y}Q334 ${y - 2} 330 ${y + 18}Q328 ${y + 32} 298 ${y + 30}`,
    color,
    13,
  )
const steam = stroke(
  'M164 96q-14 -18 0 -34t0 -32M200 92q-14 -18 0 -34t0 -32M236 96q-14 -18 0 -34t0 -32',
  '#ffffff',
  7,
).replace('<path', '<path opacity=".55"')

const pan = (color: string, inside: string, grip: string) =>
  ground(132, 300) +
  stroke('M268 232L366 190', grip, 21) +
  stroke('M330 206L360 193', lighter(grip, 0.25), 6) +
  solid('M46 226Q58 290 108 294H222Q272 290 284 226Z', color, 190) +
  oval(165, 226, 119, 37, lighter(color, 0.14)) +
  oval(165, 228, 105, 29, inside) +
  oval(146, 221, 60, 11, lighter(inside, 0.1))

export const cookware: Drawings = {
  'enameled-dutch-oven': ({ color }) =>
    ground(124) +
    loops(214, darker(color, 0.16)) +
    solid('M96 204H304V278Q304 318 262 318H138Q96 318 96 278Z', color, 240, 118) +
    solid(
      'M86 198Q92 142 200 138Q308 142 314 198Q314 210 302 210H98Q86 210 86 198Z',
      lighter(color, 0.08),
      240,
    ) +
    stroke('M120 178Q142 160 178 156', lighter(color, 0.5), 7) +
    knob(112),
  stockpot: ({ color }) =>
    ground(112) +
    loops(176, darker(color, 0.24)) +
    solid('M100 152H300V296Q300 320 276 320H124Q100 320 100 296Z', color, 240, 122) +
    solid(
      'M92 148Q100 108 200 106Q300 108 308 148Q308 158 298 158H102Q92 158 92 148Z',
      lighter(color, 0.16),
      240,
    ) +
    knob(82, ink),
  'lidded-saucepan': ({ color }) =>
    ground(116, 322, 176) +
    stroke('M262 224H368', ink, 19) +
    stroke('M336 224H358', '#7b828b', 5) +
    solid('M76 202H272V292Q272 320 244 320H104Q76 320 76 292Z', color, 214, 98) +
    solid(
      'M68 198Q76 154 174 152Q272 154 280 198Q280 208 270 208H78Q68 208 68 198Z',
      lighter(color, 0.18),
      214,
    ) +
    `<g transform="translate(-26 46)">${knob(82, ink)}</g>`,
  'cast-iron-skillet': ({ color }) =>
    pan(darker(color, 0.1), darker(color, 0.34), darker(color, 0.12)) + disc(352, 196, 6, '#e6e0d2'),
  'nonstick-frying-pan': ({ color }) =>
    pan(color, '#3c4047', '#8a6242') + oval(160, 228, 46, 15, '#fdfaf0') + oval(166, 225, 18, 9, '#f4b935'),
  'carbon-steel-wok': ({ color }) =>
    ground(104, 312) +
    stroke('M300 196L372 168', '#8a6242', 19) +
    stroke('M62 200Q34 196 40 218', darker(color, 0.3), 11) +
    solid('M52 196H312Q300 306 182 308Q64 306 52 196Z', color, 214) +
    oval(182, 196, 130, 33, lighter(color, 0.2)) +
    oval(182, 199, 116, 26, darker(color, 0.34)) +
    ['#69a86a', '#e2574c', '#f2a63b', '#69a86a', '#f2a63b']
      .map((part, index) => oval(120 + index * 31, 198 + (index % 2) * 8, 17, 8, part))
      .join('') +
    `<g transform="translate(-18 40)">${steam}</g>`,
}

import { darker, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { disc, ground, oval, repeat, shape, solid, stroke, within } from '../svg.ts'

const speckles = ({ name, color }: Variant, path: string) =>
  name === 'speckled-white'
    ? within(
        path,
        repeat(46, (index) =>
          disc(60 + ((index * 67) % 280), 120 + ((index * 41) % 200), 2.2, darker(color, 0.35)),
        ),
      )
    : ''
const steam = stroke('M172 112q-14 -18 0 -34t0 -32M206 108q-14 -18 0 -34t0 -32', '#ffffff', 7).replace(
  '<path',
  '<path opacity=".6"',
)

const bowlPath = 'M72 190H328Q322 290 248 314H152Q78 290 72 190Z'
const deepPath = 'M50 176H350Q342 292 258 316H142Q58 292 50 176Z'
const mugPath = 'M110 140H270V284Q270 320 234 320H146Q110 320 110 284Z'
const cupPath = 'M130 184H270Q268 278 226 286H174Q132 278 130 184Z'

const plate = (color: string) =>
  oval(200, 214, 158, 112, darker(color, 0.2)) +
  oval(200, 206, 158, 112, color) +
  oval(200, 206, 144, 101, lighter(color, 0.2)) +
  oval(200, 206, 138, 96, color) +
  oval(200, 208, 102, 69, darker(color, 0.1)) +
  oval(200, 211, 98, 64, lighter(color, 0.1))

export const tableware: Drawings = {
  'coffee-mug': (variant) =>
    ground(104) +
    steam +
    stroke('M268 182Q334 178 330 232T268 276', darker(variant.color, 0.12), 19) +
    solid(mugPath, variant.color, 216, 128) +
    speckles(variant, mugPath) +
    oval(190, 140, 80, 17, lighter(variant.color, 0.25)) +
    oval(190, 142, 70, 12, '#5a3a28'),
  'espresso-cup-with-saucer': (variant) =>
    ground(132, 314) +
    steam +
    oval(200, 296, 132, 26, darker(variant.color, 0.1)) +
    oval(200, 291, 132, 24, lighter(variant.color, 0.12)) +
    oval(200, 292, 72, 12, darker(variant.color, 0.14)) +
    stroke('M266 210Q310 204 306 232T258 254', darker(variant.color, 0.12), 13) +
    solid(cupPath, variant.color, 216, 148) +
    speckles(variant, cupPath) +
    oval(200, 184, 70, 14, lighter(variant.color, 0.25)) +
    oval(200, 186, 60, 9, '#4a2e20'),
  'cereal-bowl': (variant) =>
    ground(98) +
    solid(bowlPath, variant.color, 232, 104) +
    speckles(variant, bowlPath) +
    oval(200, 190, 128, 28, lighter(variant.color, 0.25)) +
    oval(200, 194, 114, 21, '#fdfaf0') +
    repeat(9, (index) =>
      disc(118 + index * 20, 190 + (index % 3) * 6, 9, index % 2 ? '#d59a4a' : '#e2b36a'),
    ) +
    disc(152, 188, 8, '#b23f4a') +
    disc(222, 192, 8, '#b23f4a') +
    disc(258, 188, 7, '#3f5f9a'),
  'salad-bowl': (variant) =>
    ground(110) +
    ['#7aa65a', '#5f8f4e', '#8ab063', '#69a04f', '#9dc070']
      .map((green, index) => oval(106 + index * 46, 168 - (index % 2) * 12, 42, 32, green))
      .join('') +
    disc(142, 152, 17, '#d9443c') +
    disc(236, 146, 16, '#d9443c') +
    oval(194, 142, 24, 12, '#f3e6b0') +
    oval(284, 160, 18, 10, '#a5376b') +
    solid(deepPath, variant.color, 236, 86) +
    speckles(variant, deepPath) +
    oval(200, 178, 150, 9, lighter(variant.color, 0.3)),
  'stoneware-dinner-plate': (variant) =>
    oval(208, 226, 158, 112, '#1d2530').replace('fill=', 'fill-opacity=".14" fill=') +
    plate(variant.color) +
    speckles(variant, 'M42 206A158 112 0 1 1 358 206A158 112 0 1 1 42 206Z') +
    shape('M0 0Z', variant.color),
  'porcelain-serving-platter': ({ color }) =>
    oval(206, 236, 172, 84, '#1d2530').replace('fill=', 'fill-opacity=".14" fill=') +
    oval(200, 222, 172, 84, darker(color, 0.2)) +
    oval(200, 214, 172, 84, color) +
    oval(200, 216, 132, 56, darker(color, 0.08)) +
    oval(200, 218, 127, 52, lighter(color, 0.4)) +
    oval(200, 214, 164, 77, 'none').replace('fill="none"', 'fill="none" stroke="#c7a24f" stroke-width="3"') +
    [128, 176, 224, 272]
      .map(
        (x, index) =>
          oval(x, 206, 27, 17, index % 2 ? '#d59a4a' : '#c98a3c') +
          stroke(`M${x - 12} 204q12 -8 24 0`, '#f0cf94', 4),
      )
      .join(''),
}

import { chosen, darker, leaf, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { boxPath, disc, ground, oval, repeat, shape, solid, stroke, turned, within } from '../svg.ts'

const greens = ['#5f8f4e', '#7aa65a', '#4f7f57', '#8ab063']

const leafAt = (x: number, y: number, degrees: number, length: number, color: string) =>
  turned(
    degrees,
    shape(
      `M${x} ${y}Q${x - length * 0.32} ${y - length * 0.5} ${x} ${y - length}Q${x + length * 0.32} ${y - length * 0.5} ${x} ${y}Z`,
      color,
    ) + stroke(`M${x} ${y}V${y - length * 0.8}`, darker(color, 0.15), 2),
    x,
    y,
  )

/** A plant that grows from the middle of the pot. */
const plant = (y: number, size = 1, name = '') =>
  [-58, 58, -34, 34, -12, 14]
    .map((degrees, index) =>
      leafAt(200 + degrees / 4, y, degrees, (96 + (index % 3) * 22) * size, chosen(name + index, greens)),
    )
    .join('')

const blossoms = (y: number, color: string) =>
  [
    [-62, -58],
    [-20, -92],
    [28, -84],
    [66, -54],
    [2, -46],
  ]
    .map(
      ([x = 0, up = 0]) =>
        stroke(`M200 ${y}Q${200 + x / 3} ${y + up / 2} ${200 + x} ${y + up}`, leaf, 5) +
        disc(200 + x, y + up, 17, color) +
        disc(200 + x, y + up, 6, '#f8e2a0'),
    )
    .join('')

const bowl = 'M104 196H296L276 306Q274 320 258 320H142Q126 320 124 306Z'
const round = 'M110 196H290Q312 270 262 320H138Q88 270 110 196Z'
const basket = 'M108 208H292L272 320H128Z'

export const planters: Drawings = {
  'terracotta-pot': ({ color, name }) =>
    ground(96) +
    plant(192, 1, name) +
    solid('M116 206H284L262 320H138Z', color, 232) +
    solid(boxPath(102, 182, 196, 38, 6), lighter(color, 0.1), 232) +
    stroke('M130 250Q200 262 270 250', darker(color, 0.12), 4),
  'glazed-planter': ({ color }) =>
    ground(96) +
    blossoms(204, '#f0efe9') +
    solid(round, color, 236) +
    oval(200, 196, 90, 13, darker(color, 0.3)) +
    within(
      round,
      shape('M80 190H320V222Q292 236 270 222T226 226T178 222T130 226T80 220Z', lighter(color, 0.3)),
    ) +
    stroke('M128 246Q124 274 140 298', lighter(color, 0.5), 7),
  'fiberstone-planter': ({ color, name }) =>
    ground(110) +
    plant(176, 1.05, name) +
    solid('M96 172H304L288 320H112Z', color, 244) +
    shape('M96 172H304L302 188H98Z', lighter(color, 0.18)) +
    repeat(14, (index) =>
      disc(122 + ((index * 53) % 154), 206 + ((index * 37) % 96), 2.4, darker(color, 0.16)),
    ),
  'self-watering-planter': ({ color, name }) =>
    ground(112) +
    plant(196, 0.95, name) +
    solid(bowl, color, 238) +
    solid(boxPath(94, 186, 212, 22, 9), lighter(color, 0.14), 238) +
    shape(boxPath(226, 238, 30, 66, 12), '#f3f6f4') +
    within(boxPath(226, 238, 30, 66, 12), shape('M220 270H262V310H220Z', '#5fb0d3')) +
    disc(241, 266, 8, '#e2574c'),
  'hanging-basket': ({ color }) =>
    stroke('M200 24L104 206M200 24L296 206M200 24V190', darker(color, 0.05), 4) +
    disc(200, 22, 8, color) +
    blossoms(206, '#d9568b') +
    solid('M96 204H304Q300 296 200 296T96 204Z', color, 236) +
    repeat(7, (index) =>
      stroke(`M${112 + index * 29} 208Q${140 + index * 20} 262 200 294`, lighter(color, 0.25), 2.5),
    ) +
    ['100 208', '292 210', '140 222'].map((at) => stroke(`M${at}q-8 40 4 66`, leaf, 6)).join(''),
  'willow-plant-basket': ({ color, name }) =>
    ground(96) +
    plant(206, 1, name) +
    stroke('M108 214Q78 228 88 258M292 214Q322 228 312 258', darker(color, 0.1), 11) +
    solid(basket, color, 236) +
    within(
      basket,
      repeat(6, (row) =>
        repeat(9, (column) =>
          stroke(
            `M${96 + column * 26 + (row % 2) * 13} ${222 + row * 18}h14`,
            darker(color, row % 2 ? 0.28 : 0.18),
            7,
          ),
        ),
      ),
    ) +
    solid(boxPath(100, 196, 200, 22, 11), lighter(color, 0.12), 236),
}

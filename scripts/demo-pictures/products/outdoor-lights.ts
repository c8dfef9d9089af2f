import { darker, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, faded, oval, repeat, shape, solid, stroke } from '../svg.ts'
import { glow } from './bulbs.ts'

const warm = '#ffdc94'
const lawn =
  oval(200, 350, 260, 44, '#3f5a4c') +
  repeat(9, (index) =>
    stroke(`M${40 + index * 42} 334q-4 -14 -10 -20M${44 + index * 42} 334q4 -16 10 -22`, '#527060', 4),
  )
const pool = oval(200, 340, 120, 18, warm).replace('fill=', 'fill-opacity=".28" fill=')

export const outdoorLights: Drawings = {
  'bollard-light': ({ color }) =>
    lawn +
    pool +
    glow(200, 128, 130, warm) +
    solid(boxPath(168, 152, 64, 184, 4), color, 206) +
    box(174, 108, 52, 50, '#fff0c9') +
    repeat(3, (index) => box(168, 110 + index * 18, 64, 6, darker(color, 0.1))) +
    solid(boxPath(158, 84, 84, 28, 8), lighter(color, 0.1), 206),
  'festoon-string-light': ({ color }) =>
    stroke('M-10 96Q100 210 200 150T410 96', lighter(color, color === '#33363c' ? 0.12 : 0), 7) +
    [
      [52, 144],
      [112, 172],
      [172, 164],
      [232, 142],
      [292, 142],
      [350, 122],
    ]
      .map(
        ([x = 0, y = 0]) =>
          glow(x, y + 52, 56, warm) +
          box(x - 9, y, 18, 24, lighter(color, 0.08), 4) +
          disc(x, y + 50, 27, '#ffe9b0') +
          disc(x - 7, y + 42, 9, '#fffaf0'),
      )
      .join('') +
    oval(200, 380, 260, 50, '#2f4a44'),
  'ground-spike-spotlight': ({ color }) =>
    faded(0.2, shape('M236 190L330 0H60Z', warm)) +
    lawn +
    stroke('M186 232V336', darker(color, 0.1), 13) +
    shape('M172 300H200L186 360Z', darker(color, 0.2)) +
    solid('M148 150L244 128L262 208L168 244Q136 206 148 150Z', color, 214) +
    oval(196, 140, 50, 17, '#fff0c9') +
    repeat(3, (index) =>
      stroke(
        `M${162 + index * 4} ${186 + index * 16}L${256 + index} ${164 + index * 15}`,
        darker(color, 0.2),
        4,
      ),
    ),
  'outdoor-wall-light': ({ color }) =>
    box(0, 0, 400, 400, '#6b5a52') +
    repeat(8, (row) =>
      repeat(5, (column) =>
        box(
          -40 + column * 100 + (row % 2) * 50,
          row * 52,
          94,
          46,
          row % 3 === column % 3 ? '#75635a' : '#7d6a60',
          4,
        ),
      ),
    ) +
    faded(0.3, shape('M150 126L60 0H340L250 126ZM150 274L60 400H340L250 274Z', warm)) +
    box(176, 176, 48, 48, darker(color, 0.3), 6) +
    solid(boxPath(146, 116, 108, 168, 14), color, 214, 162) +
    box(156, 112, 88, 10, '#fff0c9', 5) +
    box(156, 278, 88, 10, '#fff0c9', 5),
  'portable-garden-lantern': ({ color }) =>
    lawn +
    pool +
    glow(200, 214, 150, warm) +
    stroke('M152 124Q200 24 248 124', color, 9) +
    solid('M140 146L200 104L260 146Z', color, 206) +
    box(142, 146, 116, 158, '#fff0c9') +
    disc(200, 236, 34, '#ffd98a') +
    stroke('M200 252q-20 -24 0 -54q20 30 0 54z', '#f19a3a', 5) +
    stroke('M146 148V304M254 148V304M200 148V180', color, 9) +
    solid(boxPath(128, 300, 144, 26, 6), color, 206),
  'solar-path-light': ({ color }) =>
    lawn +
    pool +
    glow(200, 166, 130, warm) +
    stroke('M200 206V340', '#8b9097', 9) +
    shape('M156 138H244L224 210H176Z', '#fff0c9') +
    stroke('M170 142L184 206M200 142V206M230 142L216 206', lighter(color, 0.1), 4) +
    solid('M116 138Q122 104 200 100Q278 104 284 138Z', color, 206) +
    box(164, 92, 72, 15, '#31507a', 4) +
    stroke('M188 92V107M212 92V107', '#4a78a8', 3),
}

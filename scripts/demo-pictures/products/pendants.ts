import { darker, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, faded, oval, repeat, shape, solid, stroke, within } from '../svg.ts'
import { glow } from './bulbs.ts'

const warm = '#ffdc94'
const cord = (y: number, color = '#d5d8de') => stroke(`M200 0V${y}`, color, 4)
const beam = (left: number, right: number, y: number) =>
  faded(0.16, shape(`M${left} ${y}H${right}L${right + 70} 400H${left - 70}Z`, warm))

const domePath = 'M70 250Q76 126 200 120Q324 126 330 250Z'
const conePath = 'M110 262L156 128H244L290 262Z'
const rattanPath = 'M92 268Q84 152 200 132Q316 152 308 268Z'
const lantern = 'M200 100Q316 106 316 204T200 308Q84 302 84 204T200 100Z'

export const pendants: Drawings = {
  'dome-pendant': ({ color }) =>
    beam(90, 310, 252) +
    cord(102) +
    solid(boxPath(182, 92, 36, 34, 8), darker(color, 0.2), 204) +
    solid(domePath, color, 234) +
    stroke('M104 214Q116 160 164 142', lighter(color, 0.45), 8) +
    oval(200, 250, 130, 20, lighter(warm, 0.2)) +
    disc(200, 254, 22, '#fff6dd'),
  'concrete-pendant': ({ color }) =>
    beam(120, 280, 264) +
    cord(112) +
    solid(boxPath(186, 96, 28, 36, 6), '#2f343b', 202) +
    solid(conePath, color, 222) +
    within(
      conePath,
      repeat(16, (index) =>
        disc(116 + ((index * 59) % 170), 140 + ((index * 37) % 118), 3, darker(color, 0.16)),
      ),
    ) +
    oval(200, 262, 90, 15, warm) +
    disc(200, 266, 19, '#fff6dd'),
  'rattan-pendant': ({ color }) =>
    glow(200, 232, 160, warm) +
    cord(120) +
    disc(200, 232, 32, '#fff3cf') +
    faded(0.35, shape(rattanPath, color)) +
    within(
      rattanPath,
      repeat(12, (index) => stroke(`M${76 + index * 23} 290Q${140 + index * 10} 200 200 128`, color, 5)) +
        repeat(5, (index) =>
          stroke(
            `M80 ${166 + index * 25}Q200 ${186 + index * 25} 320 ${166 + index * 25}`,
            darker(color, 0.14),
            6,
          ),
        ),
    ) +
    stroke('M92 268Q200 292 308 268', darker(color, 0.1), 11) +
    solid(boxPath(176, 116, 48, 24, 10), darker(color, 0.2), 204),
  'ribbed-glass-pendant': ({ color }) =>
    glow(200, 214, 170, warm) +
    cord(110) +
    solid(boxPath(176, 98, 48, 44, 8), '#cba150', 204) +
    disc(200, 214, 28, '#fff3cf') +
    faded(0.62, shape('M150 138H250Q318 190 302 286H98Q82 190 150 138Z', color)) +
    within(
      'M150 138H250Q318 190 302 286H98Q82 190 150 138Z',
      repeat(11, (index) =>
        stroke(
          `M${176 + index * 5} 136Q${92 + index * 22} 200 ${98 + index * 20} 290`,
          lighter(color, 0.45),
          4,
        ),
      ),
    ) +
    stroke('M98 286H302', lighter(color, 0.3), 7),
  'paper-lantern-shade': ({ color }) =>
    glow(200, 204, 190, warm) +
    cord(98) +
    shape(lantern, lighter(color, 0.2)) +
    within(
      lantern,
      faded(0.5, disc(200, 204, 70, '#ffe9b8')) +
        repeat(9, (index) =>
          stroke(
            `M70 ${118 + index * 22}Q200 ${130 + index * 22} 330 ${118 + index * 22}`,
            darker(color, 0.12),
            2.5,
          ),
        ),
    ) +
    oval(200, 102, 36, 7, darker(color, 0.3)) +
    oval(200, 306, 36, 7, darker(color, 0.22)),
  'linear-dining-light': ({ color }) =>
    beam(60, 340, 214) +
    stroke('M100 0V186M300 0V186', '#d5d8de', 4) +
    solid(boxPath(44, 182, 312, 32, 8), color, 250) +
    box(56, 210, 288, 11, '#fff3cf', 5) +
    stroke('M60 190H236', lighter(color, 0.4), 4),
}

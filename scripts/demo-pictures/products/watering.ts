import { darker, ink, lighter, wood } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, discPath, ground, oval, repeat, shape, solid, stroke, within } from '../svg.ts'

const ring = (x: number, y: number, radius: number, color: string, width: number) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${color}" stroke-width="${width}"/>`
const drops = (...places: [number, number][]) =>
  places.map(([x, y]) => shape(`M${x} ${y}q11 15 0 24q-11 -9 0 -24z`, '#5fb0d3')).join('')

const can = 'M136 180H252L264 320H124Z'
const barrel = 'M116 92H284Q304 204 284 320H116Q96 204 116 92Z'

export const watering: Drawings = {
  'galvanized-watering-can': ({ color }) =>
    ground(120) +
    stroke('M256 204Q334 196 318 280Q306 304 266 300', darker(color, 0.22), 13) +
    stroke('M146 180Q196 92 250 180', darker(color, 0.16), 12) +
    stroke('M136 286L68 176', darker(color, 0.1), 19) +
    shape('M38 176L88 142L96 158L54 196Z', darker(color, 0.24)) +
    solid(can, color, 214, 156) +
    within(can, stroke('M110 216H280M110 284H280', darker(color, 0.2), 5)) +
    oval(194, 180, 58, 10, darker(color, 0.4)),
  'garden-hose': ({ color }) =>
    ground(124) +
    stroke('M310 250Q352 286 336 316', color, 21) +
    box(318, 302, 36, 22, '#d8a63d', 5) +
    [92, 68, 44]
      .map(
        (radius, index) =>
          ring(200, 214, radius, index === 1 ? lighter(color, 0.16) : color, 22) +
          ring(200, 208, radius + 3, lighter(color, 0.36), 3),
      )
      .join('') +
    stroke('M292 212V232Q296 244 310 250', color, 21) +
    stroke('M200 108V136M200 292V320', ink, 11),
  'hose-reel': ({ color }) =>
    ground(120) +
    stroke('M120 320L182 84M280 320L218 84', '#6c727b', 13) +
    stroke('M182 84Q200 60 218 84', ink, 13) +
    ring(200, 200, 66, '#6f9a4f', 46) +
    [50, 62, 74, 86].map((radius) => ring(200, 200, radius, '#5b8541', 3)).join('') +
    ring(200, 200, 100, color, 13) +
    disc(200, 200, 34, color) +
    stroke('M200 200L246 168', lighter(color, 0.3), 9) +
    disc(250, 166, 11, '#f1702f') +
    stroke('M104 320H296', '#6c727b', 13),
  'rain-barrel': ({ color }) =>
    ground(112) +
    solid(barrel, color, 232, 132) +
    within(
      barrel,
      repeat(4, (index) => stroke(`M90 ${132 + index * 56}H310`, darker(color, 0.22), 7)),
    ) +
    oval(200, 92, 86, 14, darker(color, 0.28)) +
    oval(200, 88, 74, 9, lighter(color, 0.18)) +
    stroke('M200 286V300M190 280H226', '#d8a63d', 11) +
    drops([224, 300]),
  'spray-nozzle': ({ color }) =>
    ground(92) +
    drops([70, 108], [46, 146], [80, 172], [38, 196]) +
    solid('M168 320L188 186H252L250 320Z', color, 222) +
    solid(
      'M112 114L292 130Q312 134 310 160L304 190Q300 202 280 202L176 190L116 176Z',
      lighter(color, 0.1),
      244,
    ) +
    solid(boxPath(96, 104, 30, 84, 10), '#d8a63d', 112) +
    stroke('M184 204Q148 236 164 286', ink, 12) +
    repeat(4, (index) => stroke(`M196 ${232 + index * 22}h40`, darker(color, 0.24), 5)) +
    solid(boxPath(176, 306, 68, 20, 6), ink, 216),
  'drip-irrigation-kit': ({ color }) =>
    ground(140) +
    solid('M48 292H352L338 326H62Z', '#8a6446', 250) +
    [104, 200, 296]
      .map(
        (x) =>
          stroke(`M${x} 288V246`, '#6f9a4f', 6) +
          oval(x - 16, 248, 18, 10, '#7aa65a') +
          oval(x + 16, 240, 18, 10, '#5f8f4e') +
          oval(x, 228, 11, 17, '#8ab063'),
      )
      .join('') +
    stroke('M48 184H352', color, 14) +
    stroke('M48 180H352', lighter(color, 0.3), 3) +
    [104, 200, 296].map((x) => stroke(`M${x} 184V202`, color, 9) + box(x - 9, 198, 18, 12, ink, 3)).join('') +
    drops([104, 216], [200, 220], [296, 216]) +
    solid(discPath(92, 128, 34), '#f3f6f4', 96) +
    ring(92, 128, 34, color, 9) +
    stroke('M92 128V110M92 128L106 136', ink, 5) +
    stroke('M92 162V184', wood, 9),
}

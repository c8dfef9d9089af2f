import { darker, ink, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, discPath, faded, ground, oval, repeat, solid, stroke } from '../svg.ts'

export const campGear: Drawings = {
  'down-sleeping-bag': ({ color }) =>
    ground(150, 312) +
    solid(
      'M64 262Q52 196 116 184L320 204Q352 212 350 262Q350 304 318 308L118 312Q72 308 64 262Z',
      color,
      280,
    ) +
    repeat(5, (index) =>
      stroke(
        `M${150 + index * 38} ${192 + index * 4}Q${138 + index * 38} 250 ${150 + index * 38} 308`,
        darker(color, 0.2),
        3,
      ),
    ) +
    oval(112, 248, 44, 60, lighter(color, 0.35)) +
    oval(116, 254, 30, 44, darker(color, 0.5)) +
    oval(112, 282, 32, 15, '#f3ead9'),
  'dry-bag': ({ color }) =>
    ground(82) +
    stroke('M150 96Q200 44 250 96', '#3b3f45', 9) +
    solid('M124 318Q114 318 116 304L136 128H264L284 304Q286 318 276 318Z', color, 232, 150) +
    solid(boxPath(126, 86, 148, 50, 14), darker(color, 0.14), 232) +
    stroke('M130 112H270', lighter(color, 0.35), 4) +
    box(136, 92, 16, 38, '#3b3f45', 4) +
    box(248, 92, 16, 38, '#3b3f45', 4) +
    box(160, 204, 80, 48, lighter(color, 0.6), 8) +
    stroke('M176 222H224M176 236H208', darker(color, 0.3), 5),
  'folding-camp-chair': ({ color }) =>
    ground(118) +
    stroke('M118 250L286 322M282 250L114 322', '#5b6068', 9) +
    stroke('M112 96L128 256M288 96L272 256', '#6c727b', 9) +
    solid('M112 96Q200 120 288 96L276 220Q200 236 124 220Z', color, 240) +
    solid('M122 214Q200 232 278 214L296 258Q200 282 104 258Z', lighter(color, 0.12), 246) +
    stroke('M96 190H136M264 190H304', ink, 12) +
    stroke('M108 192L118 252M292 192L282 252', '#6c727b', 7),
  'guy-line-cord-by-the-meter': ({ color }) =>
    ground(104, 306) +
    repeat(
      6,
      (index) =>
        `<ellipse cx="200" cy="${206 + (index % 2) * 4}" rx="${128 - index * 13}" ry="${92 - index * 11}" fill="none" stroke="${index % 2 ? lighter(color, 0.2) : color}" stroke-width="11"/>`,
    ) +
    stroke('M316 236Q348 262 330 304', color, 11) +
    solid(boxPath(176, 100, 48, 58, 8), '#f3ead9', 206) +
    stroke('M186 118H214M186 132H206', '#8d8672', 4),
  'rechargeable-headlamp': ({ color }) =>
    ground(110, 306) +
    stroke('M84 196Q84 118 200 118T316 196Q316 236 290 258', darker(color, 0.1), 26) +
    stroke('M84 196Q84 236 110 258', darker(color, 0.24), 26) +
    stroke('M96 168Q120 128 200 126', lighter(color, 0.3), 5) +
    solid(boxPath(128, 206, 144, 88, 30), ink, 224) +
    disc(184, 250, 32, '#dfe6ea') +
    disc(184, 250, 23, '#fff3c4') +
    disc(178, 244, 8, '#ffffff') +
    disc(242, 250, 12, '#e2574c') +
    box(186, 196, 36, 14, color, 6),
  'self-inflating-mat': ({ color }) =>
    ground(142, 304) +
    solid('M150 292V196L330 168Q350 168 350 190V270Q350 288 332 290Z', lighter(color, 0.12), 300) +
    repeat(4, (index) =>
      stroke(`M${186 + index * 38} ${194 - index * 6}V${290 - index}`, darker(color, 0.14), 3),
    ) +
    solid(discPath(130, 236, 76, 76), color, 146) +
    repeat(
      3,
      (index) =>
        `<circle cx="130" cy="236" r="${56 - index * 20}" fill="none" stroke="${darker(color, 0.26)}" stroke-width="5"/>`,
    ) +
    box(340, 200, 20, 14, ink, 4) +
    stroke('M246 182V292', ink, 10) +
    faded(0.9, box(238, 226, 16, 20, '#f3ead9', 4)),
}

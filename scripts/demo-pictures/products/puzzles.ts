import { darker, lighter, wood } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import {
  box,
  boxPath,
  disc,
  discPath,
  ground,
  oval,
  placed,
  repeat,
  shape,
  solid,
  stroke,
  within,
} from '../svg.ts'
import { scenes } from './puzzle-scenes.ts'

const seams =
  repeat(4, (index) => stroke(`M${40 * (index + 1)} 0v24q-9 6 0 12v32q9 6 0 12v60`, '#1d2530', 1.6)) +
  repeat(2, (index) =>
    stroke(`M0 ${47 * (index + 1)}h30q6 -9 12 0h44q6 9 12 0h44q6 -9 12 0h58`, '#1d2530', 1.6),
  )
const sceneOf = ({ name }: Variant) => scenes[name] ?? scenes['mountain-railway']
const seamed = (variant: Variant) => `${sceneOf(variant)}<g opacity=".35">${seams}</g>`
const pegAt = (x: number, y: number, draw: string) =>
  draw + disc(x, y, 8, '#e2574c') + disc(x - 2, y - 2, 3, '#f3a8a0')

const pegs: Record<string, string> = {
  'farm-animals':
    pegAt(146, 176, oval(146, 180, 40, 26, '#fdfbf5') + disc(180, 168, 14, '#55504a')) +
    pegAt(258, 180, oval(258, 182, 34, 28, '#e9b3ac') + disc(286, 178, 12, '#e09a92')) +
    pegAt(200, 262, oval(200, 264, 38, 24, '#f4cf4e') + shape('M234 258l18 6l-18 8z', '#f2a63b')),
  'garden-friends':
    pegAt(
      146,
      178,
      disc(146, 178, 32, '#e2574c') +
        stroke('M146 148V208', '#2f343b', 4) +
        disc(132, 168, 5, '#2f343b') +
        disc(160, 188, 5, '#2f343b'),
    ) +
    pegAt(258, 180, oval(240, 180, 24, 30, '#8a68b0') + oval(276, 180, 24, 30, '#a589c4')) +
    pegAt(200, 264, oval(200, 268, 46, 18, '#8ab063') + disc(190, 256, 25, '#cfa873')),
  'things-that-drive':
    pegAt(
      146,
      176,
      box(108, 164, 78, 32, '#4a90c2', 8) + disc(126, 198, 11, '#3b3f45') + disc(168, 198, 11, '#3b3f45'),
    ) +
    pegAt(
      258,
      172,
      box(222, 156, 72, 40, '#f2b632', 6) + disc(238, 198, 11, '#3b3f45') + disc(280, 198, 11, '#3b3f45'),
    ) +
    pegAt(
      200,
      258,
      box(152, 244, 96, 34, '#69a86a', 8) + disc(174, 280, 12, '#3b3f45') + disc(228, 280, 12, '#3b3f45'),
    ),
}
const models: Record<string, string> = {
  lighthouse:
    solid('M164 300L178 130H222L236 300Z', '#e8d2a4', 206) +
    stroke('M172 210H229M168 254H232', '#c59a66', 9) +
    box(172, 104, 56, 28, '#dcbd8d') +
    shape('M168 106L200 76L232 106Z', '#c59a66') +
    disc(200, 118, 9, '#f8e2a0') +
    solid(boxPath(126, 296, 148, 26, 4), '#cfa873', 206),
  'steam-engine':
    solid(boxPath(110, 184, 150, 66, 28), '#e0c08a', 230) +
    solid(boxPath(238, 134, 70, 116, 6), '#cfa873', 276) +
    box(254, 150, 38, 34, '#8a6242', 4) +
    solid('M132 184L138 128H166L172 184Z', '#cfa873', 154) +
    box(92, 250, 226, 18, '#b98d5c', 4) +
    [128, 188, 272]
      .map((x) => disc(x, 286, 30, '#c59a66') + disc(x, 286, 20, '#e6cfa6') + disc(x, 286, 6, '#8a6242'))
      .join('') +
    disc(150, 102, 11, '#e6cfa6') +
    disc(170, 82, 15, '#e6cfa6'),
}

const boxed = (front: string, side: string, variant: Variant) =>
  ground(140) +
  shape('M328 96L358 80V290L328 320Z', darker(side, 0.3)) +
  shape('M52 96L82 80H358L328 96Z', lighter(side, 0.3)) +
  box(52, 96, 276, 224, side, 3) +
  placed(66, 110, 1.24, within(boxPath(0, 0, 200, 140), front)) +
  box(84, 292, 120, 14, '#fbf5e6', 7) +
  (variant.name.length > 0 ? disc(292, 300, 12, '#f2b632') : '')

export const puzzles: Drawings = {
  'jigsaw-puzzle': (variant) => boxed(seamed(variant), '#31507a', variant),
  'floor-puzzle': (variant) =>
    ground(150, 312) + placed(42, 92, 1.58, within(boxPath(0, 0, 200, 140, 8), seamed(variant))),
  'wooden-jigsaw': (variant) =>
    ground(140, 322) +
    solid(boxPath(52, 92, 296, 224, 10), wood, 500) +
    box(52, 304, 296, 12, darker(wood, 0.25), 6) +
    placed(72, 108, 1.28, within(boxPath(0, 0, 200, 140, 3), seamed(variant))),
  'round-puzzle': (variant) =>
    ground(130, 330) +
    disc(200, 202, 132, '#c9a46a') +
    within(discPath(200, 202, 124), placed(50, 70, 1.9, seamed(variant))),
  'peg-puzzle': ({ name }) =>
    ground(140, 330) +
    solid(boxPath(62, 116, 276, 204, 18), '#e6cfa6', 500) +
    box(62, 306, 276, 14, '#c59a66', 7) +
    (pegs[name] ?? ''),
  '3d-model-puzzle': ({ name }) => ground(120, 324) + (models[name] ?? ''),
}

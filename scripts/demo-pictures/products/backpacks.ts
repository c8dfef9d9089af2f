import { darker, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, ground, shape, solid, stroke } from '../svg.ts'

const strap = '#3b3f45'
const buckle = '#e6e0d2'

const pocket = (color: string, x: number, y: number, width: number, height: number) =>
  box(x, y, width, height, darker(color, 0.14), 18) +
  box(x, y, width, height * 0.34, darker(color, 0.24), 16) +
  stroke(`M${x + 18} ${y + height * 0.36}H${x + width - 18}`, buckle, 3)

export const backpacks: Drawings = {
  'hiking-daypack': ({ color }) =>
    ground(96) +
    stroke('M178 92Q200 58 222 92', strap, 9) +
    stroke('M112 168Q86 220 112 290M288 168Q314 220 288 290', strap, 12) +
    solid('M112 320V176Q112 84 200 84T288 176V320Z', color, 236) +
    shape('M112 176Q112 84 200 84T288 176Q244 200 200 200T112 176Z', lighter(color, 0.16)) +
    stroke('M128 192Q200 216 272 192', buckle, 3) +
    pocket(color, 136, 226, 128, 84),
  'trekking-backpack': ({ color }) =>
    ground(104) +
    solid(boxPath(118, 62, 164, 46, 22), darker(color, 0.2), 236) +
    stroke('M150 60V330M250 60V330', strap, 7) +
    solid('M108 322V120Q108 100 130 100H270Q292 100 292 120V322Z', color, 240) +
    shape('M108 150V118Q108 100 130 100H270Q292 100 292 118V150Q200 172 108 150Z', lighter(color, 0.18)) +
    stroke('M152 158V236M248 158V236', strap, 6) +
    box(145, 196, 14, 18, buckle, 4) +
    box(241, 196, 14, 18, buckle, 4) +
    pocket(color, 134, 238, 132, 72) +
    solid(boxPath(86, 214, 26, 96, 12), darker(color, 0.1), 100) +
    solid(boxPath(288, 214, 26, 96, 12), darker(color, 0.16), 300),
  'roll-top-commuter-pack': ({ color }) =>
    ground(94) +
    stroke('M112 180Q88 230 112 296M288 180Q312 230 288 296', strap, 12) +
    solid('M116 320V118H284V320Z', color, 238) +
    solid(boxPath(108, 84, 184, 40, 16), lighter(color, 0.14), 238) +
    stroke('M200 104V206', strap, 8) +
    box(190, 188, 20, 26, buckle, 5) +
    pocket(color, 136, 232, 128, 76),
  'climbing-pack': ({ color }) =>
    ground(84) +
    solid('M124 320V134Q124 92 200 92T276 134V320Z', color, 236) +
    shape('M124 148Q124 92 200 92T276 148Q200 176 124 148Z', darker(color, 0.22)) +
    stroke('M146 168V306M254 168V306', strap, 6) +
    stroke('M146 214L254 244M254 214L146 244M146 268L254 298M254 268L146 298', '#f2c14e', 4) +
    stroke('M168 96Q200 58 232 96', '#d9534a', 7),
  'children-s-backpack': ({ color }) =>
    ground(88) +
    disc(140, 112, 26, darker(color, 0.12)) +
    disc(260, 112, 26, darker(color, 0.2)) +
    stroke('M182 92Q200 66 218 92', strap, 9) +
    solid('M112 318Q108 84 200 84T288 318Z', color, 236) +
    shape('M132 236H268V286Q268 310 240 310H160Q132 310 132 286Z', lighter(color, 0.5)) +
    stroke('M132 238H268', buckle, 4) +
    disc(168, 170, 9, '#2f343b') +
    disc(232, 170, 9, '#2f343b') +
    stroke('M180 196Q200 214 220 196', '#2f343b', 5) +
    disc(146, 194, 11, lighter(color, 0.45)) +
    disc(254, 194, 11, lighter(color, 0.45)),
  'waterproof-duffel': ({ color }) =>
    ground(150) +
    stroke('M138 198Q140 112 200 112T262 198', strap, 12) +
    solid(boxPath(52, 182, 296, 136, 62), color, 268) +
    stroke('M132 184V316M268 184V316', strap, 12) +
    stroke('M104 210H296', darker(color, 0.42), 6) +
    box(168, 244, 64, 40, lighter(color, 0.55), 8) +
    stroke('M180 258H220M180 270H206', darker(color, 0.3), 4),
}

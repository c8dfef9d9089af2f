import { darker, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, ground, repeat, shape, solid, stroke, turned } from '../svg.ts'

const sheets = (color: string, count: number) =>
  repeat(count, (index) =>
    turned(
      (count - 1 - index) * 5 - 6,
      box(112, 70, 168, 236, index === count - 1 ? color : darker(color, 0.08 + (count - index) * 0.03), 3),
    ),
  )

export const paperGoods: Drawings = {
  'a4-writing-paper': ({ color }) =>
    ground(110, 326) +
    sheets(color, 3) +
    turned(
      -6,
      stroke('M138 110H202', darker(color, 0.45), 6) +
        repeat(6, (index) =>
          stroke(`M138 ${146 + index * 22}H${index === 5 ? 200 : 254}`, darker(color, 0.2), 4),
        ),
    ) +
    turned(
      40,
      solid(boxPath(270, 172, 16, 130, 7), '#2f4a6b', 279) + shape('M270 302h16l-8 26z', '#d8a63d'),
      278,
      240,
    ),
  'card-stock-a4': ({ color }) =>
    ground(120, 322) +
    [-16, -8, 0, 8]
      .map((degrees, index) =>
        turned(
          degrees,
          box(120, 78, 160, 226, index === 3 ? color : darker(color, 0.26 - index * 0.07), 6),
          200,
          360,
        ),
      )
      .join('') +
    turned(
      8,
      disc(200, 176, 42, darker(color, 0.12)) +
        stroke('M181 176L196 191L222 160', lighter(color, 0.75), 9) +
        stroke('M160 254H240M160 272H212', darker(color, 0.22), 5),
      200,
      360,
    ),
  'copy-paper-a4': ({ color }) =>
    ground(124) +
    solid('M84 178H316V320H84Z', '#3d7391', 252) +
    shape('M84 178L116 128H348L316 178Z', color) +
    shape('M316 178L348 128V270L316 320Z', '#2f5c75') +
    stroke('M100 160H322M108 148H330', darker(color, 0.14), 2) +
    box(120, 214, 160, 66, '#fbf8f1', 8) +
    box(140, 232, 90, 12, '#3d7391', 6) +
    box(140, 254, 60, 8, '#9fbccb', 4),
  'envelopes-c6': ({ color }) =>
    ground(130, 312) +
    turned(-9, box(74, 130, 240, 160, darker(color, 0.14), 6)) +
    turned(
      5,
      solid(boxPath(82, 128, 248, 166, 6), color, 400) +
        shape('M82 134L206 232L330 134V128H82Z', darker(color, 0.1)) +
        stroke('M82 290L176 210M330 290L236 210', darker(color, 0.14), 3) +
        disc(206, 224, 21, '#a52c31') +
        disc(206, 224, 13, '#b8474b'),
    ),
  'mailing-boxes': ({ color }) =>
    ground(132) +
    solid('M70 206L200 176L330 206V304L200 334L70 304Z', color, 200) +
    shape('M70 206L200 236L330 206L200 176Z', lighter(color, 0.25)) +
    shape('M122 194L254 224V246L240 242L228 246V219L106 198Z', '#e6d3a6') +
    solid('M126 120L200 102L276 120V172L200 192L126 172Z', darker(color, 0.06), 200) +
    shape('M126 120L200 138L276 120L200 102Z', lighter(color, 0.2)) +
    shape('M106 268l30 7v22l-30 -7z', '#fbf8f1'),
  'gift-wrap-roll': ({ color }) =>
    ground(130, 316) +
    turned(
      -28,
      solid(boxPath(60, 160, 260, 74, 10), color, 400) +
        repeat(8, (index) => disc(88 + index * 30, 178 + (index % 2) * 36, 8, lighter(color, 0.5))) +
        box(60, 220, 260, 14, darker(color, 0.25), 7) +
        `<ellipse cx="322" cy="197" rx="17" ry="37" fill="${lighter(color, 0.5)}"/><ellipse cx="322" cy="197" rx="9" ry="20" fill="#c99d6b"/>` +
        box(170, 156, 40, 82, '#fbf8f1') +
        stroke('M190 158V236', '#cba150', 6),
    ),
}

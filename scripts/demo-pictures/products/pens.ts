import { darker, ink, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, ground, repeat, shape, solid, stroke, turned } from '../svg.ts'

/** Pens lie from the upper right to the lower left, with the tip at the left. */
const pen = (content: string, line: string) =>
  ground(140, 322) + stroke('M70 306q18 -16 34 0t36 0t34 -2', line, 5) + turned(-32, content)
const body = (color: string, from: number, to: number, height = 34) => {
  const y = 200 - height / 2
  return (
    solid(boxPath(from, y, to - from, height, height / 3), color, 500) +
    box(from, y + height * 0.62, to - from, height * 0.38, darker(color, 0.2), height / 4) +
    stroke(`M${from + 16} ${y + 8}H${to - 16}`, lighter(color, 0.4), 4)
  )
}
const clip = (x: number, width = 84) => box(x, 176, width, 10, '#cba150', 5)

export const pens: Drawings = {
  'ballpoint-pen': ({ color }) =>
    pen(
      shape('M84 188L50 200L84 212Z', '#c2c9cf') +
        body(color, 82, 330, 30) +
        box(206, 184, 12, 32, '#cba150') +
        box(330, 192, 24, 16, '#c2c9cf', 5) +
        clip(234),
      '#2f62b5',
    ),
  'fountain-pen': ({ color }) =>
    pen(
      shape('M96 184L30 200L96 216Z', '#d8a63d') +
        stroke('M36 200H78', '#8a6420', 3) +
        body(darker(color, 0.25), 94, 142, 30) +
        body(color, 138, 366, 38) +
        box(196, 180, 10, 40, '#cba150') +
        clip(222, 110),
      '#293f6b',
    ),
  'rollerball-pen': ({ color }) =>
    pen(
      shape('M90 190L58 200L90 210Z', '#8d939b') +
        body('#c2c9cf', 88, 130, 28) +
        body(color, 126, 356, 34) +
        box(228, 182, 10, 36, '#c3c9ce') +
        clip(252),
      '#1f6a77',
    ),
  'brush-pen': ({ color }) =>
    pen(
      shape('M102 186Q60 186 30 206Q64 216 102 214Z', ink) +
        body('#8d939b', 100, 142, 30) +
        body(color, 138, 360, 34) +
        box(196, 183, 96, 34, lighter(color, 0.35)),
      ink,
    ),
  'mechanical-pencil': ({ color }) =>
    pen(
      stroke('M44 200H70', ink, 3) +
        shape('M110 186L62 200L110 214Z', '#c2c9cf') +
        body(color, 108, 330, 30) +
        repeat(7, (index) => stroke(`M${124 + index * 10} 187V213`, darker(color, 0.3), 3)) +
        box(330, 188, 22, 24, '#f5f5f2', 5) +
        clip(244),
      '#8d939b',
    ),
  'permanent-marker': ({ color }) =>
    pen(
      shape('M92 188H64Q50 196 50 204L92 212Z', color) +
        body(ink, 90, 122, 36) +
        body('#f3f1ea', 118, 286, 50) +
        body(color, 278, 362, 54) +
        box(150, 176, 90, 48, color) +
        stroke('M166 192H224M166 206H206', lighter(color, 0.75), 5),
      color,
    ),
}

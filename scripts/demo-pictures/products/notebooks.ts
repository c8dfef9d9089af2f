import { darker, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, ground, repeat, shape, solid, stroke, turned } from '../svg.ts'

const pages = (x: number, y: number, width: number, height: number) =>
  box(x, y, width, height, '#f6f1e4', 6) +
  repeat(3, (index) => stroke(`M${x + width - 4 - index * 4} ${y + 8}V${y + height - 8}`, '#ddd5c2', 1.5))
const book = (color: string, spine = true) =>
  pages(118, 66, 180, 260) +
  solid(boxPath(108, 60, 180, 260, 10), color, 262) +
  (spine ? box(108, 60, 26, 260, darker(color, 0.2), 8) : '')
const tilted = (content: string) => ground(104, 332) + turned(-5, content)

export const notebooks: Drawings = {
  'hardcover-notebook': ({ color }) =>
    tilted(
      shape('M176 312V352L186 340L196 352V312Z', '#e2574c') +
        book(color) +
        stroke('M262 62V318', darker(color, 0.4), 8) +
        box(160, 110, 84, 50, lighter(color, 0.7), 6) +
        stroke('M174 128H230M174 142H212', darker(color, 0.2), 4),
    ),
  'softcover-journal': ({ color }) =>
    tilted(
      pages(114, 66, 184, 258) +
        solid(
          'M108 72Q108 60 122 60H278Q290 60 290 84V300Q290 320 270 320H122Q108 320 108 308Z',
          color,
          250,
        ) +
        stroke('M122 74V306', lighter(color, 0.45), 3).replace(
          'stroke-linecap',
          'stroke-dasharray="8 8" stroke-linecap',
        ) +
        disc(206, 176, 30, lighter(color, 0.16)) +
        stroke('M206 192V160M206 176Q190 172 190 158M206 172Q222 168 222 154', lighter(color, 0.65), 5),
    ),
  'spiral-project-pad': ({ color }) =>
    tilted(
      pages(118, 80, 180, 246) +
        solid(boxPath(108, 74, 180, 246, 8), color, 258) +
        box(134, 196, 128, 84, lighter(color, 0.75), 6) +
        stroke('M150 218H246M150 238H246M150 258H212', darker(color, 0.1), 4) +
        repeat(
          9,
          (index) =>
            disc(126 + index * 18, 88, 5, '#f6f1e4') +
            stroke(`M${126 + index * 18} 88Q${120 + index * 18} 58 ${130 + index * 18} 60`, '#8d939b', 4),
        ),
    ),
  'weekly-planner': ({ color }) =>
    tilted(
      book(color) +
        box(152, 96, 116, 30, lighter(color, 0.7), 6) +
        repeat(7, (index) =>
          box(
            152 + (index % 4) * 30,
            150 + Math.floor(index / 4) * 40,
            24,
            30,
            index === 2 ? '#f2a63b' : lighter(color, 0.4),
            5,
          ),
        ) +
        stroke('M150 252H268M150 274H230', lighter(color, 0.4), 5) +
        repeat(4, (index) =>
          box(286, 88 + index * 52, 14, 34, ['#e2574c', '#f2a63b', '#69a86a', '#4a90c2'][index] as string, 3),
        ),
    ),
  sketchbook: ({ color }) =>
    tilted(
      book(color) +
        shape('M152 244L186 168L206 206L226 150L262 244Z', lighter(color, 0.5)) +
        disc(176, 132, 15, '#f4b935'),
    ) +
    turned(
      34,
      box(286, 130, 17, 170, '#f2a63b') +
        shape('M286 300h17l-8 28z', '#f3dcb4') +
        box(286, 118, 17, 14, '#e88b9a', 3),
      294,
      230,
    ),
  'pocket-notebook-set-of-3': ({ color }) =>
    ground(120, 330) +
    turned(10, solid(boxPath(188, 96, 134, 200, 8), darker(color, 0.3), 300)) +
    turned(0, solid(boxPath(138, 90, 134, 206, 8), lighter(color, 0.35), 250)) +
    turned(
      -10,
      solid(boxPath(84, 98, 134, 206, 8), color, 196) +
        box(112, 134, 78, 36, lighter(color, 0.7), 5) +
        stroke('M124 152H178', darker(color, 0.2), 4),
    ),
}

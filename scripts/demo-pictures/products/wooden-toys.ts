import { darker, lighter, toyColors, wood } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, discPath, ground, oval, repeat, shape, solid, stroke, turned } from '../svg.ts'

const pick = (colors: string[], index: number) => colors[index % colors.length] as string
const cube = (x: number, y: number, size: number, color: string) =>
  solid(boxPath(x, y, size, size, 6), color, x + size * 0.64)

export const woodenToys: Drawings = {
  'building-blocks': ({ name }) => {
    const color = (index: number) => pick(toyColors(name), index)
    return (
      ground(140) +
      cube(72, 236, 84, color(0)) +
      cube(160, 236, 84, color(3)) +
      cube(248, 236, 84, color(4)) +
      solid('M116 232V148H200V232H184Q182 196 158 196T132 232Z', color(1), 170) +
      cube(206, 160, 72, color(5)) +
      shape('M112 146L158 84L204 146Z', color(2)) +
      solid(discPath(242, 124, 34), color(0), 252)
    )
  },
  'marble-run': ({ name }) => {
    const colors = toyColors(name)
    return (
      ground(140) +
      [84, 316].map((x) => solid(boxPath(x - 13, 96, 26, 224, 4), '#dcbd8d', x + 4)).join('') +
      [116, 182, 248]
        .map((y, index) =>
          turned(
            index % 2 ? 7 : -7,
            box(72, y, 256, 22, pick(colors, index), 8) +
              box(72, y + 13, 256, 9, darker(pick(colors, index), 0.22), 5),
            200,
            y,
          ),
        )
        .join('') +
      disc(120, 116, 15, '#4a90c2') +
      disc(116, 112, 5, '#cfe6f0') +
      disc(266, 180, 15, '#e2574c') +
      disc(152, 248, 15, '#f4cf4e') +
      box(60, 306, 280, 18, '#c59a66', 6)
    )
  },
  'shape-sorter': ({ name }) => {
    const colors = toyColors(name)
    return (
      ground(132) +
      solid('M92 168H292V320H92Z', '#dcbd8d', 500) +
      shape('M92 168L128 124H328L292 168Z', '#ecd8b2') +
      shape('M292 168L328 124V276L292 320Z', '#b98d5c') +
      box(116, 214, 48, 48, '#8a6242', 4) +
      disc(216, 238, 27, '#8a6242') +
      shape('M250 262L268 214L286 262Z', '#8a6242') +
      cube(146, 84, 54, pick(colors, 0)) +
      solid(discPath(236, 104, 28), pick(colors, 4), 244) +
      shape('M300 320L330 264L360 320Z', pick(colors, 2)) +
      cube(40, 276, 46, pick(colors, 3))
    )
  },
  'threading-beads': ({ name }) => {
    const colors = toyColors(name)
    const places = [
      [84, 226],
      [122, 268],
      [176, 286],
      [232, 282],
      [280, 252],
      [304, 204],
      [288, 152],
      [244, 118],
      [190, 110],
    ] as const
    return (
      ground(130, 330) +
      stroke('M60 150Q60 230 122 268T260 268T296 160T150 104', '#a5674a', 7) +
      places
        .map(([x, y], index) =>
          index % 3 === 1
            ? cube(x - 25, y - 25, 50, pick(colors, index))
            : solid(discPath(x, y, 29), pick(colors, index), x + 7) +
              disc(x - 9, y - 9, 6, lighter(pick(colors, index), 0.5)),
        )
        .join('') +
      stroke('M150 104L118 92', '#8a6242', 11)
    )
  },
  'play-kitchen-food': ({ name }) => {
    const colors = toyColors(name)
    return (
      ground(146) +
      solid('M66 246H334L312 320H88Z', wood, 250) +
      repeat(7, (index) => stroke(`M${92 + index * 36} 252L${102 + index * 33} 316`, darker(wood, 0.2), 3)) +
      disc(140, 196, 45, pick(colors, 0)) +
      shape('M140 156q-4 -22 14 -28q4 18 -14 28z', '#69a86a') +
      turned(24, shape('M196 130Q220 118 240 130L220 244Z', pick(colors, 1)), 218, 200) +
      stroke('M250 120q6 -18 18 -22M256 122q14 -12 24 -10', '#69a86a', 6) +
      disc(286, 208, 37, pick(colors, 2)) +
      oval(214, 226, 40, 25, '#f3e6c8') +
      oval(214, 220, 40, 23, '#e2b36a') +
      stroke('M60 246H340', darker(wood, 0.12), 13)
    )
  },
  'train-set': () =>
    ground(160, 322) +
    box(28, 306, 344, 12, '#b98d5c', 5) +
    solid(boxPath(52, 216, 96, 64, 20), '#dcbd8d', 112) +
    solid(boxPath(118, 170, 58, 110, 8), '#cfa873', 154) +
    box(130, 186, 34, 34, '#8a6242', 5) +
    solid('M70 216L76 176H100L106 216Z', '#c59a66', 90) +
    solid(boxPath(196, 224, 76, 56, 8), '#c8523f', 244) +
    solid(boxPath(288, 224, 76, 56, 8), '#4a90c2', 336) +
    [78, 146, 214, 254, 306, 346]
      .map((x) => disc(x, 290, 19, '#8a6242') + disc(x, 290, 8, '#e6cfa6'))
      .join('') +
    stroke('M176 268H196M272 268H288', '#6c727b', 7) +
    disc(214, 212, 15, '#f4cf4e') +
    disc(248, 210, 17, '#69a86a') +
    disc(326, 208, 17, '#e2b36a') +
    disc(86, 150, 13, '#fdfbf5') +
    disc(108, 128, 17, '#fdfbf5'),
}

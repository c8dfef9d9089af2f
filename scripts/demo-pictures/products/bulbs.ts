import { darker, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, oval, repeat, shape, solid, stroke, turned } from '../svg.ts'

const lights: Record<string, string> = {
  daylight: '#d3ecff',
  'neutral-white': '#fff3d6',
  'warm-white': '#ffd98a',
  'tunable-white': '#ffe9bf',
  'white-and-color': '#c9b6f5',
}
const lightOf = ({ name }: Variant) => lights[name] ?? '#ffe3a3'
const metal = '#b9c0c8'

export const glow = (x: number, y: number, radius: number, color: string) =>
  [1, 0.72, 0.5]
    .map((share) => `<circle cx="${x}" cy="${y}" r="${radius * share}" fill="${color}" fill-opacity=".13"/>`)
    .join('')
const screw = (y: number, width = 66) =>
  solid(boxPath(200 - width / 2, y, width, 50, 6), metal, 206) +
  repeat(3, (index) =>
    stroke(`M${200 - width / 2} ${y + 12 + index * 14}l${width} -5`, darker(metal, 0.24), 4),
  ) +
  shape(`M${200 - width / 3} ${y + 50}h${(width * 2) / 3}l-10 14h${-(width * 2) / 3 + 20}z`, '#4a5058')
const shine = (path: string) => stroke(path, '#ffffff', 9).replace('<path', '<path opacity=".75"')

export const bulbs: Drawings = {
  'led-filament-bulb-e27': (variant) =>
    glow(200, 156, 170, lightOf(variant)) +
    shape(
      'M200 56Q296 60 296 152Q294 206 246 240L234 282H166L154 240Q106 206 104 152Q104 60 200 56Z',
      lighter(lightOf(variant), 0.2),
    ) +
    stroke('M176 282L166 176L184 128L200 176L216 128L234 176L224 282', '#e9963a', 6) +
    shine('M130 150Q134 100 172 84') +
    screw(280),
  'smart-led-bulb-e27': (variant) =>
    glow(200, 146, 170, lightOf(variant)) +
    shape('M200 52Q290 56 290 142Q288 184 256 208H144Q112 184 110 142Q110 56 200 52Z', lightOf(variant)) +
    (variant.name === 'white-and-color'
      ? ['#e2574c', '#f2b632', '#69a86a', '#4a90c2']
          .map((color, index) => disc(152 + index * 32, 168, 11, color))
          .join('')
      : shine('M136 138Q140 96 174 80')) +
    solid('M140 204H260L240 280H160Z', '#f3f4f2', 214) +
    stroke('M184 244q16 -16 32 0M174 232q26 -26 52 0', '#4a90c2', 5) +
    disc(200, 256, 5, '#4a90c2') +
    screw(278),
  'led-globe-bulb-95-mm': (variant) =>
    glow(200, 156, 180, lightOf(variant)) +
    disc(200, 150, 108, lightOf(variant)) +
    shine('M118 142Q124 86 168 66') +
    solid('M162 250H238L232 286H168Z', '#f3f4f2', 210) +
    screw(282),
  'led-candle-bulb-e14': (variant) =>
    glow(200, 160, 150, lightOf(variant)) +
    shape('M200 40Q206 84 238 130Q268 196 232 246H168Q132 196 162 130Q194 84 200 40Z', lightOf(variant)) +
    stroke('M186 246L180 176L200 120L220 176L214 246', '#e9963a', 5) +
    shine('M160 186Q158 150 176 122') +
    screw(244, 54),
  'led-spot-gu10': (variant) =>
    glow(200, 118, 150, lightOf(variant)) +
    shape('M92 110L44 24H356L308 110Z', lightOf(variant)).replace('<path', '<path opacity=".25"') +
    solid('M92 118H308L244 262H156Z', '#e9ecee', 222) +
    repeat(4, (index) =>
      stroke(`M${118 + index * 12} ${150 + index * 26}H${282 - index * 12}`, '#c3cad0', 4),
    ) +
    oval(200, 118, 108, 26, '#c3cad0') +
    oval(200, 116, 96, 20, lighter(lightOf(variant), 0.1)) +
    disc(200, 116, 12, '#ffffff') +
    solid(boxPath(150, 258, 100, 34, 8), '#f3f4f2', 214) +
    box(164, 288, 16, 34, metal, 5) +
    box(220, 288, 16, 34, metal, 5),
  'led-tube-t8': (variant) =>
    turned(
      -28,
      glow(200, 200, 190, lightOf(variant)) +
        box(38, 176, 324, 46, lighter(lightOf(variant), 0.1), 10) +
        stroke('M62 188H336', '#ffffff', 7) +
        solid(boxPath(22, 172, 44, 54, 8), metal, 400) +
        solid(boxPath(334, 172, 44, 54, 8), darker(metal, 0.12), 400) +
        stroke('M22 188H8M22 210H8M378 188H392M378 210H392', darker(metal, 0.2), 6),
    ),
}

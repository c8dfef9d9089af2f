import { chosen, darker, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, ground, oval, repeat, shape, solid, stroke, turned } from '../svg.ts'

const themes: Record<string, string> = {
  ocean: '#2f8ba8',
  space: '#454a8a',
  woodland: '#5f7d4b',
  botanical: '#4f8a66',
  landscape: '#3d7fa8',
  portrait: '#a8594f',
}
const themeOf = ({ name }: Variant) => themes[name] ?? chosen(name, Object.values(themes))

const fish = (color: string) =>
  oval(200, 186, 44, 28, color) +
  shape('M162 186L128 162V210Z', color) +
  disc(222, 178, 5, '#2f343b') +
  stroke('M196 166Q186 186 196 206', darker(color, 0.2), 4)
const rocket = (color: string) =>
  shape('M200 118Q236 152 228 218H172Q164 152 200 118Z', '#fdfbf5') +
  disc(200, 170, 14, color) +
  shape('M172 190L148 226L174 218ZM228 190L252 226L226 218Z', '#e2574c') +
  shape('M186 220H214L200 252Z', '#f2a63b')
const tree = () =>
  shape('M200 116L244 186H156Z', '#5f8f4e') +
  shape('M200 148L254 226H146Z', '#4f7f57') +
  box(190, 224, 20, 28, '#8a6242')
/** The motif of a theme, in the middle of the picture. */
const motif = ({ name }: Variant, color: string) =>
  name === 'ocean' ? fish(color) : name === 'space' ? rocket(color) : tree()

const kit = (draw: (variant: Variant, color: string) => string) => (variant: Variant) => {
  const color = themeOf(variant)
  return (
    ground(132) +
    shape('M308 100L340 82V290L308 320Z', darker(color, 0.3)) +
    shape('M72 100L104 82H340L308 100Z', lighter(color, 0.3)) +
    solid(boxPath(72, 100, 236, 220, 4), color, 500) +
    box(90, 116, 200, 146, lighter(color, 0.82), 10) +
    draw(variant, color) +
    box(110, 278, 130, 14, '#fbf5e6', 7) +
    box(110, 298, 80, 8, lighter(color, 0.4), 4)
  )
}
const shifted = (x: number, y: number, scale: number, content: string) =>
  `<g transform="translate(${x} ${y}) scale(${scale})">${content}</g>`

export const crafts: Drawings = {
  'felt-sewing-kit': kit(
    (variant, color) =>
      shifted(16, 20, 0.86, motif(variant, '#f2a63b')) +
      stroke('M118 240Q160 220 200 240T272 228', color, 3).replace(
        'stroke-linecap',
        'stroke-dasharray="9 8" stroke-linecap',
      ) +
      turned(24, stroke('M252 140V214', '#8d939b', 5) + disc(252, 140, 5, '#8d939b'), 252, 176) +
      disc(122, 152, 13, '#e2574c') +
      disc(118, 152, 2.5, '#fdfbf5') +
      disc(126, 152, 2.5, '#fdfbf5'),
  ),
  'clay-modeling-set': kit(
    (variant, color) =>
      shifted(36, 2, 0.8, motif(variant, color)) +
      ['#e2574c', '#f4cf4e', '#69a86a', '#4a90c2']
        .map((clay, index) => solid(boxPath(98 + index * 47, 218, 40, 32, 8), clay, 122 + index * 47))
        .join(''),
  ),
  'mosaic-picture-kit': kit((_variant, color) =>
    repeat(40, (index) =>
      box(
        112 + (index % 8) * 20,
        132 + Math.floor(index / 8) * 23,
        17,
        20,
        [lighter(color, 0.2), lighter(color, 0.5), color, '#f4cf4e', '#e2574c'][
          (index * 7 + Math.floor(index / 8) * 3) % 5
        ] as string,
        3,
      ),
    ),
  ),
  'paper-folding-kit': kit(
    (_variant, color) =>
      shape('M116 232L196 136L214 214Z', color) +
      shape('M196 136L282 178L214 214Z', lighter(color, 0.3)) +
      shape('M116 232L214 214L176 250Z', darker(color, 0.15)) +
      shape('M214 214L282 178L248 236Z', '#f2a63b'),
  ),
  'window-color-kit': kit(
    (variant, color) =>
      shifted(-8, -6, 0.94, motif(variant, '#f4cf4e')) +
      ['#e2574c', '#69a86a', '#4a90c2']
        .map(
          (paint, index) =>
            solid(boxPath(246, 132 + index * 42, 34, 36, 8), paint, 262) +
            shape(`M256 ${132 + index * 42}h14l-7 -14z`, color),
        )
        .join(''),
  ),
  'watercolor-starter-set': (variant) => {
    const color = themeOf(variant)
    const paints = [
      '#e2574c',
      '#f2a63b',
      '#f4cf4e',
      '#69a86a',
      '#2f7a86',
      '#4a90c2',
      '#454a8a',
      '#8a68b0',
      '#a5376b',
      '#8a6242',
      '#fdfbf5',
      '#3b3f45',
    ]
    return (
      ground(150, 318) +
      shape('M58 196L92 92H308L342 196Z', lighter(color, 0.35)) +
      shape('M82 186L108 104H292L318 186Z', '#fdfbf5') +
      oval(160, 146, 30, 17, lighter(color, 0.5)) +
      oval(232, 152, 36, 19, lighter('#e2574c', 0.6)) +
      solid(boxPath(52, 192, 296, 122, 14), color, 500) +
      repeat(12, (index) =>
        box(72 + (index % 6) * 44, 208 + Math.floor(index / 6) * 50, 36, 38, paints[index] as string, 8),
      ) +
      turned(
        -28,
        box(216, 142, 150, 11, '#8a6242', 5) +
          box(196, 141, 26, 13, '#c2c9cf') +
          shape('M196 141Q168 142 156 148Q168 155 196 154Z', '#3b3f45'),
        240,
        150,
      )
    )
  },
}

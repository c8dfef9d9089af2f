import { chosen, darker, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, ground, oval, repeat, shape, solid, stroke, turned, within } from '../svg.ts'

const labels = ['#b8472f', '#3f7a5c', '#2c6a8a', '#c7852f', '#7a4a7f', '#556b7a']
const jarPath = boxPath(122, 118, 156, 202, 26)

/** A glass jar whose content is visible. */
const jar =
  (content: string, grains: string) =>
  ({ name }: Variant) => {
    const label = chosen(name, labels)
    return (
      ground(88) +
      shape(jarPath, '#e9f1f1') +
      within(
        jarPath,
        box(122, 158, 156, 170, content) +
          grains +
          box(240, 100, 60, 240, '#141a26').replace('fill=', 'fill-opacity=".12" fill='),
      ) +
      solid(boxPath(134, 74, 132, 50, 10), '#8a6242', 228) +
      stroke('M150 84V114M172 84V114M194 84V114M216 84V114M238 84V114', '#74502f', 4) +
      solid(boxPath(122, 206, 156, 78, 0), '#fbf5e6', 240) +
      box(122, 206, 156, 14, label) +
      box(142, 236, 92, 10, darker(label, 0.1), 5) +
      box(142, 256, 60, 8, lighter(label, 0.4), 4) +
      stroke('M136 150V196', '#ffffff', 8)
    )
  }

/** A tin for tea. */
const tin =
  (leafColor: string, mark: string) =>
  ({ name }: Variant) => {
    const color = chosen(name, ['#2f5d62', '#7a2f3a', '#31507a', '#5f6b3a'])
    return (
      ground(92) +
      solid(boxPath(116, 116, 168, 206, 12), color, 236, 132) +
      solid(boxPath(108, 84, 184, 46, 12), lighter(color, 0.14), 236) +
      oval(200, 222, 62, 66, '#fbf5e6') +
      oval(200, 222, 54, 58, lighter(leafColor, 0.74)) +
      mark +
      box(150, 300, 100, 8, lighter(color, 0.35), 4)
    )
  }

const dots = (color: string, radius: number) =>
  repeat(60, (index) =>
    disc(
      126 + ((index * 47) % 150),
      160 + ((index * 31) % 158),
      radius,
      index % 3 ? color : lighter(color, 0.16),
    ),
  )
const daisies = repeat(14, (index) => {
  const [x, y] = [138 + ((index * 43) % 126), 172 + ((index * 29) % 136)]
  return (
    repeat(6, (petal) => turned(petal * 60, oval(x, y - 11, 5, 9, '#fdfaf0'), x, y)) +
    disc(x, y, 6, '#f2b632')
  )
})
const sticks = repeat(6, (index) =>
  solid(
    boxPath(130 + index * 24, 140 - (index % 3) * 8, 18, 190, 8),
    index % 2 ? '#9a5a33' : '#b06b3d',
    142 + index * 24,
  ),
)
const leafMark = (color: string) =>
  [-34, 0, 34]
    .map((degrees) =>
      turned(
        degrees,
        shape('M200 262Q172 222 200 182Q228 222 200 262Z', degrees === 0 ? lighter(color, 0.16) : color),
        200,
        262,
      ),
    )
    .join('')

export const spices: Drawings = {
  'whole-black-peppercorns': jar('#4a423d', dots('#38322e', 8)),
  'ground-turmeric': jar('#e5a52f', shape('M122 170Q160 150 200 166T278 158V180H122Z', '#efb84a')),
  'smoked-paprika': jar('#b23f27', shape('M122 168Q160 152 200 168T278 160V180H122Z', '#c4523a')),
  'cinnamon-sticks': jar('#dfeaea', sticks),
  'dried-chamomile-flowers': jar('#eadfb4', daisies),
  'assam-breakfast-tea': tin(
    '#8a5a33',
    stroke('M168 206H232V226Q232 254 200 254T168 226Z', '#8a5a33', 8) +
      stroke('M232 214Q252 214 250 228T232 240', '#8a5a33', 7) +
      stroke('M186 192q-6 -10 0 -20M206 192q-6 -10 0 -20', '#8a5a33', 5),
  ),
  'green-sencha-tea': tin('#5f8f4e', leafMark('#5f8f4e')),
}

import { darker, lighter, steel } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { boxPath, disc, ground, repeat, shape, solid, stroke, turned } from '../svg.ts'

const isSoft = ({ name }: Variant) => name === 'soft-grip'
const bands = (variant: Variant, top: number, bottom: number) =>
  isSoft(variant)
    ? stroke(`M200 ${top}V${bottom}`, '#f1702f', 7)
    : stroke(`M194 ${top}V${bottom}`, lighter(variant.color, 0.3), 4)

const handle = (variant: Variant, top: number, bottom: number, width = 22) =>
  solid(boxPath(200 - width / 2, top, width, bottom - top, width / 2), variant.color, 203) +
  bands(variant, top + 16, bottom - 16)

const grip = (variant: Variant) =>
  stroke('M160 44H240M160 44Q164 84 200 92M240 44Q236 84 200 92', darker(variant.color, 0.08), 15)

const standing = (variant: Variant, head: string) =>
  turned(18, grip(variant) + handle(variant, 84, 226, 18) + head)

const socket = solid(boxPath(186, 206, 28, 46, 8), darker(steel, 0.2), 200)

export const gardenTools: Drawings = {
  'digging-spade': (variant) =>
    ground(96, 344) +
    standing(
      variant,
      socket +
        solid('M152 240H248V318Q240 352 200 362Q160 352 152 318Z', steel, 200) +
        stroke('M200 250V334', darker(steel, 0.22), 4),
    ),
  'garden-fork': (variant) =>
    ground(96, 344) +
    standing(
      variant,
      socket +
        stroke('M156 268V352M185 268V358M215 268V358M244 268V352', steel, 11) +
        stroke('M156 270Q156 248 178 248H222Q244 248 244 270', darker(steel, 0.12), 13),
    ),
  'dutch-hoe': (variant) =>
    ground(100, 344) +
    turned(
      18,
      handle(variant, 34, 246, 18) +
        stroke('M200 240V276M200 276L158 320M200 276L242 320', darker(steel, 0.22), 10) +
        solid('M140 316H260L272 348H128Z', steel, 200),
    ),
  'hand-trowel': (variant) =>
    ground(96, 336) +
    turned(
      38,
      handle(variant, 58, 182, 34) +
        stroke('M200 182V222', darker(steel, 0.2), 13) +
        solid('M160 216H240Q250 290 200 352Q150 290 160 216Z', steel, 200) +
        stroke('M200 232V316', darker(steel, 0.22), 4),
    ),
  'folding-pruning-saw': (variant) =>
    ground(120, 316) +
    turned(
      -24,
      solid(boxPath(52, 192, 164, 42, 20), variant.color, 400) +
        (isSoft(variant)
          ? stroke('M78 213H186', '#f1702f', 9)
          : stroke('M78 205H190', lighter(variant.color, 0.3), 5)) +
        shape('M206 190L362 164Q372 172 366 186L214 232Z', steel) +
        repeat(13, (index) =>
          shape(`M${216 + index * 11.5} ${231 - index * 3.4}l7 9l5 -12z`, darker(steel, 0.12)),
        ) +
        disc(206, 212, 13, darker(steel, 0.35)) +
        disc(206, 212, 5, lighter(steel, 0.4)),
    ),
}

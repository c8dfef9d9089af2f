import { darker, ink, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, boxPath, disc, faded, ground, oval, shape, solid, stroke, turned } from '../svg.ts'

const cupPath = 'M132 172H268L258 304Q256 320 240 320H160Q144 320 142 304Z'

export const deskAccessories: Drawings = {
  'pen-cup': ({ color }) =>
    ground(84) +
    turned(-10, box(158, 66, 16, 130, '#f2a63b') + shape('M158 66h16l-8 -24z', '#f3dcb4')) +
    turned(6, box(196, 58, 16, 130, '#e2574c') + shape('M196 58h16l-8 -24z', '#f3dcb4')) +
    turned(14, box(226, 84, 14, 110, '#4a90c2', 5)) +
    turned(-2, box(180, 90, 12, 100, ink, 5)) +
    oval(200, 172, 68, 12, darker(color, 0.4)) +
    solid(cupPath, color, 216, 150),
  'letter-tray': ({ color }) =>
    ground(140, 316) +
    [0, 1]
      .map((level) => {
        const y = 262 - level * 78
        return (
          shape(`M84 ${y}L112 ${y - 42}H296L322 ${y}Z`, '#fdfbf5') +
          shape(`M100 ${y - 6}L118 ${y - 34}H280L300 ${y - 6}Z`, level ? '#b7d3e4' : '#f3dcb4') +
          solid(boxPath(64, y, 276, 44, 8), color, 250) +
          box(166, y + 10, 72, 14, darker(color, 0.28), 7)
        )
      })
      .reverse()
      .join('') +
    box(72, 222, 12, 44, darker(color, 0.3)) +
    box(318, 222, 12, 44, darker(color, 0.35)),
  'monitor-stand': ({ color }) =>
    ground(160) +
    solid(boxPath(104, 88, 192, 124, 10), ink, 400) +
    box(114, 98, 172, 104, '#6fa3c4', 4) +
    shape('M114 180L160 138L200 172L236 130L286 178V202H114Z', '#4f7f57') +
    disc(250, 122, 11, '#f8e2a0') +
    box(188, 210, 24, 32, '#6c727b') +
    box(160, 238, 80, 8, '#6c727b', 4) +
    solid(boxPath(48, 244, 304, 24, 8), color, 250) +
    solid(boxPath(66, 266, 26, 54, 4), darker(color, 0.12), 400) +
    solid(boxPath(308, 266, 26, 54, 4), darker(color, 0.22), 400) +
    box(140, 296, 120, 22, '#d5d9dd', 5),
  'cable-box': ({ color }) =>
    ground(140) +
    stroke('M88 268Q40 262 46 316M312 268Q364 270 354 318', ink, 9) +
    solid(boxPath(78, 190, 244, 130, 18), color, 250) +
    solid(boxPath(70, 168, 260, 34, 14), lighter(color, 0.18), 250) +
    stroke('M156 250H244', darker(color, 0.3), 9) +
    disc(286, 292, 6, '#69a86a'),
  'felt-desk-mat': ({ color }) =>
    solid('M40 292L96 158H304L360 292Z', color, 400) +
    shape('M40 292H360V300H40Z', darker(color, 0.3)) +
    faded(
      0.5,
      stroke('M56 284L104 168H296L344 284Z', lighter(color, 0.3), 3).replace(
        'stroke-linecap',
        'stroke-dasharray="7 7" stroke-linecap',
      ),
    ) +
    shape('M130 262L148 190H236L250 262Z', '#fdfbf5') +
    stroke('M160 208H226M156 226H230M152 244H206', '#c5c9cc', 5) +
    oval(300, 220, 26, 14, '#f5f5f2') +
    oval(300, 216, 26, 14, '#ffffff') +
    oval(300, 217, 19, 9, '#5a3a28') +
    turned(24, box(262, 236, 66, 9, '#e2574c', 4), 290, 240),
  'magazine-file': ({ color }) =>
    ground(96) +
    solid(boxPath(160, 88, 30, 140, 3), '#e2574c', 400) +
    solid(boxPath(192, 100, 26, 130, 3), '#f2a63b', 400) +
    solid(boxPath(220, 94, 30, 130, 3), '#4a90c2', 400) +
    solid('M126 320V116Q126 100 142 100H168L276 222V320Z', color, 236) +
    box(150, 248, 66, 36, '#fdfbf5', 5) +
    stroke('M162 262H204M162 272H190', '#9aa1a8', 4) +
    disc(146, 144, 11, darker(color, 0.4)),
}

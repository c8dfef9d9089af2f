import { darker, ink, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, ground, oval, repeat, shape, solid, stroke, turned } from '../svg.ts'

const editions: Record<string, string> = {
  'anniversary-edition': '#8a6f2f',
  'family-edition': '#c8523f',
  'travel-edition': '#2f7a86',
}
const editionOf = ({ name }: Variant): string => editions[name] ?? '#3d5a8a'

/** A game box with a picture on its front. */
const gameBox = (draw: (color: string) => string) => (variant: Variant) => {
  const color = editionOf(variant)
  return (
    ground(138) +
    shape('M318 92L352 74V288L318 318Z', darker(color, 0.32)) +
    shape('M62 92L96 74H352L318 92Z', lighter(color, 0.25)) +
    solid(boxPath(62, 92, 256, 228, 3), color, 500) +
    box(80, 110, 220, 150, lighter(color, 0.8), 8) +
    draw(color) +
    box(104, 276, 172, 14, '#fbf5e6', 7) +
    box(150, 298, 80, 8, lighter(color, 0.4), 4)
  )
}

const cards = (draw: (index: number) => string) =>
  [-14, 0, 14]
    .map((degrees, index) =>
      turned(
        degrees,
        box(158, 122, 64, 96, '#fdfbf5', 7) +
          box(163, 127, 54, 86, 'none').replace(
            'fill="none"',
            'fill="none" stroke="#d9d2c2" stroke-width="2"',
          ) +
          draw(index),
        190,
        270,
      ),
    )
    .join('')
const fox =
  shape('M166 150l10 -18l10 12h8l10 -12l10 18q0 34 -24 44q-24 -10 -24 -44z', '#e07b39') +
  shape('M178 172q12 28 24 0q-2 18 -12 22q-10 -4 -12 -22z', '#fdf6ea') +
  disc(180, 162, 3.5, ink) +
  disc(200, 162, 3.5, ink)
const letter = (x: number, y: number, text: string, degrees: number) =>
  turned(
    degrees,
    box(x, y, 46, 46, '#f0d9ae', 6) +
      box(x, y + 40, 46, 6, '#cfa873', 3) +
      `<path d="${text}" transform="translate(${x + 23} ${y + 22})" fill="none" stroke="#5a3a28" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`,
    x,
    y,
  )

export const games: Drawings = {
  'harvest-road-board-game': gameBox(
    () =>
      shape('M84 256V196Q140 160 190 190T296 176V256Z', '#8ab063') +
      shape('M84 256V226Q150 200 210 226T296 216V256Z', '#e2b45a') +
      stroke('M110 256Q170 220 190 200T256 172', '#f6ead0', 13) +
      box(136, 150, 40, 34, '#c8523f') +
      shape('M130 152L156 128L182 152Z', '#7a3a2f') +
      disc(264, 138, 15, '#f4b935'),
  ),
  'cooperative-rescue-game': gameBox(
    () =>
      shape('M84 256V212Q120 198 150 212T216 212T296 208V256Z', '#4a90c2') +
      shape('M134 204H250L232 232H152Z', '#c8523f') +
      box(182, 160, 12, 46, '#6c727b') +
      shape('M194 160L232 180L194 192Z', '#fdfbf5') +
      `<circle cx="126" cy="158" r="22" fill="none" stroke="#f1702f" stroke-width="12"/>` +
      stroke('M110 142L114 146M138 170L142 174M142 142L138 146M114 170L110 174', '#fdfbf5', 9),
  ),
  'chess-and-checkers-set': gameBox(
    (color) =>
      repeat(40, (index) =>
        (index + Math.floor(index / 8)) % 2
          ? box(94 + (index % 8) * 24, 124 + Math.floor(index / 8) * 24, 24, 24, lighter(color, 0.35))
          : box(94 + (index % 8) * 24, 124 + Math.floor(index / 8) * 24, 24, 24, '#fdf6ea'),
      ) +
      shape(
        'M162 240h56l-8 -16q-8 -22 8 -36q6 -26 -24 -44q-4 -8 -10 -12l-2 12q-22 12 -24 36q8 10 20 2q-4 14 -12 42z',
        ink,
      ) +
      disc(190, 164, 4, '#fdf6ea') +
      oval(254, 232, 21, 9, '#7a2a20') +
      oval(254, 225, 21, 9, '#c8523f'),
  ),
  'memory-match-game': gameBox(
    (color) =>
      repeat(8, (index) =>
        box(
          98 + (index % 4) * 50,
          124 + Math.floor(index / 4) * 64,
          42,
          54,
          [1, 6].includes(index) ? '#fdfbf5' : color,
          7,
        ),
      ) +
      [
        [169, 151],
        [219, 215],
      ]
        .map(
          ([x = 0, y = 0]) =>
            repeat(5, (petal) => turned(petal * 72, oval(x, y - 10, 6, 9, '#e88b9a'), x, y)) +
            disc(x, y, 5, '#f4b935'),
        )
        .join(''),
  ),
  'foxes-and-lanterns-card-game': gameBox(
    () =>
      `<g transform="translate(0 16)">${cards((index) => (index === 1 ? fox.replaceAll('<path', '<path') : box(178, 150, 24, 34, '#f4b935', 6) + stroke('M184 150Q190 138 196 150', '#8a6242', 4) + disc(190, 167, 7, '#fff3cf')))}</g>`,
  ),
  'word-builder-game': gameBox(
    () =>
      letter(98, 138, 'M-8 10L0 -10L8 10M-5 3H5', -8) +
      letter(152, 130, 'M-7 -10V10H0Q9 10 7 3Q6 0 0 0H-7M0 0Q7 -1 6 -6Q5 -10 0 -10H-7', 4) +
      letter(208, 138, 'M8 -7Q0 -14 -7 -5T-4 8Q4 12 8 6', -4) +
      letter(126, 194, 'M-7 -10V10H0Q10 8 9 0T0 -10Z', 6) +
      letter(186, 192, 'M8 -10H-6V10H8M-6 0H5', -6) +
      letter(240, 190, 'M-7 10V-10H8M-7 0H5', 8),
  ),
}

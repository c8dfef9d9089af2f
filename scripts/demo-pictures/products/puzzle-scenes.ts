import { box, disc, oval, repeat, shape, stroke } from '../svg.ts'

/** Scenes on puzzles, 200 wide and 140 high. */
export const scenes: Record<string, string> = {
  'autumn-market':
    box(0, 0, 200, 140, '#f3d9a8') +
    repeat(5, (index) =>
      shape(
        `M${index * 42 - 6} 56H${index * 42 + 36}L${index * 42 + 30} 34H${index * 42}Z`,
        index % 2 ? '#c8523f' : '#fdf6ea',
      ),
    ) +
    box(0, 88, 200, 52, '#a9713f') +
    repeat(9, (index) =>
      disc(14 + index * 22, 84, 11, ['#e07b39', '#c8523f', '#8ab063'][index % 3] as string),
    ),
  'harbor-at-dawn':
    box(0, 0, 200, 140, '#f6c9a0') +
    disc(100, 78, 26, '#f9e3a8') +
    box(0, 78, 200, 62, '#4f86a8') +
    shape('M26 92H88L78 112H36Z', '#a52c31') +
    shape('M58 36V88H30Z', '#fdf6ea') +
    shape('M122 96H176L168 112H130Z', '#2f5d62') +
    shape('M148 48V92H172Z', '#fdf6ea') +
    stroke('M10 124H50M90 130H140', '#8fb8d0', 4),
  'mountain-railway':
    box(0, 0, 200, 140, '#bfe0ec') +
    shape('M0 140L60 32L104 96L144 44L200 140Z', '#6f86a0') +
    shape('M60 32L78 62L58 56L44 62ZM144 44L158 68L140 62L132 66Z', '#fdfbf5') +
    box(0, 112, 200, 28, '#7aa65a') +
    box(30, 88, 44, 24, '#c8523f', 4) +
    box(80, 92, 40, 20, '#f2b632', 4) +
    box(126, 92, 40, 20, '#2c75a8', 4) +
    stroke('M0 116H200', '#55504a', 4),
  'the-old-library':
    box(0, 0, 200, 140, '#6b4630') +
    repeat(
      3,
      (row) =>
        repeat(13, (column) =>
          box(
            6 + column * 15,
            8 + row * 45 + (column % 3) * 4,
            12,
            34 - (column % 3) * 4,
            ['#a52c31', '#2f5d62', '#d8a63d', '#31507a', '#7a4a7f', '#e6d3a6'][
              (row + column * 2) % 6
            ] as string,
            1,
          ),
        ) + box(0, 42 + row * 45, 200, 6, '#4c3020'),
    ),
  'busy-farm':
    box(0, 0, 200, 140, '#cfe6f0') +
    box(0, 84, 200, 56, '#8ab063') +
    box(98, 48, 66, 60, '#c8523f') +
    shape('M92 50L131 20L170 50Z', '#7a3a2f') +
    box(120, 76, 22, 32, '#fdf6ea') +
    oval(48, 104, 24, 15, '#fdfbf5') +
    disc(72, 96, 10, '#55504a') +
    disc(32, 40, 15, '#f4b935'),
  'on-the-building-site':
    box(0, 0, 200, 140, '#d3e6ee') +
    box(0, 112, 200, 28, '#c9a46a') +
    stroke('M34 112V26H132M108 26V52', '#f2a63b', 7) +
    box(98, 52, 20, 16, '#6c727b') +
    box(112, 84, 62, 20, '#f2b632', 4) +
    shape('M150 60H172V84H150Z', '#f2b632') +
    disc(126, 108, 10, '#3b3f45') +
    disc(162, 108, 10, '#3b3f45'),
  'under-the-sea':
    box(0, 0, 200, 140, '#3f8fb0') +
    box(0, 118, 200, 22, '#e2cf9a') +
    oval(76, 60, 30, 18, '#f2a63b') +
    shape('M48 60L26 44V76Z', '#f2a63b') +
    disc(88, 56, 4, '#2f343b') +
    oval(146, 92, 20, 12, '#e2574c') +
    shape('M164 92L180 82V102Z', '#e2574c') +
    stroke('M24 120Q16 100 26 84M182 120Q190 96 178 76', '#69a86a', 7) +
    disc(112, 30, 5, '#bfe0ec') +
    disc(124, 18, 4, '#bfe0ec'),
  'night-sky':
    box(0, 0, 200, 140, '#2a3560') +
    repeat(26, (index) => disc((index * 47) % 200, (index * 31) % 140, index % 4 ? 1.8 : 3.4, '#f8e9b8')) +
    disc(136, 48, 27, '#f6e3a0') +
    disc(147, 41, 23, '#2a3560'),
}

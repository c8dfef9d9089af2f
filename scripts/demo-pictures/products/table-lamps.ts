import { darker, lighter } from '../colors.ts'
import type { Drawings, Variant } from '../drawing.ts'
import { box, boxPath, disc, faded, ground, oval, repeat, shape, solid, stroke } from '../svg.ts'
import { glow } from './bulbs.ts'

const warm = '#ffdc94'
const baseOf = ({ name }: Variant) => (name.startsWith('nickel') ? '#b9c0c8' : '#cba150')

export const tableLamps: Drawings = {
  'architect-desk-lamp': ({ color }) =>
    ground(110, 334) +
    faded(0.17, shape('M262 150L400 250V400H170Z', warm)) +
    oval(150, 326, 76, 15, darker(color, 0.2)) +
    oval(150, 320, 76, 14, color) +
    stroke('M150 316L104 204', color, 12) +
    stroke('M104 204L236 110', color, 12) +
    stroke('M164 306L122 204', darker(color, 0.3), 4) +
    disc(104, 204, 13, darker(color, 0.25)) +
    solid('M212 74L262 100L306 170L222 196Q196 150 212 74Z', color, 252) +
    shape('M306 170L222 196Q248 214 282 204T306 170Z', '#fff3cf') +
    disc(214, 96, 10, darker(color, 0.25)),
  'banker-lamp': (variant) =>
    ground(96, 334) +
    glow(200, 180, 150, warm) +
    stroke('M200 300V150', baseOf(variant), 13) +
    oval(200, 326, 86, 16, darker(baseOf(variant), 0.2)) +
    oval(200, 319, 86, 15, baseOf(variant)) +
    oval(200, 302, 34, 9, lighter(baseOf(variant), 0.2)) +
    faded(0.9, box(96, 176, 208, 14, '#fff3cf', 7)) +
    solid('M72 182Q76 96 144 92H256Q324 96 328 182Z', variant.color, 236) +
    stroke('M100 152Q106 116 148 110H200', lighter(variant.color, 0.5), 8) +
    disc(200, 84, 9, baseOf(variant)) +
    stroke('M258 190V232', baseOf(variant), 3) +
    disc(258, 236, 5, baseOf(variant)),
  'ceramic-bedside-lamp': ({ color }) =>
    ground(84, 334) +
    glow(200, 140, 170, warm) +
    solid('M168 222Q118 262 150 324H250Q282 262 232 222Z', color, 218) +
    stroke('M150 268Q148 290 158 306', lighter(color, 0.5), 7) +
    box(188, 200, 24, 26, '#cba150') +
    solid('M132 84H268L300 206H100Z', '#f6ead0', 226) +
    shape('M132 84H268L271 96H129Z', '#e6d6b4'),
  'clamp-lamp': ({ color }) =>
    faded(0.17, shape('M250 196L376 400H110Z', warm)) +
    box(0, 318, 132, 26, '#b98d5c') +
    box(0, 344, 132, 56, '#a37a4c') +
    solid(boxPath(56, 276, 36, 96, 8), color, 76) +
    stroke('M88 362H116', darker(color, 0.2), 9) +
    stroke('M74 278V176L210 108', color, 11) +
    disc(74, 176, 12, darker(color, 0.25)) +
    solid('M196 84Q250 64 284 110L318 186Q262 214 196 206L190 130Z', color, 258) +
    shape('M318 186Q262 214 196 206Q220 230 262 222T318 186Z', '#fff3cf'),
  'glass-globe-lamp': ({ color }) =>
    ground(80, 334) +
    glow(200, 168, 180, warm) +
    oval(200, 326, 74, 15, darker(color, 0.22)) +
    oval(200, 319, 74, 14, color) +
    solid(boxPath(188, 250, 24, 68, 6), color, 202) +
    oval(200, 258, 42, 11, darker(color, 0.12)) +
    disc(200, 166, 94, '#fff0c9') +
    disc(190, 154, 70, '#fff8e6') +
    stroke('M126 160Q130 112 168 94', '#ffffff', 9),
  'tripod-table-lamp': ({ color }) =>
    ground(100, 334) +
    glow(200, 136, 170, warm) +
    stroke('M196 212L136 330M204 212L264 330M200 212V330', '#b98d5c', 11) +
    repeat(1, () => stroke('M158 288H242', '#a37a4c', 5)) +
    box(184, 196, 32, 22, '#8a6242', 5) +
    solid('M120 82H280L296 202H104Z', color, 228) +
    shape('M120 82H280L282 94H118Z', darker(color, 0.1)),
}

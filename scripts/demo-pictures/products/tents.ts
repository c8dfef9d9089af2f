import { darker, ink, lighter, mixed } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, disc, ground, shape, solid, stroke, within } from '../svg.ts'

const pegs = (left: number, right: number) =>
  stroke(`M${left} 318L${left - 22} 330M${right} 318L${right + 22} 330`, '#8d8672', 3)
const opening = (path: string, color: string) =>
  shape(path, darker(color, 0.62)) + within(path, box(200, 0, 200, 400, darker(color, 0.7)))

const dome = 'M60 320C66 190 130 118 200 118S334 190 340 320Z'
const tunnel = 'M48 320C48 222 74 170 122 164L300 176C340 182 356 240 358 320Z'
const cabin = 'M70 320L84 186L142 116H258L316 186L330 320Z'
const trekking = 'M66 320L196 130L340 320Z'
const bell = 'M70 272L200 84L330 272L322 320H78Z'
const geodesic = 'M54 320C56 214 112 130 200 130S344 214 346 320Z'

export const tents: Drawings = {
  'dome-tent': ({ color }) =>
    ground(160) +
    pegs(62, 338) +
    solid(dome, color, 232) +
    stroke('M60 320C90 200 150 140 200 118C250 140 310 200 340 320', lighter(color, 0.45), 5) +
    opening('M150 320C154 240 176 196 200 186C224 196 246 240 250 320Z', color) +
    shape('M150 320C154 240 176 196 200 186C186 226 176 270 172 320Z', lighter(color, 0.3)),
  'tunnel-tent': ({ color }) =>
    ground(168) +
    pegs(50, 356) +
    solid(tunnel, color, 264) +
    stroke('M122 164C156 196 168 260 168 320M212 170C246 204 258 262 258 320', lighter(color, 0.4), 5) +
    opening('M70 320C70 256 84 220 108 212C130 224 140 262 140 320Z', color) +
    shape('M70 320C70 256 84 220 108 212C96 246 90 284 90 320Z', lighter(color, 0.3)),
  'family-cabin-tent': ({ color }) =>
    ground(160) +
    pegs(70, 330) +
    solid(cabin, color, 262) +
    shape('M142 116H258L316 186H84Z', lighter(color, 0.22)) +
    opening('M160 320V210H240V320Z', color) +
    shape('M160 320V210H178Q180 270 172 320ZM240 320V210H222Q220 270 228 320Z', lighter(color, 0.35)) +
    box(106, 216, 36, 40, mixed(color, '#ffffff', 0.65), 5) +
    box(258, 216, 36, 40, mixed(color, '#ffffff', 0.45), 5),
  'ultralight-trekking-tent': ({ color }) =>
    ground(158) +
    pegs(68, 338) +
    stroke('M196 130V112M196 124L96 326M196 124L310 326', '#8d8672', 2.5) +
    solid(trekking, color, 196) +
    opening('M150 320L196 178L230 320Z', color) +
    shape('M150 320L196 178L176 320Z', lighter(color, 0.35)),
  'canvas-bell-tent': ({ color }) =>
    ground(162) +
    stroke('M200 90L44 326M200 90L356 326', '#a99f86', 2.5) +
    solid(bell, color, 228) +
    shape('M70 272L78 320H322L330 272Z', darker(color, 0.12)) +
    stroke('M200 84L148 272M200 84L252 272', darker(color, 0.1), 3) +
    opening('M164 320L200 196L236 320Z', color) +
    shape('M164 320L200 196L184 320Z', lighter(color, 0.3)) +
    stroke('M200 84V66', '#8a6a45', 6) +
    disc(200, 62, 6, '#cf662f'),
  'geodesic-mountain-tent': ({ color }) =>
    ground(164) +
    pegs(56, 344) +
    solid(geodesic, color, 236) +
    stroke(
      'M54 320C110 210 220 140 300 178M346 320C290 210 180 140 100 178M88 238C160 190 240 190 312 238',
      '#f3c65a',
      5,
    ) +
    opening('M154 320C158 262 176 236 200 230C224 236 242 262 246 320Z', color) +
    shape('M154 320C158 262 176 236 200 230C186 262 178 290 176 320Z', lighter(color, 0.3)) +
    disc(200, 206, 5, ink),
}

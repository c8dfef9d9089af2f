import { darker, ink, lighter } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { box, disc, ground, repeat, shape, solid, stroke } from '../svg.ts'

const low = 'M72 286V214Q74 186 96 178Q112 204 148 196L196 168Q222 210 282 226Q336 240 338 286Z'
const mid = 'M78 288V148Q78 126 100 126H174Q188 126 190 144Q194 178 216 194Q246 212 290 222Q342 234 342 288Z'
const high = 'M80 288V104Q80 84 100 84H180Q196 84 196 102Q194 168 218 188Q248 208 292 218Q344 232 344 288Z'

const laces = (count: number, x: number, y: number, color = '#f3ead9') =>
  repeat(count, (index) => stroke(`M${x + index * 15} ${y + index * 15}l26 -13`, color, 6))

const eyelets = repeat(5, (index) => {
  const [x, y] = [168 + index * index * 2.4, 128 + index * 18]
  return stroke(`M${x} ${y}h28`, '#d9534a', 6) + disc(x, y, 5, '#e6d9b8')
})

const lugs = (color: string) => repeat(11, (index) => box(78 + index * 24, 308, 15, 12, color, 3))

export const shoes: Drawings = {
  'trail-running-shoe': ({ color }) =>
    ground(146) +
    solid(low, color, 260) +
    shape('M72 250Q140 268 180 240T290 262L338 286H72Z', lighter(color, 0.28)) +
    shape('M284 228Q336 242 338 286H276Q296 262 284 228Z', darker(color, 0.28)) +
    laces(4, 166, 196) +
    shape('M64 284H344Q350 306 326 312H84Q62 310 64 284Z', '#f2efe8') +
    lugs('#f1702f') +
    stroke('M100 276Q140 286 172 258', '#f1702f', 6),
  'approach-shoe': ({ color }) =>
    ground(146) +
    solid(low, color, 260) +
    shape('M72 254H132Q150 286 150 290H72Z', darker(color, 0.3)) +
    shape('M250 240Q330 250 340 290H236Z', ink) +
    laces(6, 160, 190, '#d9534a') +
    shape('M66 284H344V300Q344 312 330 312H80Q66 312 66 298Z', '#55504a') +
    lugs('#3d3a36'),
  'mid-cut-walking-shoe': ({ color }) =>
    ground(146) +
    solid(mid, color, 258) +
    shape('M76 156Q78 128 98 128H176Q188 128 190 144L192 156Z', darker(color, 0.3)) +
    shape('M76 246H140L160 290H76Z', lighter(color, 0.22)) +
    repeat(4, (index) => stroke(`M${168 + index * index * 5} ${160 + index * 15}l27 -5`, '#f3ead9', 6)) +
    shape('M268 218Q344 228 342 290H248Q286 262 268 218Z', darker(color, 0.34)) +
    shape('M66 284H344V300Q344 312 330 312H80Q66 312 66 298Z', '#ece7dc') +
    lugs('#55504a'),
  'leather-hiking-boot': ({ color }) =>
    ground(148) +
    stroke('M108 84Q90 60 112 62', '#55504a', 8) +
    solid(high, color, 256) +
    shape('M78 112Q80 84 100 84H182Q196 84 196 100L197 112Z', darker(color, 0.4)) +
    eyelets +
    stroke('M80 222Q140 214 156 286', darker(color, 0.24), 4) +
    shape('M272 214Q346 228 344 290H250Q292 258 272 214Z', darker(color, 0.26)) +
    shape('M66 284H346V302Q346 314 332 314H80Q66 314 66 300Z', '#4c463f') +
    lugs('#37332e'),
  'insulated-winter-boot': ({ color }) =>
    ground(148) +
    solid(high, color, 256) +
    shape('M66 98Q60 68 92 66H188Q216 66 208 98Q206 116 186 112H92Q70 116 66 98Z', '#f3ead9') +
    repeat(5, (index) => disc(84 + index * 27, 90, 17, index % 2 ? '#e6dac3' : '#f3ead9')) +
    stroke('M82 170H200M82 216H212', darker(color, 0.2), 5) +
    repeat(4, (index) => stroke(`M${172 + index * index * 3} ${130 + index * 20}h28`, '#f3ead9', 6)) +
    shape('M70 246H250Q336 246 342 290H70Z', '#55504a') +
    shape('M66 284H346V302Q346 314 332 314H80Q66 314 66 300Z', '#3d3a36') +
    lugs('#2c2a27'),
  'river-sandal': ({ color }) =>
    ground(146) +
    stroke('M96 262Q84 176 132 168Q160 170 158 214', darker(color, 0.16), 19) +
    shape('M62 268Q60 252 84 254L190 264Q250 262 300 256Q346 256 346 286Z', lighter(color, 0.34)) +
    shape('M60 270Q120 284 200 284T346 278Q352 316 322 318H92Q58 318 60 270Z', ink) +
    stroke('M74 300H336', '#5a5f68', 5) +
    stroke('M92 266Q132 236 158 206Q190 206 214 274', color, 19) +
    stroke('M236 272Q244 212 278 212Q318 220 324 268', color, 21) +
    stroke('M158 206Q214 196 262 216', color, 17) +
    box(198, 190, 26, 22, '#e6e0d2', 6),
}

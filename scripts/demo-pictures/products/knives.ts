import { darker, lighter, steel } from '../colors.ts'
import type { Drawings } from '../drawing.ts'
import { boxPath, disc, ground, placed, repeat, shape, solid, stroke, turned } from '../svg.ts'

/** The handle is at the left. A blade starts at x = 166 and y = 178. */
const knife = (blade: string, color: string, teeth = '') =>
  shape(blade, steel) +
  shape(`${blade.slice(0, blade.indexOf('Q'))}L166 200Z`, lighter(steel, 0.1)) +
  teeth +
  stroke('M172 190H250', darker(steel, 0.14), 3) +
  solid(boxPath(150, 174, 22, 52, 5), darker(steel, 0.3), 162) +
  solid('M156 178V222Q110 216 84 230Q44 240 42 210Q40 182 84 184Z', color, 400) +
  shape('M156 208V222Q110 216 84 230Q44 240 42 210Q90 220 156 208Z', darker(color, 0.16)) +
  repeat(3, (index) => disc(76 + index * 29, 203, 4.5, lighter(color, 0.6)))

const leaning = (content: string) => ground(140, 300) + turned(-22, content)

const blades = {
  chef: 'M166 178H330Q372 182 382 196Q330 240 250 244H166Z',
  bread: 'M166 182H370Q384 190 384 214H166Z',
  fillet: 'M166 192H340Q374 196 386 206Q330 222 250 220H166Z',
  paring: 'M166 186H262Q296 192 304 204Q270 224 230 224H166Z',
  santoku: 'M166 176H322Q372 192 372 244H166Z',
  steak: 'M166 188H300Q332 186 340 176Q338 218 280 220H166Z',
}

export const knives: Drawings = {
  'chef-s-knife': ({ color }) => leaning(knife(blades.chef, color)),
  'bread-knife': ({ color }) =>
    leaning(
      knife(
        blades.bread,
        color,
        repeat(13, (index) => disc(184 + index * 16, 216, 8, lighter(steel, 0.28))),
      ),
    ),
  'filleting-knife': ({ color }) => leaning(knife(blades.fillet, color)),
  'paring-knife': ({ color }) => leaning(placed(-24, -24, 1.14, knife(blades.paring, color))),
  'santoku-knife': ({ color }) =>
    leaning(
      knife(
        blades.santoku,
        color,
        repeat(
          6,
          (index) =>
            `<ellipse cx="${206 + index * 25}" cy="226" rx="7" ry="11" fill="${darker(steel, 0.1)}"/>`,
        ),
      ),
    ),
  'steak-knife-pair': ({ color }) =>
    leaning(placed(0, -56, 1, knife(blades.steak, color)) + placed(8, 46, 1, knife(blades.steak, color))),
}

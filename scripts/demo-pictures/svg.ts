import { darker, lighter } from './colors.ts'

/*
 * A picture is 400 by 400. Light comes from the left, so the right part of a solid is darker. Objects stand at about y = 320.
 */

export function box(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`
}

export function oval(x: number, y: number, radiusX: number, radiusY: number, fill: string): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`
}

export function disc(x: number, y: number, radius: number, fill: string): string {
  return oval(x, y, radius, radius, fill)
}

export function shape(path: string, fill: string): string {
  return `<path d="${path}" fill="${fill}"/>`
}

export function stroke(path: string, color: string, width: number): string {
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

/** A shape with a darker part right of `edge`, and an optional light strip left of it. */
export function solid(path: string, fill: string, edge = 225, strip?: number): string {
  const shadow = box(edge, 0, 400, 400, darker(fill, 0.14))
  const light = strip === undefined ? '' : box(strip, 0, 12, 400, lighter(fill, 0.22))
  return shape(path, fill) + within(path, shadow + light)
}

/** Draws only inside of a shape. */
export function within(path: string, content: string): string {
  const name = `clip${hash(path)}`
  return `<clipPath id="${name}"><path d="${path}"/></clipPath><g clip-path="url(#${name})">${content}</g>`
}

/** A path for a rectangle with round corners, for `solid` and `within`. */
export function boxPath(x: number, y: number, width: number, height: number, radius = 0): string {
  const [right, bottom, r] = [x + width, y + height, radius]
  return `M${x + r} ${y}H${right - r}Q${right} ${y} ${right} ${y + r}V${bottom - r}Q${right} ${bottom} ${right - r} ${bottom}H${x + r}Q${x} ${bottom} ${x} ${bottom - r}V${y + r}Q${x} ${y} ${x + r} ${y}Z`
}

export function discPath(x: number, y: number, radiusX: number, radiusY = radiusX): string {
  return `M${x - radiusX} ${y}A${radiusX} ${radiusY} 0 1 1 ${x + radiusX} ${y}A${radiusX} ${radiusY} 0 1 1 ${x - radiusX} ${y}Z`
}

/** The shadow on the ground. */
export function ground(radius: number, y = 322, x = 200): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${Math.max(7, radius / 10)}" fill="#1d2530" fill-opacity=".16"/>`
}

export function turned(degrees: number, content: string, x = 200, y = 200): string {
  return `<g transform="rotate(${degrees} ${x} ${y})">${content}</g>`
}

export function placed(x: number, y: number, scale: number, content: string): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})">${content}</g>`
}

export function faded(opacity: number, content: string): string {
  return `<g opacity="${opacity}">${content}</g>`
}

export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}

function hash(text: string): string {
  let value = 7
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 4_294_967_291
  return value.toString(36)
}

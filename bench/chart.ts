import type { PageTime } from './growth.ts'
import type { TrafficRow } from './traffic.ts'

const width = 760
const height = 380
const plot = { left: 70, right: 560, top: 50, bottom: 320 }
const depths = ['first page', 'middle page', 'last page']
const styles = {
  service: { color: '#0f766e', label: 'Catalog Service' },
  plain: { color: '#b45309', label: 'count(*) and offset' },
}
const dashes: Record<string, string> = { 'first page': '', 'middle page': '6 4', 'last page': '2 3' }

/** Read time of a page by catalog size, one line per depth, with logarithmic axes. */
export function drawPageTimes(reads: PageTime[]): string {
  const times = reads.filter(({ work }) => depths.some((depth) => work.endsWith(depth)))
  const sizes = [...new Set(times.map(({ products }) => products))]
  const all = times.flatMap(({ service, plain }) => [service, plain])
  const lowest = 10 ** Math.floor(Math.log10(Math.min(...all)))
  const highest = 10 ** Math.ceil(Math.log10(Math.max(...all)))
  const x = (size: number) => scale(size, sizes[0] ?? 1, sizes.at(-1) ?? 10, plot.left, plot.right)
  const y = (value: number) => scale(value, lowest, highest, plot.bottom, plot.top)
  const parts = [
    ...powers(lowest, highest).map((value) => gridLine(y(value), `${value} ms`)),
    ...sizes.map((size) => text(x(size), plot.bottom + 24, size.toLocaleString('en'), 'middle')),
    text((plot.left + plot.right) / 2, plot.bottom + 48, 'products in the catalog', 'middle'),
    text(plot.left, 26, 'Time of one page with its exact count', 'start', 16),
  ]
  let row = 0
  for (const [kind, { color, label }] of Object.entries(styles)) {
    for (const depth of depths) {
      const points = times
        .filter(({ work }) => work.endsWith(depth))
        .map((time) => `${x(time.products).toFixed(1)},${y(time[kind as 'service' | 'plain']).toFixed(1)}`)
      const stroke = `stroke="${color}" stroke-width="2.5" stroke-dasharray="${dashes[depth]}"`
      const lineY = plot.top + 14 + row * 24
      parts.push(
        `<polyline fill="none" ${stroke} points="${points.join(' ')}"/>`,
        `<line ${stroke} x1="${plot.right + 14}" x2="${plot.right + 42}" y1="${lineY}" y2="${lineY}"/>`,
        text(plot.right + 50, lineY + 4, `${label},`, 'start', 11),
        text(plot.right + 50, lineY + 16, depth, 'start', 11),
      )
      row += 1.4
    }
  }
  return drawing('Time of one page against the number of products', height, parts)
}

const bars = { left: 250, right: 690, top: 84, row: 42, thickness: 14 }
const kinds = {
  cached: { color: '#0f766e', label: 'cache on (default)' },
  uncached: { color: '#94a3b8', label: 'cache off' },
}

/** Requests per second compared with bare node:http, one group of bars per kind of request and distribution. */
export function drawTraffic(rows: TrafficRow[], products: string): string {
  const x = (ratio: number) => Math.round(bars.left + Math.min(1, ratio) * (bars.right - bars.left))
  const bottom = bars.top + rows.length * bars.row
  const parts = [
    text(
      16,
      26,
      `Requests per second, as a share of bare node:http (${products} products, 32 connections)`,
      'start',
      15,
    ),
    text(
      16,
      48,
      'uniform: every item equally often; zipfian: popular items more often (YCSB, θ = 0.99)',
      'start',
    ),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((ratio) => [
      `<line x1="${x(ratio)}" x2="${x(ratio)}" y1="${bars.top - 8}" y2="${bottom}" stroke="#e5e7eb"/>`,
      text(x(ratio), bottom + 18, ratio.toFixed(2), 'middle'),
    ]),
  ]
  for (const [place, row] of rows.entries()) {
    const y = bars.top + place * bars.row
    parts.push(text(16, y + 13, row.name, 'start'), text(16, y + 27, row.distribution, 'start', 11))
    for (const [index, kind] of (['cached', 'uncached'] as const).entries()) {
      const ratio = row[kind].perSecond / row.bare.perSecond
      const at = y + index * (bars.thickness + 2)
      parts.push(
        `<rect x="${bars.left}" y="${at}" width="${x(ratio) - bars.left}" height="${bars.thickness}" fill="${kinds[kind].color}"/>`,
        text(x(ratio) + 6, at + 11, ratio.toFixed(2), 'start', 11),
      )
    }
  }
  for (const [index, { color, label }] of Object.values(kinds).entries())
    parts.push(
      `<rect x="${bars.left + index * 180}" y="${bottom + 30}" width="12" height="12" fill="${color}"/>`,
      text(bars.left + index * 180 + 18, bottom + 40, label, 'start'),
    )
  return drawing('Requests per second compared with bare node:http', bottom + 56, parts)
}

function drawing(label: string, height: number, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="${label}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`
}

function scale(value: number, low: number, high: number, from: number, to: number): number {
  if (low === high) return (from + to) / 2
  return from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (to - from)
}

function powers(low: number, high: number): number[] {
  const count = Math.round(Math.log10(high / low))
  return Array.from({ length: count + 1 }, (_, index) => Number((low * 10 ** index).toPrecision(1)))
}

function gridLine(y: number, label: string): string {
  return `<line x1="${plot.left}" x2="${plot.right}" y1="${y}" y2="${y}" stroke="#e5e7eb"/>${text(plot.left - 8, y + 4, label, 'end')}`
}

function text(x: number, y: number, content: string, anchor: string, size = 12): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" fill="#374151">${content}</text>`
}

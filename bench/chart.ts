import type { PageTime } from './growth.ts'

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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="Time of one page against the number of products">
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

import type { PageTime } from './growth.ts'
import type { Row } from './reads.ts'
import type { TrafficRow } from './traffic.ts'
import type { SearchTime } from './walk.ts'
import type { WriteRow } from './writes.ts'

const bulkWorks = [
  'new',
  'new, without events',
  'new, two pushes at once',
  'unchanged',
  'changed',
  'proposed changes',
  'applied changes',
] as const
export type BulkRates = Record<(typeof bulkWorks)[number] | 'plain', number>

export function number(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function describeReads(rows: Row[]): string {
  return table(
    ['Work', 'Per second', 'p50 ms', 'p99 ms', '× bare node:http', '× plain SQL'],
    rows.map(({ name, service, bare, plain }) => [
      name,
      number(service.perSecond),
      service.p50.toFixed(1),
      service.p99.toFixed(1),
      (service.perSecond / bare.perSecond).toFixed(2),
      plain === undefined ? '' : (service.perSecond / plain.perSecond).toFixed(1),
    ]),
  )
}

export function describeTraffic(rows: TrafficRow[]): string {
  const ratio = (one: number, other: number) => (one / other).toFixed(2)
  return table(
    [
      'Requests',
      'Distribution',
      'Cache on, per second',
      'p99 ms',
      '× bare node:http',
      'Cache off, × bare',
      'On / off',
    ],
    rows.map(({ name, distribution, cached, uncached, bare }) => [
      name,
      distribution,
      number(cached.perSecond),
      cached.p99.toFixed(1),
      ratio(cached.perSecond, bare.perSecond),
      ratio(uncached.perSecond, bare.perSecond),
      ratio(cached.perSecond, uncached.perSecond),
    ]),
  )
}

export function describeGrowth(times: PageTime[]): string {
  const smallest = (work: string) => times.find((time) => time.work === work)?.service ?? Number.NaN
  return table(
    ['Products', 'Work', 'Service, ms', '× smallest catalog', 'Plain SQL, ms'],
    times.map(({ products, work, service, plain }) => [
      number(products),
      work,
      service.toFixed(2),
      (service / smallest(work)).toFixed(2),
      plain.toFixed(2),
    ]),
  )
}

export function describeSearch(rows: SearchTime[]): string {
  return table(
    ['Request', 'Matches (median)', 'p50 ms', 'p99 ms'],
    rows.map(({ work, matches, p50, p99 }) => [work, number(matches), p50.toFixed(1), p99.toFixed(1)]),
  )
}

export function describeWrites(rows: WriteRow[]): string {
  return table(
    [
      'Work',
      'Per second',
      'p50 ms',
      'p99 ms',
      '× without counting',
      '× without events',
      '× plain SQL',
      'Plain SQL, p99 ms',
    ],
    rows.map(({ work, service, withoutCounting, withoutEvents, plain }) => [
      work,
      number(service.perSecond),
      service.p50.toFixed(1),
      service.p99.toFixed(1),
      (service.perSecond / withoutCounting.perSecond).toFixed(2),
      (service.perSecond / withoutEvents.perSecond).toFixed(2),
      (service.perSecond / plain.perSecond).toFixed(2),
      plain.p99.toFixed(1),
    ]),
  )
}

export function describeBulk({ plain, ...pushed }: BulkRates): string {
  const works = bulkWorks.map((name) => [name, pushed[name]] as const)
  return table(
    ['Lines', 'Products per second', '× plain SQL'],
    [...works, ['plain insert … select', plain] as const].map(([name, rate]) => [
      name,
      number(rate),
      (rate / plain).toFixed(2),
    ]),
  )
}

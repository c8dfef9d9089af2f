import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Row = { what: string; seen: string; allowed: string; isFine: boolean }

const file = fileURLToPath(new URL('../../docs/cluster-results.md', import.meta.url))

export type Report = ReturnType<typeof makeReport>

/** Gathers what was seen, prints it as a table, and with `keep` writes it to docs/cluster-results.md. */
export function makeReport(keep: boolean) {
  const times = new Map<string, { limit: number; seconds: number[] }>()
  const rows: Row[] = []

  function timeRows(): Row[] {
    return [...times].map(([what, { limit, seconds }]) => {
      const sorted = seconds.toSorted((a, b) => a - b)
      const median = sorted[Math.floor(sorted.length / 2)] as number
      const longest = sorted.at(-1) as number
      const seen = `${sorted.length} times, ${median.toFixed(1)} s without a write, ${longest.toFixed(1)} s at most`
      return { what, seen, allowed: `${limit} s`, isFine: longest <= limit }
    })
  }

  return {
    time(what: string, seconds: number, limit: number): void {
      times.getOrInsertComputed(what, () => ({ limit, seconds: [] })).seconds.push(seconds)
    },
    count(what: string, seen: number, most: number): void {
      rows.push({ what, seen: String(seen), allowed: String(most), isFine: seen <= most })
    },
    share(what: string, seen: number, allowed: number, tolerance: number): void {
      const isFine = Math.abs(seen / allowed - 1) <= tolerance
      rows.push({ what, seen: String(seen), allowed: `${allowed} ± ${tolerance * 100} %`, isFine })
    },
    /** Answers that were no success, while nodes of the database failed. */
    refusals(refusals: Map<string, number>, allowed: RegExp): void {
      for (const [words, count] of refusals)
        rows.push({
          what: `answers ${words}`,
          seen: String(count),
          allowed: 'any',
          isFine: allowed.test(words),
        })
    },
    end(writes: number, seconds: number): number {
      const all = [...timeRows(), ...rows]
      const table = [
        '| What | Seen | Allowed | |',
        '|---|---|---|---|',
        ...all.map(
          ({ what, seen, allowed, isFine }) =>
            `| ${what} | ${seen} | ${allowed} | ${isFine ? 'ok' : 'FAILED'} |`,
        ),
      ].join('\n')
      const head = `${writes.toLocaleString('en')} acknowledged writes in ${(seconds / 60).toFixed(0)} minutes, on one machine.`
      console.log(`\n${head}\n\n${table}`)
      if (keep)
        writeFileSync(
          file,
          `# Results of the cluster test\n\nWritten by \`npm run test:faults -- cluster --keep\`.\n\n${head}\n\n${table}\n`,
        )
      return all.every(({ isFine }) => isFine) ? 0 : 1
    },
  }
}

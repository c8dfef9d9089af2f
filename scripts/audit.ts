import { spawnSync } from 'node:child_process'
import { shippedPackages } from './shipped-packages.ts'
import { root } from './tree.ts'

/*
 * Asks the configured npm registry for known vulnerabilities of the packages that are shipped, or of all with --all:
 *   npx node scripts/audit.ts
 * Exits with 0 where there are none, 1 where there are some, and 2 where the registry did not answer the question.
 */

const longestMilliseconds = 60_000
const fetchLimits = ['--fetch-timeout=20000', '--fetch-retries=0']
const severities = ['critical', 'high', 'moderate', 'low', 'info'] as const

type Advisory = { title?: string; url?: string }
type Vulnerable = {
  name: string
  severity: (typeof severities)[number]
  range: string
  via: (Advisory | string)[]
  /** Where it is installed. */
  nodes: string[]
}
type Report = { vulnerabilities?: Record<string, Vulnerable>; statusCode?: number; error?: { code?: string } }

const shipped = new Set(shippedPackages().map(({ folder }) => folder))
const isAsked = ({ nodes }: Vulnerable) =>
  process.argv.includes('--all') || nodes.some((folder) => shipped.has(folder))
const ran = spawnSync('npm', ['audit', '--json', ...fetchLimits], {
  cwd: root,
  encoding: 'utf8',
  timeout: longestMilliseconds,
  killSignal: 'SIGKILL',
  maxBuffer: 64 * 1024 * 1024,
})
const report = parse(ran.stdout)
if (report?.vulnerabilities === undefined) fail(reasonOf())
else print(Object.values(report.vulnerabilities).filter(isAsked))

function parse(text: string | null): Report | undefined {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Without npm's own words, which name the registry. */
function reasonOf(): string {
  const code = (ran.error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT') return `it did not answer within ${longestMilliseconds / 1000} seconds`
  if (code !== undefined) return `npm cannot be run (${code})`
  if (report?.statusCode !== undefined)
    return `it answers the question for advisories with ${report.statusCode}`
  return `it cannot be reached (${report?.error?.code ?? 'no reason given'})`
}

function fail(reason: string): void {
  console.error(
    `the npm registry did not say which dependencies are vulnerable: ${reason}; ask one that offers audits (npm config set registry …)`,
  )
  process.exitCode = 2
}

function print(found: Vulnerable[]): void {
  if (found.length === 0) console.log('no known vulnerabilities')
  else process.exitCode = 1
  const bySeverity = found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  for (const { name, severity, range, via } of bySeverity) {
    const advisories = via.map((one) =>
      typeof one === 'string' ? `by way of ${one}` : (one.title ?? one.url),
    )
    console.log(`${severity.padEnd(8)}  ${name} ${range}: ${advisories.join('; ')}`)
  }
}

import { spawnSync } from 'node:child_process'
import { shippedPackages } from './shipped-packages.ts'
import { root } from './tree.ts'

/*
 * Checks the shipped packages, or all packages with --all, for known vulnerabilities in the configured npm registry:
 *   npx node scripts/audit.ts
 * Exit codes: 0 for none, 1 for some, 2 if the registry could not be queried.
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
  /** The paths where the package is installed. */
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

/** Omits npm's own message, which names the registry. */
function reasonOf(): string {
  const code = (ran.error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT') return `no response within ${longestMilliseconds / 1000} seconds`
  if (code !== undefined) return `npm cannot be run (${code})`
  if (report?.statusCode !== undefined) return `it returned ${report.statusCode} for advisories`
  return `the registry is unreachable (${report?.error?.code ?? 'no reason given'})`
}

function fail(reason: string): void {
  console.error(
    `cannot read advisories from the npm registry: ${reason}; use a registry that supports audits (npm config set registry …)`,
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

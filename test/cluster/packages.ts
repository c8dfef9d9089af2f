import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

const programs: Record<string, string> = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
}
const policy = '/usr/sbin/policy-rc.d'

/** Installs missing Debian packages without starting their services. */
export function installPackages(log: (line: string) => void): void {
  const missing = Object.entries(programs).filter(([program]) => !existsSync(program))
  const names = missing.map(([, name]) => name)
  if (names.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`
  if (process.getuid?.() !== 0) throw new Error(`some programs are missing; run as root: ${command}`)
  log(command)
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('/bin/sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    if (isOurs) rmSync(policy)
  }
}

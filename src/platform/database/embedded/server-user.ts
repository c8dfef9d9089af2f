import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The user that the server runs as; undefined for the current user. */
export type ServerUser = { uid: number; gid: number } | undefined

/** PostgreSQL refuses to run as root, so root runs it as the user `nobody`. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')
  const [, , uid, gid] = entry ?? []
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and this machine has no user "nobody"; set DATABASE_URL instead',
    )
  }
  return { uid: Number(uid), gid: Number(gid) }
}

/** The only reliable test of file permissions is to run a program as that user. */
export function canRun(user: ServerUser, program: string, args: string[]): boolean {
  return spawnSync(program, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

export function canEnter(user: ServerUser, directory: string): boolean {
  return canRun(user, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory])
}

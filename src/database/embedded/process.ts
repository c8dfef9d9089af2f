import { readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** Ended, but its parent has not asked how: a process that some container's init may leave so for a while. */
function isZombie(pid: number): boolean {
  return / Z /.test(readQuietly(`/proc/${pid}/stat`).replace(/^.*\)/s, ''))
}

/** What a process was started as, or calls itself; empty when it is gone or not ours to see. */
export function commandOf(pid: number): string {
  return readQuietly(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

export function childrenOf(pid: number): number[] {
  return readQuietly(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

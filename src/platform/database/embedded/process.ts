import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** A zombie: it has ended, but its parent has not read its exit status. Some init processes of containers take a while. */
function isZombie(pid: number): boolean {
  return / Z /.test(readQuietly(`/proc/${pid}/stat`).replace(/^.*\)/s, ''))
}

/** The command line or the title of a process; empty if the process has ended or belongs to another user. */
export function commandOf(pid: number): string {
  return readQuietly(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

export function childrenOf(pid: number): number[] {
  return readQuietly(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

export function parentOf(pid: number): number {
  return Number(readQuietly(`/proc/${pid}/stat`).replace(/^.*\)/s, '').trim().split(' ')[1])
}

/** Processes of a program that work in a folder, as a server and its backends do in their data folder. */
export function processesIn(folder: string, program: string): number[] {
  return allProcesses().filter(
    (pid) => linkQuietly(`/proc/${pid}/cwd`) === folder && programOf(pid) === program && !isZombie(pid),
  )
}

/** Processes of a program whose command line contains a path in the folder. */
export function processesNaming(folder: string, program: string): number[] {
  return allProcesses().filter((pid) => programOf(pid) === program && commandOf(pid).includes(`${folder}/`))
}

function programOf(pid: number): string {
  return basename(linkQuietly(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''))
}

export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended in the meantime.
  }
}

function allProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function linkQuietly(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

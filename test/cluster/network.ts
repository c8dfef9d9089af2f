import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** The network of the nodes. Each has its own network namespace, or a loopback address if that is not allowed. */
export type Network = {
  addresses: string[]
  range: string
  /** The prefix of a command on a node. */
  enter(node: number): string[]
  /** Disconnects or reconnects a node. Undefined if that is not possible. */
  plug?: (node: number, isIn: boolean) => void
}

const unshare = ['--net', '--pid', '--mount', '--fork', '--kill-child=SIGKILL', '--mount-proc']

/** Whether the test can run in its own namespaces, which isolate it and end all its processes with the first one. */
export function canIsolate(): boolean {
  return process.getuid?.() === 0 && spawnSync('/usr/bin/unshare', [...unshare, 'true']).status === 0
}

/** Runs a command in its own namespaces. The shell adopts orphaned processes. */
export function runIsolated(command: string[]): Promise<number> {
  const words = [...unshare, 'bash', '-c', '"$@"; exit $?', 'bash', ...command]
  const child = spawn('/usr/bin/unshare', words, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      child.kill('SIGKILL')
      process.exit(130)
    })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

export function loopbackNetwork(): Network {
  return { addresses: [1, 2, 3].map((node) => `127.0.0.1${node}`), range: '127.0.0.0/8', enter: () => [] }
}

/** A bridge with a cable to each node. */
export function isolatedNetwork(): Network {
  const ip = (...words: string[]) => void execFileSync('/usr/sbin/ip', words)
  const addresses = [1, 2, 3].map((node) => `10.77.0.1${node}`)
  mkdirSync('/run/netns', { recursive: true })
  execFileSync('/bin/mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'bridge0', 'type', 'bridge')
  ip('addr', 'add', '10.77.0.1/24', 'dev', 'bridge0')
  ip('link', 'set', 'bridge0', 'up')
  for (const [index, address] of addresses.entries()) {
    const name = `node${index + 1}`
    ip('netns', 'add', name)
    ip('link', 'add', `cable${index + 1}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', `cable${index + 1}`, 'master', 'bridge0', 'up')
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
  }
  return {
    addresses,
    range: '10.77.0.0/24',
    enter: (node) => ['ip', 'netns', 'exec', `node${node + 1}`],
    plug: (node, isIn) => ip('link', 'set', `cable${node + 1}`, isIn ? 'up' : 'down'),
  }
}

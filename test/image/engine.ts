import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const name = `catalog-trial-${randomUUID().slice(0, 8)}`

export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/** podman, docker, or nothing. */
export const engine = ['podman', 'docker'].find((program) => isInstalled(program, 'info'))

/** Runs an engine command and returns its output. */
export function run(...args: string[]): string {
  return execFileSync(engine as string, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** The same for commands that may fail. */
export function tryRun(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(engine as string, args, { encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

const buildOptions = (process.env['BUILD_OPTIONS'] ?? '').split(' ').filter(Boolean)

/** Builds a target of the Dockerfile on the base images from the environment. */
export function buildImage(target: string): string {
  const image = `localhost/${name}:${target}`
  const bases = ['BASE_IMAGE', 'BUILD_IMAGE'].flatMap((variable) => {
    const value = process.env[variable]
    return value === undefined ? [] : ['--build-arg', `${variable}=${value}`]
  })
  // Images in podman's default format have no health check.
  const format = engine === 'podman' ? ['--format', 'docker'] : []
  const args = ['build', '--target', target, '--tag', image, ...format, ...bases, ...buildOptions, root]
  execFileSync(engine as string, args, { stdio: ['ignore', 2, 2] })
  return image
}

export function sizeOf(image: string): string {
  return `${Math.round(Number(run('image', 'inspect', '--format', '{{.Size}}', image)) / 1_000_000)} MB`
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/tree.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

const sources = [
  'bin',
  'src',
  'migrations',
  'maps',
  'scripts',
  'console',
  'package.json',
  'package-lock.json',
]

/** A copy of this checkout that was never built. It shares the installed packages. */
export function unbuiltCheckout() {
  const folder = temporaryFolder()
  execFileSync('cp', ['-R', ...sources, 'tsconfig.json', folder], { cwd: root })
  const modules = join(folder, 'node_modules')
  symlinkSync(join(root, 'node_modules'), modules)
  return {
    folder,
    program: join(folder, 'bin/catalog'),
    /** Removes the build tools, as `npm ci --omit=dev` does. */
    removeBuildTools(): void {
      rmSync(modules)
      mkdirSync(modules)
      for (const name of ['.bin', '.package-lock.json'])
        symlinkSync(join(root, 'node_modules', name), join(modules, name))
    },
    /** Runs an npm script, and returns its status and its output. */
    npm(...args: string[]): { status: number | null; output: string } {
      const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
      return { status, output: stdout + stderr }
    },
  }
}

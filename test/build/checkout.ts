import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
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
  'client',
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
    /** Copies the current build of this checkout. */
    copyBuild(part: string): void {
      const name = readlinkSync(join(root, 'build', part, 'current'))
      cpSync(join(root, 'build', part, name), join(folder, 'build', part, name), { recursive: true })
      symlinkSync(name, join(folder, 'build', part, 'current'))
    },
    /** Runs `npm run build` without npm, which takes as long as a check without a build. */
    build: (part: string) => run(join(folder, 'scripts/build/run'), [part]),
    start: () => run('npm', ['run', '--silent', 'start']),
  }

  /** Returns the status and the output of the program. */
  function run(program: string, args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
}

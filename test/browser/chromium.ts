import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

// The headless shell is the same Chromium without its own windows, and takes half the time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const places = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', chromium.executablePath()]

export function launchChromium(
  executablePath = findOrInstallChromium(),
  args: string[] = [],
): Promise<Browser> {
  if (executablePath === undefined) throw new Error(noChromium)
  return chromium.launch({ executablePath, args })
}

export const noChromium = 'there is no Chromium; install one, or name it in the variable CHROMIUM'

/** A real one: the one that CHROMIUM names, one that is installed, or one that is installed now where that is possible. */
export function findOrInstallChromium(): string | undefined {
  return findChromium() ?? installChromium()
}

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ...places].find((path) => existsSync(path))
}

/** Debian's package where we may install it, Playwright's own download elsewhere; both wait for one another's lock. */
function installChromium(): string | undefined {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const options = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
    run('apt-get', ['update'])
    // Older Debians have only the whole program.
    run('apt-get', ['install', ...options, 'chromium-headless-shell'])
    if (findChromium() === undefined) run('apt-get', ['install', ...options, 'chromium'])
  } else run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])
  return findChromium()
}

function run(command: string, args: string[]): void {
  console.error(`no Chromium found; installing it: ${command} ${args.join(' ')}`)
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
}

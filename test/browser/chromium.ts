import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

// The headless shell is Chromium without windows, and takes half the time.
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

export const noChromium = 'Chromium was not found; install it, or set CHROMIUM to its path'

/** The program in CHROMIUM, an installed one, or one that is installed now. */
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

/** Installs the Debian package if possible, otherwise Playwright's download. A lock serializes both. */
function installChromium(): string | undefined {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const options = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
    run('apt-get', ['update'])
    // Older Debian releases have only the full package.
    run('apt-get', ['install', ...options, 'chromium-headless-shell'])
    if (findChromium() === undefined) run('apt-get', ['install', ...options, 'chromium'])
  } else run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])
  return findChromium()
}

function run(command: string, args: string[]): void {
  console.error(`no Chromium found; installing it: ${command} ${args.join(' ')}`)
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
}

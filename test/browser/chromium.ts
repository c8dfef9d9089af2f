import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const places = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', chromium.executablePath()]

/** A real Chromium: the one that CHROMIUM names, one that is installed, or one that is installed now. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? installChromium()
  return chromium.launch({ executablePath })
}

function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...candidates, ...places].find((path) => existsSync(path))
}

/** Debian's package where we may install it, Playwright's own download elsewhere; both wait for one another's lock. */
function installChromium(): string {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    run('apt-get', ['update'])
    run('apt-get', [
      'install',
      '--yes',
      '--no-install-recommends',
      '-o',
      'DPkg::Lock::Timeout=300',
      'chromium',
    ])
  } else run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])
  const found = findChromium()
  if (found === undefined)
    throw new Error('No Chromium. Install one, or name it in the variable CHROMIUM, and run the tests again.')
  return found
}

function run(command: string, args: string[]): void {
  console.error(`no Chromium found; installing it: ${command} ${args.join(' ')}`)
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
}

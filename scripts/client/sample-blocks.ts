import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../src/platform/version.ts'
import { root } from '../tree.ts'

const languages: Record<string, string> = { sh: 'sh', ts: 'ts', py: 'python' }
const block = /<!-- (client\/samples\/[\w-]+\.(\w+)) -->\n\n```\w+\n[\s\S]*?^```\n/gm

/** The page with the samples that its comments name, and with this release's address of the client. */
export function fillSamples(page: string): string {
  return page
    .replaceAll(block, (_all, file: string, ending: string) => {
      const code = readFileSync(join(root, file), 'utf8')
      return `<!-- ${file} -->\n\n\`\`\`${languages[ending]}\n${code}\`\`\`\n`
    })
    .replaceAll(/(catalog-client-|\/client\/)\d+\.\d+\.\d+(?=\.tgz|\/index\.js)/g, `$1${version}`)
}

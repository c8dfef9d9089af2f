import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programNotices } from './program-notices.ts'
import { type Package, shippedPackages } from './shipped-packages.ts'
import { compare, root } from './tree.ts'

/** Packages with the same license text, apart from the copyright holders. */
type Group = { license: string; body: string; members: string[] }

const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i
/** A longer text contains the licenses of others with their own copyright, so it is not grouped. */
const longestPlain = 3_000
const copyrightLine = /^\s*(?:portions )?copyright\b.*$/i
/** Packages without a license file, and another package of the same repository, which has the file. */
const sameRepository: Record<string, string> = {
  '@ai-sdk/provider-utils': 'node_modules/@ai-sdk/provider',
}
const mitBody = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** The licenses of all packages of the service and its console, identical on every platform. */
export function noticesPage(): string {
  const packages = shippedPackages()
  const groups = groupByText(packages.filter(({ isOfPlatform }) => !isOfPlatform))
  const platform = packages.filter(({ isOfPlatform }) => isOfPlatform)
  return `# Third-party notices

Generated from \`package-lock.json\` and \`node_modules\` by \`npm run generate\`.

Catalog Service is licensed under Apache-2.0 (see [LICENSE](LICENSE)). It includes or uses the software below. The source code of
each package, including those under MPL-2.0, is available from the npm registry under its name and version.

${programNotices}

## Packages for one platform

Each contains its license text, except the libvips packages (see above).

| Package | Version | License |
|---|---|---|
${platform.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join('\n')}

${groups.map(section).join('\n\n')}
`
}

function groupByText(packages: Package[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of packages) {
    const text = textOf(one)
    const lines = text.split('\n')
    const isPlain = text.length < longestPlain
    const body = isPlain ? unwrapped(lines.filter((line) => !copyrightLine.test(line))) : text.trim()
    const holders = isPlain
      ? [...new Set(lines.filter((line) => copyrightLine.test(line)).map((line) => line.trim()))]
      : []
    const key = `${one.license}\n${body.toLowerCase().replace(/[^a-z0-9]+/g, '')}`
    const group = groups.get(key) ?? { license: one.license, body, members: [] }
    group.members.push(`${one.name} ${one.version}${holders.map((holder) => `\n  ${holder}`).join('')}`)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Paragraphs without line breaks and without a title that repeats the license name. */
function unwrapped(lines: string[]): string {
  const text = lines.join('\n').replace(/^\s*(#+ *)?(the )?\(?(mit|isc|bsd)[^\n]*licen[cs]e[^\n]*\n/i, '')
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

function textOf({ name, license, folder }: Package): string {
  const path = join(root, sameRepository[name] ?? folder)
  const files = existsSync(path) ? readdirSync(path).filter((file) => licenseFile.test(file)) : []
  if (files.length > 0)
    return files
      .sort(compare)
      .map((file) => readFileSync(join(path, file), 'utf8').replaceAll('\r', ''))
      .join('\n\n')
  if (license !== 'MIT')
    throw new Error(`${name} has no license file (${license}); run "npm ci" or add the text here`)
  const { author } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const holder = typeof author === 'string' ? author : author?.name
  return `Copyright (c) ${holder ?? `the authors of ${name}`}\n\n${mitBody}`
}

function section({ license, body, members }: Group): string {
  return `## ${license}: ${members.length === 1 ? '1 package' : `${members.length} packages`}

\`\`\`\`text
${members.join('\n')}

${body}
\`\`\`\``
}

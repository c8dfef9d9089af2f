import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filesOf, root } from './tree.ts'

const roots = [
  'src',
  'client',
  'console',
  'test',
  'bench',
  'scripts',
  'migrations',
  'docs',
  'bin',
  'packaging',
  '.ci',
]
const tracked = [
  ...readdirSync(root).filter((name) => /\.(md|json|ts)$/.test(name)),
  ...roots.flatMap((folder) => filesOf(folder)),
]
const names = new Set(tracked.map((file) => basename(file)))

const inTree = new RegExp(
  `(?<![\\w./-])(?:${roots.join('|').replace('.', '\\.')})/[\\w./<>*{}-]*[\\w/>*}]`,
  'g',
)
const fileName = /(?<![\w.>*-])\w[\w.-]*\.(?:ts|tsx|sql|css)\b/g
const link = /\]\((?!\w+:|#|\/)([^)#\s]+)/g
const anchor = /\]\(([^)#\s:]*)#([^)\s]+)\)/g
const forDevelopers = /^(CONTRIBUTING|docs\/architecture|docs\/decisions\/.*)\.md$/
const placeholder = /[<>*{}]|NNNN/

/** Paths that the text of a file names and that lead nowhere. */
function deadPaths(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const paths = [...text.matchAll(inTree)].map(([path]) => path).filter((path) => !exists(path))
  if (!file.endsWith('.md')) return paths
  // Documents for users also name files of theirs.
  const files = forDevelopers.test(file)
    ? [...text.matchAll(fileName)].map(([name]) => name).filter((name) => !names.has(name))
    : []
  const links = [...text.matchAll(link)]
    .map(([, target]) => target as string)
    .filter((target) => !existsSync(join(root, dirname(file), target)))
  const anchors = [...text.matchAll(anchor)]
    .filter(
      ([, target = '', heading = '']) =>
        !headingsOf(target === '' ? file : join(dirname(file), target)).has(heading),
    )
    .map(([, target, heading]) => `${target}#${heading}`)
  return [...paths, ...files, ...links, ...anchors]
}

/** Anchors as GitHub derives them from the headings of a document. */
function headingsOf(file: string): Set<string> {
  if (!existsSync(join(root, file))) return new Set()
  const headings = readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function exists(path: string): boolean {
  if (placeholder.test(path)) return true
  // A migration or a decision may be named by its number alone.
  return existsSync(join(root, path)) || tracked.some((file) => /^[_-]/.test(file.replace(path, '')))
}

const ofOthers = new Set(['CHANGELOG.md', 'THIRD-PARTY-NOTICES.md'])
/** Migrations are left out: once released they never change, so they keep the names of their time. */
const texts = tracked.filter((file) => /\.(md|ts|tsx)$/.test(file) && !ofOthers.has(file))
const dead = texts.flatMap((file) => [...new Set(deadPaths(file))].map((path) => `${file} names ${path}`))
for (const line of dead) console.error(`${line}, which does not exist`)
if (dead.length > 0) process.exitCode = 1

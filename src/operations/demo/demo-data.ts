import { readFileSync } from 'node:fs'
import type { Author } from '../../catalog/products/write-products.ts'
import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'

/** The authors of changes, by their names in the data. */
export const authors = {
  member: { actor: 'member@demo.example', source: 'console' },
  price_file: { actor: 'Sample: price list', source: 'bulk' },
  price_list: { actor: 'Sample: price list', source: 'api' },
  warehouse: { actor: 'Sample: warehouse', source: 'api' },
  writer: { actor: 'Sample: text writer', source: 'bulk' },
} as const satisfies Record<string, Author>

/** A line of a push. Its provenance names the prompt, whose id is known once the prompt is made. */
export type DemoLine = { sku: string; description?: string; provenance?: { prompt: string } }

type Written = { by: keyof typeof authors; days_ago: number }
type Stocked = Written & { sku: string; delta: number; reason: string }
export type Change = Stocked | (Written & DemoLine & { delta?: undefined })

export type Proposed = Written & {
  title: string
  lines: DemoLine[]
  /** What a person wrote before the proposal was decided on. */
  meanwhile?: { days_ago: number; lines: DemoLine[] }
  decision?: { act: 'apply' | 'discard'; days_ago: number }
}

/** A thousand products as they were created. Variants, bundles and groups come after the products that they name. */
export const readProducts = () => readLines<DemoLine>('products.jsonl')
/** Later changes: each entry has the changes that one author made to several products, oldest first. */
export const readChanges = () => readLines<Change>('changes.jsonl')
export const readProposals = () => JSON.parse(read('proposals.json')) as Proposed[]
export const readDefinitions = () => JSON.parse(read('attributes.json')) as AttributeDefinition[]

export type DemoPrompt = {
  name: string
  description: string
  labels: Record<string, string>
  versions: { number: VersionNumber; prompt_text: string; message: string }[]
}

const prompts = [
  'product-description',
  'seo-title',
  'attribute-extractor',
  'product-translation',
  'image-alt-text',
  'category-suggestion',
]

/** Prompt templates with their versions, oldest first, by the names that lines use. */
export function readPrompts(): Map<string, DemoPrompt> {
  return new Map(prompts.map((name) => [name, parsePrompt(read(`prompts/${name}.md`))]))
}

/** `# name`, a description, `Labels: production 1.0.0, …`, and a section `## 1.0.0 message` a version. */
function parsePrompt(text: string): DemoPrompt {
  const [head = '', ...sections] = text.split(/^## /m)
  const [, name, description, labels = ''] = /^# (.+)\n\n(.+)\n(?:\nLabels: (.+)\n)?\s*$/.exec(head) ?? []
  if (name === undefined || description === undefined) throw new Error(`not a demo prompt: ${head}`)
  return {
    name,
    description,
    labels: Object.fromEntries(
      labels.matchAll(/(\S+) ([\d.]+)/g).map(([, label, version]) => [label, version]),
    ),
    versions: sections.map(parseSection),
  }
}

function parseSection(section: string): DemoPrompt['versions'][number] {
  const [, version = '', message, prompt_text] = /^(\S+) ([^\n]+)\n\n(.+)$/s.exec(section.trimEnd()) ?? []
  const number = parseVersion(version)
  if (number === undefined || message === undefined || prompt_text === undefined)
    throw new Error(`not a version of a demo prompt: ${section}`)
  return { number, prompt_text, message }
}

function readLines<Line>(file: string): Line[] {
  return read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** The files are read when a demo is made; nothing else needs them. */
function read(file: string): string {
  return readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')
}

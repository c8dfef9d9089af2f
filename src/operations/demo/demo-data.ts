import { readFileSync } from 'node:fs'
import type { Author } from '../../catalog/products/write-products.ts'
import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'
import type { ViewDefinition } from '../../model/views/views.ts'

/** Change authors by their names in the data files. */
export const authors = {
  member: { actor: 'member@demo.example', source: 'console' },
  price_file: { actor: 'Sample: price list', source: 'bulk' },
  price_list: { actor: 'Sample: price list', source: 'api' },
  warehouse: { actor: 'Sample: warehouse', source: 'api' },
  writer: { actor: 'Sample: AI copywriter', source: 'bulk' },
} as const satisfies Record<string, Author>

/** A push line. Its provenance names the prompt, whose ID is known once the prompt is created. */
export type DemoLine = { sku: string; description?: string; provenance?: { prompt: string } }

type Written = { by: keyof typeof authors; days_ago: number }
type Stocked = Written & { sku: string; delta: number; reason: string }
export type Change = Stocked | (Written & DemoLine & { delta?: undefined })

export type Proposed = Written & {
  title: string
  lines: DemoLine[]
  /** What a user wrote before the proposal was decided. */
  meanwhile?: { days_ago: number; lines: DemoLine[] }
  decision?: { act: 'apply' | 'discard'; days_ago: number }
}

/** What a model wrote for a product; null if it did not know. A product that lacks a value of the prompt is skipped. */
export type RunLine = {
  sku: string
  text: string | null
  /** What a user wrote instead. */
  edited?: string
  decision?: 'accepted' | 'rejected'
}

/** A finished run that wrote short descriptions. Lines without a decision wait for review. */
export type DemoRun = {
  prompt: string
  version_number: string
  days_ago: number
  decided_days_ago: number
  lines: RunLine[]
}

/** A thousand products in their first version. Variants, bundles and groups come after the products that they reference. */
export const readProducts = () => readLines<DemoLine>('products.jsonl')
/** Later changes, oldest first. */
export const readChanges = () => readLines<Change>('changes.jsonl')
export const readProposals = () => JSON.parse(read('proposals.json')) as Proposed[]
export const readRuns = () => JSON.parse(read('runs.json')) as DemoRun[]
export const readDefinitions = () => JSON.parse(read('attributes.json')) as AttributeDefinition[]
export const readViews = () => JSON.parse(read('views.json')) as ViewDefinition[]

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
  'short-description',
]

/** Prompt templates with their versions, oldest first, by the names that lines reference. */
export function readPrompts(): Map<string, DemoPrompt> {
  return new Map(prompts.map((name) => [name, parsePrompt(read(`prompts/${name}.md`))]))
}

/** Format: `# name`, a description, `Labels: production 1.0.0, …`, and one section `## 1.0.0 message` per version. */
function parsePrompt(text: string): DemoPrompt {
  const [head = '', ...sections] = text.split(/^## /m)
  const [, name, description, labels = ''] = /^# (.+)\n\n(.+)\n(?:\nLabels: (.+)\n)?\s*$/.exec(head) ?? []
  if (name === undefined || description === undefined) throw new Error(`invalid demo prompt: ${head}`)
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
    throw new Error(`invalid version of a demo prompt: ${section}`)
  return { number, prompt_text, message }
}

function readLines<Line>(file: string): Line[] {
  return read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

function read(file: string): string {
  return readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')
}

import { readFileSync } from 'node:fs'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'

export type DemoPrompt = {
  name: string
  description: string
  labels: Record<string, string>
  versions: { number: VersionNumber; prompt_text: string; message: string }[]
}

const files = [
  'product-description',
  'seo-title',
  'attribute-extractor',
  'product-translation',
  'image-alt-text',
  'category-suggestion',
]

/** Six prompt templates with their histories, oldest version first. */
export function readDemoPrompts(): DemoPrompt[] {
  return files.map((file) =>
    parsePrompt(readFileSync(new URL(`data/prompts/${file}.md`, import.meta.url), 'utf8')),
  )
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

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Template = 'etcd.conf' | 'patroni.yml' | 'haproxy.cfg' | 'haproxy-clients.cfg'

/** Writes a file of packaging/cluster with its placeholders filled in. */
export function writeConfiguration(
  template: Template,
  folder: string,
  values: Record<string, string>,
): string {
  const text = readFileSync(new URL(`../../packaging/cluster/${template}`, import.meta.url), 'utf8')
  const filled = text.replaceAll(/@([A-Z_0-9]+)@/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} uses ${name}, which is not set`)
    return value
  })
  mkdirSync(folder, { recursive: true })
  const path = join(folder, template)
  writeFileSync(path, filled, { mode: 0o644 })
  return path
}

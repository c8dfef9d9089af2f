import { defaultSettings } from '../src/config.ts'
import { type Setting, settings } from '../src/config-settings.ts'

export function settingsTable(): string {
  const defaults: Record<string, unknown> = defaultSettings()
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => {
    const shown = setting.default ?? code(String(defaults[name]))
    return `| ${code(setting.flag)} | ${code(setting.variable)} | ${shown} | ${setting.description}. |`
  })
  return `| Flag | Variable | Default | Description |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function code(text: string | undefined): string {
  return text === undefined ? '–' : `\`${text}\``
}

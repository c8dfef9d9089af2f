/**
 * Accepts a decimal comma, unless three digits follow it: these could be thousands, except after a single zero. Other text is
 * returned unchanged, and validation rejects it.
 */
export function parseNumberCell(cell: string): number | string {
  const text = cell.trim().replace(/^(-?0(?=,\d{3}$)|-?\d+(?!,\d{3}$)),(\d+)$/, '$1.$2')
  return /^-?\d+(\.\d+)?$|^-?\.\d+$/.test(text) ? Number(text) : cell
}

export function parseSwitchCell(text: string): boolean | string {
  if (/^(1|true|yes|y)$/i.test(text)) return true
  return /^(0|false|no|n)$/i.test(text) ? false : text
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** A key with the one that acts: ⌘ or Ctrl. */
export function modKey(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl+${key}`
}

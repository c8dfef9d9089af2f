const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** A key with the platform's modifier: ⌘ or Ctrl. */
export function modKey(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl+${key}`
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** A file size, such as "1.24 MB". Powers of 1,024, as the limits of the service. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${number.format(bytes / 1_024 ** power)} ${units[power]}`
}

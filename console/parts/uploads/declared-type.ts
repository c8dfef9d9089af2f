const head = 12

/** The first bytes of the images that browsers save under another name most often. */
const signatures: [type: string, pattern: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftypavi[fs]/s],
]

/**
 * The type of an image by its content, otherwise the type that the browser takes from the name. Many photo.jpg are WebP images,
 * and the service rejects a file of another type than declared.
 */
export async function declaredType(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, head).arrayBuffer())
  const text = String.fromCharCode(...bytes)
  return signatures.find(([, pattern]) => pattern.test(text))?.[0] ?? file.type
}

/** The field that an error in a language or market points to, such as `attributes.color` for `/views/de/attributes/color`. */
export function fieldAtPointer(pointer: string, code: string): string | undefined {
  const [, group, own, field, key] = pointer
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (group !== 'views' || own !== code || field === undefined) return undefined
  return field === 'attributes' && key !== undefined ? `${field}.${key}` : field
}

import type { NewProduct } from '../../model/product/product-input.schema.ts'

/** A picture in the colour, for most products a second one, for some a guide. Nothing is drawn, so that other draws stay as they are. */
export function mediaOf(
  { sku, type, noun, point }: { sku: string; type: string; noun: string; point: string },
  number: number,
  option: string,
): NewProduct['media'] {
  const folder = `https://images.example/${slug(sku)}`
  const picture = (place: number, alt: string) => ({
    url: `${folder}/${slug(`${noun} ${option}`)}-${place}.jpg`,
    kind: 'image' as const,
    alt,
    title: null,
  })
  const guide = {
    url: `${folder}/${slug(noun)}-guide.pdf`,
    kind: 'document' as const,
    alt: null,
    title: `${noun}: use and care`,
  }
  return [
    picture(1, [noun, option].filter(Boolean).join(', ')),
    ...(number % 3 === 0 ? [] : [picture(2, `${noun} ${point}`)]),
    ...(type === 'simple' && number % 4 === 0 ? [guide] : []),
  ]
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

import { expect, test } from 'vitest'
import { withNewImages } from './new-images.ts'

const texts = { alt: null, title: null }
const [one, two, three] = ['1', '2', '3'].map((digit) => `sha256:${digit.repeat(64)}`) as [
  string,
  string,
  string,
]

test('images are replaced in order, known ones keep their texts, and documents and videos stay', () => {
  const shown = [
    { url: 'https://images.example/old.jpg', kind: 'image' as const, ...texts },
    { url: '/media/1', kind: 'image' as const, asset: one, thumbnail: '/t', alt: 'One', title: 'T' },
    { url: '/media/3', kind: 'document' as const, asset: three, thumbnail: null, ...texts },
    { url: 'https://files.example/a.mp4', kind: 'video' as const, alt: 'V', title: null },
  ]
  expect(withNewImages(shown, [two, one, two])).toEqual([
    { asset: two, kind: 'image', ...texts },
    { asset: one, kind: 'image', alt: 'One', title: 'T' },
    { asset: three, kind: 'document', ...texts },
    { url: 'https://files.example/a.mp4', kind: 'video', alt: 'V', title: null },
  ])
})

/** The colors that variants of demo products name. */
const named: Record<string, string> = {
  amber: '#d98b2b',
  anthracite: '#434a52',
  'antique-gray': '#a39d93',
  ash: '#dfc69c',
  bamboo: '#dcb76c',
  beech: '#cc9a64',
  berry: '#a5376b',
  black: '#33363c',
  'black-resin': '#2f3238',
  blue: '#2f62b5',
  brass: '#cba150',
  'brass-and-amber': '#d98b2b',
  'brass-and-green': '#2e7a55',
  'brick-red': '#b8472f',
  brown: '#7d583a',
  'brushed-steel': '#b3bac1',
  burgundy: '#80273d',
  'chalk-white': '#f1efe9',
  charcoal: '#4a4e54',
  clear: '#cfe6ea',
  cognac: '#a85d2e',
  copper: '#c67d56',
  cream: '#f1e4c6',
  'dark-brown': '#65462f',
  'deep-red': '#a52c31',
  ecru: '#eadfc4',
  forest: '#33604a',
  'forest-green': '#33644b',
  graphite: '#4b5058',
  gray: '#9aa1a8',
  honey: '#dba03f',
  ivory: '#f3ebd8',
  kraft: '#c99d6b',
  'light-gray': '#c5c9cc',
  'matte-black': '#33353a',
  'matte-graphite': '#51555b',
  'midnight-blue': '#2a3c66',
  moss: '#72874f',
  'moss-green': '#6f8450',
  natural: '#dcbd8d',
  'natural-red': '#bf5d3e',
  navy: '#293f6b',
  'nickel-and-white': '#f0efea',
  oak: '#cc9d64',
  oat: '#dccbab',
  'ocean-blue': '#2c75a8',
  olive: '#85844f',
  'olive-wood': '#b98d50',
  'pale-blue': '#b7d3e4',
  petrol: '#1f6a77',
  'pine-green': '#2f6953',
  'polished-steel': '#ccd3d9',
  'raw-steel': '#8d939b',
  'rust-brown': '#8f4f2f',
  'rust-orange': '#cf662f',
  sage: '#97ad8d',
  'sage-green': '#94ab89',
  sand: '#dbc7a1',
  'sea-blue': '#3f81a1',
  'sea-green': '#5fa69c',
  'signal-orange': '#f1702f',
  silver: '#c3c9ce',
  slate: '#606b76',
  'slate-blue': '#5d7b98',
  smoke: '#7b7c82',
  'soft-grip': '#34383e',
  'speckled-white': '#efece6',
  stone: '#aaa295',
  'stone-white': '#e9e4d9',
  'sunflower-yellow': '#f4b935',
  terracotta: '#cc6c43',
  walnut: '#73492f',
  white: '#f5f5f2',
  whitewashed: '#e0d8cb',
  zinc: '#a9b4ba',
}

export const steel = '#c2c9cf'
export const wood = '#cc9a64'
export const leaf = '#6f9a4f'
export const ink = '#2f343b'
const bright = ['#e2574c', '#f2a63b', '#f4cf4e', '#69a86a', '#4a90c2', '#8a68b0']
const soft = ['#e9b3ac', '#f3d3a4', '#f3e6b0', '#b9d6b5', '#b2d0e3', '#cfc0de']
const plain = ['#dcbd8d', '#cfa873', '#e6cfa6', '#c59a66', '#dcbd8d', '#e6cfa6']

/** The colors of a toy, by the name of its variant. */
export function toyColors(variant: string): string[] {
  return variant === 'pastel' ? soft : variant === 'natural' ? plain : bright
}

export function colorOf(variant: string): string | undefined {
  return named[variant]
}

/** One of several colors, always the same for a name. */
export function chosen(name: string, colors: readonly string[]): string {
  const sum = [...name].reduce((total, character) => (total * 31 + character.charCodeAt(0)) % 65_521, 7)
  return colors[sum % colors.length] as string
}

export const darker = (color: string, share = 0.18): string => mixed(color, '#141a26', share)
export const lighter = (color: string, share = 0.25): string => mixed(color, '#ffffff', share)

export function mixed(color: string, other: string, share: number): string {
  const [from, to] = [channels(color), channels(other)]
  const parts = from.map((value, index) => Math.round(value + ((to[index] as number) - value) * share))
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** From 0 (black) to 1 (white). */
export function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color)
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}

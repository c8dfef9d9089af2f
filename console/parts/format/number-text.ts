const whole = new Intl.NumberFormat()

/** A number in the user's locale. */
export function numberText(value: number): string {
  return whole.format(value)
}

/** A count with its word: "1 product", "1,200 products". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`
}

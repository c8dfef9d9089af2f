/** A few days with far higher values would flatten all others, so their bars are cut and show the number. */
const maxCut = 2
const farMore = 5
const shareOfOthers = 2

/** The value at the top of a chart. */
export function scaleOf(values: readonly number[]): number {
  const [most = 0, ...others] = values.filter((value) => value > 0).sort((left, right) => right - left)
  const usual = others[maxCut - 1]
  const isFlattened = usual !== undefined && most > farMore * usual
  return roundUp(Math.max(isFlattened ? shareOfOthers * usual : most, 4))
}

/** The next of 4, 10, 20, 40, 100, 200, …: a scale whose half is a whole number too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return (
    [1, 2, 4, 10].map((step) => step * power).find((step) => step >= value && step % 2 === 0) ?? 10 * power
  )
}

/** Numbers in the user's locale. */

const counts = new Intl.NumberFormat()
const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' })

export const countText = (count: number) => counts.format(count)
export const signedText = (count: number) => signed.format(count)

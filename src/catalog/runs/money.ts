/** Amounts are whole millionths of a currency, so that sums are exact. */
export function fromMillionths(amount: number | bigint): number {
  return Number(`${amount}e-6`)
}

export type Tokens = { input: number; output: number }
/** In millionths of the currency per 1,000,000 tokens. */
export type Prices = { input_price: bigint; output_price: bigint }

const tokensOfPrice = 1_000_000n

/** Rounded up, so that a reservation always covers the cost. */
export function costOf({ input, output }: Tokens, { input_price, output_price }: Prices): bigint {
  const exact = BigInt(input) * input_price + BigInt(output) * output_price
  return (exact + tokensOfPrice - 1n) / tokensOfPrice
}

/** A token has at least one byte, so no request has more tokens than bytes. */
export function worstCase(requestBytes: number, model: Prices & { max_output_tokens: number }): bigint {
  return costOf({ input: requestBytes, output: model.max_output_tokens }, model)
}

export function isFree({ input_price, output_price }: Prices): boolean {
  return input_price === 0n && output_price === 0n
}

// Also matches truncated tokens: the last characters are a checksum, and a few more could be guessed.
const tokenShape = /cat_[0-9A-Za-z]{20,}/gi

/** Redacts tokens that appear in a URL or a message. */
export function redactTokens(text: string): string {
  return text.replace(tokenShape, 'cat_[hidden]')
}

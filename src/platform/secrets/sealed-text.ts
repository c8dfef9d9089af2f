import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts text for one purpose. Text that was sealed for another purpose, or with another secret, cannot be opened. */
export function sealText(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, keyFor(secret, purpose), nonce)
  const encrypted = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), encrypted]).toString('base64url')
}

/** Undefined if the text was changed, or was sealed for another purpose or with another secret. */
export function openSealedText(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, nonceBytes)
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
  try {
    const decryption = createDecipheriv(cipher, keyFor(secret, purpose), nonce, { authTagLength: tagBytes })
    decryption.setAuthTag(tag)
    const plain = [decryption.update(bytes.subarray(nonceBytes + tagBytes)), decryption.final()]
    return Buffer.concat(plain).toString('utf8')
  } catch {
    return undefined
  }
}

function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

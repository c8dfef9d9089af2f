import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** PEM text, so that it can be copied to worker threads. */
export type Certificate = { cert: string; key: string; files: CertificateFiles }
export type CertificateFiles = { cert: string; key: string }

/** Refuses what OpenSSL would refuse during the first handshake, with a message that names the file to fix. */
export function readCertificate(files: CertificateFiles): Certificate {
  const [cert, key] = [read(files.cert), read(files.key)]
  if (!parseCertificate(cert, files.cert).checkPrivateKey(parseKey(key, files.key)))
    throw new Error(
      `the key in ${files.key} does not match the certificate in ${files.cert}; that file must start with the server certificate, followed by its chain`,
    )
  requireUsable(cert, key, files)
  return { cert, key, files }
}

/** OpenSSL detects other errors: a key that is too short, or an unreadable chain. */
function requireUsable(cert: string, key: string, files: CertificateFiles): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new Error(`the certificate in ${files.cert} cannot be served: ${(error as Error).message}`)
  }
}

export function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Error(`${file} does not contain a PEM certificate (-----BEGIN CERTIFICATE-----)`)
  }
}

/** Returns why the certificate is not valid at this time; undefined if it is. */
export function findTimeError(
  { validFromDate, validToDate }: X509Certificate,
  now = new Date(),
): string | undefined {
  if (now > validToDate) return `ended on ${day(validToDate)}`
  if (now < validFromDate) return `is not valid before ${day(validFromDate)}`
  return undefined
}

export function day(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function parseKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    const locked = pem.includes('ENCRYPTED')
    throw new Error(
      locked
        ? `the key in ${file} is protected by a passphrase; store it without a passphrase, readable only by this user`
        : `${file} does not contain a PEM private key (-----BEGIN PRIVATE KEY-----)`,
    )
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as Error).message}); check --tls-cert and --tls-key`)
  }
}

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** PEM texts, so that worker threads can be handed a copy. */
export type Certificate = { cert: string; key: string; files: CertificateFiles }
export type CertificateFiles = { cert: string; key: string }

/** Refuses what OpenSSL would refuse at the first handshake, in words that say which file to mend. */
export function readCertificate(files: CertificateFiles): Certificate {
  const [cert, key] = [read(files.cert), read(files.key)]
  if (!parseCertificate(cert, files.cert).checkPrivateKey(parseKey(key, files.key)))
    throw new Error(
      `the key in ${files.key} does not belong to the certificate in ${files.cert}; that file must begin with the server's own certificate, and its chain follows`,
    )
  refuseUnusable(cert, key, files)
  return { cert, key, files }
}

/** OpenSSL itself refuses the rest: a key that is too short, a chain that cannot be read. */
function refuseUnusable(cert: string, key: string, files: CertificateFiles): void {
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
    throw new Error(`${file} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)`)
  }
}

/** Says why the certificate is not valid at this time; undefined where it is. */
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
        ? `the key in ${file} is protected by a passphrase; store it without one, readable by this user alone`
        : `${file} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)`,
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

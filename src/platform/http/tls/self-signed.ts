import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { certificateLimits } from '../../limits/network.ts'
import { millisecondsOf } from '../../units.ts'
import { type CertificateFiles, findTimeError } from './certificate.ts'

/** The paths of the certificate for localhost and its key. */
export function selfSignedFiles(dataDirectory: string): CertificateFiles {
  const folder = join(dataDirectory, 'tls')
  return { cert: join(folder, 'localhost.crt'), key: join(folder, 'localhost.key') }
}

/** Whether the next start creates a new certificate. */
export function needsRenewal(certificate: X509Certificate, now = new Date()): boolean {
  const soon = new Date(now.getTime() + certificateLimits.renewalDays * millisecondsOf.day)
  return findTimeError(certificate, now) !== undefined || findTimeError(certificate, soon) !== undefined
}

/**
 * The key is generated once; the certificate is renewed before it expires. Of several processes that start at once, the
 * first to write a file wins and the others use that file, so that all use the certificate that clients trust.
 */
export async function ensureSelfSigned(dataDirectory: string, now = new Date()): Promise<CertificateFiles> {
  const files = selfSignedFiles(dataDirectory)
  mkdirSync(dirname(files.cert), { recursive: true })
  const key = keepKey(files.key)
  const kept = parsed(files.cert, (pem) => new X509Certificate(pem))
  if (kept?.checkPrivateKey(createPrivateKey(key)) && !needsRenewal(kept, now)) return files
  const replace = exists(files.cert)
  // The library that creates certificates is loaded only when it is needed.
  const { signForLocalhost } = await import('./sign.ts')
  place(files.cert, await signForLocalhost(key, now), 0o644, replace)
  return files
}

function keepKey(file: string): string {
  if (parsed(file, createPrivateKey) === undefined) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    place(file, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 0o600, exists(file))
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}

/** Parses the file; undefined if it does not exist or is incomplete. */
function parsed<Parsed>(file: string, parse: (pem: string) => Parsed): Parsed | undefined {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function exists(file: string): boolean {
  return parsed(file, () => true) === true
}

/** Writes the file atomically. Without `replace`, an existing file is not changed. */
function place(file: string, text: string, mode: number, replace: boolean): void {
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(partial, text, { mode, flag: 'wx', flush: true })
  try {
    if (replace) renameSync(partial, file)
    else linkSync(partial, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(partial, { force: true })
  }
}

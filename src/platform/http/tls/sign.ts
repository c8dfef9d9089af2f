// The library below requires this module but does not depend on it.
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { certificateLimits } from '../../limits/network.ts'
import { millisecondsOf } from '../../units.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate for localhost, 127.0.0.1 and ::1, signed with its own key (P-256, PEM). */
export async function signForLocalhost(keyPem: string, now: Date): Promise<string> {
  const key = createPrivateKey(keyPem)
  const keys = {
    privateKey: key.toCryptoKey(algorithm, false, ['sign']),
    publicKey: createPublicKey(key).toCryptoKey(algorithm, true, ['verify']),
  }
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    // One hour ago, for clients whose clock is slow.
    notBefore: new Date(now.getTime() - millisecondsOf.hour),
    notAfter: new Date(now.getTime() + certificateLimits.validityDays * millisecondsOf.day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

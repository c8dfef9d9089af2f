import type { X509Certificate } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  type CertificateFiles,
  day,
  findTimeError,
  parseCertificate,
  readCertificate,
} from '../../platform/http/tls/certificate.ts'
import { needsRenewal, selfSignedFiles } from '../../platform/http/tls/self-signed.ts'
import { millisecondsOf } from '../../platform/units.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type CheckContext, type Finding, failure, ok, warning } from './check.ts'

export const certificateCheck: Check = {
  name: 'certificate',
  run({ config: { tls, tlsCert, tlsKey, behindProxy, baseUrl }, dataDirectory }: CheckContext): Finding {
    if (tlsCert !== undefined && tlsKey !== undefined)
      return judgeCertificate({ cert: tlsCert, key: tlsKey }, baseUrl, judgeOwnTime)
    if (tls === undefined)
      return ok(behindProxy ? 'the proxy terminates TLS' : 'none; plain HTTP on loopback only')
    const files = selfSignedFiles(dataDirectory)
    if (!existsSync(files.cert)) return ok('self-signed; the service creates it at the next start')
    const finding = judgeCertificate(files, baseUrl, judgeSelfSignedTime)
    return finding.status === 'failure'
      ? warning(finding.detail, 'restart the service to create a new one')
      : finding
  },
}

type JudgeTime = (certificate: X509Certificate, now: Date) => Finding | undefined

export function judgeCertificate(
  files: CertificateFiles,
  baseUrl: string | undefined,
  judgeTime: JudgeTime = judgeOwnTime,
  now = new Date(),
): Finding {
  let certificate: X509Certificate
  try {
    certificate = parseCertificate(readCertificate(files).cert, files.cert)
  } catch (error) {
    return failure(
      (error as Error).message,
      'fix this; the service does not start without a valid certificate',
    )
  }
  return (
    judgeTime(certificate, now) ??
    judgeName(certificate, baseUrl) ??
    judgeMode(files.key) ??
    ok(
      `for ${certificate.subjectAltName ?? certificate.subject}, valid until ${day(certificate.validToDate)}`,
    )
  )
}

function judgeOwnTime(certificate: X509Certificate, now: Date): Finding | undefined {
  const problem = findTimeError(certificate, now)
  if (problem !== undefined) return failure(`the certificate ${problem}`, 'renew it and restart the service')
  const left = Math.floor((certificate.validToDate.getTime() - now.getTime()) / millisecondsOf.day)
  if (left >= doctorLimits.certificateDays) return undefined
  return warning(
    `the certificate expires on ${day(certificate.validToDate)}, in ${left} days`,
    'renew it and restart the service',
  )
}

function judgeSelfSignedTime(certificate: X509Certificate, now: Date): Finding | undefined {
  if (!needsRenewal(certificate, now)) return undefined
  return warning(
    `the self-signed certificate ${findTimeError(certificate, now) ?? `expires on ${day(certificate.validToDate)}`}`,
    'restart the service to create a new one',
  )
}

function judgeName(certificate: X509Certificate, baseUrl: string | undefined): Finding | undefined {
  if (baseUrl === undefined) return undefined
  const host = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1')
  const covered = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  if (covered !== undefined) return undefined
  return warning(
    `the certificate is for ${certificate.subjectAltName ?? certificate.subject}, not for ${host} from --base-url`,
    'use a certificate for this host, or correct --base-url',
  )
}

function judgeMode(keyFile: string): Finding | undefined {
  const mode = statSync(keyFile).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined
  return warning(`other users can read the private key in ${keyFile}`, `run "chmod 600 ${keyFile}"`)
}

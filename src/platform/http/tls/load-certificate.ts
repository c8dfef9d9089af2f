import { type Certificate, readCertificate } from './certificate.ts'

/** The operator's files, or a certificate that the service generates. */
type TlsSettings = { tls?: 'self-signed'; tlsCert?: string; tlsKey?: string }

/** The certificate to use, or undefined for plain HTTP. Only a self-signed certificate needs the data folder. */
export async function loadCertificate(
  { tls, tlsCert, tlsKey }: TlsSettings,
  dataDirectory: () => string,
): Promise<Certificate | undefined> {
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate({ cert: tlsCert, key: tlsKey })
  if (tls === undefined) return undefined
  const { ensureSelfSigned } = await import('./self-signed.ts')
  return readCertificate(await ensureSelfSigned(dataDirectory()))
}

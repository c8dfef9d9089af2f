import type { Config } from '../../../config.ts'
import { type Certificate, readCertificate } from './certificate.ts'

type TlsConfig = Pick<Config, 'tls' | 'tlsCert' | 'tlsKey'>

/** The certificate to serve with, or undefined for plain HTTP. Only a self-signed one needs the data folder. */
export async function loadCertificate(
  { tls, tlsCert, tlsKey }: TlsConfig,
  dataDirectory: () => string,
): Promise<Certificate | undefined> {
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate({ cert: tlsCert, key: tlsKey })
  if (tls === undefined) return undefined
  const { keepSelfSigned } = await import('./self-signed.ts')
  return readCertificate(await keepSelfSigned(dataDirectory()))
}

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import aws4 from 'aws4'
import { whenFileEnds } from '../setup/file-end.ts'

/** What happens to the next request: an error status, a connection that breaks before or during the response, or no response. */
export type S3Fault = 500 | 503 | 'cut' | 'cut body' | 'silent'

const credentials = { accessKeyId: 'substitute', secretAccessKey: 'not a secret' }
const region = 'test-1'
/** Fewer than the real ones, so that a folder has several pages. */
const keysPerList = 3

/** A bucket in memory that checks signatures and content hashes like S3, with another implementation of both. */
export async function startS3() {
  const objects = new Map<string, Buffer>()
  const faults: S3Fault[] = []
  const refused: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []))
    const fault = faults.shift()
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'silent') return
    if (typeof fault === 'number') return void response.writeHead(fault).end('<Error/>')
    const problem = findProblem(request, body)
    if (problem !== undefined) {
      refused.push(problem)
      return void response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`)
    }
    respond(request, response, body, fault === 'cut body')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => {
    server.closeAllConnections()
    server.close()
  })

  function respond(request: IncomingMessage, response: ServerResponse, body: Buffer, isCut: boolean): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3.invalid')
    const key = pathname.slice('/bucket/'.length)
    if (searchParams.get('list-type') === '2')
      return void response.end(list(String(searchParams.get('prefix'))))
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method === 'PUT' || request.method === 'DELETE')
      return void response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    const found = objects.get(key)
    if (found === undefined) return void response.writeHead(404).end('<Error/>')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = start === undefined ? found : found.subarray(Number(start), Number(end) + 1)
    response.writeHead(start === undefined ? 200 : 206, { 'content-length': part.length })
    if (!isCut) return void response.end(part)
    response.write(part.subarray(0, part.length / 2), () => request.socket.destroy())
  }

  function list(prefix: string): string {
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).slice(0, keysPerList)
    return `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`
  }

  const { port } = server.address() as AddressInfo
  return {
    objects,
    faults,
    /** Why requests were refused; none if all were signed correctly. */
    refused,
    settings: {
      media: `s3://bucket/prefix?endpoint=http://127.0.0.1:${port}&region=${region}`,
      mediaAccessKey: credentials.accessKeyId,
      mediaSecretKey: credentials.secretAccessKey,
    },
  }
}

export type S3Substitute = Awaited<ReturnType<typeof startS3>>

function findProblem({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  if (method === 'PUT' && headers['content-length'] === undefined) return 'MissingContentLength'
  const hash = headers['x-amz-content-sha256']
  if (method === 'PUT' && hash !== createHash('sha256').update(body).digest('hex'))
    return 'XAmzContentSHA256Mismatch'
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? []
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'MissingSecurityHeader'
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const expected = aws4.sign(
    {
      service: 's3',
      region,
      method,
      path: url,
      headers: { ...signed, 'x-amz-content-sha256': String(hash) },
    },
    credentials,
  )
  return expected.headers?.['Authorization'] === headers.authorization ? undefined : 'SignatureDoesNotMatch'
}

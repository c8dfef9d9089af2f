import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenFileEnds } from '../setup/file-end.ts'

/** cut: closes the connection instead of sending the request; lose: closes it instead of sending the response. */
export type Fate =
  | 'pass'
  | 'cut'
  | 'lose'
  | { status: number; headers?: Record<string, string>; body?: string }

/** A proxy in front of the service that fails as `fateOf` says. */
export async function unreliableProxy(
  target: string,
  fateOf: (place: number, headers: IncomingHttpHeaders) => Fate,
) {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const fate = fateOf(seen.push({ method, url, headers }) - 1, headers)
    if (fate === 'cut') return void request.socket.destroy()
    if (typeof fate === 'object') {
      request.resume()
      response.writeHead(fate.status, fate.headers).end(fate.body)
      return
    }
    const forwarded = sendRequest(target + url, { method, headers })
    request.pipe(forwarded)
    const [answer] = await once(forwarded, 'response').catch(() => [undefined])
    if (answer === undefined) return void request.socket.destroy()
    if (fate === 'lose') {
      await answer.resume().toArray()
      request.socket.destroy()
      return
    }
    response.writeHead(answer.statusCode, answer.headers)
    answer.on('error', () => request.socket.destroy()).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

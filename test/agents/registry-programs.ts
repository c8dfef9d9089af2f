import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, type TestContext } from 'vitest'

/** An address that forwards every request with the token, for programs that cannot send one. */
export async function withToken(target: string, token: string): Promise<string> {
  const { hostname, port } = new URL(target)
  const own = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    // The name of the proxy becomes the name of the service; foreign names stay.
    const renamed = (name = '') => name.replace(`:${incoming.socket.localPort}`, `:${port}`)
    const { host, origin } = headers
    const sent = {
      ...headers,
      authorization: `Bearer ${token}`,
      host: renamed(host),
      ...(origin !== undefined && { origin: renamed(origin) }),
    }
    const forwarded = request({ hostname, port, method, path, headers: sent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    own.closeAllConnections()
    own.close()
  })
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}`
}

/** Runs a program of the registry, or skips the test without a registry. The programs are too large for a dependency. */
export function runPackage(
  { skip }: TestContext,
  [name, ...args]: string[],
  cwd: string,
): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const all = ['--yes', `${name}`, ...args]
    execFile('npx', all, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (/npm error code (E[A-Z]+)/.test(stderr)) skip(`npx cannot install ${name}`)
      resolve({ code: Number(error?.code ?? 0), stdout })
    })
  })
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = process.argv[2] ?? ''
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('SIGTERM', () => process.exit(0))

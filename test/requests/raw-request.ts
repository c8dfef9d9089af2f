import { connect } from 'node:net'

/** Sends bytes as they are and returns everything that comes back until the server closes. */
export function rawRequest(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    socket
      .on('data', (data) => {
        response += data
      })
      .on('end', () => resolve(response))
      .on('error', reject)
  })
}

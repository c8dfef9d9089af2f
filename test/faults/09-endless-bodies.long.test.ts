import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { count, newToken } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { recordFigures } from './figures.ts'
import { peakMemory } from './peak-memory.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
const mebibyte = 1024 * 1024

type Sent = { status: string; megabytes: number }

/** Repeats the piece until there is a response or the connection closes. */
function sendForever({ url }: Serving, head: string, piece: Buffer): Promise<Sent> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  return new Promise((resolve) => {
    let status = ''
    socket.once('data', (response) => {
      status = String(response).slice(9, 12)
      socket.destroy()
    })
    socket.on('drain', () => socket.write(piece))
    socket.on('close', () => resolve({ status, megabytes: socket.bytesWritten / mebibyte }))
    socket.write(head)
    socket.write(piece)
  })
}

test('fault 9: endless bodies, and bodies longer than their Content-Length, are rejected early and in constant memory', async (context) => {
  const serving = await serve(['--data', folder, '--log-level', 'silent'])
  const { token } = await newToken(commands)
  const head = (path: string, rest: string) =>
    `POST /v2/products${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${rest}\r\n\r\n`
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')])
  const plain = Buffer.alloc(65_536, 0x20)
  const kinds: [head: string, piece: Buffer, mostMegabytes: number][] = [
    [head('', 'Transfer-Encoding: chunked'), chunk, 8],
    [head('', `Content-Length: ${100 * mebibyte}`), plain, 8],
    [head('/bulk', `Content-Length: ${100 * mebibyte}`), plain, 8],
    [head('', 'Content-Length: 10'), plain, 8],
    [head('/bulk', 'Transfer-Encoding: chunked'), chunk, 80],
  ]
  const before = peakMemory(serving)
  let sent = 0
  for (const [start, piece, most] of kinds) {
    const results = await Promise.all(Array.from({ length: 10 }, () => sendForever(serving, start, piece)))
    // A body with Content-Length 10 is 10 spaces: 400. Pushes wait for memory, and some time out: 408 or 503.
    expect(
      [...new Set(results.map(({ status }) => status))].filter(
        (status) => !['413', '400', '408', '503'].includes(status),
      ),
    ).toEqual([])
    expect(Math.max(...results.map(({ megabytes }) => megabytes))).toBeLessThan(most)
    sent += results.length
  }
  expect(await count(serving.url, token)).toBe(0)
  const notes = [`Memory: ${before} MB before, maximum ${peakMemory(serving)} MB`]
  recordFigures(context, {
    tried: sent,
    of: 'bodies of wrong length or without end',
    survived: sent,
    lost: 0,
    notes,
  })
  await serving.stop()
})

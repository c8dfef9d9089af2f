import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Behavior, behaviorOfModel } from './behaviors.ts'
import { type Asked, formatOf, type Reply } from './formats.ts'
import { sampleValues } from './sample-values.ts'

type ArrivedCall = Asked & { headers: IncomingHttpHeaders; body: string; behavior: Behavior }

type Settings = {
  port?: number
  /** Chooses the behavior of a call, counted from 0. Default: by the model name, such as `sample-429`. */
  script?: (call: Asked, index: number) => Behavior | undefined
  /** Time that each call takes. */
  milliseconds?: number
}

/** An endpoint on loopback that speaks the APIs of OpenAI, Anthropic and Google, and records what arrives. */
export async function startSampleModel({ port = 0, script, milliseconds = 0 }: Settings = {}) {
  const model = {
    /** For `--ai-allow`. */
    origin: '',
    /** For `base_url`. */
    url: '',
    calls: [] as ArrivedCall[],
    inFlight: 0,
    mostInFlight: 0,
    script,
    milliseconds,
    /** Calls that wait for `release` before they respond. Undefined: none. */
    isHeld: undefined as ((call: Asked) => boolean) | undefined,
    hold,
    release,
    reset,
    close,
  }
  let released = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const path = request.url ?? ''
    const format = formatOf(path)
    if (request.method !== 'POST' || format === undefined) return void response.writeHead(404).end()
    const asked = format.read(JSON.parse(body), path)
    const behavior = model.script?.(asked, model.calls.length) ?? behaviorOfModel(asked.model)
    model.calls.push({ ...asked, headers: request.headers, body, behavior })
    model.inFlight += 1
    model.mostInFlight = Math.max(model.mostInFlight, model.inFlight)
    response.once('close', () => {
      model.inFlight -= 1
    })
    if (model.isHeld?.(asked) === true) await released.promise
    if (model.milliseconds > 0) await sleep(model.milliseconds)
    const write = (reply: Reply) => JSON.stringify(format.write(reply, asked))
    respond(response, behavior, asked, body, write)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  model.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  model.url = `${model.origin}/v1`
  return model

  /** The next calls respond, and those after them wait. So a test reads a run in progress, however slow the machine is. */
  function hold(responding = 0): void {
    let left = responding
    model.isHeld = () => {
      left -= 1
      return left < 0
    }
  }

  function release(): void {
    model.isHeld = undefined
    released.resolve()
    released = Promise.withResolvers()
  }

  /** Releases held calls and restores the initial settings. Keeps the recorded calls. */
  function reset(): void {
    release()
    model.script = script
    model.milliseconds = milliseconds
  }

  function close(): void {
    release()
    server.closeAllConnections()
    server.close()
  }
}

export type SampleModel = Awaited<ReturnType<typeof startSampleModel>>

const json = { 'content-type': 'application/json' }
const hugeBytes = 2_000_000

/** Behaviors that do not return a reply of the model. */
function respond(
  response: ServerResponse,
  behavior: Behavior,
  asked: Asked,
  body: string,
  write: (reply: Reply) => string,
): void {
  const fail = (status: number, headers = {}) =>
    response.writeHead(status, { ...json, ...headers }).end('{"error":{"message":"scripted failure"}}')
  if (behavior === 'hang') return
  if (behavior === '429') return void fail(429, { 'retry-after': '1' })
  if (behavior === '500') return void fail(500)
  if (behavior === 'redirect') return void fail(307, { location: '/v1/chat/completions?again' })
  if (behavior === 'schema-refused' && asked.format === 'json_schema') return void fail(400)
  if (behavior === 'format-refused' && asked.format !== 'plain') return void fail(400)
  const reply = write(replyTo(behavior, asked, body))
  if (behavior === 'cut') {
    response.writeHead(200, { ...json, 'content-length': reply.length }).write(reply.slice(0, 40))
    return void setImmediate(() => response.destroy())
  }
  const text =
    behavior === 'huge' ? write({ ...replyTo(behavior, asked, body), text: 'x'.repeat(hugeBytes) }) : reply
  response.writeHead(200, json).end(text)
}

function replyTo(behavior: Behavior, asked: Asked, body: string): Reply {
  const values = sampleValues(asked.schema, asked.prompt, behavior === 'wrong-enum')
  const nulls = Object.fromEntries(Object.keys(values).map((name) => [name, null]))
  const full = JSON.stringify(behavior === 'null' ? nulls : values)
  const texts: { [One in Behavior]?: string } = {
    refusal: 'I cannot write about this product.',
    prose: 'Here is a description that you will like. It praises the product.',
    length: full.slice(0, Math.ceil(full.length * 0.7)),
  }
  const text = texts[behavior] ?? full
  const ending = behavior === 'length' || behavior === 'refusal' ? behavior : 'stop'
  const input = behavior === 'usage-too-high' ? body.length * 10 : Math.ceil(body.length / 4)
  const usage = behavior === 'no-usage' ? undefined : { input, output: Math.ceil(text.length / 4) }
  return { text, ending, usage }
}

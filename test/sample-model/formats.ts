import type { Schema } from './sample-values.ts'

/** A request to any of the three kinds of API. */
export type Asked = {
  model: string
  prompt: string
  system: string
  format: 'json_schema' | 'json_object' | 'plain'
  schema: Schema
}
export type Reply = {
  text: string
  ending: 'stop' | 'length' | 'refusal'
  usage: { input: number; output: number } | undefined
}
export type Format = { read(body: Body, path: string): Asked; write(reply: Reply, asked: Asked): object }
// biome-ignore lint/suspicious/noExplicitAny: requests of three different APIs
type Body = any

export function formatOf(path: string): Format | undefined {
  if (path.endsWith('/chat/completions')) return openAi
  if (path.endsWith('/messages')) return anthropic
  return path.includes(':generateContent') ? google : undefined
}

const openAi: Format = {
  read: ({ model, messages, response_format: wanted }) => {
    const textOf = (role: string) => messages.find((one: Body) => one.role === role)?.content ?? ''
    const system = textOf('system')
    const format = wanted?.type ?? 'plain'
    const schema = wanted?.json_schema?.schema ?? schemaIn(system)
    return { model, prompt: textOf('user'), system, format, schema }
  },
  write: ({ text, ending, usage }, { model }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: ending === 'refusal' ? null : text,
          ...(ending === 'refusal' && { refusal: text }),
        },
        finish_reason: ending === 'length' ? 'length' : 'stop',
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
  }),
}

const anthropic: Format = {
  read: ({ model, messages, system = [], output_config: wanted, tools }) => {
    const text = system.map((one: Body) => one.text).join('\n')
    const schema = wanted?.format?.schema ?? tools?.[0]?.input_schema
    return {
      ...{ model, prompt: messages[0].content[0].text, system: text },
      format: schema === undefined ? 'plain' : 'json_schema',
      schema: schema ?? schemaIn(text),
    }
  },
  write: ({ text, ending, usage }, { model }) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model },
    content: [{ type: 'text', text }],
    stop_reason: { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[ending],
    stop_sequence: null,
    usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
  }),
}

const google: Format = {
  read: ({ contents, systemInstruction, generationConfig }, path) => {
    const system = systemInstruction?.parts?.[0]?.text ?? ''
    const schema = generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema
    return {
      model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ''),
      ...{ prompt: contents[0].parts[0].text, system },
      format:
        schema !== undefined ? 'json_schema' : generationConfig?.responseMimeType ? 'json_object' : 'plain',
      schema: schema ?? schemaIn(system),
    }
  },
  write: ({ text, ending, usage }) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        finishReason: { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }[ending],
      },
    ],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    }),
  }),
}

/** The service adds the schema to the system message if the provider does not support schemas. */
function schemaIn(system: string): Schema {
  const start = system.lastIndexOf('\n{')
  try {
    return start === -1 ? {} : JSON.parse(system.slice(start))
  } catch {
    return {}
  }
}

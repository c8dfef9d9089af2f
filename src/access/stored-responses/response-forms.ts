import type { IncomingHttpHeaders } from 'node:http'
import { boundedMap } from '../../platform/bounded-map.ts'
import { responseLimits } from '../../platform/limits/responses.ts'
import type { StoredResponse } from '../../platform/response-store/project-entries.ts'
import type { StoredBytes } from '../../platform/response-store/stored-bytes.ts'

/** The bytes that a client gets. */
export type Form = { body: StoredBytes; encoding: string | undefined }

export type ResponseForms = ReturnType<typeof responseForms>

const maxAcceptedEncodings = 100

/** Chooses the plain or compressed bytes of a stored response. */
export function responseForms() {
  // What the compressor chose for a value of Accept-Encoding.
  const encodings = boundedMap<string, string>(maxAcceptedEncodings)
  return {
    /** Undefined if the response has to be compressed first. */
    find({ body, compressed }: StoredResponse, headers: IncomingHttpHeaders): Form | undefined {
      const { 'accept-encoding': accepted, 'x-no-compression': isPlain } = headers
      const isCompressible = accepted !== undefined && accepted !== 'identity' && isPlain === undefined
      if (!isCompressible || body.length < responseLimits.compressedBytes)
        return { body, encoding: undefined }
      const encoding = encodings.get(String(accepted))
      const bytes = encoding === undefined ? undefined : compressed?.[encoding]
      return bytes === undefined ? undefined : { body: bytes, encoding }
    },
    learn: (accepted: string, encoding: string): void => encodings.set(accepted, encoding),
  }
}

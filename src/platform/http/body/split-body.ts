import { type BodyError, Problem } from '../problems.ts'

/** One line of a body, or one element of its array. A line that is too long has no bytes. */
export type Line = {
  number: number
  bytes: Buffer | undefined
  /** An error that the splitter found before the line was parsed. */
  error?: BodyError
  /** Memory that contains only this line and earlier ones. */
  spent: ArrayBuffer[]
}

/** Frees memory at once. Otherwise the bytes of one push would still be in memory during the next. */
export function release({ spent }: Line): void {
  for (const memory of spent) if (!memory.detached) memory.transfer(0)
}

/** Prepares lines for another order: the line that is read last owns the memory that it shares with others. */
export function handOverMemory(lines: readonly (Line | undefined)[], turns: readonly number[]): void {
  let last: Line | undefined
  let lastTurn = 0
  for (const [index, line] of lines.entries()) {
    const turn = turns[index] as number
    if (line === undefined) continue
    if (last === undefined || turn >= lastTurn) {
      last = line
      lastTurn = turn
    } else {
      last.spent.push(...line.spent)
      line.spent = []
    }
  }
}

export type LineLimits = { lines: number; lineBytes: number }

/** Splits a body as it arrives. Throws as soon as the body cannot be accepted anymore. */
export type Splitter = {
  take(chunk: Buffer): void
  /** The lines that are complete so far. Each is returned once. */
  drain(): Line[]
  end(): Line[]
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Some programs start every text with a byte order mark, which is not part of the content. */
function withoutMark(splitter: Splitter): Splitter {
  let head: Buffer | undefined = Buffer.alloc(0)
  function takeHead(first: Buffer): void {
    head = undefined
    splitter.take(first.subarray(0, 3).equals(byteOrderMark) ? first.subarray(3) : first)
  }
  return {
    take(chunk) {
      if (head === undefined) return splitter.take(chunk)
      head = Buffer.concat([head, chunk])
      if (head.length >= byteOrderMark.length) takeHead(head)
    },
    drain: () => splitter.drain(),
    end() {
      if (head !== undefined) takeHead(head)
      return splitter.end()
    },
  }
}

const lineFeed = 0x0a

/** Newline-delimited JSON: blank lines are skipped but counted. */
export function splitLines(limits: LineLimits): Splitter {
  const collector = collectLines(limits)
  return withoutMark({
    take(chunk) {
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        collector.add(chunk.subarray(start, end))
        collector.finishLine()
        start = end + 1
      }
      collector.add(chunk.subarray(start))
      collector.spend(chunk)
    },
    drain: () => collector.drain(),
    end: () => collector.finish(),
  })
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The elements of one JSON array. Only strings and brackets are scanned. Each element is validated when it is parsed, so that
 * a malformed element does not affect others.
 */
export function splitArray(limits: LineLimits): Splitter {
  const collector = collectLines(limits)
  let place: 'before' | 'inside' | 'after' = 'before'
  let depth = 0
  let inString = false
  let escaped = false
  let filled = false

  function finishElement(): void {
    if (!filled) throw malformed('An element of the array is missing: two commas, or a comma before the end.')
    collector.finishLine()
    filled = false
  }

  /** Continues from a position inside the array, and returns the position where it stopped. */
  function readElements(chunk: Buffer, from: number): number {
    let start = from
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (inString) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        continue
      }
      if (depth === 0 && (byte === comma || byte === closeArray)) {
        collector.add(chunk.subarray(start, at))
        // An empty array has no element to complete.
        if (byte === comma || filled || collector.count > 0) finishElement()
        start = at + 1
        if (byte === closeArray) {
          place = 'after'
          return at + 1
        }
        continue
      }
      if (byte === quote) inString = true
      else if (byte === openArray || byte === openObject) depth += 1
      else if ((byte === closeArray || byte === closeObject) && depth > 0) depth -= 1
      filled ||= !isBlank(byte)
    }
    collector.add(chunk.subarray(start))
    return chunk.length
  }

  return withoutMark({
    take(chunk) {
      let at = 0
      while (at < chunk.length) {
        if (place === 'inside') at = readElements(chunk, at)
        else if (isBlank(chunk[at] as number)) at += 1
        else if (place === 'before' && chunk[at] === openArray) {
          place = 'inside'
          at += 1
        } else throw malformed(place === 'before' ? 'It is not an array.' : 'It has content after the array.')
      }
      collector.spend(chunk)
    },
    drain: () => collector.drain(),
    end() {
      if (place === 'before') throw malformed('It is empty.')
      if (place === 'inside') throw malformed('The array is not closed.')
      return collector.finish()
    },
  })
}

function malformed(reason: string): Problem {
  return new Problem('malformed_json', {
    detail: `This is not a JSON array of products. ${reason} Send an array, or one product per line as NDJSON (application/x-ndjson).`,
  })
}

function collectLines({ lines: maxLines, lineBytes }: LineLimits) {
  let lines: Line[] = []
  let number = 1
  let pieces: Buffer[] = []
  let size = 0
  let spent: ArrayBuffer[] = []
  let numberBefore = number

  function keep(): void {
    const isTooLong = size > lineBytes
    if (!isTooLong && pieces.every((piece) => piece.every(isBlank))) return
    const [only] = pieces
    const bytes = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
    lines.push({ number, bytes: isTooLong ? undefined : bytes, spent })
    spent = []
  }

  return {
    get count() {
      return number - 1
    },
    add(piece: Buffer): void {
      if (piece.length === 0) return
      if (number > maxLines) throw tooManyLines(maxLines)
      size += piece.length
      if (size > lineBytes) pieces = []
      else pieces.push(piece)
    },
    finishLine(): void {
      if (number > maxLines) throw tooManyLines(maxLines)
      keep()
      pieces = []
      size = 0
      number += 1
    },
    /** The whole chunk was added. It is no longer needed once the current line is read. */
    spend({ buffer, length }: Buffer): void {
      // A chunk in the middle of a line that is too long is never read.
      const isUnread = size > lineBytes && number === numberBefore
      numberBefore = number
      // Small chunks share their memory with others.
      if (!isUnread && buffer instanceof ArrayBuffer && buffer.byteLength === length) spent.push(buffer)
    },
    drain(): Line[] {
      const whole = lines
      lines = []
      return whole
    },
    finish(): Line[] {
      if (size > 0) keep()
      return lines
    },
  }
}

function tooManyLines(most: number): Problem {
  const shown = most.toLocaleString('en')
  return new Problem('body_too_large', {
    detail: `A push can have at most ${shown} lines. Nothing of this push was written. Split it ("split -l ${most} FILE part-") and push the parts one after another, or use "catalog import".`,
  })
}

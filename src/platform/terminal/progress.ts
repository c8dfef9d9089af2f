import { terminalLimits } from '../limits/terminal.ts'
import { megabyte } from '../units.ts'

const width = 30

/** Draws a progress bar on a terminal, and nothing if the output is a file or a pipe. */
export function progressBar(what: string, output: NodeJS.WriteStream = process.stderr) {
  const started = performance.now()
  let last = 0
  function draw(count: number, part: number | undefined): void {
    const seconds = (performance.now() - started) / 1000
    const bar =
      part === undefined
        ? ''
        : `[${'#'.repeat(Math.round(part * width)).padEnd(width, '.')}] ${Math.floor(part * 100)} %  `
    const speed = Math.round(count / Math.max(seconds, 0.001))
    output.write(
      `\r\x1b[K${bar}${count.toLocaleString('en')} ${what}, ${speed.toLocaleString('en')} per second`,
    )
  }
  return {
    /** `part` is from 0 to 1, or undefined if the total is unknown. */
    show(count: number, part?: number): void {
      if (!output.isTTY || performance.now() - last < terminalLimits.progressMilliseconds) return
      last = performance.now()
      draw(count, part === undefined ? undefined : Math.min(1, part))
    },
    end(): void {
      if (output.isTTY) output.write('\r\x1b[K')
    },
  }
}

/** Shows the progress of a database copy in a bar, and its messages as lines. */
export async function watchCopy<Result>(
  copy: (watch: {
    report: (line: string) => void
    onProgress: (bytes: number, part?: number) => void
  }) => Promise<Result>,
): Promise<Result> {
  const bar = progressBar('MB')
  return copy({
    report: (line) => console.error(line),
    onProgress: (bytes, part) => bar.show(Math.round(bytes / megabyte), part),
  }).finally(bar.end)
}

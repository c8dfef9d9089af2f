import { gzipSync } from 'node:zlib'

const block = 512

/** A package as npm unpacks it: every file is in the folder "package", and no time depends on the build. */
export function tarballOf(files: ReadonlyMap<string, string>): Buffer {
  const parts = [...files].flatMap(([name, text]) => {
    const bytes = Buffer.from(text)
    return [headerOf(`package/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & (block - 1))]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 })
}

/** A header of the ustar format. Its checksum counts its own field as spaces. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(0, 11), 100)
  header.write(`${' '.repeat(8)}0`, 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

import { rolldown } from 'rolldown'
import { root } from '../tree.ts'
import type { InputsPlugin } from './inputs.ts'
import { sourcePlaces } from './source-places.ts'

/** Writes the program and its packages as a few files, which start in a third of the time. */
export async function buildProgram(folder: string, inputs: InputsPlugin): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: {
      main: 'src/cli/main.ts',
      worker: 'src/cli/worker.ts',
      'image-child': 'src/platform/images/image-child.ts',
    },
    platform: 'node',
    logLevel: 'silent',
    // pg and debug require these inside a try. One is never installed, the other only with development packages.
    external: ['pg-native', 'supports-color'],
    plugins: [sourcePlaces(root), inputs],
  })
  try {
    await bundle.write({
      dir: folder,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
    })
  } finally {
    await bundle.close()
  }
}

import { behaviors } from '../test/sample-model/behaviors.ts'
import { startSampleModel } from '../test/sample-model/sample-model.ts'

/*
 * An AI model for trying prompt runs without an account: it writes plausible text, or fails in the way that the model name describes.
 *   npm run sample-model
 *   npm run sample-model -- 11500
 */

const defaultPort = 11_435
const port = Number(process.argv[2] ?? defaultPort)
const { origin, url } = await startSampleModel({ port })
console.log(`The sample model listens at ${url}

  1. Start the service with --ai-allow ${origin}
  2. Connect a provider: kind openai-compatible, base_url ${url}, no key
  3. Use the model "sample", or one that fails: ${behaviors.map((one) => `sample-${one}`).join(', ')}`)

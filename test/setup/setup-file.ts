import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// Before every file, so that this is heard last at its end.
afterAll(endFile)

import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// Registered before every file, so that it runs last.
afterAll(endFile)

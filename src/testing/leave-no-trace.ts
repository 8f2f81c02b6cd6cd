import { afterAll, beforeAll, expect, vi } from 'vitest'
import { closeUnlessAskedFor, openHandles } from './shared/kept.ts'

/**
 * Test files share a process, one after the other, because loading the same modules for each took longer than most tests.
 * That is safe while no file changes what the next one finds: this runs around each of them and fails the one that does.
 */
const SIGNALS = ['uncaughtException', 'unhandledRejection', 'warning', 'SIGINT', 'SIGTERM'] as const
const REPLACEABLE = ['Date', 'Math', 'fetch', 'setTimeout', 'setInterval', 'performance', 'crypto'] as const

const PARTS = {
  environment: () => ({ ...process.env }),
  'working directory': () => process.cwd(),
  'exit code': () => process.exitCode,
  'listeners of the process': () => SIGNALS.map((name) => [name, process.listenerCount(name)]),
  'global names': () => Object.getOwnPropertyNames(globalThis).sort(),
  'replaced globals': () => REPLACEABLE.map((name) => globalThis[name]),
  'stack depth': () => Error.stackTraceLimit,
  'open servers and child processes': openHandles,
} as const

type Part = keyof typeof PARTS
const names = Object.keys(PARTS) as Part[]
const before = new Map<Part, unknown>()

beforeAll(() => {
  for (const name of names) before.set(name, PARTS[name]())
})
// Asked again for a while, because the system lets go of a closed server or an ended process a moment later.
afterAll(async () => {
  await closeUnlessAskedFor()
  for (const name of names)
    await vi.waitFor(() => expect(PARTS[name](), `${name}, after the last test`).toEqual(before.get(name)))
})

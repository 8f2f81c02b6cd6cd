import { existsSync, readFileSync } from 'node:fs'

/** A call that this service really answered. `npm run examples` makes it; documents show it. */
export type RecordedCall = {
  /** What was asked for; absent: the sample of the definition. */
  sample?: Record<string, unknown>
  /** Long lists are cut short. */
  reply: unknown
}

export const EXAMPLES_FOLDER = new URL('../examples/', import.meta.url)
export const exampleFile = (id: string): URL => new URL(`${id}.json`, EXAMPLES_FOLDER)

export function findRecordedCall(id: string): RecordedCall | undefined {
  const file = exampleFile(id)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** What a definition without an example of its own shows. */
export function recordedOf({ id, example }: { id: string; example?: unknown }): object {
  const call = example === undefined ? findRecordedCall(id) : undefined
  return call ? { example: call.reply, ...sampleOf(call) } : {}
}

export const sampleOf = ({ sample }: RecordedCall): object => (sample ? { sample } : {})

import { Worker } from 'node:worker_threads'
import type { MutantResult } from './run-mutant.ts'
import type { WeekOptions, WeekResult } from './week.ts'

/** Each job has a thread of its own: what killed processes waited for stays in its memory and goes with it. */
export type Job =
  | { kind: 'week'; seed: number; options: WeekOptions }
  | { kind: 'mutant'; mutant: number; atMost: number }

export const runWeekApart = (seed: number, options: WeekOptions): Promise<WeekResult> =>
  runApart({ kind: 'week', seed, options })

export const runMutantApart = (mutant: number, atMost: number): Promise<MutantResult> =>
  runApart({ kind: 'mutant', mutant, atMost })

function runApart<Result>(job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: job })
    worker.on('message', resolve)
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`a worker ended with ${code}`)))
  })
}

/** Several at a time, in order. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

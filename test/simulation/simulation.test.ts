import { describe, expect, it } from 'vitest'
import { CLASSIC_MUTANTS, MUTANTS } from './mutants/all.ts'
import { checkPatches, loadPatched } from './mutants/load-patched.ts'
import type { MutantResult } from './mutants/run-mutant.ts'
import { runSchedule } from './schedule.ts'
import { describeFailure, type Failure, type Job, runOnWorkers } from './workers/workers.ts'

const WORKERS = 2
/** A share of what `npm run simulate` does: it takes seconds here and minutes there. */
const SCHEDULES = 1_000
const CRASH_BASES = 1
/** Ten times what the rarest of the classic ones needs. */
const SCHEDULES_PER_MUTANT = 2_000

describe('the gate under simulation', () => {
  it(`keeps its promises in ${SCHEDULES} schedules`, async () => {
    const { runs, failures } = await run('schedules', 1, SCHEDULES)
    expect(failures.map(describeFailure)).toEqual([])
    expect(runs).toBe(SCHEDULES)
  })

  it('keeps them wherever a crash falls, once or twice', async () => {
    const { runs, failures } = await run('crash-points', 1, CRASH_BASES)
    expect(failures.map(describeFailure)).toEqual([])
    expect(runs).toBeGreaterThan(100)
  })

  it('notices planted bugs', async () => {
    const results: MutantResult[] = []
    await runOnWorkers(
      'classic-mutants',
      { from: 0, to: SCHEDULES_PER_MUTANT, workers: WORKERS },
      ({ mutant }) => {
        if (mutant) results.push(mutant)
      },
    )
    expect(results.filter(({ caught }) => !caught).map(({ name }) => name)).toEqual([])
    expect(results).toHaveLength(CLASSIC_MUTANTS.length)
  })

  it('plays the same seed the same way', async () => {
    const tell = async () => {
      const lines: string[] = []
      await runSchedule(7, { trace: (line) => void lines.push(line) })
      return lines
    }
    const first = await tell()
    expect(first.length).toBeGreaterThan(10)
    expect(await tell()).toEqual(first)
  })

  it.each(MUTANTS)('can still plant: $name', ({ patches }) => checkPatches(patches))

  it('refuses a patch that no longer fits', async () => {
    const patch = { file: 'payments/gate/sell.ts', from: 'text that is not there', to: '' }
    await expect(loadPatched([patch])).rejects.toThrow('does not fit')
  })
})

async function run(kind: Job['kind'], from: number, to: number) {
  const failures: Failure[] = []
  let runs = 0
  await runOnWorkers(kind, { from, to, workers: WORKERS }, (report) => {
    runs += report.runs
    failures.push(...report.failures)
  })
  return { runs, failures }
}

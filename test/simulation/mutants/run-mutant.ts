import { runSchedule } from '../schedule.ts'
import type { Violation } from '../verdict/invariants.ts'
import { loadPatched } from './load-patched.ts'
import type { Mutant } from './mutant.ts'

export type MutantResult = { name: string; schedules: number; caught: Violation | undefined }

/** Runs schedules against a planted bug until one of them breaks a rule. */
export async function runMutant({ name, patches }: Mutant, atMost: number): Promise<MutantResult> {
  const code = await loadPatched(patches)
  for (let seed = 1; seed <= atMost; seed++) {
    const { violations } = await runSchedule(seed, { code })
    if (violations[0]) return { name, schedules: seed, caught: violations[0] }
  }
  return { name, schedules: atMost, caught: undefined }
}

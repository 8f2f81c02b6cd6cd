import { loadPatched } from './bot-code.ts'
import type { Mutant } from './mutants.ts'
import type { Violation } from './violation.ts'
import { runWeek } from './week.ts'

export type MutantResult = { name: string; runs: number; caught: Violation | undefined }

/** Most show themselves within hours; some need days, after which the first one is forgotten. */
const HOURS_12 = 144
const DAYS_3 = 864

/** Runs rough half days against a planted bug, then longer ones, until one of them breaks a promise. */
export async function runMutant({ name, patches, broker }: Mutant, atMost: number): Promise<MutantResult> {
  const code = await loadPatched(patches)
  for (let run = 1; run <= atMost; run++) {
    const windows = run <= atMost / 2 ? HOURS_12 : DAYS_3
    const { violations } = await runWeek(run, {
      ...{ broker, windows, code },
      kills: windows / 4,
      isRough: true,
      isBrief: true,
    })
    if (violations[0]) return { name, runs: run, caught: violations[0] }
  }
  return { name, runs: atMost, caught: undefined }
}

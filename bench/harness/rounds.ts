import { say } from './say.ts'
import { shuffled } from './shuffled.ts'

/** Measures every target once in each round, in another order each time; the figures of a target, one per round. */
export async function runRounds<Target extends { name: string }, Figure>(
  targets: readonly Target[],
  rounds: number,
  measure: (target: Target) => Promise<Figure> | Figure,
): Promise<Map<Target['name'], Figure[]>> {
  const figures = new Map<Target['name'], Figure[]>(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds} `)
    for (const target of shuffled(targets, round)) {
      figures.get(target.name)?.push(await measure(target))
      say('.')
    }
    say('\n')
  }
  return figures
}

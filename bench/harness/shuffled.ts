import { createDraws, createRandomStream } from '../../src/core/math/random.ts'

const ORDER_SEED = 'bench'

/** A fixed seed: the order differs between rounds, but not between runs. */
export function shuffled<T>(all: readonly T[], round: number): T[] {
  const draws = createDraws(createRandomStream(ORDER_SEED, `round ${round}`))
  const order = [...all]
  for (let i = order.length - 1; i > 0; i--) {
    const j = draws.below(i + 1)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}

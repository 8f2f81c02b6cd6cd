import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import type { Counter } from './counter.ts'
import type { Prey } from './prey.ts'
import { readRequired } from './terms.ts'
import type { Wallet } from './wallet.ts'

export type ThievesInput = {
  counter: Counter
  prey: Prey
  paths: readonly [string, ...string[]]
  isClosing(): boolean
  /** Called for every use of a payment beyond its first, when the service answered it. */
  tried(): void
}

const COPIES = 5
const OWN_SHARE = 0.3
/** Short, so that what a kill left half done is decided before the end of the run. */
const OWN_LIFE_S = [10, 30] as const

/** Uses what others have paid, and own payments many times at once. */
export async function runThief(input: ThievesInput, wallet: Wallet, seeded: Seeded): Promise<void> {
  while (!input.isClosing()) {
    await (seeded.chance(OWN_SHARE) ? useOwnOften(input, wallet, seeded) : useAnothers(input, seeded))
    await sleep(systemClock, seeded.between(50, 300))
  }
}

async function useOwnOften(input: ThievesInput, wallet: Wallet, seeded: Seeded): Promise<void> {
  const { counter, paths } = input
  const required = await readRequired(counter, seeded.pick(paths))
  const payment =
    required && (await wallet.sign(required, seeded.between(...OWN_LIFE_S)).catch(() => undefined))
  if (!payment) return
  await everywhere(input, [...paths, ...paths, ...paths], payment)
}

async function useAnothers(input: ThievesInput, seeded: Seeded): Promise<void> {
  const loot = input.prey.pick(seeded)
  if (!loot) return
  const { path, payment, isAnybodys } = loot
  const targets = Array.from({ length: COPIES }, () => (isAnybodys ? seeded.pick(input.paths) : path))
  await everywhere(input, targets, payment)
}

async function everywhere(
  { counter, tried }: ThievesInput,
  targets: readonly string[],
  payment: Parameters<Counter['present']>[1],
): Promise<void> {
  await Promise.all(
    targets.map(async (path) => {
      if (await counter.present(path, payment)) tried()
    }),
  )
}

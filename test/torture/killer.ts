import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import type { Faults } from './faults.ts'
import type { NodeFaults } from './node-faults.ts'
import type { Life, Service } from './service.ts'

export type Kill = 'starting' | 'serving' | 'settling'
export type Killer = {
  killOne(life: Life): Promise<void>
  /** Starts a process and kills it before its start is finished. */
  killUnborn(): Promise<void>
  kills: readonly Kill[]
}

/** Shares of the kills that fall into the start, and just after a facilitator was asked to settle. */
const STARTING_SHARE = 0.3
const SETTLING_SHARE = 0.3
const LONGEST_LIFE_MS = 2_000
/** Verify, store, settle, confirm and record all happen within this of each other. */
const AROUND_SETTLE_MS = 80
const FIRST_START_GUESS_MS = 2_500
const BLACKOUT_SHARE = 0.06
const LONGEST_BLACKOUT_MS = 9_000

/** How often all nodes are in the same trouble for a while. */
const SPELL_SHARE = 0.15
const SPELLS = ['limited', 'cut', 'lag', 'hang'] as const

type World = { faults: Faults; nodeFaults: NodeFaults }

export function createKiller(service: Service, { faults, nodeFaults }: World, seeded: Seeded): Killer {
  const kills: Kill[] = []
  const typicalStartMs = () => service.startsMs.at(-1) ?? FIRST_START_GUESS_MS
  const untilMoment = async (life: Life): Promise<'settling' | undefined> => {
    if (seeded.chance(STARTING_SHARE)) {
      await sleep(systemClock, seeded.between(0, Math.round(typicalStartMs())))
      return undefined
    }
    const isAtSettle = seeded.chance(SETTLING_SHARE)
    await life.settled
    await sleep(systemClock, seeded.between(0, LONGEST_LIFE_MS))
    if (!isAtSettle) return undefined
    await Promise.race([faults.nextSettle(), sleep(systemClock, LONGEST_LIFE_MS)])
    await sleep(systemClock, seeded.between(0, AROUND_SETTLE_MS))
    return 'settling'
  }
  return {
    kills,
    async killUnborn() {
      const life = service.start()
      await sleep(systemClock, seeded.between(0, Math.round(typicalStartMs())))
      kills.push(life.isReady() ? 'serving' : 'starting')
      await life.kill()
    },
    async killOne(life) {
      const moment = await untilMoment(life)
      kills.push(moment ?? (life.isReady() ? 'serving' : 'starting'))
      if (seeded.chance(BLACKOUT_SHARE)) faults.blackOut(seeded.between(500, LONGEST_BLACKOUT_MS))
      if (seeded.chance(SPELL_SHARE))
        nodeFaults.spell(seeded.pick(SPELLS), seeded.between(500, LONGEST_BLACKOUT_MS))
      await life.kill()
    },
  }
}

import type { MemoryRow } from '../../src/testing/ledger/memory-payment-rows.ts'
import type { Length } from './length.ts'
import type { SignedBook } from './people/authorization.ts'
import { type BuyerWorld, buyAndVanish, buyHonestly, type Purchase } from './people/buyers.ts'
import { harass } from './people/hostile.ts'
import { reuseIdentifier, steal } from './people/thieves.ts'
import type { Disk } from './seller/disk.ts'

type Ending = {
  signed: SignedBook
  length: Length
  /** A payment is dead when all nodes say so. */
  decidableFromMs: number
}

/** Hostile: somebody sent payments that lead to nothing, more than anybody may. */
type Played = { purchases: Purchase[]; isHostile: boolean }

/** Time allowed after the last authorization has died: I7. */
const MARGIN_MS = 60_000
/**
 * From then on until every settled payment was looked at again, with those that are sent once more: a walk and then a
 * second look, each of which leaves nodes that answer slowly to those who buy for a minute.
 */
const JUDGED_WITHIN_MS = 240_000
const MAX_PAUSE_MS = 60_000
/** From the last decision until the process has heard of it: two rounds, where the ledger said that it failed. */
const HEARD_WITHIN_MS = 5_000
const HOSTILE_SHARE = 0.03

/** Everybody goes about their business; it ends when all are done and nothing is left to decide, or time is up. */
export async function play(world: BuyerWorld, disk: Disk, ending: Ending): Promise<Played> {
  const { timeline, random, calmAtMs } = world
  const { isLong, isToTheEnd } = ending.length
  const purchases: Purchase[] = []
  const people: Promise<unknown>[] = []
  const buyers = random.between(1, 3)
  const isHostile = random.chance(HOSTILE_SHARE)
  const comesAgain = isLong || isHostile
  for (let buyer = 0; buyer < buyers; buyer++) {
    const buy = !comesAgain && random.chance(0.25) ? buyAndVanish : buyHonestly
    const visit = async () => void purchases.push(await buy(world, `buyer${buyer}`))
    people.push(comeAgain(world, comesAgain ? random.between(1, 3) : 1, visit))
  }
  if (random.chance(0.6)) people.push(comeAgain(world, isLong ? 2 : 1, () => steal(world, 'thief')))
  if (random.chance(0.1)) people.push(reuseIdentifier(world, 'doubler'))
  if (isHostile) people.push(harass(world))
  let busy = people.length
  for (const person of people) person.then(() => busy--)
  const lastDeath = () => {
    const deaths = [...disk.rows.keys()].map((key) => ending.signed.ofKey(key)?.diesAtMs ?? 0)
    return Math.max(timeline.now(), ending.decidableFromMs, ...deaths)
  }
  const hasOpenKeys = () => world.service.processes().some(({ open }) => open.keys().length > 0)
  let endedByMs = 0
  let judgedByMs = 0
  let heardByMs = 0
  await timeline.run(() => {
    if (busy > 0 || timeline.now() < calmAtMs) return false
    if (hasOpenRows(disk)) {
      heardByMs = 0
      endedByMs ||= lastDeath() + MARGIN_MS
      return timeline.now() > endedByMs
    }
    heardByMs ||= timeline.now() + HEARD_WITHIN_MS
    if (!isToTheEnd || isJudged(disk)) return !hasOpenKeys() || timeline.now() >= heardByMs
    judgedByMs ||= lastDeath() + JUDGED_WITHIN_MS
    return timeline.now() > judgedByMs
  })
  return { purchases, isHostile }
}

async function comeAgain({ timeline, random }: BuyerWorld, visits: number, visit: () => Promise<void>) {
  await visit()
  for (let more = 1; more < visits; more++) {
    await timeline.sleep(random.between(0, MAX_PAUSE_MS))
    await visit()
  }
}

function hasOpenRows({ rows }: Disk): boolean {
  for (const { state } of rows.values()) if (state === 'claimed' || state === 'settling') return true
  return false
}

function isJudged(disk: Disk): boolean {
  for (const row of disk.rows.values()) if (row.state === 'settled' && !isLookedAt(disk, row)) return false
  for (const { state } of disk.finality.undone.values()) {
    if (state === 'open' || state === 'unseen') return false
  }
  return true
}

/** Whether its network has come so far. */
export function isLookedAt({ finality }: Disk, { key, network, settledAtMs = 0 }: MemoryRow): boolean {
  const mark = finality.marks.get(network)
  if (!mark || mark.settledAtMs !== settledAtMs) return mark !== undefined && mark.settledAtMs > settledAtMs
  return mark.seq >= (finality.seqs.get(key) ?? Number.POSITIVE_INFINITY)
}

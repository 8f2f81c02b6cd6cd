import { describeError } from '../../../core/describe-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type { Position } from '../../../upstreams/polymarket/account-activity.ts'
import { type Aged, createSource } from '../../../upstreams/source.ts'
import { type FeedLog, logUntil } from '../../feed-log.ts'
import { type AccountHistory, createAccountHistory, type ReadActivity } from './account-history.ts'

/** What the operator's own account did and holds, read again and again. */
export type OperatorAccount = {
  /** Waits for a read only where the last one is too old; rejects where that fails. */
  activity(): Promise<Aged<AccountHistory>>
  /** As last read, however long ago: those who are sold something else must not wait for it. */
  positions(): Aged<readonly Position[]> | undefined
}

export type OperatorAccountFeed = OperatorAccount & { start(): void; stop(): void }

/** What the venue publishes about accounts. */
export type AccountData = {
  activity(wallet: string, range: Parameters<ReadActivity>[0]): ReturnType<ReadActivity>
  positions(wallet: string, status: (typeof HELD)[number]): Promise<readonly Position[]>
}

/**
 * What can still become money: shares that lost (`REDEEMABLE_LOST`) are worth nothing. A market that resolves between two
 * reads goes from the first of these to the last, so in this order none is missed.
 */
const HELD = ['OPEN', 'MERGEABLE', 'REDEEMABLE'] as const

/** The venue needs some seconds itself to show a fill. */
export const ACCOUNT_AGES = { softMs: 15 * SECOND_MS, hardMs: 5 * MINUTE_MS }
const READ_EVERY_MS = 30 * SECOND_MS

type Ports = { clock: Clock; random: () => number; log: FeedLog; data: AccountData; wallet: string }

export function createOperatorAccount(ports: Ports): OperatorAccountFeed {
  const { clock, random, data, wallet } = ports
  const stopped = new AbortController()
  const log = logUntil(stopped.signal, ports.log)
  const readHistory = createAccountHistory({ clock, read: (range) => data.activity(wallet, range) })
  const source = <T>(what: string, fetch: () => Promise<T>) =>
    createSource({ ...ACCOUNT_AGES, clock, random, fetch: logged(log, what, fetch) })
  const activity = source('activity', readHistory)
  const positions = source('positions', () => readHeld(data, wallet))
  const tick = () => {
    // What fails is in the log; those who ask see that it is missing.
    for (const { read } of [activity, positions]) read().catch(() => {})
  }
  let stopTicks = () => {}
  return {
    activity: activity.read,
    positions: positions.last,
    start() {
      stopTicks = clock.every(READ_EVERY_MS, tick)
      tick()
    },
    stop() {
      stopped.abort()
      stopTicks()
    },
  }
}

/** Each token once, as the last read that has it says. */
async function readHeld(data: AccountData, wallet: string): Promise<readonly Position[]> {
  const held = new Map<string, Position>()
  for (const status of HELD)
    for (const position of await data.positions(wallet, status)) held.set(position.tokenId, position)
  return [...held.values()]
}

/** Says once that it fails, and once that it does no more. */
function logged<T>(log: FeedLog, what: string, fetch: () => Promise<T>): () => Promise<T> {
  let failures = 0
  return async () => {
    try {
      const value = await fetch()
      if (failures > 0) log.info({ what, failures }, 'the operator’s account is read again')
      failures = 0
      return value
    } catch (error) {
      if (failures++ === 0)
        log.warn({ what, cause: describeError(error) }, 'the operator’s account could not be read')
      throw error
    }
  }
}

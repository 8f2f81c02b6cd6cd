import type { z } from 'zod'
import { describeRedisFault } from '../../access/redis/redis-fault.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { AccountHistory } from '../../feeds/prediction/account/account-history.ts'
import { ACCOUNT_AGES, type OperatorAccount } from '../../feeds/prediction/account/operator-account.ts'
import type { ListedMarkets, MarketList } from '../../feeds/prediction/list/market-list.ts'
import type { Position } from '../../upstreams/polymarket/account-activity.ts'
import type { Aged } from '../../upstreams/source.ts'
import { ActivityRow, type Bulk, HeldPosition, ListedMarket } from '../values/bulk-values.ts'
import type { RelayLog } from '../wire/relay-log.ts'
import { createBulkReader } from './bulk-reader.ts'
import type { HeardValues } from './heard-values.ts'

export type RelayedLists = {
  list: MarketList
  account: OperatorAccount
  /** Resolves when nothing is being read. */
  idle(): Promise<void>
  stop(): void
}

type Ports = {
  clock: Clock
  log: Pick<Log, 'warn'>
  relay: Pick<RelayLog, 'chunk'>
  values: HeardValues
  missing(): string | undefined
}

const LOOK_EVERY_MS = SECOND_MS
const NOT_TOLD = 'the engine has not told of it yet'

/** What the engine tells in chunks. What was read whole stays until the next is whole, and knows its own age. */
export function createRelayedLists({ clock, log, relay, values, missing }: Ports): RelayedLists {
  const markets = createCopy(relay, ListedMarket, (items, head: NonNullable<ListHead>): ListedMarkets => {
    const { asOfMs, events, isAll } = head
    return { value: items, asOfMs, events, isAll }
  })
  const activity = createCopy(
    relay,
    ActivityRow,
    (items, { asOfMs, cutMs }: NonNullable<ActivityHead>): Aged<AccountHistory> => ({
      value: { rows: items.toReversed(), cutMs },
      asOfMs,
    }),
  )
  const positions = createCopy(
    relay,
    HeldPosition,
    (items, { asOfMs }: NonNullable<PositionsHead>): Aged<readonly Position[]> => ({ value: items, asOfMs }),
  )
  let looking: Promise<void> | undefined
  const look = async () => {
    try {
      await markets.follow(values.get('list')?.last)
      await activity.follow(values.get('activity')?.last)
      await positions.follow(values.get('positions')?.last)
    } catch (error) {
      log.warn({ cause: describeRedisFault(error) }, 'a long list of the engine could not be read')
    } finally {
      looking = undefined
    }
  }
  const lookOnce = () => {
    looking ??= look()
  }
  values.onChange((name) => {
    if (name === 'list' || name === 'activity' || name === 'positions') lookOnce()
  })
  // What failed is tried again, and what came while another was read.
  const stop = clock.every(LOOK_EVERY_MS, lookOnce)
  const ifHeard = <T>(read: () => T): T | undefined => (missing() === undefined ? read() : undefined)
  return {
    list: {
      last: () => ifHeard(markets.last),
      nextMs: () => values.get('list')?.nextMs ?? clock.now(),
      missing: () => missing() ?? values.get('list')?.missing ?? NOT_TOLD,
    },
    account: {
      async activity() {
        const last = ifHeard(activity.last)
        if (last && clock.now() - last.asOfMs <= ACCOUNT_AGES.hardMs) return last
        throw new ServiceError(
          'upstream_unavailable',
          `the operator’s account: ${missing() ?? 'the engine cannot read it'}`,
        )
      },
      positions: () => ifHeard(positions.last),
    },
    async idle() {
      await looking
    },
    stop,
  }
}

type ListHead = { bulk: Bulk; asOfMs: number; events: number; isAll: boolean } | undefined
type ActivityHead = { bulk: Bulk; asOfMs: number; cutMs: number | undefined } | undefined
type PositionsHead = { bulk: Bulk; asOfMs: number } | undefined

/** Ours of a list that the engine has: the same object until it changes. */
function createCopy<Head extends { bulk: Bulk }, Item, T>(
  relay: Pick<RelayLog, 'chunk'>,
  item: z.ZodType<Item>,
  make: (items: readonly Item[], head: Head) => T,
) {
  const reader = createBulkReader(relay, item)
  let copy: { of: Head; value: T } | undefined
  return {
    async follow(head: Head | undefined) {
      if (head === copy?.of) return
      copy = head && { of: head, value: make(await reader.read(head.bulk), head) }
    },
    last: () => copy?.value,
  }
}

import { describeRedisFault } from '../../access/redis/redis-fault.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { OperatorAccount } from '../../feeds/prediction/account/operator-account.ts'
import type { MarketList } from '../../feeds/prediction/list/market-list.ts'
import type { Bulk } from '../values/bulk-values.ts'
import type { BulkWriter } from './bulk-writer.ts'
import type { Told } from './told-values.ts'

const LOOK_EVERY_MS = SECOND_MS
/** As a buyer who asks all the time would have it read. */
const ACTIVITY_EVERY_MS = 15 * SECOND_MS

type Ports = {
  clock: Clock
  log: Pick<Log, 'warn'>
  writer: BulkWriter
  list: Pick<MarketList, 'last' | 'nextMs' | 'missing'>
  account: OperatorAccount | undefined
}

export type BulkSources = {
  told: readonly Told[]
  /** Writes everything again at the next look: Redis may have lost what it had. */
  again(): void
  stop(): void
}

/** The list of markets and the operator's account: written in chunks when they have changed, and told once they are. */
export function createBulkSources({ clock, log, writer, list, account }: Ports): BulkSources {
  const keep = <T extends object>(name: string, itemsOf: (held: T) => readonly unknown[]) =>
    createKept(writer, name, itemsOf)
  const listed = keep('list', (last: NonNullable<ReturnType<typeof list.last>>) => last.value)
  // Oldest first: new rows change the last chunk only.
  const activity = keep('activity', (last: Awaited<ReturnType<OperatorAccount['activity']>>) =>
    last.value.rows.toReversed(),
  )
  const positions = keep(
    'positions',
    (last: NonNullable<ReturnType<OperatorAccount['positions']>>) => last.value,
  )
  let activityDueMs = 0
  let isLooking = false
  let fault: string | undefined
  const lookAtActivity = async () => {
    if (!account || clock.now() < activityDueMs) return
    activityDueMs = clock.now() + ACTIVITY_EVERY_MS
    // It says itself in the log why it cannot be read.
    await activity.take(await account.activity().catch(() => undefined))
  }
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      await listed.take(list.last())
      await positions.take(account?.positions())
      await lookAtActivity()
      fault = undefined
    } catch (error) {
      activityDueMs = 0
      const cause = describeRedisFault(error)
      if (fault !== cause) log.warn({ cause }, 'a long list could not be handed on')
      fault = cause
    } finally {
      isLooking = false
    }
  }
  const stopLooking = clock.every(LOOK_EVERY_MS, () => void look())
  return {
    told: [
      {
        name: 'list',
        everyTurns: 1,
        read: () => ({
          last: listed.told(({ asOfMs, events, isAll }, bulk) => ({ bulk, asOfMs, events, isAll })),
          nextMs: list.nextMs(),
          missing: list.missing(),
        }),
      },
      {
        name: 'activity',
        everyTurns: 1,
        read: () => ({
          last: activity.told(({ asOfMs, value }, bulk) => ({ bulk, asOfMs, cutMs: value.cutMs })),
        }),
      },
      {
        name: 'positions',
        everyTurns: 1,
        read: () => ({ last: positions.told(({ asOfMs }, bulk) => ({ bulk, asOfMs })) }),
      },
    ],
    again() {
      for (const kept of [listed, activity, positions]) kept.again()
      activityDueMs = 0
    },
    stop: stopLooking,
  }
}

/** A list that was written, as it is told. */
function createKept<T extends object>(
  writer: BulkWriter,
  name: string,
  itemsOf: (held: T) => readonly unknown[],
) {
  let kept: { of: T; bulk: Bulk } | undefined
  let isDue = false
  return {
    async take(held: T | undefined) {
      if (held === kept?.of && !isDue) return
      isDue = false
      try {
        const bulk = held && (await writer.write(name, itemsOf(held)))
        if (held && !bulk) isDue = true
        else kept = held && bulk && { of: held, bulk }
      } catch (error) {
        isDue = true
        throw error
      }
    },
    told: <V>(toValue: (held: T, bulk: Bulk) => V): V | undefined => kept && toValue(kept.of, kept.bulk),
    again() {
      isDue = true
    },
  }
}

import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Rpc } from './rpc-client.ts'

const Head = z.object({
  timestamp: z.string().transform(Number),
  transactions: z.array(z.unknown()),
})

/** As on Base. */
const TICK_EVERY_MS = 2_000
/** So that a transfer is confirmed although nobody else transacts. */
const BLOCKS_AFTER_A_TRANSACTION = 3
/**
 * A call sees the time of the latest block. Stock clients set `validAfter` 600 s into the past: with an older block it
 * would still be in the future.
 */
const OLDEST_HEAD_S = 240

/** Mines empty blocks, but only those that somebody may wait for: an idle chain hardly grows. */
export function startBlockTicker({ rpc, clock, log }: { rpc: Rpc; clock: Clock; log: Log }): () => void {
  let owed = 0
  let isBusy = false
  const tick = async () => {
    const head = Head.parse(await rpc('eth_getBlockByNumber', 'latest', false))
    if (head.transactions.length > 0) owed = BLOCKS_AFTER_A_TRANSACTION
    const isOld = clock.now() / 1000 - head.timestamp > OLDEST_HEAD_S
    if (owed === 0 && !isOld) return
    await rpc('anvil_mine', '0x1')
    owed = Math.max(0, owed - 1)
  }
  return clock.every(TICK_EVERY_MS, () => {
    if (isBusy) return
    isBusy = true
    tick()
      .catch((error: unknown) => log.debug({ error: String(error) }, 'no empty block was mined'))
      .finally(() => {
        isBusy = false
      })
  })
}

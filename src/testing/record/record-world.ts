import { createHash, sign } from 'node:crypto'
import type { Coin } from '../../core/coin.ts'
import { silentLog } from '../../core/log.ts'
import { didKeyOf, privateKeyOf } from '../../core/signing/ed25519.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { createRecordKeeper, type RecordKeeperInput } from '../../record/keeper.ts'
import type { HeadKey } from '../../record/log/signed-head.ts'
import { COMMIT_LEAD_MS } from '../../record/windows/windows.ts'
import { type Prediction, verdictOf } from '../../signals/signal.ts'
import type { Commit } from '../ledger/commit.ts'
import { createMemoryRecordBook, createMemoryRecordRows } from '../ledger/memory-record-book.ts'

export const FIRST_S = 1_767_614_400

/** The key with this byte 32 times as its seed. */
export function testKey(seed: number): HeadKey {
  const key = privateKeyOf(Buffer.alloc(32, seed))
  return { id: didKeyOf(key), sign: (text) => sign(null, Buffer.from(text), key) }
}

/** A fraction that depends only on the words. */
export function chance(...words: readonly (string | number)[]): number {
  return createHash('sha256').update(words.join()).digest().readUInt32BE() / 2 ** 32
}

/** A model slightly better than chance; sometimes it has no prediction. */
export function predictSomething(coin: Coin, windowStartS: number): Prediction | undefined {
  if (chance('silent', coin, windowStartS) < 0.02) return undefined
  const truth = priceAt(coin, windowStartS + WINDOW_S) >= priceAt(coin, windowStartS) ? 1 : 0
  const knows = chance('knows', coin, windowStartS) < 0.1
  const p = knows ? 0.35 + 0.3 * truth : 0.4 + 0.2 * chance('guess', coin, windowStartS)
  const asOfMs = windowStartS * 1000 - COMMIT_LEAD_MS - 200
  return { ...verdictOf(p, 0.52), coin, asOfMs, windowStartS, regime: 'neutral', model: 'test-1' }
}

const priceAt = (coin: Coin, atS: number) => 100 + Math.round(10 * chance('price', coin, atS))

type Given = Partial<RecordKeeperInput> & {
  nowMs?: number
  rows?: ReturnType<typeof createMemoryRecordRows>
  commit?: Commit
}

/** A keeper on a clock that stands still until it is moved, over a ledger in memory. */
export function createRecordWorld({
  nowMs = FIRST_S * 1000 - 60_000,
  rows = createMemoryRecordRows(),
  commit,
  ...given
}: Given = {}) {
  const clock = createManualClock(nowMs)
  const book = createMemoryRecordBook(rows, commit)
  let salts = 0
  const keeper = createRecordKeeper({
    clock,
    log: silentLog,
    book,
    key: testKey(7),
    mode: 'sandbox',
    predict: predictSomething,
    oracle: (coin, atS) =>
      atS * 1000 > clock.now() || chance('gap', coin, atS) < 0.01
        ? undefined
        : { price: priceAt(coin, atS), kind: 'twap_60s', atMs: atS * 1000 },
    anchor: undefined,
    random: (bytes) => createHash('sha256').update(`${nowMs} ${salts++}`).digest().subarray(0, bytes),
    ...given,
  })
  const to = async (atMs: number) => {
    clock.advanceTo(atMs)
    await keeper.idle()
  }
  return {
    clock,
    book,
    rows,
    keeper,
    to,
    /** Runs through `count` windows from `fromS` on, until shortly after the last one has opened. */
    async windows(count: number, fromS = FIRST_S) {
      for (let n = 0; n < count; n++) {
        const startMs = (fromS + n * WINDOW_S) * 1000
        await to(startMs - COMMIT_LEAD_MS)
        await to(startMs + 700)
      }
    },
  }
}
export type RecordWorld = ReturnType<typeof createRecordWorld>

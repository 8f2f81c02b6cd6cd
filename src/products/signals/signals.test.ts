import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMarket } from '../../market/market.ts'
import { hashLeaf } from '../../record/log/merkle-tree.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import type { Signal } from '../../signals/signal.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { createRecordWorld, FIRST_S, predictSomething } from '../../testing/record/record-world.ts'
import { realtimeSignal } from './realtime.ts'
import type { RecordNote } from './record.ts'
import type { SignalServices } from './services.ts'
import { btcSignal, signals } from './signals.ts'

const NOW_MS = FIRST_S * 1000 + 1_500
const AT_REST = createManualClock(NOW_MS)

type Given = Pick<SignalServices, 'clock' | 'record'> & {
  signal: (coin: Signal['coin']) => Signal | undefined
}
/** As over the wire: checked by its schema, encoded and parsed again. */
function ask(product: ProductOf<SignalServices>, { clock, record, signal }: Given, params: object = {}) {
  const services: SignalServices = {
    clock,
    record,
    market: createMarket({ clock }),
    signals: signalsOf(signal),
    sourceOf: (source) => source,
  }
  const made = product.handle(services, product.params.parse(params))
  return JSON.parse(JSON.stringify(product.response.parse(made)))
}

test('direction, confidence and probability agree digit for digit, whatever the engine says', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (probabilityUp) => {
      const signal = () => signalAt('BTC', NOW_MS, probabilityUp)
      const [shown] = ask(btcSignal, { clock: AT_REST, signal }).signals
      const { direction, confidence, probability_up: up } = shown
      expect(Math.abs(up - probabilityUp)).toBeLessThanOrEqual(0.00005 + 1e-12)
      expect(direction).toBe(up >= 0.5 ? 'UP' : 'DOWN')
      expect(confidence.toFixed(4)).toBe(Math.max(up, 1 - up).toFixed(4))
      expect(String(confidence)).toMatch(/^(1|0\.\d{1,4})$/)
      expect(String(up)).toMatch(/^([01]|0\.\d{1,4}|[1-9]e-\d)$/)
    }),
    { numRuns: 2_000, examples: [[0.49996], [0.5], [0.49994], [0], [1], [0.00004]] },
  )
})

test('a NaN is never sold', () => {
  const signal = () => signalAt('BTC', NOW_MS, Number.NaN)
  expect(() => ask(btcSignal, { clock: AT_REST, signal })).toThrow()
})

test('an indicator that is unknown is null, and the reply says why', () => {
  const signal = () => signalAt('ETH', NOW_MS)
  const shown = ask(signals, { clock: AT_REST, signal }, { coins: 'eth' }).signals.ETH
  expect(shown.indicators).toMatchObject({ volume_spike: null, tick_momentum: 0.123457, rsi: 75, macd: 0 })
  expect(shown.unknown_indicators).toEqual({ volume_spike: 'made up' })
  expect(ask(realtimeSignal, { clock: AT_REST, signal }, { coin: 'eth' }).indicators).toMatchObject({
    volume_spike: { value: null, warm: false, reason: 'made up', meaning: 'neutral: unknown' },
    rsi: { value: 75, warm: true, meaning: 'bearish: overbought' },
    bollinger: { meaning: 'bullish: below the lower band' },
    ob_imbalance: { meaning: 'bearish: more is asked than bid' },
    aggressor_ratio: { meaning: 'bullish: takers mostly buy' },
    macd: { meaning: 'neutral: no turn' },
  })
})

test('without a record, and for a window that was not committed, there is no proof', async () => {
  const signal = () => signalAt('BTC', NOW_MS)
  const world = createRecordWorld({ nowMs: FIRST_S * 1000 + 60_000, predict: () => undefined })
  await world.keeper.start()
  await world.windows(1, FIRST_S + 300)
  for (const record of [undefined, world.keeper.reader])
    expect(ask(btcSignal, { clock: AT_REST, record, signal }).signals[0]).toMatchObject({
      record_id: null,
      record: null,
      record_reason: expect.stringMatching(record ? /before the record began/ : /no record is kept/),
    })
})

test('a committed window comes with a proof that anybody can check', async () => {
  const { keeper, clock, windows } = createRecordWorld({
    predict: (coin, windowStartS) => predictSomething(coin, windowStartS) ?? predictSomething('BTC', FIRST_S),
  })
  await keeper.start()
  await windows(3)
  const record = keeper.reader
  const reply = ask(signals, { clock, record, signal: (coin) => signalAt(coin, clock.now()) })
  const startS = FIRST_S + 600
  for (const [coin, shown] of Object.entries<Record<string, unknown>>(reply.signals)) {
    const id = `${coin}-${startS}`
    expect(shown).toMatchObject({ record_id: id, window_start: startS })
    expect(shown).not.toHaveProperty('record_reason')
    const note = shown.record as z.infer<typeof RecordNote>
    expect(Date.parse(note.committed_at)).toBeLessThan(startS * 1000)
    const { committed_at, commitment } = note
    const leaf = { kind: 'commit', id, coin, window_start: startS, committed_at, commitment }
    expect(rootOf(hashLeaf(canonicalJson(leaf)), note)).toBe(note.root_hash)
    expect(record.rootHash(note.tree_size)).toBe(note.root_hash)
    const [head] = await record.heads(note.tree_size - 1, note.tree_size)
    expect(head && toPublicHead(head)).toEqual({
      tree_size: note.tree_size,
      root_hash: note.root_hash,
      timestamp: note.committed_at,
      key_id: note.key_id,
      mode: note.mode,
      signature: note.head_signature,
    })
  }
})

/** RFC 9162, 2.1.3.2. */
function rootOf(leaf: Buffer, { leaf_index, tree_size, proof }: z.infer<typeof RecordNote>): string {
  const join = (left: Buffer, right: Buffer) =>
    createHash('sha256')
      .update(Buffer.from([1]))
      .update(left)
      .update(right)
      .digest()
  let hash = leaf
  let [at, last] = [leaf_index, tree_size - 1]
  for (const text of proof) {
    const other = Buffer.from(text, 'hex')
    if (at % 2 === 1 || at === last) {
      hash = join(other, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1]
    } else hash = join(hash, other)
    ;[at, last] = [at >> 1, last >> 1]
  }
  return hash.toString('hex')
}

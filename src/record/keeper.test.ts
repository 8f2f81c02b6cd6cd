import { describe, expect, test } from 'vitest'
import { COINS, type Coin } from '../core/coin.ts'
import { DAY_MS } from '../core/time/time.ts'
import { WINDOW_S } from '../core/time/window.ts'
import { changeKey, FIRST_KEY, SECOND_KEY } from '../testing/record/change-key.ts'
import {
  createRecordWorld,
  FIRST_S,
  predictSomething,
  type RecordWorld,
  testKey,
} from '../testing/record/record-world.ts'
import type { WindowLeaf } from './log/leaf.ts'
import { REVEAL_WAIT_MS } from './windows/reveals.ts'
import { COMMIT_LEAD_MS, TAKE_BACK_MS } from './windows/windows.ts'

const FIRST_MS = FIRST_S * 1000
const always = (coin: Coin, windowStartS: number) => {
  for (let n = 0; ; n++) {
    const found = predictSomething(coin, windowStartS - n * WINDOW_S)
    if (found) return { ...found, windowStartS, asOfMs: windowStartS * 1000 - 5_000 }
  }
}
const steady = (coin: string, atS: number) => ({
  price: coin.length + (atS % 7),
  kind: 'spot' as const,
  atMs: atS * 1000,
})
const leavesOf = ({ rows }: RecordWorld) => rows.leaves.map((text) => JSON.parse(text) as WindowLeaf)
const kindsOf = (world: RecordWorld) =>
  leavesOf(world)
    .map(({ kind }) => kind)
    .join(' ')

/** A keeper that stops after some windows, and the next one on its ledger at `nowMs`. */
async function restartAfter(windows: number, nowMs: number): Promise<RecordWorld> {
  const first = createRecordWorld({ predict: always, oracle: steady })
  await first.keeper.start()
  await first.windows(windows)
  await first.keeper.stop()
  const again = createRecordWorld({ predict: always, oracle: steady, rows: first.rows, nowMs })
  await again.keeper.start()
  return again
}

/** The first write of its keeper ends at `untilMs`. */
function createSlowWorld(untilMs: number): RecordWorld {
  let isSlow = true
  const world: RecordWorld = createRecordWorld({
    predict: always,
    oracle: steady,
    commit: async (apply) => {
      const done = apply()
      if (isSlow) world.clock.advanceTo(untilMs)
      isSlow = false
      return done
    },
  })
  return world
}

describe('the keeper of the record', () => {
  test('commits three seconds before a window opens and reveals when it has closed', async () => {
    const world = createRecordWorld({ predict: always, oracle: steady })
    await world.keeper.start()
    await world.to(FIRST_MS - COMMIT_LEAD_MS - 1)
    expect(world.rows.leaves).toEqual([])
    await world.to(FIRST_MS - COMMIT_LEAD_MS)
    expect(kindsOf(world)).toBe('commit commit commit commit')
    expect(world.rows.heads).toMatchObject([{ treeSize: 4, atMs: FIRST_MS - COMMIT_LEAD_MS }])
    expect(world.rows.secrets.size).toBe(4)
    await world.windows(2)
    const leaves = leavesOf(world)
    expect(kindsOf(world)).toBe(
      'commit commit commit commit commit commit commit commit reveal reveal reveal reveal',
    )
    expect(leaves[8]).toMatchObject({
      id: `BTC-${FIRST_S}`,
      open: { price: 3 + (FIRST_S % 7), price_kind: 'spot', at: new Date(FIRST_MS).toISOString() },
      outcome: expect.stringMatching(/UP|DOWN/),
      reason: null,
    })
    expect([...world.rows.secrets.keys()]).toEqual(COINS.map((coin) => `${coin}-${FIRST_S + WINDOW_S}`))
  })

  test('says nothing of a prediction before its window has closed', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.to(FIRST_MS - COMMIT_LEAD_MS)
    await world.to(FIRST_MS + 200_000)
    const [secret = ''] = [...world.rows.secrets.values()]
    const { salt } = JSON.parse(secret) as { salt: string }
    const { reader } = world.keeper
    const told = JSON.stringify([
      await reader.page(0, 9),
      await reader.find(`BTC-${FIRST_S}`),
      reader.entryFor('BTC', FIRST_S),
    ])
    expect(salt).toMatch(/^[0-9a-f]{64}$/)
    expect(told).not.toMatch(new RegExp(`${salt}|probability|direction`))
  })

  test('a tie is UP, and a missing price makes the outcome unknown after the wait', async () => {
    const world = createRecordWorld({
      predict: always,
      oracle: (coin, atS) =>
        coin === 'ETH' && atS === FIRST_S
          ? undefined
          : {
              price: 5,
              kind: coin === 'SOL' && atS === FIRST_S ? 'spot' : 'twap_60s',
              atMs: atS * 1000 + (coin === 'XRP' ? 1_000 : 999),
            },
    })
    await world.keeper.start()
    await world.windows(2)
    const found = () =>
      leavesOf(world)
        .filter((leaf) => leaf.kind === 'reveal')
        .map(({ coin, outcome, reason }) => [coin, outcome, reason])
    expect(found()).toEqual([
      ['BTC', 'UP', null],
      ['SOL', 'unknown', 'price_kinds_differ'],
    ])
    await world.to((FIRST_S + WINDOW_S) * 1000 + REVEAL_WAIT_MS)
    expect(found().slice(2)).toEqual([])
    await world.to((FIRST_S + WINDOW_S) * 1000 + REVEAL_WAIT_MS + 500)
    expect(found().slice(2)).toEqual([
      ['ETH', 'unknown', 'no_open_price'],
      ['XRP', 'unknown', 'no_open_price'],
    ])
  })

  test('a coin without a prediction, or with an impossible one, is missed and the others are not', async () => {
    const world = createRecordWorld({
      predict: (coin, startS) => {
        if (coin === 'BTC') throw new Error('no model')
        if (coin === 'ETH') return undefined
        if (coin === 'SOL') return { ...always(coin, startS), probabilityUp: Number.NaN }
        return always(coin, startS)
      },
    })
    await world.keeper.start()
    await world.windows(1)
    expect(leavesOf(world)).toMatchObject([
      { kind: 'missed', reason: 'bad_prediction' },
      { kind: 'missed', reason: 'no_prediction' },
      { kind: 'missed', reason: 'bad_prediction' },
      { kind: 'commit', coin: 'XRP' },
    ])
  })

  test('windows missed while stopped are never filled in; earlier commitments are still revealed', async () => {
    const again = await restartAfter(1, (FIRST_S + 3 * WINDOW_S) * 1000 + 5_000)
    expect(kindsOf(again)).toBe(`${'commit '.repeat(4)}${'reveal '.repeat(4)}${'missed '.repeat(12)}`.trim())
    expect(new Set(leavesOf(again).flatMap((leaf) => (leaf.kind === 'missed' ? [leaf.reason] : [])))).toEqual(
      new Set(['not_running']),
    )
    expect(again.keeper.reader.latest().all).toMatchObject({
      entries: 16,
      committed: 4,
      missed: 12,
      revealed: 4,
    })
  })

  test('a ledger that refuses to write makes windows missed, and says so', async () => {
    let isDown = false
    const world = createRecordWorld({
      predict: always,
      oracle: steady,
      commit: async (apply) => {
        if (isDown) throw new Error('disk full')
        return apply()
      },
    })
    await world.keeper.start()
    await world.windows(1)
    isDown = true
    for (let n = 0; n < 1_400; n++) await world.to(FIRST_MS + n * 500)
    isDown = false
    await world.to(FIRST_MS + 700_500)
    expect(
      leavesOf(world)
        .filter(({ kind }) => kind === 'missed')
        .map((leaf) => leaf.kind === 'missed' && [leaf.id, leaf.reason]),
    ).toEqual(
      [1, 2].flatMap((n) => COINS.map((coin) => [`${coin}-${FIRST_S + n * WINDOW_S}`, 'store_unavailable'])),
    )
    expect(world.keeper.reader.entryFor('BTC', FIRST_S + WINDOW_S)).toBeUndefined()
  })

  test('a write that ends after the opening is taken back as late', async () => {
    const world = createSlowWorld(FIRST_MS + 10)
    await world.keeper.start()
    await world.to(FIRST_MS - COMMIT_LEAD_MS)
    expect(kindsOf(world)).toBe('commit commit commit commit missed missed missed missed')
    expect(leavesOf(world)[4]).toMatchObject({ id: `BTC-${FIRST_S}`, reason: 'late' })
    expect(world.keeper.reader.latest().all).toMatchObject({ entries: 4, committed: 0, missed: 4, late: 4 })
    expect(world.keeper.reader.entryFor('BTC', FIRST_S)).toBeUndefined()
    expect(world.rows.secrets.size).toBe(0)
    await world.windows(2, FIRST_S + WINDOW_S)
    expect(
      leavesOf(world).filter(({ kind, window_start }) => kind === 'reveal' && window_start === FIRST_S),
    ).toEqual([])
  })

  test('a write that ends long after the opening is not taken back: by then the outcome could decide', async () => {
    const world = createSlowWorld(FIRST_MS + TAKE_BACK_MS + 1)
    await world.keeper.start()
    await world.to(FIRST_MS - COMMIT_LEAD_MS)
    expect(kindsOf(world)).toBe('commit commit commit commit')
  })

  test('leaf times never decrease when the clock is set back', async () => {
    const again = await restartAfter(3, FIRST_MS + 1_000)
    const before = again.rows.heads.length
    await again.to((FIRST_S + 5 * WINDOW_S) * 1000)
    const times = again.rows.heads.map(({ atMs }) => atMs)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.length).toBeGreaterThan(before)
  })

  test('hands out the proof of an entry once its head is out', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(3)
    const startS = FIRST_S + 2 * WINDOW_S
    const entry = world.keeper.reader.entryFor('SOL', startS)
    const [committed] = await world.keeper.reader.find(`SOL-${startS}`)
    expect(entry).toMatchObject({
      recordId: `SOL-${startS}`,
      leafIndex: committed?.index,
      treeSize: world.rows.heads.at(-2)?.treeSize,
    })
    expect(entry?.proof).toEqual(world.keeper.reader.inclusion(entry?.leafIndex ?? -1, entry?.treeSize ?? -1))
    expect(entry?.headAtMs).toBe(startS * 1000 - COMMIT_LEAD_MS)
    expect(world.keeper.reader.entryFor('SOL', FIRST_S - WINDOW_S)).toBeUndefined()
  })

  test('after a restart inside a window its commitment is handed out as before', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(2)
    const openS = FIRST_S + WINDOW_S
    const before = world.keeper.reader.entryFor('BTC', openS)
    await world.keeper.stop()
    const nowMs = openS * 1000 + 60_000
    const again = createRecordWorld({ predict: always, rows: world.rows, nowMs })
    await again.keeper.start()
    expect(before).toMatchObject({ recordId: `BTC-${openS}`, mode: 'sandbox' })
    expect(again.keeper.reader.entryFor('BTC', openS)).toEqual(before)
    expect(again.keeper.reader.entryFor('BTC', FIRST_S)).toBeUndefined()
  })

  test('after a restart and a change of the key the entry keeps the head that the old key signed', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(1)
    await world.keeper.stop()
    const nowMs = FIRST_MS + 60_000
    await changeKey(world.rows, FIRST_KEY, SECOND_KEY, nowMs)
    const again = createRecordWorld({ predict: always, rows: world.rows, key: SECOND_KEY, nowMs })
    await again.keeper.start()
    expect(again.keeper.reader.entryFor('BTC', FIRST_S)).toEqual(world.keeper.reader.entryFor('BTC', FIRST_S))
    expect(again.keeper.reader.keyChanges()).toMatchObject([{ id: 'key-1' }])
  })

  test('says why a window has no commitment', async () => {
    const world = createRecordWorld({
      predict: (coin, startS) => (coin === 'ETH' ? undefined : always(coin, startS)),
    })
    const { reader } = world.keeper
    expect(reader.whyNoEntry('BTC', FIRST_S)).toMatch(/being read/)
    await world.keeper.start()
    expect(reader.whyNoEntry('BTC', FIRST_S - WINDOW_S)).toMatch(/before the record began; the next one is/)
    await world.windows(1)
    expect(reader.whyNoEntry('BTC', FIRST_S - WINDOW_S)).toMatch(/before the record began/)
    expect(reader.whyNoEntry('ETH', FIRST_S)).toMatch(/there was no prediction/)
    expect(reader.whyNoEntry('BTC', FIRST_S + WINDOW_S)).toMatch(/not entered yet/)
    const again = await restartAfter(1, (FIRST_S + WINDOW_S) * 1000 + 60_000)
    expect(again.keeper.reader.whyNoEntry('BTC', FIRST_S + WINDOW_S)).toMatch(/was not running when/)
  })

  test('does not go on with a record of another mode, nor with one that has a head of another', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(2)
    await world.keeper.stop()
    const start = (mode: 'sandbox' | 'live') => createRecordWorld({ rows: world.rows, mode }).keeper.start()
    await expect(start('live')).rejects.toThrow(/of the mode sandbox, and this start is live: name another/)
    const [first] = world.rows.heads
    if (first) first.mode = undefined
    await expect(start('sandbox')).resolves.toBeUndefined()
    if (first) first.mode = 'live'
    await expect(start('sandbox')).rejects.toThrow(/of the mode live, and this start is sandbox/)
  })

  test('does not go on where a head is of a key that was not in force', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(2)
    const [, second] = world.rows.heads
    if (second) second.keyId = SECOND_KEY.id
    await expect(createRecordWorld({ rows: world.rows }).keeper.start()).rejects.toThrow(
      /was in force: restore/,
    )
  })

  test('does not go on with a record that was changed in the ledger or signed with another key', async () => {
    const world = createRecordWorld({ predict: always })
    await world.keeper.start()
    await world.windows(2)
    await world.keeper.stop()
    const other = createRecordWorld({ rows: world.rows, key: testKey(8) })
    await expect(other.keeper.start()).rejects.toThrow(/service key/)
    world.rows.leaves[1] = world.rows.leaves[1]?.replace('"commitment":"', '"commitment":"0') ?? ''
    await expect(createRecordWorld({ rows: world.rows }).keeper.start()).rejects.toThrow(
      /not the one that was signed/,
    )
  })

  test('anchors the newest head once a day and again after a failure an hour later', async () => {
    const anchored: number[] = []
    let failures = 1
    const world = createRecordWorld({
      predict: always,
      anchor: {
        async anchor(_, treeSize) {
          if (failures-- > 0) throw new Error('no gas')
          anchored.push(treeSize)
          return { network: 'eip155:8453', tx: `0x${treeSize}` }
        },
      },
    })
    await world.keeper.start()
    await world.windows(300)
    expect(world.rows.anchors).toMatchObject([{ treeSize: anchored[0] }, { treeSize: anchored[1] }])
    expect(
      world.rows.anchors.map(({ atMs }) => Math.floor(atMs / DAY_MS) - Math.floor(FIRST_S / 86_400)),
    ).toEqual([0, 1])
    expect((world.rows.anchors[0]?.atMs ?? 0) - FIRST_MS).toBeGreaterThan(3_590_000)
    expect(await world.keeper.reader.anchors(0, 1e9)).toHaveLength(2)
  })
})

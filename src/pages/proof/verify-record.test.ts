import { beforeAll, describe, expect, test, vi } from 'vitest'
import { REVEAL_WITHIN_S } from '../../cli/verify-record/sent.ts'
import { recordEntry } from '../../products/record/entry.ts'
import { changeKey, FIRST_KEY, SECOND_KEY } from '../../testing/record/change-key.ts'
import { type Entry, type EntryChecks, failed, openEntryChecks } from '../../testing/record/entry-checks.ts'
import { forge, tamper } from '../../testing/record/forge-entry.ts'
import { createRecordWorld, FIRST_S, testKey } from '../../testing/record/record-world.ts'
import { askOf } from '../../testing/record/replies.ts'
import { createSeeded } from '../../testing/seeded.ts'

const WINDOWS = 60

let checks: EntryChecks
beforeAll(async () => {
  checks = await openEntryChecks(WINDOWS)
})

describe('an entry checked as in a browser', () => {
  test('every entry that the record serves is true', async () => {
    expect(checks.entries).toHaveLength(WINDOWS * 4)
    const verdicts = await Promise.all(checks.entries.map(checks.check))
    expect(verdicts.filter(({ verdict }) => verdict !== 'true')).toEqual([])
    expect(new Set(checks.entries.map(({ state }) => state))).toEqual(
      new Set(['committed', 'revealed', 'missed']),
    )
    const told = await checks.check(checks.revealed())
    expect(told.checks.map(({ name }) => name)).toEqual([
      'One entry',
      'Signature',
      'In the log',
      'Fixed beforehand',
      'The same prediction',
      'Outcome',
    ])
  })

  test('1,000 random changes of entries are all noticed', async () => {
    const random = createSeeded(14)
    const unnoticed: string[] = []
    for (let changed = 0; changed < 1_000; ) {
      const entry = structuredClone(checks.entries[random.below(checks.entries.length)])
      const before = JSON.stringify(entry)
      const change = tamper(entry, checks.entries, random)
      // Two equal values may have been exchanged, or a member put where JSON has none.
      if (JSON.stringify(entry) === before) continue
      changed++
      if ((await checks.check(entry)).verdict === 'true') unnoticed.push(`${changed}: ${change}`)
    }
    expect(unnoticed).toEqual([])
  })

  test.each<[string, (entry: Entry) => void, string]>([
    [
      'a better prediction',
      ({ leaves }) => (leaves[1].leaf.prediction.probability_up = 0.9),
      'The same prediction',
    ],
    [
      'another outcome',
      ({ leaves: [, { leaf }] }) => (leaf.outcome = leaf.outcome === 'UP' ? 'DOWN' : 'UP'),
      'Outcome',
    ],
    ['another price', ({ leaves }) => (leaves[1].leaf.close.price += 1), 'In the log'],
    [
      'a backdated commitment',
      ({ leaves }) => (leaves[0].leaf.committed_at = '2026-01-01T00:00:00.000Z'),
      'In the log',
    ],
    ['a head of another size', ({ head }) => head.tree_size--, 'Signature'],
    ['another coin', (entry) => (entry.coin = 'SOL'), 'One entry'],
    ['a source that is not its mode', (entry) => (entry.source = 'record'), 'One entry'],
    ['no head of its own time', (entry) => (entry.first_head = null), 'Fixed beforehand'],
    [
      'the newest head as the first',
      (entry) => {
        entry.first_head = { head: entry.head, path: entry.proofs[0].path }
      },
      'Fixed beforehand',
    ],
  ])('%s is noticed by the check that says so', async (_, change, name) => {
    const entry = structuredClone(
      checks.entries.find(
        ({ state, coin, leaves }) => state === 'revealed' && coin === 'BTC' && leaves[1].leaf.hit !== null,
      ),
    )
    change(entry)
    const result = await checks.check(entry)
    expect(result.verdict).toBe('untrue')
    expect(failed(result)).toContain(name)
    expect(result.words).toMatch(/^Not true\. \d of 6 checks failed/)
  })

  test('an entry whose reveal was cut off is not called true, however well the rest is signed', async () => {
    const cut = (entry: Entry): Entry => {
      entry.leaves.length = 1
      entry.proofs.length = 1
      entry.state = 'committed'
      return entry
    }
    // Of the first window, which closed hours before the newest head.
    const old = checks.entries.findLast(({ state }) => state === 'revealed')
    const result = await checks.check(cut(structuredClone(old)))
    expect([result.verdict, failed(result)]).toEqual(['incomplete', []])
    expect(result.words).toContain('Take the whole entry from /record/{id}.')
    expect((await checks.check(old)).verdict).toBe('true')
    // At the edge of the time in which it is to be revealed, and beyond it.
    for (const [lateMs, verdict] of [
      [0, 'true'],
      [1, 'incomplete'],
    ] as const) {
      const signed = forge(cut(structuredClone(old)), FIRST_KEY, (entry) => {
        const atMs = (entry.window_end + REVEAL_WITHIN_S) * 1000 + lateMs
        entry.head.timestamp = new Date(atMs).toISOString()
        entry.timestamp = entry.head.timestamp
      })
      expect((await checks.check(signed)).verdict).toBe(verdict)
    }
  })

  test('an entry that somebody signed anew is not signed by this service', async () => {
    const forged = forge(checks.revealed(), testKey(8))
    expect(failed(await checks.check(forged))).toEqual(['Signature', 'Fixed beforehand'])
    const own = await checks.verify(JSON.stringify(forged), [{ id: testKey(8).id, until: null }])
    // Whoever holds the key may sign what he likes, and then still has to keep the rules.
    expect(own.verdict).toBe('true')
    const late = forge(checks.revealed(), FIRST_KEY, (entry) => {
      entry.leaves[0].leaf.committed_at = new Date(entry.window_start * 1000).toISOString()
      entry.first_head.head.timestamp = entry.leaves[0].leaf.committed_at
    })
    expect(failed(await checks.check(late))).toEqual(['Fixed beforehand'])
    const wrong = forge(checks.revealed(), FIRST_KEY, ({ leaves: [, { leaf }] }) => {
      leaf.hit = !leaf.hit
    })
    expect(failed(await checks.check(wrong))).toEqual(['Outcome'])
  })

  test('a former key counts for what it signed in its time', async () => {
    const world = createRecordWorld()
    await world.keeper.start()
    await world.windows(3)
    await world.keeper.stop()
    const old = await askOf(world)(recordEntry, { id: `BTC-${FIRST_S}` })
    const atMs = world.clock.now() + 1_000
    await changeKey(world.rows, FIRST_KEY, SECOND_KEY, atMs)
    const next = createRecordWorld({ rows: world.rows, key: SECOND_KEY, nowMs: atMs + 1_000 })
    await next.keeper.start()
    const anew = await askOf(next)(recordEntry, { id: `BTC-${FIRST_S}` })
    const keys = [
      { id: FIRST_KEY.id, until: new Date(atMs).toISOString() },
      { id: SECOND_KEY.id, until: null },
    ]
    expect((await checks.verify(JSON.stringify(old), keys)).verdict).toBe('true')
    expect((await checks.verify(JSON.stringify(anew), keys)).verdict).toBe('true')
    const until = new Date(FIRST_S * 1000).toISOString()
    const expired = [{ id: FIRST_KEY.id, until }]
    expect(failed(await checks.verify(JSON.stringify(old), expired))).toEqual(['Signature'])
  })
})

describe('a browser that cannot check everything', () => {
  test('without Ed25519 says which part was not checked', async () => {
    const spied = vi
      .spyOn(crypto.subtle, 'importKey')
      .mockRejectedValue(new DOMException('', 'NotSupportedError'))
    const result = await checks.check(checks.revealed())
    spied.mockRestore()
    expect(result.verdict).toBe('incomplete')
    const untold = result.checks.filter(({ isTrue }) => isTrue === undefined)
    expect(untold.map(({ name }) => name)).toEqual(['Signature', 'Fixed beforehand'])
    expect(untold[0]?.words).toContain('does not know Ed25519')
  })

  test('without any cryptography, on a page over http, says how to go on', async () => {
    vi.stubGlobal('crypto', {})
    const result = await checks.check(checks.revealed())
    vi.unstubAllGlobals()
    expect(result).toMatchObject({ verdict: 'unreadable', words: expect.stringContaining('over https') })
  })
})

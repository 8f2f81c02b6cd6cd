import { beforeAll, describe, expect, test } from 'vitest'
import { type Entry, type EntryChecks, KEYS, openEntryChecks } from '../../testing/record/entry-checks.ts'

/** Enough that one is revealed. */
const WINDOWS = 3

let checks: EntryChecks
beforeAll(async () => {
  checks = await openEntryChecks(WINDOWS)
})

describe('what is no entry', () => {
  test.each<[string, string]>([
    ['', 'Nothing to check yet'],
    ['{"id":', 'This is no JSON'],
    ['null', 'the entry is no object'],
    ['[]', 'the entry is no object'],
    ['"text"', 'the entry is no object'],
    ['{}', 'timestamp is missing'],
    ['{"__proto__":1}', 'has a member that none has: __proto__'],
    ['{"constructor":{"prototype":1}}', 'has a member that none has: constructor'],
    [`${'['.repeat(40_000)}${']'.repeat(40_000)}`, 'the entry is no object'],
    ['x'.repeat(100_001), 'too long for an entry: 100001 characters'],
  ])('%.30s is told in words', async (text, words) => {
    const result = await checks.verify(text, KEYS)
    expect([result.verdict, result.checks]).toEqual(['unreadable', []])
    expect(result.words).toContain(words)
  })

  test.each<[string, (entry: Entry) => void, string]>([
    ['no leaves', (entry) => (entry.leaves = []), 'one or two leaves'],
    ['three leaves', (entry) => entry.leaves.push(entry.leaves[0]), 'leaves is missing'],
    ['a proof too few', (entry) => entry.proofs.pop(), 'a proof for each'],
    [
      'a kind that objects have',
      (entry) => (entry.leaves[0].leaf.kind = 'constructor'),
      'leaves[0].leaf is missing',
    ],
    [
      'a number as text',
      (entry) => (entry.window_start = String(entry.window_start)),
      'window_start is missing',
    ],
    ['a nested salt', (entry) => (entry.leaves[1].leaf.salt = {}), 'leaves[1].leaf.salt is missing'],
    ['hashes in capitals', (entry) => (entry.head.root_hash = 'A'.repeat(64)), 'head.root_hash is missing'],
    ['another mode', (entry) => (entry.head.mode = 'dream'), 'head.mode is missing'],
    [
      'a line more',
      (entry) => (entry.leaves[0].leaf.note = 'x'),
      'leaves[0].leaf has a member that none has: note',
    ],
    [
      'a thousand hashes',
      (entry) => (entry.proofs[0].path = Array(1_000).fill('0'.repeat(64))),
      'proofs[0].path',
    ],
  ])('an entry with %s is told in words', async (_, change, words) => {
    const entry = checks.revealed()
    change(entry)
    const result = await checks.check(entry)
    expect(result).toMatchObject({ verdict: 'unreadable', words: expect.stringContaining(words) })
  })
})

describe('a member that stands twice', () => {
  const twice = 'a member stands in it twice'
  test.each<[string, string, string]>([
    [
      'a better prediction before the true one',
      '"probability_up":',
      '"probability_up":0.99,"probability_up":',
    ],
    ['its name in other letters', '"probability_up":', '"probability\\u005fup" : 0.99,"probability_up":'],
    ['another coin', '{"timestamp":', '{"coin":"a \\" b\\\\","timestamp":'],
    ['whole leaves', '"leaves":', '"leaves":[{"index":1}],"leaves":'],
  ])('%s is refused', async (_, before, after) => {
    const text = JSON.stringify(checks.revealed())
    const forged = text.replace(before, () => after)
    expect(JSON.stringify(JSON.parse(forged)).length).toBe(text.length)
    expect(forged).not.toBe(text)
    const result = await checks.verify(forged, KEYS)
    expect(result).toMatchObject({ verdict: 'unreadable', words: expect.stringContaining(twice) })
  })

  test('an entry that is laid out for people is read as before', async () => {
    const result = await checks.verify(
      JSON.stringify(checks.revealed(), null, 2).replaceAll('":', '" :'),
      KEYS,
    )
    expect(result.verdict).toBe('true')
  })
})

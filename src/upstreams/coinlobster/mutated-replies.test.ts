import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { OWN, PARSERS } from '../../testing/upstreams/whale-parsers.ts'

const TRIES = searchSize('payload-mutations')
/** Keys of our types that may be undefined. */
const optional = new Set([
  'transactions',
  'feeSats',
  'vsize',
  'address',
  'blockAtMs',
  'minimum',
  'tradedUsd',
  'assetsUsd',
  'sinceStartUsd',
])

describe('replies about whales with something wrong in them are read soundly or refused', () => {
  it.each(OWN)('ours: $file', ({ file, json, parse }) => {
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read, refused } = searchMutations({ file, json, parse, optional })
    // Both must happen, or the search looks at one side only.
    expect(read).toBeGreaterThan(TRIES / 50)
    expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areRecordedMissing()).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const { read, refused } = searchMutations({ file, json: JSON.parse(recordedText(file)), parse, optional })
    expect(read + refused).toBe(TRIES)
  })

  it('the search would notice a number that is none', () => {
    const parse = (json: unknown) => ({ usd: Number((json as { USD: unknown })?.USD) })
    const json = { time: 1, USD: 5 }
    expect(() => searchMutations({ file: 'price', json, parse, optional })).toThrow('usd')
  })
})

import { expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { OWN, PARSERS } from '../../testing/upstreams/blockscout-parsers.ts'
import { type Parser, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'

const TRIES = searchSize('payload-mutations')
/** Keys of our types that may be undefined. */
const OPTIONAL = new Set(
  `decimals totalSupply holders priceUsd marketCapUsd volume24hUsd isContract isScam isVerified wei creator hasTokens
  hasTokenTransfers tokenTransfers atMs to nonce`.split(/\s+/),
)
const search = (file: string, json: unknown, parse: Parser) =>
  searchMutations({ file, json, parse, optional: OPTIONAL })

it.each(OWN)('ours: %s', (name, json, parse) => {
  const { read, refused } = search(name, json, parse)
  expect(read).toBeGreaterThan(TRIES / 50)
  expect(refused).toBeGreaterThan(TRIES / 50)
})

it.skipIf(areRecordedMissing()).each(Object.entries(PARSERS))('documented: %s', (file, parse) => {
  const { read, refused } = search(file, JSON.parse(recordedText(file)), parse)
  expect(read + refused).toBe(TRIES)
})

import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { OWN_PARSERS, PARSERS } from '../../testing/upstreams/derivatives-parsers.ts'
import { OWN_PAYLOADS } from '../../testing/upstreams/derivatives-payloads.ts'
import { readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'

const areMissing = areRecordedMissing()
const TRIES = searchSize('payload-mutations')
/** Keys of our types that may be undefined. */
const optional = new Set(['nextFundingMs', 'volume24hUsd', 'contractCoins', 'refusal'])
/** OKX may leave dollars out; the client then reckons them. */
const optionalIn = (name: string) =>
  name === 'okx openInterest' ? new Set([...optional, 'openInterestUsd']) : optional

describe('replies with something wrong in them are read soundly or refused', () => {
  it.each(Object.entries(OWN_PAYLOADS))('ours: %s', (name, json) => {
    const parse = OWN_PARSERS[name]
    if (!parse) throw new Error(`no parser for ${name}`)
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read, refused } = searchMutations({ file: name, json, parse, optional: optionalIn(name) })
    expect(read).toBeGreaterThan(TRIES / 50)
    // Frames are never refused as a whole, and a list of adjusted terms may hold none of ours.
    if (!/frame|fundingInfo/.test(name)) expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areMissing).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const json = JSON.parse(recordedText(file))
    const { read, refused } = searchMutations({ file, json, parse, optional })
    expect(read + refused).toBe(TRIES)
  })
})

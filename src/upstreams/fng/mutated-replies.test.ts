import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { OWN_PAYLOADS, PARSERS } from '../../testing/upstreams/sentiment-parsers.ts'

const TRIES = searchSize('payload-mutations')
const OPTIONAL = new Set([
  'word',
  'nextInS',
  'ETH',
  'SOL',
  'XRP',
  'capChange24hPercent',
  'volumeChange24hPercent',
])

describe('replies with something wrong in them are read soundly or refused', () => {
  it.each(Object.entries(OWN_PAYLOADS))('ours: %s', (file, json) => {
    const parse = PARSERS[file]
    if (!parse) throw new Error(`no parser for ${file}`)
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read, refused } = searchMutations({ file, json, parse, optional: OPTIONAL })
    expect(read).toBeGreaterThan(TRIES / 50)
    expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areRecordedMissing()).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const json: unknown = JSON.parse(recordedText(file))
    const { read, refused } = searchMutations({ file, json, parse, optional: OPTIONAL })
    expect(read + refused).toBe(TRIES)
  })
})

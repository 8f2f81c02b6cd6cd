import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'
import { OWN, PARSERS } from '../../testing/upstreams/x402-parsers.ts'
import type { Partner } from '../ecosystem/wire.ts'
import type { BazaarPage } from './wire.ts'

const areMissing = areRecordedMissing()
const TRIES = searchSize('payload-mutations')
const read = (file: string) => PARSERS[file]?.(JSON.parse(recordedText(file)), '')
const OPTIONAL = new Set(['units', 'calls30d', 'payers30d', 'lastCalledMs', 'updatedMs', 'total', 'size'])
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

describe.skipIf(areMissing)('recorded replies of the directories', () => {
  it('has a parser for every one of them', () => {
    const recorded = readdirSync(new URL('recorded/x402', FIXTURES)).map((file) => `recorded/x402/${file}`)
    expect(Object.keys(PARSERS).sort()).toEqual([
      'from-docs/x402_discovery_resources.json',
      ...recorded.sort(),
    ])
  })

  it('reads rows of both versions', () => {
    const page = read('from-docs/x402_discovery_resources.json') as BazaarPage
    expect(page).toMatchObject({ rows: 2, total: 15_070, skipped: { count: 0 } })
    expect(page.resources[0]).toMatchObject({
      url: 'https://api.example.com/oatp/tx_explainer',
      kind: 'http',
      name: '',
      terms: [{ network: 'eip155:8453', asset: USDC, units: 100_000 }],
      calls30d: 18_653,
      payers30d: 2_598,
      lastCalledMs: Date.UTC(2026, 4, 14, 14, 26, 42, 685),
    })
    expect(page.resources[1]).toMatchObject({
      url: 'https://api.example.com/x402/weather',
      terms: [{ network: 'base', asset: USDC, units: 200 }],
      calls30d: undefined,
      updatedMs: Date.UTC(2025, 7, 9, 1, 7, 4, 5),
    })
  })

  it('reads rows whose resource is an object', () => {
    const page = read('recorded/x402/discovery_search_sweep.json') as BazaarPage
    expect(page).toMatchObject({ rows: 60, total: undefined, skipped: { count: 0 } })
    expect(page.resources[1]).toMatchObject({
      url: 'https://orbisapi.com/proxy/coinpaprika-api-0c09f4',
      name: 'Coinpaprika API',
      terms: [{ network: 'eip155:8453', asset: USDC, units: 5_000 }],
      tags: ['api', 'base', 'coinpaprika', 'coins', 'crypto'],
      calls30d: 1,
      payers30d: 1,
    })
  })

  it('reads every partner', () => {
    const partners = read('recorded/x402/ecosystem_partners.json') as Partner[]
    expect(partners).toHaveLength(202)
    expect(partners[1]).toMatchObject({
      name: '0xArchive Facilitator',
      category: 'Facilitators',
      url: 'https://0xarchive.io',
      networks: ['hyperevm', 'base'],
    })
    expect(partners.filter(({ networks }) => networks.length > 0).length).toBeGreaterThan(25)
  })
})

describe('replies with something wrong in them are read soundly or refused', () => {
  it.each(Object.entries(OWN))('ours: %s', (name, { parse, json }) => {
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read: good, refused } = searchMutations({ file: name, json, parse, optional: OPTIONAL })
    expect(good).toBeGreaterThan(TRIES / 50)
    expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areMissing).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const json = JSON.parse(recordedText(file))
    const { read: good, refused } = searchMutations({ file, json, parse, optional: OPTIONAL })
    expect(good + refused).toBe(TRIES)
  })
})

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OWN, PARSERS, UNREAD } from '../../testing/upstreams/blockscout-parsers.ts'
import { areRecordedMissing, FIXTURES, recordedText } from '../../testing/upstreams/recorded.ts'

const read = (name: string) => {
  const file = `from-docs/blockscout/${name}.json`
  return PARSERS[file]?.(JSON.parse(recordedText(file)), recordedText(file))
}

describe.skipIf(areRecordedMissing())('documented replies of Blockscout', () => {
  it('has a parser for every one of them, or a reason', () => {
    const files = readdirSync(new URL('from-docs/blockscout', FIXTURES))
    expect([...Object.keys(PARSERS), ...Object.keys(UNREAD)].sort()).toEqual(
      files.map((file) => `from-docs/blockscout/${file}`).sort(),
    )
  })

  it('reads a token', () => {
    expect(read('token_info')).toMatchObject({
      address: '0x55d536e4d6c1993d8ef2e2a4ef77f02088419420',
      symbol: 'ARIA',
      type: 'ERC-20',
      decimals: 18,
      totalSupply: 12_353_463_663_000_000_000_000n,
      holders: 46_554,
      priceUsd: 2.0101,
      marketCapUsd: 117_629_601.61913824,
      volume24hUsd: undefined,
    })
  })

  it('reads holders, holdings, addresses and counters', () => {
    expect(read('token_holders')).toMatchObject({
      rows: [{ label: 'ArianeeStore', amount: 107_014_805_905_725_000_000n }, { label: '' }],
      skipped: { count: 0 },
      hasMore: true,
    })
    expect(read('address_tokens')).toMatchObject({ rows: [{ token: { symbol: 'HyFi' } }, {}, {}] })
    expect(read('address')).toMatchObject({
      isContract: true,
      wei: 1n,
      creator: '0x34a9c688512ebdb575e82c50c9803f6ba2916e72',
    })
    expect(read('address_counters')).toEqual({ transactions: 5_462, tokenTransfers: 420 })
  })
})

const own = (name: string) => {
  const [, json, parse] = OWN.find(([known]) => known === name) ?? []
  return parse?.(json, JSON.stringify(json))
}

it('reads transfers', () => {
  expect(own('token transfers')).toMatchObject({
    rows: [
      { amount: 10n ** 18n, atMs: Date.UTC(2026, 4, 6, 12), token: { symbol: 'MADE', decimals: 18 } },
      {},
      {},
    ],
    hasMore: true,
  })
})

it('reads transactions that failed, make a contract or still wait', () => {
  const facts = { wei: 0n, method: 'approve' }
  expect(own('transactions')).toMatchObject({
    rows: [
      { ...facts, isFailed: false, nonce: 7 },
      { ...facts, isFailed: true, to: undefined },
      { ...facts, isFailed: false, atMs: undefined },
    ],
    hasMore: false,
  })
})

it('takes the names of older instances', () => {
  const parse = OWN.find(([name]) => name === 'a token')?.[2]
  const json = { address: `0x${'D'.repeat(40)}`, holders: '9', decimals: 'NaN', total_supply: '-1' }
  expect(parse?.(json, '')).toMatchObject({
    address: `0x${'d'.repeat(40)}`,
    holders: 9,
    decimals: undefined,
    totalSupply: undefined,
    name: '',
  })
})

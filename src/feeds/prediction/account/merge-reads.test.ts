import { expect, test } from 'vitest'
import type { Activity } from '../../../upstreams/polymarket/account-activity.ts'
import { mergeReads } from './merge-reads.ts'

const row: Activity = {
  kind: 'TRADE',
  type: 'TRADE',
  wallet: '0xAa',
  conditionId: '0xc',
  tokenId: '1',
  side: 'BUY',
  outcome: undefined,
  title: '',
  slug: '',
  eventSlug: '',
  shares: 5,
  usd: 2.5,
  price: 0.5,
  transactionHash: '0xt',
  atMs: 1_000,
}

test('a row that the venue completes later is one row, with what is known now', () => {
  const named = { ...row, outcome: 'Up', slug: 'btc-updown-5m-1767614400', title: 'Bitcoin Up or Down' }
  expect(mergeReads([[row], [named]])).toEqual([named])
})

test('equal rows of one read are fills of their own, in whichever read there are most', () => {
  expect(mergeReads([[row, row], [row]])).toEqual([row, row])
  expect(mergeReads([[row], [row, row, { ...row, usd: 3 }]])).toHaveLength(3)
})

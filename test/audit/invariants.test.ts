import { expect, test } from 'vitest'
import { type Evidence, findViolations } from './invariants.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const PATH = '/price/BTC'
const TEXT = '{"price_usd":1}'
const payment = { id: 'a', header: '', diesAtMs: NOW_MS }
const transfer = { id: 'a', transaction: '0x1', amount: 1_000n }
const row = {
  id: 'a',
  state: 'settled',
  request: `GET ${PATH}`,
  amount: 1_000n,
  transaction: '0x1',
  replyText: TEXT,
  settledAtMs: NOW_MS,
  validBeforeMs: NOW_MS,
}
const sighting = { path: PATH, text: TEXT, settlement: 'receipt' }
const purchase = { kind: 'honest', path: PATH, payments: [payment], isDelivered: true, insults: [] } as const
const sound: Evidence = {
  nowMs: NOW_MS,
  transfers: [transfer],
  held: 1_000n,
  rows: [row],
  sightings: new Map([['a', [sighting]]]),
  purchases: [purchase],
  prices: new Map([[PATH, 1_000n]]),
  reportedRevenue: 1_000n,
}
const rulesBroken = (change: Partial<Evidence>) =>
  findViolations({ ...sound, ...change }).map(({ rule }) => rule)
const seen = (...goods: (typeof sighting)[]) => new Map([['a', goods]])
const second = { ...transfer, id: 'b', transaction: '0x2' }
const secondRow = { ...row, id: 'b', transaction: '0x2' }

test('one purchase, one transfer, one row, one reply: all is well', () => {
  expect(rulesBroken({})).toEqual([])
})

test.each<[string, Partial<Evidence>]>([
  ['I1 a transfer with 0 settled rows', { rows: [] }],
  ['I1 a transfer with 2 settled rows', { rows: [row, row] }],
  ['I1 one authorization moved money twice', { transfers: [transfer, transfer] }],
  ['I1 a row that names another transaction', { rows: [{ ...row, transaction: '0x9' }] }],
  ['I1 a row whose amount is not what moved', { rows: [{ ...row, amount: 2_000n }] }],
  ['I1 a settled row without a transfer', { transfers: [] }],
  ['I2 a settled row without a reply', { rows: [{ ...row, replyText: undefined }] }],
  ['I3 a reply that was not paid for', { rows: [{ ...row, state: 'void' }] }],
  ['I3 a reply for less than its price', { prices: new Map([[PATH, 1_001n]]) }],
  ['I4 one payment, two goods', { sightings: seen(sighting, { ...sighting, settlement: 'other' }) }],
  ['I4 a reply to another request', { sightings: seen({ ...sighting, path: '/price/ETH' }) }],
  ['I4 a reply that is not the stored one', { sightings: seen({ ...sighting, text: '{}' }) }],
  [
    'I5 a buyer was charged twice',
    {
      transfers: [transfer, second],
      rows: [row, secondRow],
      purchases: [{ ...purchase, payments: [payment, { ...payment, id: 'b' }] }],
    },
  ],
  ['I6 a charged buyer cannot get the reply', { sightings: new Map() }],
  ['I6 an honest buyer was never served', { purchases: [{ ...purchase, isDelivered: false }] }],
  ['an honest buyer was turned away', { purchases: [{ ...purchase, insults: ['409'] }] }],
  [
    'I7 a row that never ended: settling',
    { rows: [row, { ...row, id: 'c', state: 'settling', validBeforeMs: NOW_MS - 60_001 }] },
  ],
  [
    'I7 a row that never ended: claimed',
    { rows: [row, { ...row, id: 'c', state: 'claimed', validBeforeMs: undefined }] },
  ],
  ['I8 the ledger and the chain differ', { rows: [row, secondRow] }],
  ['I8 the balance is not what moved', { held: 999n }],
  ['I8 the revenue was not compared', { reportedRevenue: undefined }],
  ['I8 the status page and the ledger differ', { reportedRevenue: 0n }],
])('notices: %s', (rule, change) => {
  expect(rulesBroken(change)).toContain(rule)
})

test('a row may be open while its payment could still be used', () => {
  const open = { ...row, id: 'c', state: 'settling', validBeforeMs: NOW_MS - 59_000 }
  expect(rulesBroken({ rows: [row, open] })).toEqual([])
})

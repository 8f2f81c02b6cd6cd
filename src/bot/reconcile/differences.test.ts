import { expect, test } from 'vitest'
import { createDifferences } from './differences.ts'

const quiet = { isLasting: false, news: undefined }

test('a difference is news at its third reading, once, and again with other numbers', () => {
  const { note } = createDifferences()
  expect([note('paper', '7', 5_000_000n, 0n), note('paper', '7', 5_000_000n, 0n)]).toEqual([quiet, quiet])
  expect(note('paper', '7', 5_000_000n, 0n)).toEqual({
    isLasting: true,
    news: 'the ledger has 5 shares of token 7, the venue 0: find out why before you reset',
  })
  expect(note('paper', '7', 5_000_000n, 0n)).toEqual({ isLasting: true, news: undefined })
  expect(note('paper', '7', 5_000_000n, 1n)).toEqual(quiet)
})

test('shares that somebody sent are no difference', () => {
  const { note } = createDifferences()
  for (let reading = 0; reading < 5; reading++) expect(note('paper', '7', 5n, 6n)).toEqual(quiet)
})

test('what is forgotten is news again, at its third reading', () => {
  const { note, forget } = createDifferences()
  const readings = (count: number) =>
    Array.from({ length: count }, () => note('paper', '7', 5n, 0n).news !== undefined)
  expect(readings(4)).toEqual([false, false, true, false])
  forget()
  expect(readings(4)).toEqual([false, false, true, false])
})

test('an agreement in between begins anew, and tokens are counted apart', () => {
  const { note } = createDifferences()
  note('paper', '7', 5n, 0n)
  note('paper', '7', 5n, 0n)
  note('paper', '7', 5n, 5n)
  note('paper', '8', 5n, 0n)
  expect([note('paper', '7', 5n, 0n), note('paper', '8', 5n, 0n)]).toEqual([quiet, quiet])
})

test('a broker that agrees hides nothing of the other one that holds the token too', () => {
  const { note } = createDifferences()
  const news = Array.from({ length: 3 }, () => {
    note('paper', '7', 5n, 5n)
    return note('polymarket', '7', 5n, 0n).news !== undefined
  })
  expect(news).toEqual([false, false, true])
})

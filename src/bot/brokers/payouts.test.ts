import { expect, test } from 'vitest'
import { fiveMinuteMarket } from '../../testing/prediction/five-minute-market.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createPayouts } from './payouts.ts'

const START_S = 1_767_614_400
const marketAt = (n: number, outcome?: 'UP' | 'DOWN') =>
  fiveMinuteMarket({ coin: 'BTC', startS: START_S + 300 * n, outcome })

type Winners = Record<string, readonly (boolean | undefined)[] | UpstreamError>

/** A venue that knows of the two tokens `a` and `b` of a market who won, and a feed that tells what it is told to. */
function open(winners: Winners = {}, payoutsE6?: readonly number[]) {
  const asked: string[] = []
  let tell: (market: FiveMinuteMarket) => void = () => {}
  const payouts = createPayouts({
    markets: {
      onResolved(listener) {
        tell = listener
        return () => {}
      },
    },
    data: {
      async resolution(conditionId) {
        const times = { wasDisputed: undefined, resolvedAtMs: undefined, updatedAtMs: undefined }
        return payoutsE6 && { conditionId, status: 'resolved', payoutsE6: [...payoutsE6], ...times }
      },
    },
    clob: {
      async market(conditionId) {
        asked.push(conditionId)
        const known = winners[conditionId] ?? []
        if (known instanceof UpstreamError) throw known
        const tokens = known.map((isWinner, n) => ({
          tokenId: 'ab'.charAt(n),
          label: '',
          price: undefined,
          isWinner,
        }))
        return { ...WHATEVER, conditionId, tokens }
      },
    },
  })
  return { ...payouts, asked, tell: (market: FiveMinuteMarket) => tell(market) }
}
const WHATEVER = {
  ...{ slug: 's', question: undefined, active: true, closed: true, acceptingOrders: false, tickSize: 0.01 },
  ...{ minOrderSize: 5, secondsDelay: undefined, negRisk: false, endDayMs: undefined },
}

test('what the feed has heard of is not asked for', async () => {
  const { payoutOf, tell, asked } = open()
  const [up, down] = [marketAt(0, 'UP'), marketAt(1, 'DOWN')]
  tell(up)
  tell(down)
  expect(await payoutOf(up.conditionId, up.tokens.up)).toBe(1_000_000n)
  expect(await payoutOf(up.conditionId, up.tokens.down)).toBe(0n)
  expect(await payoutOf(down.conditionId, down.tokens.down)).toBe(1_000_000n)
  expect(await payoutOf(down.conditionId, down.tokens.up)).toBe(0n)
  expect(asked).toEqual([])
})

test.each([
  ['the winner', [true, false], 1_000_000n],
  ['the loser', [false, true], 0n],
  ['nobody', [false, false], undefined],
  ['nobody yet', [undefined, undefined], undefined],
  ['both', [true, true], undefined],
  ['no such market', new UpstreamError('not_found', '404'), undefined],
])('an older one is asked for: %s', async (_, winner, payout) => {
  expect(await open({ '0x1': winner }).payoutOf('0x1', 'a')).toBe(payout)
})

test('a venue that cannot be asked is not a market that is not resolved', async () => {
  const { payoutOf } = open({ '0x1': new UpstreamError('down', 'no answer') })
  await expect(payoutOf('0x1', 'a')).rejects.toMatchObject({ code: 'upstream_unavailable' })
})

test('only the last ones are kept', async () => {
  const { payoutOf, tell, asked } = open()
  for (let n = 0; n <= 5_000; n++) tell(marketAt(n, 'UP'))
  const [first, second] = [marketAt(0), marketAt(1)]
  expect(await payoutOf(second.conditionId, second.tokens.up)).toBe(1_000_000n)
  expect(await payoutOf(first.conditionId, first.tokens.up)).toBeUndefined()
  expect(asked).toEqual([first.conditionId])
})

test.each([
  [[500_000, 500_000], 500_000n],
  [[1_000_000, 0], undefined],
  [[500_000], undefined],
  [undefined, undefined],
])('where nobody is named as the winner and the contracts pay %j, a share pays %s', async (paid, payout) => {
  expect(await open({ '0x1': [false, false] }, paid).payoutOf('0x1', 'a')).toBe(payout)
})

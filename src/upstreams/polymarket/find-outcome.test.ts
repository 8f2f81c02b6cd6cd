import { expect, test } from 'vitest'
import { fiveMinuteMarket } from '../../testing/prediction/five-minute-market.ts'
import { UpstreamError } from '../upstream.ts'
import { findOutcome } from './find-outcome.ts'
import type { FiveMinuteMarket } from './five-minute-market.ts'

const START_S = 1_767_614_400
const market = { ...fiveMinuteMarket({ coin: 'BTC', startS: START_S }), outcome: undefined }

function ask(found: FiveMinuteMarket | undefined, payoutsE6: number[] | UpstreamError | undefined) {
  const gamma = { fiveMinute: async () => found }
  const data = {
    async resolution(conditionId: string) {
      if (payoutsE6 instanceof UpstreamError) throw payoutsE6
      const times = { wasDisputed: undefined, resolvedAtMs: undefined, updatedAtMs: undefined }
      return { conditionId, status: 'resolved', payoutsE6, ...times }
    },
  }
  return findOutcome({ gamma, data }, 'BTC', START_S)
}

test.each<[string, FiveMinuteMarket | undefined, number[] | UpstreamError | undefined, string | undefined]>([
  ['says how it ended', { ...market, closed: true, outcome: 'DOWN' }, undefined, 'DOWN'],
  ['pays both sides alike', { ...market, closed: true }, [500_000, 500_000], 'SPLIT'],
  ['pays one side, and has not said which', { ...market, closed: true }, [1_000_000, 0], undefined],
  ['has not resolved it', { ...market, closed: true }, undefined, undefined],
  ['cannot be asked for payouts', { ...market, closed: true }, new UpstreamError('down', 'no'), undefined],
  ['has not closed it', { ...market, closed: false }, [500_000, 500_000], undefined],
  ['has no such market', undefined, [500_000, 500_000], undefined],
])('where the venue %s', async (_, found, payoutsE6, outcome) => {
  expect(await ask(found, payoutsE6)).toBe(outcome)
})

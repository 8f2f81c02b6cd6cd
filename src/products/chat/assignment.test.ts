import { expect, test } from 'vitest'
import { toChatAssignment } from './assignment.ts'
import { marketFacts, recordFacts, signalFacts } from './fact-lists.ts'

const now = [
  { coin: 'BTC', priceUsd: 63_412.55, changePercent: 1.254 },
  { coin: 'ETH', priceUsd: 2_811.4, changePercent: -3.71 },
] as const
const market = toChatAssignment('market', marketFacts(now, []))
const closed = { coin: 'BTC', direction: 'UP', abstain: false, outcome: 'DOWN', window_end: 1 } as const
const signal = toChatAssignment('signal', signalFacts([closed], []))
const quality = toChatAssignment(
  'quality',
  recordFacts({
    asOf: '',
    called: 5210,
    hits: 2806,
    hit_rate: 0.5386,
    hit_rate_low: 0.525,
    hit_rate_high: 0.5521,
    hit_rate_means_little: false,
  }),
)

test.each([
  [market, market.byRules().answer],
  [market, 'BTC is at about $63,400 after a gain of 1.25% over 24 hours.'],
  [market, 'BTC is up 1.25% over 24 hours. ETH fell 3.71% over 24 hours to about $2,810.'],
  [signal, signal.byRules().answer],
  [quality, quality.byRules().answer],
  [quality, 'The public record holds 5,210 closed predictions. The rate is 53.9%, within 52.5% to 55.2%.'],
])('a true text passes: %#', ({ findFault }, answer) => {
  expect(findFault({ answer })).toBeUndefined()
})

test.each([
  [market, 'BTC trades at about $64,000 now.', 'in no fact'],
  [market, 'BTC is down 1.25% over 24 hours.', 'wrong direction'],
  [market, 'ETH trades at about $63,400 now.', 'different coins'],
  [market, 'BTC is at $63,400 and ETH at $2,810.', 'different coins'],
  [market, 'It trades at about $63,400 now.', 'different coins'],
  [market, 'BTC trades at about $63,400 and will rise.', 'not ours'],
  [market, 'BTC trades at about $63,400, a bullish sign.', 'not ours'],
  [market, 'The signal for BTC is pointing higher at $63,400.', 'a signal in other words'],
  [market, 'Find more at evil.example about BTC.', 'a link'],
  [market, 'Send USDC to get more about BTC.', 'a command'],
  [market, 'You can buy BTC at about $63,400.', 'speaks to the reader'],
  [signal, 'In the last closed five-minute window the signal for BTC was DOWN, and it closed DOWN.', 'a'],
  [signal, 'The signal for BTC was right in the last window.', 'a signal in other words'],
  [signal, 'Now the signal for BTC is UP.', 'a signal in other words'],
  [quality, 'The hit rate is 98.7% over all predictions.', 'in no fact'],
])('a false text does not: %#', ({ findFault }, answer, fault) => {
  expect(findFault({ answer })).toContain(fault)
})

import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import {
  security,
  simulation,
  TOKEN,
  TOKENS_NOON_MS,
  tokenPorts,
} from '../../../testing/tokens/hand-made-tokens.ts'
import type { RiskRating } from '../token-analysis.ts'
import { createTokenAnalyst } from '../token-analyst.ts'
import { createTokenFacts } from './token-facts.ts'

const OWNED = { owner_address: `0x${'12'.repeat(20)}` }

async function riskOf(told: { goplus?: Record<string, unknown>; honeypot?: Record<string, unknown> }) {
  const ports = tokenPorts({
    security: async () => security(told.goplus),
    simulation: async () => simulation(told.honeypot),
  })
  const facts = createTokenFacts({ ports, clock: createManualClock(TOKENS_NOON_MS), random: () => 0.5 })
  const { risk } = await createTokenAnalyst({ facts }).analyse(TOKEN)
  return {
    rating: risk.rating,
    codes: risk.reasons.map(({ code, severity }) => `${code} ${severity}`),
  }
}
const tried = (over: Record<string, unknown>) => ({
  holderAnalysis: { holders: '100', successful: '100', failed: '0', siphoned: '0', ...over },
})

test.each<[string, RiskRating, Record<string, unknown>]>([
  ['cannot_buy', 'high', { cannot_buy: '1' }],
  ['trading_cooldown', 'medium', { trading_cooldown: '1' }],
  ['can_limit_trades', 'high', { ...OWNED, is_anti_whale: '1', anti_whale_modifiable: '1' }],
  ['can_limit_trades', 'medium', { is_anti_whale: '1', anti_whale_modifiable: '1' }],
  ['has_whitelist', 'medium', { is_whitelisted: '1' }],
  ['calls_others', 'medium', { external_call: '1' }],
  ['abuses_gas', 'high', { gas_abuse: '1' }],
  ['owner_holds', 'high', { ...OWNED, owner_percent: '0.6' }],
  ['fake_token', 'critical', { fake_token: { value: 1, true_token_address: TOKEN } }],
  ['fake_token', 'critical', { fake_token: '1' }],
])('GoPlus tells %s, which is %s', async (code, severity, goplus) => {
  expect(await riskOf({ goplus })).toEqual({ rating: severity, codes: [`${code} ${severity}`] })
})

test.each<[string, RiskRating, Record<string, unknown>]>([
  ['holders_cannot_sell', 'critical', tried({ failed: '50' })],
  ['holders_cannot_sell', 'high', tried({ failed: '20' })],
  ['holders_cannot_sell', 'medium', tried({ failed: '5' })],
  ['holders_siphoned', 'critical', tried({ siphoned: '10' })],
  ['holders_siphoned', 'high', tried({ siphoned: '1' })],
  ['holder_tax', 'high', tried({ highestTax: 50 })],
  ['holder_tax', 'medium', tried({ highestTax: 15 })],
  ['sell_tax', 'critical', tried({ averageTax: 60 })],
  ['critical_flag', 'critical', { flags: ['high_fail_rate'] }],
  ['high_flag', 'high', { summary: { flags: [{ flag: 'NEW', severity: 'high', severityIndex: 16 }] } }],
  ['rated_risky', 'high', { summary: { risk: 'low', riskLevel: 60 } }],
  ['rated_risky', 'high', { summary: { risk: 'very_high' } }],
])('honeypot.is tells %s, which is %s', async (code, severity, honeypot) => {
  expect(await riskOf({ honeypot })).toEqual({ rating: severity, codes: [`${code} ${severity}`] })
})

test.each([
  ['few fail', { honeypot: tried({ failed: '4' }) }],
  ['too few were tried', { honeypot: { holderAnalysis: { holders: '4', failed: '2', siphoned: '1' } } }],
  [
    'a medium level and a medium flag',
    { honeypot: { summary: { risk: 'medium', riskLevel: 59, flags: [{ flag: 'x', severityIndex: 12 }] } } },
  ],
  ['a limit that nobody can change', { goplus: { is_anti_whale: '1', anti_whale_modifiable: '0' } }],
  ['no imitation', { goplus: { fake_token: { value: 0 } } }],
])('%s: no reason', async (_, told) => {
  expect(await riskOf(told)).toEqual({ rating: 'low', codes: [] })
})

test('what a famous token has as well counts as low for it', async () => {
  const famous = await riskOf({
    goplus: { trust_list: '1', is_whitelisted: '1', external_call: '1', anti_whale_modifiable: '1' },
    honeypot: { ...tried({ failed: '6', highestTax: 20 }), summary: { risk: 'high' } },
  })
  expect(famous.rating).toBe('low')
  expect(famous.codes.length).toBe(6)
  const trap = { goplus: { trust_list: '1' }, honeypot: tried({ failed: '60' }) }
  expect((await riskOf(trap)).rating).toBe('critical')
})

import { expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { createLatent } from '../market/latent/latent.ts'
import { createOracle } from '../market/oracle.ts'
import { createRegistry, RESOLVED_KEPT_MS } from './registry.ts'
import { createWindowMarket } from './windows/window-market.ts'

it('forgets a market a day after it was resolved, by all of its names', () => {
  const startS = Date.UTC(2026, 4, 6) / 1000
  const oracle = createOracle(createLatent('registry'))
  const registry = createRegistry()
  const [first, second] = COINS.map((coin) =>
    createWindowMarket({ seed: 's', oracle, coin, startS, nowMs: startS * 1000 }),
  )
  if (!first || !second) throw new Error('no coins')
  expect([first, second, first].map(registry.add)).toEqual([true, true, false])
  first.market.state = 'resolved'
  first.market.resolvedMs = startS * 1000
  registry.sweep(startS * 1000 + RESOLVED_KEPT_MS)
  expect(registry.bySlug(first.market.slug)).toBe(first)
  expect([...registry.pending()]).toEqual([second])
  registry.sweep(startS * 1000 + DAY_MS + 1)
  const { slug, conditionId, tokenIds } = first.market
  expect([registry.bySlug(slug), registry.byCondition(conditionId), registry.byToken(tokenIds[1])]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(registry.all()).toEqual([second.market])
})

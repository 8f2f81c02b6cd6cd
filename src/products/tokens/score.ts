import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { TOKEN_LOOKS } from '../look-limits.ts'
import { PartFields } from '../part-fields.ts'
import { Address, Identity, MARKET_FRESH_MS, RiskFields, SAMPLE_ADDRESS, ScoreFields } from './fields.ts'
import type { TokenServices } from './services.ts'
import { toIdentity, toParts, toRisk, toScore, toSource } from './shown-analysis.ts'

export const tokenScore = defineEndpoint({
  id: 'token.score',
  method: 'GET',
  path: '/token/{addr}/score',
  access: paid(usd('0.01')),
  summary: 'Score of a token on Base from 0 to 100, with its components',
  description:
    'Eight weighted components, each with its value, weight, points and reason: can it be sold, what can its owner do, liquidity, taxes, spread of holders, age, number of holders, locked liquidity. The score is the smaller of their sum and of what the risk rating allows, so anybody can compute it again. Unknown earns nothing and lowers confidence. Without market data, or while no risk source answers, 503 and no charge.',
  brings:
    'One score from 0 to 100 and the eight parts that it is made of, so that you can do the sum yourself.',
  params: z.object({ addr: Address }),
  title: ({ addr }) => `Token score of ${shorten(addr)}`,
  sample: { addr: SAMPLE_ADDRESS },
  response: z.object({
    timestamp: Timestamp.describe("The market data's own time"),
    source: Source,
    ...Identity.shape,
    score: z.number().min(0).max(100).describe('Higher is better'),
    confidence: ScoreFields.shape.confidence,
    sum: ScoreFields.shape.sum,
    cap: ScoreFields.shape.cap,
    components: ScoreFields.shape.components,
    method: ScoreFields.shape.method,
    risk: RiskFields,
    parts: z.array(PartFields).describe('What each source gave, or why it did not'),
  }),
  freshForMs: MARKET_FRESH_MS,
  checkExists: ({ lookup }: TokenServices, { addr }, mayLook) => lookup.checkExists(addr, mayLook),
  lookLimit: TOKEN_LOOKS,
  changes: ({ analyst }: TokenServices, { addr }) => analyst.state(addr),
  handle: async ({ analyst, sourceOf }: TokenServices, { addr }) => {
    const analysis = await analyst.analyse(addr)
    const { value, ...score } = toScore(analysis)
    return {
      timestamp: isoTime(analysis.asOfMs),
      source: toSource(analysis, sourceOf),
      ...toIdentity(analysis),
      score: value,
      ...score,
      risk: toRisk(analysis, sourceOf),
      parts: toParts(analysis, sourceOf),
    }
  },
})

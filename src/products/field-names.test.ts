import { expect, it } from 'vitest'
import { type JsonSchema, toJsonSchema } from '../catalog/json-schema.ts'
import { briefGroup } from './briefs/group.ts'
import { derivativesGroup } from './derivatives/group.ts'
import { diagnosisGroup } from './diagnosis/group.ts'
import { directoryGroup } from './directory/group.ts'
import { sentimentGroup } from './sentiment/group.ts'
import { tokenGroup } from './tokens/group.ts'
import { walletGroup } from './wallets/group.ts'
import { whaleGroup } from './whales/group.ts'

const GROUPS = [
  ...[tokenGroup, diagnosisGroup, walletGroup, sentimentGroup],
  ...[derivativesGroup, whaleGroup, briefGroup, directoryGroup],
]
/** Other names of a quantity that has one, and ways to write a unit that has one. */
const OTHER_WORDS: readonly [RegExp, string][] = [
  [/pct|percentage/, '_percent'],
  [/^(longs|shorts)_usd$/, 'long_usd, short_usd'],
  [/^span_(seconds|hours|ms)$/, 'span_minutes'],
  [/^weight_known$/, 'known_weight'],
  [/^(liquidation_risk|liquidation_cascade_\w+)$/, 'cascade_risk'],
  [/^(funding_8h_percent|rate_8h_percent|funding_rate_8h|annual_percent)$/, 'funding_rate_8h_percent'],
  [/^(cap_usd|whole_market_cap_usd|cap_change_24h_percent)$/, 'total_market_cap_usd'],
  [/^(btc|eth)_(percent|share)$|^dominance$/, 'btc_dominance_percent in whole_market'],
  [/^(bias|fear_greed_word)$/, 'label, and word in fear_greed'],
  [/^(flows|usd|price_change)$/, 'net_flow, value_usd, change_percent'],
  [/^risk_level$/, 'risk_rating'],
]

type Field = { path: string; name: string }
type Product = { path: string; response: Parameters<typeof toJsonSchema>[0] }

function fieldsOf(schema: JsonSchema, path: string): Field[] {
  const inside = [...((schema.anyOf as JsonSchema[]) ?? []), ...(schema.items ? [schema.items] : [])]
  const own = Object.entries((schema.properties as Record<string, JsonSchema>) ?? {})
  return [
    ...inside.flatMap((each) => fieldsOf(each as JsonSchema, path)),
    ...own.flatMap(([name, each]) => [
      { path: `${path}.${name}`, name },
      ...fieldsOf(each, `${path}.${name}`),
    ]),
  ]
}

const fields = GROUPS.flatMap(({ endpoints }) => endpoints as readonly { kind: string }[])
  .flatMap((endpoint) => (endpoint.kind === 'product' ? [endpoint as never as Product] : []))
  .flatMap(({ path, response }) => fieldsOf(toJsonSchema(response, 'output'), path))

it('have one word for one thing over all replies of what others know', () => {
  expect(fields.length).toBeGreaterThan(500)
  const wrong = fields.flatMap(({ path, name }) =>
    OTHER_WORDS.flatMap(([other, word]) => (other.test(name) ? [`${path}: say ${word}`] : [])),
  )
  expect(wrong).toEqual([])
})
